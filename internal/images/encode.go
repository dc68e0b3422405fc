package images

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/draw"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// qualities are tried in turn until a JPEG fits; below the last one text
// becomes unreadable, and fewer pixels are the better loss.
var qualities = []int{85, 70, 55, 40}

const maxSideJPEG = 1<<16 - 1

// encoded is a picture in bytes.
type encoded struct {
	data          []byte
	mime          string
	width, height int
}

// encode gives the best of what fits limit bytes.
func encode(ctx context.Context, img image.Image, sourceMIME string, limit int) (encoded, error) {
	img = eightBit(img)
	if sourceMIME != typeJPEG {
		out, err := write(img, typePNG, limit, png.Encode)
		if !errors.Is(err, errOverLimit) {
			return out, err
		}
	}
	img, err := shrink(ctx, onWhite(img), maxSideJPEG)
	for err == nil {
		for _, quality := range qualities {
			if err := ctx.Err(); err != nil {
				return encoded{}, err
			}
			out, err := write(img, typeJPEG, limit, func(w io.Writer, m image.Image) error {
				return jpeg.Encode(w, m, &jpeg.Options{Quality: quality})
			})
			if !errors.Is(err, errOverLimit) {
				return out, err
			}
		}
		b := img.Bounds()
		side := max(b.Dx(), b.Dy())
		if side == 1 {
			return encoded{}, fault.New(fault.InvalidArgument, "no image fits in %d bytes: allow more bytes", limit)
		}
		img, err = shrink(ctx, img, max(1, side*3/4))
	}
	return encoded{}, err
}

// write runs an encoder; it is errOverLimit when its output passes limit bytes.
func write(img image.Image, mime string, limit int, encode func(io.Writer, image.Image) error) (encoded, error) {
	out := &limited{left: limit}
	if err := encode(out, img); err != nil {
		return encoded{}, err
	}
	b := img.Bounds()
	return encoded{data: out.buf.Bytes(), mime: mime, width: b.Dx(), height: b.Dy()}, nil
}

var errOverLimit = errors.New("encoded image is over the limit")

// limited is a buffer that refuses what is over its limit, otherwise an
// encoder would fill memory with a result that nobody takes.
type limited struct {
	buf  bytes.Buffer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, errOverLimit
	}
	return l.buf.Write(p)
}

// shrink scales a picture down until its longest side is at most longest
// pixels; a smaller one it gives as it is. It goes in steps of at most one
// half: with two samples an axis a longer step would skip pixels.
func shrink(ctx context.Context, img image.Image, longest int) (image.Image, error) {
	w, h := fit(img.Bounds(), longest)
	for b := img.Bounds(); b.Dx() != w || b.Dy() != h; b = img.Bounds() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		step := image.NewRGBA(image.Rect(0, 0, max(w, (b.Dx()+1)/2), max(h, (b.Dy()+1)/2)))
		draw.ApproxBiLinear.Scale(step, step.Rect, img, b, draw.Src, nil)
		img = step
	}
	return img, nil
}

// fit is the size of a picture whose longest side is bounded: same shape, no
// side below one pixel.
func fit(b image.Rectangle, longest int) (w, h int) {
	w, h = b.Dx(), b.Dy()
	side := max(w, h)
	if side <= longest {
		return w, h
	}
	scale := float64(longest) / float64(side)
	scaled := func(n int) int { return max(1, int(math.Round(float64(n)*scale))) }
	return scaled(w), scaled(h)
}

// eightBit copies a picture of a colour model that encodes slowly or in 16
// bits a channel; the usual ones it gives as they are.
func eightBit(img image.Image) image.Image {
	switch img.(type) {
	case *image.RGBA, *image.NRGBA, *image.Gray, *image.Paletted, *image.YCbCr:
		return img
	}
	dst := image.NewRGBA(img.Bounds())
	draw.Draw(dst, dst.Rect, img, dst.Rect.Min, draw.Src)
	return dst
}

// onWhite lays a picture with transparency on white, as a page would show it:
// JPEG has no transparency, and would show black.
func onWhite(img image.Image) image.Image {
	if o, ok := img.(interface{ Opaque() bool }); ok && o.Opaque() {
		return img
	}
	dst := image.NewRGBA(img.Bounds())
	draw.Draw(dst, dst.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(dst, dst.Rect, img, dst.Rect.Min, draw.Over)
	return dst
}
