package images

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

func TestBoundGivesWhatFitsAsItIs(t *testing.T) {
	for name, data := range samples(t) {
		t.Run(name, func(t *testing.T) {
			m, err := Bound(data, Limits{MaxDimension: 12, MaxBytes: len(data)})
			require.NoError(t, err)
			require.Equal(t, Image{
				Data: data, MIME: sniff(data).mime, Width: 12, Height: 8,
				SourceWidth: 12, SourceHeight: 8, SourceMIME: sniff(data).mime,
			}, m)
			require.False(t, m.Scaled())
			require.Equal(t, 1.0, m.Scale())
		})
	}
}

func TestBoundScalesEveryKind(t *testing.T) {
	for name, data := range samples(t) {
		t.Run(name, func(t *testing.T) {
			source := sniff(data).mime
			m, err := Bound(data, Limits{MaxDimension: 6})
			require.NoError(t, err)
			if source == typeJPEG {
				require.Equal(t, typeJPEG, m.MIME)
			} else {
				require.Equal(t, typePNG, m.MIME)
			}
			require.Equal(t, []int{6, 4, 12, 8}, []int{m.Width, m.Height, m.SourceWidth, m.SourceHeight})
			require.Equal(t, source, m.SourceMIME)
			require.True(t, m.Scaled())
			require.Equal(t, 0.5, m.Scale())
			requireLike(t, pixelOf(t, data, 9, 4), pixelOf(t, m.Data, 4, 2))
			requireLike(t, pixelOf(t, data, 2, 4), pixelOf(t, m.Data, 1, 2))
		})
	}
}

func TestZeroImageHasScaleOne(t *testing.T) {
	require.Equal(t, 1.0, Image{}.Scale())
	require.False(t, Image{}.Scaled())
}

func TestFit(t *testing.T) {
	for _, c := range []struct{ w, h, longest, wantW, wantH int }{
		{100, 50, 100, 100, 50},
		{100, 50, 99, 99, 50},
		{50, 100, 10, 5, 10},
		{1, 10000, 100, 1, 100},
		{10000, 3, 1, 1, 1},
		{1366, 768, 1000, 1000, 562},
	} {
		w, h := fit(image.Rect(0, 0, c.w, c.h), c.longest)
		require.Equal(t, [2]int{c.wantW, c.wantH}, [2]int{w, h}, "%+v", c)
	}
}

func TestScalingSkipsNoPixel(t *testing.T) {
	fence := image.NewGray(image.Rect(0, 0, 800, 400))
	for i := range fence.Pix {
		if i%8 != 0 { // a post in every eighth column
			fence.Pix[i] = 255
		}
	}
	m, err := Bound(encodePNG(t, fence), Limits{MaxDimension: 100})
	require.NoError(t, err)
	img, err := png.Decode(bytes.NewReader(m.Data))
	require.NoError(t, err)
	for y := range m.Height {
		for x := range m.Width {
			require.InDelta(t, 255*7/8, color.GrayModel.Convert(img.At(x, y)).(color.Gray).Y, 2, "at %d,%d", x, y)
		}
	}
}

func TestTransparentPixelsLendNoColour(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 2, 2)) // transparent black
	img.SetNRGBA(0, 0, color.NRGBA{R: 255, A: 255})
	img.SetNRGBA(0, 1, color.NRGBA{R: 255, A: 255})
	m, err := Bound(encodePNG(t, img), Limits{MaxDimension: 1})
	require.NoError(t, err)
	got := pixelOf(t, m.Data, 0, 0)
	require.InDelta(t, 127, got.A, 2)
	require.InDelta(t, 255, got.R, 2)
}

func TestMaxBytes(t *testing.T) {
	noisy := noise(200, 100)
	photo := encodeJPEG(t, noisy)
	var loose bytes.Buffer
	unpacked := png.Encoder{CompressionLevel: png.NoCompression}
	require.NoError(t, unpacked.Encode(&loose, image.NewRGBA(image.Rect(0, 0, 200, 100))))
	for _, c := range []struct {
		name   string
		data   []byte
		limit  int
		mime   string
		scaled bool
	}{
		{"loosely packed PNG stays PNG", loose.Bytes(), 600, typePNG, false},
		{"noise becomes JPEG", encodePNG(t, noisy), 40_000, typeJPEG, false},
		{"JPEG loses quality", photo, len(photo) * 2 / 3, typeJPEG, false},
		{"JPEG loses pixels", photo, 4_000, typeJPEG, true},
		{"PNG loses pixels", encodePNG(t, noisy), 4_000, typeJPEG, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Greater(t, len(c.data), c.limit)
			m, err := Bound(c.data, Limits{MaxBytes: c.limit})
			require.NoError(t, err)
			require.LessOrEqual(t, len(m.Data), c.limit)
			require.Equal(t, c.mime, m.MIME)
			require.Equal(t, c.scaled, m.Scaled())
			require.Equal(t, []int{200, 100}, []int{m.SourceWidth, m.SourceHeight})
			requireWhole(t, m)
		})
	}
}

func TestJPEGOfTransparentPictureIsOnWhite(t *testing.T) {
	img := noise(200, 100)
	for x := range 100 {
		for y := range 100 {
			img.SetRGBA(x, y, color.RGBA{})
		}
	}
	m, err := Bound(encodePNG(t, img), Limits{MaxBytes: 30_000})
	require.NoError(t, err)
	require.Equal(t, typeJPEG, m.MIME)
	requireLike(t, color.NRGBA{255, 255, 255, 255}, pixelOf(t, m.Data, 50, 50))
}

func TestLineLongerThanJPEGAllows(t *testing.T) {
	m, err := Bound(encodePNG(t, noise(70_000, 1)), Limits{MaxBytes: 150_000})
	require.NoError(t, err)
	require.Equal(t, typeJPEG, m.MIME)
	require.LessOrEqual(t, m.Width, maxSideJPEG)
	require.Equal(t, 70_000, m.SourceWidth)
}

func TestLimitThatNoImageMeets(t *testing.T) {
	_, err := Bound(encodePNG(t, noise(20, 10)), Limits{MaxBytes: 50})
	requireFault(t, err, fault.InvalidArgument, "no image fits in 50 bytes: allow more bytes")
}

func TestFirstFrameLiesOnItsCanvas(t *testing.T) {
	palette := color.Palette{color.Transparent, color.NRGBA{R: 200, A: 255}}
	frame := image.NewPaletted(image.Rect(4, 4, 8, 8), palette)
	for i := range frame.Pix {
		frame.Pix[i] = 1
	}
	var buf bytes.Buffer
	require.NoError(t, gif.EncodeAll(&buf, &gif.GIF{
		Image: []*image.Paletted{frame}, Delay: []int{0},
		Config: image.Config{ColorModel: palette, Width: 16, Height: 8},
	}))
	m, err := Bound(buf.Bytes(), Limits{MaxDimension: 8})
	require.NoError(t, err)
	require.Equal(t, []int{8, 4, 16, 8}, []int{m.Width, m.Height, m.SourceWidth, m.SourceHeight})
	requireLike(t, color.NRGBA{R: 200, A: 255}, pixelOf(t, m.Data, 2, 2))
	require.Zero(t, pixelOf(t, m.Data, 6, 2).A)
}

func TestRecoveredIsAnError(t *testing.T) {
	err := func() (err error) {
		defer recovered(&err)
		panic("index out of range")
	}()
	requireFault(t, err, fault.BadImage, "image breaks its decoder (index out of range): save it again as a plain PNG or JPEG")
}

func BenchmarkBound(b *testing.B) {
	shot := image.NewRGBA(image.Rect(0, 0, 2560, 1600))
	for i := range shot.Pix {
		shot.Pix[i] = uint8(i>>9) | 3 // broad bands, as a page has them
	}
	var asPNG, asJPEG bytes.Buffer
	if err := png.Encode(&asPNG, shot); err != nil {
		b.Fatal(err)
	}
	if err := jpeg.Encode(&asJPEG, noise(4000, 3000), nil); err != nil {
		b.Fatal(err)
	}
	for name, data := range map[string][]byte{"screenshot": asPNG.Bytes(), "photo": asJPEG.Bytes()} {
		for mode, lim := range map[string]Limits{"pass": {}, "scale": {MaxDimension: 1568, MaxBytes: 5 << 20}} {
			b.Run(name+"/"+mode, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Bound(data, lim); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// noise is a picture that compresses badly, the same one every time.
func noise(w, h int) *image.RGBA {
	random := rand.New(rand.NewPCG(1, 2))
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = uint8(random.Uint32()) | uint8(255*(i%4/3))
	}
	return img
}
