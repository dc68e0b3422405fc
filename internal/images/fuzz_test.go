package images

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// FuzzBound: whatever the bytes, Bound refuses them with a fault or gives a
// picture that is whole, within the limits and of the size it says.
func FuzzBound(f *testing.F) {
	for _, data := range samples(f) {
		f.Add(data, 5, 400)
		f.Add(data, 0, 0)
		f.Add(data[:len(data)/2], 12, 0)
	}
	f.Add(withEXIF(cmykJPEG(9, 5), 6), 0, 0)
	f.Add([]byte("%PDF-1.7"), 0, 0)
	f.Fuzz(func(t *testing.T, data []byte, longest, size int) {
		if known := sniff(data); known != nil {
			cfg, err := known.config(bytes.NewReader(data))
			if err == nil && cfg.Width*cfg.Height > 1<<18 && cfg.Width*cfg.Height <= maxPixels {
				t.Skip("slow, and no other path than a small one")
			}
		}
		m, err := Bound(data, Limits{MaxDimension: longest, MaxBytes: size})
		if err != nil {
			require.NotEqual(t, fault.Internal, fault.CodeOf(err), err.Error())
			return
		}
		if longest > 0 {
			require.LessOrEqual(t, max(m.Width, m.Height), longest)
		}
		if size > 0 {
			require.LessOrEqual(t, len(m.Data), size)
		}
		require.LessOrEqual(t, m.Scale(), 1.0)
		requireWhole(t, m)
	})
}
