// Package images owns pictures: bytes in, bytes out. It reads PNG, JPEG, GIF
// and WebP, refuses what is none of them or is broken, and scales and encodes
// what is too large for a model. It imports nothing of ours but fault, and
// nobody else may decode a picture.
package images

import (
	"bytes"
	"context"
	"image"
	"math"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// The media types that Bound and Read take; they give PNG or JPEG for all that
// they have to encode again.
const (
	typePNG  = "image/png"
	typeJPEG = "image/jpeg"
	typeGIF  = "image/gif"
	typeWebP = "image/webp"
)

// Limits bound what goes to a model. A limit of zero or less is no limit.
type Limits struct {
	MaxDimension int // longest side in pixels
	MaxBytes     int // encoded size in bytes
}

// orNone gives the limits with every absent one out of reach.
func (l Limits) orNone() Limits {
	if l.MaxDimension <= 0 {
		l.MaxDimension = math.MaxInt
	}
	if l.MaxBytes <= 0 {
		l.MaxBytes = math.MaxInt
	}
	return l
}

// An Image is an encoded picture.
type Image struct {
	Data                      []byte
	MIME                      string // image/png, image/jpeg, image/gif or image/webp
	Width, Height             int    // pixels of Data
	SourceWidth, SourceHeight int    // pixels before scaling, upright; equal to Width, Height when nothing was scaled
	SourceMIME                string
}

// Scaled reports whether Data has fewer pixels than its source.
func (m Image) Scaled() bool {
	return m.Width != m.SourceWidth || m.Height != m.SourceHeight
}

// Scale is the pixels of Data per pixel of its source, at most 1: a point of
// the source times Scale is the point of Data.
func (m Image) Scale() float64 {
	if !m.Scaled() {
		return 1
	}
	return float64(max(m.Width, m.Height)) / float64(max(m.SourceWidth, m.SourceHeight))
}

// Bound gives data as it is, and not a copy, when it is an upright picture
// within the limits. Else it scales it down and encodes it again: as PNG when
// the source is no JPEG and the PNG fits, otherwise as JPEG on white with
// falling quality, then with falling size. A photo that its EXIF data turns is
// turned upright; a GIF that is encoded again keeps its first frame only.
//
// What is no whole picture of a known format is a fault.BadImage, limits that
// no picture can meet are a fault.InvalidArgument.
func Bound(data []byte, lim Limits) (Image, error) {
	return bound(context.Background(), data, lim)
}

// BoundOwn is [Bound] for a picture that our own browser has just encoded: within
// the limits only its header is read, because decoding costs as much as taking it.
func BoundOwn(data []byte, lim Limits) (Image, error) {
	limits := lim.orNone()
	cfg, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || max(cfg.Width, cfg.Height) > limits.MaxDimension || len(data) > limits.MaxBytes {
		return Bound(data, lim)
	}
	return Image{
		Data: data, MIME: "image/" + format, Width: cfg.Width, Height: cfg.Height,
		SourceWidth: cfg.Width, SourceHeight: cfg.Height, SourceMIME: "image/" + format,
	}, nil
}

// bound is Bound until ctx ends, then its error.
func bound(ctx context.Context, data []byte, lim Limits) (m Image, err error) {
	defer recovered(&err)
	lim = lim.orNone()
	src, err := decode(ctx, data)
	if err != nil {
		return Image{}, err
	}
	w, h := src.turn.size(src.Bounds())
	m = Image{
		Data: data, MIME: src.mime, Width: w, Height: h,
		SourceWidth: w, SourceHeight: h, SourceMIME: src.mime,
	}
	if src.turn == upright && max(w, h) <= lim.MaxDimension && len(data) <= lim.MaxBytes {
		return m, nil
	}
	// Scaling comes before turning: the fewer pixels are the ones to move.
	small, err := shrink(ctx, src.Image, lim.MaxDimension)
	if err != nil {
		return Image{}, err
	}
	out, err := encode(ctx, src.turn.apply(small), src.mime, lim.MaxBytes)
	if err != nil {
		return Image{}, err
	}
	m.Data, m.MIME, m.Width, m.Height = out.data, out.mime, out.width, out.height
	return m, nil
}

// recovered turns a panic into an error: a hostile picture that breaks a
// decoder must not take the process down with it.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fault.New(fault.BadImage, "image breaks its decoder (%v): save it again as a plain PNG or JPEG", p)
	}
}
