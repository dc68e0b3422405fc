package images

import (
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// withEXIF puts an orientation into a JPEG, where a phone writes it.
func withEXIF(jpeg []byte, t turn) []byte {
	return withSegment(jpeg, exif(binary.BigEndian, t))
}

func withSegment(jpeg, body []byte) []byte {
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(2+len(body)))
	return slices.Concat(jpeg[:2], segment, body, jpeg[2:])
}

func exif(order binary.AppendByteOrder, t turn) []byte {
	out := []byte("Exif\x00\x00MM")
	if order == binary.AppendByteOrder(binary.LittleEndian) {
		out = []byte("Exif\x00\x00II")
	}
	out = order.AppendUint32(order.AppendUint16(out, 42), 8)
	out = order.AppendUint16(out, 2) // entries
	out = append(out, make([]byte, 12)...)
	out = order.AppendUint16(order.AppendUint16(out, 0x0112), 3)
	out = order.AppendUint16(order.AppendUint32(out, 1), uint16(t))
	return append(out, make([]byte, 6)...)
}

// Where the red corner, top left in the file, and the blue one, top right,
// belong by the EXIF standard.
func TestPhotosAreTurnedUpright(t *testing.T) {
	photo := image.NewRGBA(image.Rect(0, 0, 48, 32))
	draw.Draw(photo, photo.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(photo, image.Rect(0, 0, 16, 16), image.NewUniform(red), image.Point{}, draw.Src)
	draw.Draw(photo, image.Rect(32, 0, 48, 16), image.NewUniform(blue), image.Point{}, draw.Src)
	file := encodeJPEG(t, photo)
	for orientation, c := range map[turn]struct{ red, blue string }{
		1: {"top left", "top right"},
		2: {"top right", "top left"},
		3: {"bottom right", "bottom left"},
		4: {"bottom left", "bottom right"},
		5: {"top left", "bottom left"},
		6: {"top right", "bottom right"},
		7: {"bottom right", "top right"},
		8: {"bottom left", "top left"},
	} {
		for _, lim := range []Limits{{}, {MaxDimension: 24}} {
			m, err := Bound(withEXIF(file, orientation), lim)
			require.NoError(t, err)
			wantW, wantH := 48, 32
			if orientation >= 5 {
				wantW, wantH = 32, 48
			}
			require.Equal(t, []int{wantW, wantH}, []int{m.SourceWidth, m.SourceHeight})
			require.Equal(t, lim.MaxDimension > 0, m.Scaled())
			requireWhole(t, m)
			corners := map[string]image.Point{
				"top left": {2, 2}, "top right": {m.Width - 3, 2},
				"bottom left": {2, m.Height - 3}, "bottom right": {m.Width - 3, m.Height - 3},
			}
			for name, p := range corners {
				want := color.NRGBA{255, 255, 255, 255}
				switch name {
				case c.red:
					want = red
				case c.blue:
					want = blue
				}
				t.Logf("orientation %d, %s", orientation, name)
				requireLike(t, want, pixelOf(t, m.Data, p.X, p.Y))
			}
		}
	}
}

func TestOrientation(t *testing.T) {
	jpeg := cmykJPEG(8, 8)
	good := exif(binary.LittleEndian, 6)
	farAway := slices.Clone(good)
	binary.LittleEndian.PutUint32(farAway[10:], 1<<32-1)
	for name, c := range map[string]struct {
		data []byte
		want turn
	}{
		"little endian":       {withSegment(jpeg, good), 6},
		"big endian":          {withSegment(jpeg, exif(binary.BigEndian, 8)), 8},
		"after another one":   {withSegment(withSegment(jpeg, good), []byte("http://ns.adobe.com/xap")), 6},
		"none":                {jpeg, upright},
		"zero":                {withSegment(jpeg, exif(binary.BigEndian, 0)), upright},
		"nine":                {withSegment(jpeg, exif(binary.BigEndian, 9)), upright},
		"directory far away":  {withSegment(jpeg, farAway), upright},
		"cut in the tag":      {withSegment(jpeg, good[:len(good)-8]), upright},
		"cut in the header":   {withSegment(jpeg, good[:9]), upright},
		"segment too long":    {append(jpeg[:2:2], 0xff, 0xe1, 0xff, 0xff, 'E'), upright},
		"segment too short":   {append(jpeg[:2:2], 0xff, 0xe1, 0, 0, 'E', 'x'), upright},
		"nothing but a start": {jpeg[:3], upright},
	} {
		require.Equal(t, c.want, turnOf(c.data), name)
	}
}
