package images

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// Pictures of 12x8 pixels, red on the left and blue on the right, which
// Chromium encoded; the left of the last one is transparent.
const (
	lossyWebP    = "UklGRkwAAABXRUJQVlA4IEAAAACQAgCdASoMAAgAAsBMJagCdHIAqgD9AMsA/QAGwAD+71+w1nRjnbl+kR/5/DJwV+X//4NNm531l/uFCCXOYAAA"
	losslessWebP = "UklGRioAAABXRUJQVlA4TB0AAAAvC8ABAA9wIPBDwB4KeP6DBwKBJLP9yVaI6H9kAAA="
	alphaWebP    = "UklGRl4AAABXRUJQVlA4WAoAAAAQAAAACwAABwAAQUxQSBMAAAABDzDAERFCIJAg5G+z3QoR/Y8cAFZQOCAkAAAAcAEAnQEqDAAIAALATCWoAuwBQAAA/u9RI5ZDxeo+6/e4GsYA"
)

var (
	red  = color.NRGBA{0xc0, 0x20, 0x10, 0xff}
	blue = color.NRGBA{0x10, 0x40, 0xc0, 0xff}
)

// samples are pictures of 12x8 pixels in every format and colour model, with
// one colour on the left and one on the right.
func samples(t testing.TB) map[string][]byte {
	area := image.Rect(0, 0, 12, 8)
	halves := func(img draw.Image) image.Image {
		draw.Draw(img, area, image.NewUniform(red), image.Point{}, draw.Src)
		draw.Draw(img, image.Rect(6, 0, 12, 8), image.NewUniform(blue), image.Point{}, draw.Src)
		return img
	}
	seeThrough := halves(image.NewNRGBA(area)).(*image.NRGBA)
	draw.Draw(seeThrough, image.Rect(0, 0, 6, 8), image.Transparent, image.Point{}, draw.Src)
	paletted := halves(image.NewPaletted(area, color.Palette{red, blue})).(*image.Paletted)
	frames := gif.GIF{Image: []*image.Paletted{paletted, paletted, paletted}, Delay: []int{1, 1, 1}}
	var still, animated bytes.Buffer
	require.NoError(t, gif.Encode(&still, paletted, nil))
	require.NoError(t, gif.EncodeAll(&animated, &frames))
	return map[string][]byte{
		"png 8 bit":         encodePNG(t, halves(image.NewRGBA(area))),
		"png 16 bit":        encodePNG(t, halves(image.NewNRGBA64(area))),
		"png paletted":      encodePNG(t, paletted),
		"png grayscale":     encodePNG(t, halves(image.NewGray(area))),
		"png grayscale 16":  encodePNG(t, halves(image.NewGray16(area))),
		"png transparent":   encodePNG(t, seeThrough),
		"jpeg colour":       encodeJPEG(t, halves(image.NewRGBA(area))),
		"jpeg grayscale":    encodeJPEG(t, halves(image.NewGray(area))),
		"jpeg cmyk":         cmykJPEG(12, 8),
		"jpeg progressive":  progressive(cmykJPEG(12, 8)),
		"gif still":         still.Bytes(),
		"gif animated":      animated.Bytes(),
		"webp lossy":        fromBase64(t, lossyWebP),
		"webp lossless":     fromBase64(t, losslessWebP),
		"webp transparent":  fromBase64(t, alphaWebP),
		"png with a tail":   append(encodePNG(t, paletted), "tail"...),
		"upright exif jpeg": withEXIF(encodeJPEG(t, halves(image.NewRGBA(area))), 1),
	}
}

// cmykJPEG is a baseline JPEG of the colour 128, 128, 128, 128. Its codes are
// one bit long: «no difference» and «end of block», both 0.
func cmykJPEG(w, h int) []byte {
	oneCode := func(class byte) []byte {
		return append([]byte{0xff, 0xc4, 0, 20, class, 1}, make([]byte, 16)...)
	}
	parts := [][]byte{
		{0xff, 0xd8},
		{0xff, 0xee, 0, 14, 'A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0, 0},
		append([]byte{0xff, 0xdb, 0, 67, 0}, bytes.Repeat([]byte{1}, 64)...),
		{0xff, 0xc0, 0, 20, 8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), 4,
			'C', 0x11, 0, 'M', 0x11, 0, 'Y', 0x11, 0, 'K', 0x11, 0},
		oneCode(0x00), oneCode(0x10),
		{0xff, 0xda, 0, 14, 4, 'C', 0, 'M', 0, 'Y', 0, 'K', 0, 0, 63, 0},
		make([]byte, (w+7)/8*((h+7)/8)),
		{0xff, 0xd9},
	}
	return bytes.Join(parts, nil)
}

// progressive makes one of cmykJPEG progressive: a single scan, of the first
// coefficients.
func progressive(baseline []byte) []byte {
	out := bytes.Replace(baseline, []byte{0xff, 0xc0}, []byte{0xff, 0xc2}, 1)
	return bytes.Replace(out, []byte{'K', 0, 0, 63, 0}, []byte{'K', 0, 0, 0, 0}, 1)
}

func encodePNG(t testing.TB, img image.Image) []byte {
	var buf bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&buf, img))
	return buf.Bytes()
}

func encodeJPEG(t testing.TB, img image.Image) []byte {
	var buf bytes.Buffer
	require.NoError(t, jpeg.Encode(&buf, img, &jpeg.Options{Quality: 95}))
	return buf.Bytes()
}

func fromBase64(t testing.TB, s string) []byte {
	data, err := base64.StdEncoding.DecodeString(s)
	require.NoError(t, err)
	return data
}

func pixelOf(t *testing.T, data []byte, x, y int) color.NRGBA {
	img, err := sniff(data).decode(bytes.NewReader(data))
	require.NoError(t, err)
	return color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
}

// requireLike compares colours as loosely as a lossy encoder needs.
func requireLike(t *testing.T, want, got color.NRGBA) {
	t.Helper()
	require.InDelta(t, want.A, got.A, 8)
	if want.A > 0 {
		require.InDeltaSlice(t, []uint8{want.R, want.G, want.B}, []uint8{got.R, got.G, got.B}, 40)
	}
}

// requireWhole decodes an image and compares it with what it says of itself.
func requireWhole(t *testing.T, m Image) {
	t.Helper()
	f := sniff(m.Data)
	require.NotNil(t, f)
	require.Equal(t, f.mime, m.MIME)
	img, err := f.decode(bytes.NewReader(m.Data))
	require.NoError(t, err)
	if m.MIME != typeGIF { // its first frame may be smaller than the picture
		require.Equal(t, image.Rect(0, 0, m.Width, m.Height), img.Bounds())
	}
}

func requireFault(t *testing.T, err error, code fault.Code, message string) {
	t.Helper()
	require.EqualError(t, err, message)
	require.Equal(t, code, fault.CodeOf(err))
}
