package images

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

func TestForeignFilesAreNamed(t *testing.T) {
	for data, kind := range map[string]string{
		"%PDF-1.7\n":           "a PDF document",
		"II*\x00\x08\x00":      "a TIFF picture",
		"MM\x00*\x00\x00":      "a TIFF picture",
		"\x00\x00\x01\x00\x01": "an icon (ICO)",
		"\xff\x0a\xfa":         "a JPEG XL picture",
		"BM\x36\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00": "a BMP picture",
		"\x00\x00\x00\x1cftypavif\x00":                       "an AVIF picture",
		"\x00\x00\x00\x1cftypheic\x00":                       "a HEIC picture",
		"\x00\x00\x00\x1cftypmif1\x00":                       "a HEIC picture",
		"\x00\x00\x00\x1cftypisom\x00":                       "a video",
		"PK\x03\x04":                                         "a ZIP archive or an Office document",
		"version https://git-lfs.github.com/spec/v1":         "a Git LFS pointer in place of the file",
		"data:image/png;base64,iVBORw0KGgo=":                 "a data: URL as text",
		"<?xml version=\"1.0\"?>\n<SVG xmlns=\"x\">":         "an SVG drawing",
		"<!doctype HTML><title>x</title>":                    "an HTML page",
		"BMW is a car maker, not a bitmap":                   "text",
		"grüße\n":                                            "text",
		strings.Repeat("x", 1023) + "ü":                      "text",
		"\x89PN":                                             "of an unknown kind",
		"\x00\x01\x02\x03":                                   "of an unknown kind",
		"RIFF\x10\x00\x00\x00WAVEfmt ":                       "of an unknown kind",
	} {
		_, err := Bound([]byte(data), Limits{})
		requireFault(t, err, fault.BadImage, "image seems to be "+kind+
			": PNG, JPEG, GIF and WebP can be read, so convert it to one of these")
	}
}

func TestEmptyIsRefused(t *testing.T) {
	_, err := Bound(nil, Limits{})
	requireFault(t, err, fault.BadImage, "image is empty: give a PNG, JPEG, GIF or WebP with content")
}

func TestEveryCutIsRefused(t *testing.T) {
	all := samples(t)
	delete(all, "png with a tail") // is whole without its tail
	for name, data := range all {
		t.Run(name, func(t *testing.T) {
			for n := range data {
				_, err := Bound(data[:n:n], Limits{})
				require.Equal(t, fault.BadImage, fault.CodeOf(err), "the first %d of %d bytes: %v", n, len(data), err)
			}
		})
	}
}

func TestCutIsSaid(t *testing.T) {
	_, err := Bound(fromBase64(t, lossyWebP)[:60], Limits{})
	requireFault(t, err, fault.BadImage, "image is a WebP that cannot be decoded, cut short or damaged"+
		" (it ends too early): save it again as a plain PNG or JPEG")
}

func TestAnimatedWebPIsRefused(t *testing.T) {
	data := fromBase64(t, alphaWebP)
	data[20] |= 2
	_, err := Bound(data, Limits{})
	requireFault(t, err, fault.BadImage,
		"image cannot be decoded: animated WebP is not supported: give a still WebP, or a PNG, JPEG or GIF")
}

// A claim is a file of few bytes that asks for much memory.
func TestClaimsCostNothing(t *testing.T) {
	pngOf := func(w, h uint32) []byte {
		return pngFile(w, h, []byte("x\x9c\x03\x00\x00\x00\x00\x01"))
	}
	gifOf := func(w, h uint16) []byte {
		head := binary.LittleEndian.AppendUint16([]byte("GIF89a"), w)
		return append(binary.LittleEndian.AppendUint16(head, h), 0, 0, 0, 0x3b)
	}
	wide := pngOf(6000, 5000)
	wide[24], wide[25] = 16, 6 // bits, colours with transparency
	binary.BigEndian.PutUint32(wide[29:], crc32.ChecksumIEEE(wide[12:29]))
	// Decoders skip the zero between segments and find the progressive one.
	sly := slices.Insert(progressive(cmykJPEG(6000, 5000))[:250], 18, 0) // after the first segment
	webp := fromBase64(t, alphaWebP)
	copy(webp[24:30], "\xff\xff\x00\xff\x7f\x00") // 65536 x 32768
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"png":          {pngOf(60_000, 60_000), "image of 60000x60000 pixels is too large: scale it down to at most 50 megapixels"},
		"png overflow": {pngOf(1<<31-1, 1<<31-1), "image is a PNG that cannot be decoded, cut short or damaged (png: unsupported feature: dimension overflow): save it again as a plain PNG or JPEG"},
		"png negative": {pngOf(1<<31, 1), "image is a PNG that cannot be decoded, cut short or damaged (png: invalid format: non-positive dimension): save it again as a plain PNG or JPEG"},
		"png 16 bit":   {wide, "image of 6000x5000 pixels is too large: scale it down to at most 25 megapixels"},
		"progressive":  {progressive(cmykJPEG(6000, 5000))[:250], "image of 6000x5000 pixels is too large: scale it down to at most 25 megapixels"},
		"sly JPEG":     {sly, "image of 6000x5000 pixels is too large: scale it down to at most 25 megapixels"},
		"jpeg":         {cmykJPEG(65_535, 763)[:250], "image of 65535x763 pixels is too large: scale it down to at most 50 megapixels"},
		"gif":          {gifOf(65_535, 65_535), "image of 65535x65535 pixels is too large: scale it down to at most 50 megapixels"},
		"gif no side":  {gifOf(0, 5), "image has no pixels (0x5): give one with at least one"},
		"webp":         {webp, "image is a WebP that cannot be decoded, cut short or damaged (webp: invalid format): save it again as a plain PNG or JPEG"},
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			used := allocated(func() { _, err = Bound(c.data, Limits{}) })
			requireFault(t, err, fault.BadImage, c.want)
			require.Less(t, used, uint64(1<<20))
		})
	}
}

func TestSmallPNGWithMuchDataIsRefused(t *testing.T) {
	const inflated = 8 << 20
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, err := io.CopyN(z, zeros{}, inflated)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	used := allocated(func() { _, err = Bound(pngFile(1, 1, packed.Bytes()), Limits{}) })
	require.ErrorContains(t, err, "too much pixel data")
	require.Less(t, used, uint64(inflated/4))
}

func TestOnlyFirstFrameIsDecoded(t *testing.T) {
	const side, frames = 600, 30
	frame := image.NewPaletted(image.Rect(0, 0, side, side), color.Palette{color.White, color.Black})
	film := gif.GIF{}
	for range frames {
		film.Image, film.Delay = append(film.Image, frame), append(film.Delay, 1)
	}
	var buf bytes.Buffer
	require.NoError(t, gif.EncodeAll(&buf, &film))
	used := allocated(func() {
		m, err := Bound(buf.Bytes(), Limits{})
		require.NoError(t, err)
		require.Equal(t, side, m.Width)
	})
	require.Less(t, used, uint64(side*side*frames/4))
}

func TestCancelledWhileDecoding(t *testing.T) {
	data := encodePNG(t, noise(300, 300))
	ctx := &countdown{Context: context.Background(), left: 5}
	_, err := bound(ctx, data, Limits{})
	require.ErrorIs(t, err, context.Canceled)
	require.Less(t, -ctx.left, 5, "reads after the end of the context")
}

func TestCancelledWhileScaling(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := shrink(ctx, noise(20, 20), 5)
	require.ErrorIs(t, err, context.Canceled)
	_, err = encode(ctx, noise(20, 20), typeJPEG, 100)
	require.ErrorIs(t, err, context.Canceled)
}

// countdown is a context that is cancelled once it was asked often enough.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// pngFile is a grayscale PNG with any size in its header and any data.
func pngFile(w, h uint32, data []byte) []byte {
	out := []byte("\x89PNG\r\n\x1a\n")
	chunk := func(name string, body []byte) {
		out = binary.BigEndian.AppendUint32(out, uint32(len(body)))
		named := append([]byte(name), body...)
		out = binary.BigEndian.AppendUint32(append(out, named...), crc32.ChecksumIEEE(named))
	}
	header := binary.BigEndian.AppendUint32(nil, w)
	header = binary.BigEndian.AppendUint32(header, h)
	chunk("IHDR", append(header, 8, 0, 0, 0, 0))
	chunk("IDAT", data)
	chunk("IEND", nil)
	return out
}

// allocated is how many bytes f takes from the heap, freed or not.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
