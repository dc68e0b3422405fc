package images

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// What a decoder may be asked for. A pixel costs it up to 4 bytes, but one with
// 16 bits a channel 8, and one of a progressive JPEG up to 20.
const (
	maxPixels       = 50_000_000
	maxCostlyPixels = maxPixels / 2
)

// A format is a kind of picture that can be read.
type format struct {
	name, mime string
	config     func(io.Reader) (image.Config, error)
	decode     func(io.Reader) (image.Image, error)
	check      func(data []byte) error // finds what decode overlooks; nil for nothing
}

var (
	pngFormat  = format{"PNG", typePNG, png.DecodeConfig, png.Decode, nil}
	jpegFormat = format{"JPEG", typeJPEG, jpeg.DecodeConfig, jpeg.Decode, nil}
	gifFormat  = format{"GIF", typeGIF, gif.DecodeConfig, gif.Decode, checkGIF}
	webpFormat = format{"WebP", typeWebP, webp.DecodeConfig, webp.Decode, checkWebP}
)

var (
	errCut      = errors.New("it ends too early")
	errAnimated = errors.New("animated WebP is not supported")
)

// A picture is what a file decodes to. Its bounds start at 0, 0.
type picture struct {
	image.Image
	mime string
	turn turn
}

// decode reads a whole picture, also one that could pass as it is: a file that
// is cut short betrays itself only when its last pixel is asked for. Of a GIF
// it gives the first frame.
func decode(ctx context.Context, data []byte) (picture, error) {
	if len(data) == 0 {
		return picture{}, fault.New(fault.BadImage, "image is empty: give a PNG, JPEG, GIF or WebP with content")
	}
	f := sniff(data)
	if f == nil {
		return picture{}, fault.New(fault.BadImage, "image seems to be %s: %s", foreign(data), readable)
	}
	// The header first: a decoder allocates what the header claims.
	cfg, err := f.config(bytes.NewReader(data))
	if err != nil {
		return picture{}, f.broken(err)
	}
	if cfg.Width <= 0 || cfg.Height <= 0 {
		return picture{}, fault.New(fault.BadImage, "image has no pixels (%dx%d): give one with at least one", cfg.Width, cfg.Height)
	}
	most := int64(maxPixels)
	if cfg.ColorModel == color.RGBA64Model || cfg.ColorModel == color.NRGBA64Model || f == &jpegFormat && !baseline(data) {
		most = maxCostlyPixels
	}
	if int64(cfg.Width)*int64(cfg.Height) > most {
		return picture{}, fault.New(fault.BadImage, "image of %dx%d pixels is too large: scale it down to at most %d megapixels",
			cfg.Width, cfg.Height, most/1_000_000)
	}
	if f.check != nil {
		if err := f.check(data); err != nil {
			return picture{}, f.broken(err)
		}
	}
	img, err := f.decode(cancellable{ctx, bytes.NewReader(data)})
	if ctx.Err() != nil {
		return picture{}, ctx.Err()
	}
	if err != nil {
		return picture{}, f.broken(err)
	}
	// Otherwise a GIF whose first frame covers a part of it would lose the rest.
	if canvas := image.Rect(0, 0, cfg.Width, cfg.Height); img.Bounds() != canvas {
		whole := image.NewRGBA(canvas)
		draw.Draw(whole, img.Bounds(), img, img.Bounds().Min, draw.Src)
		img = whole
	}
	p := picture{Image: img, mime: f.mime, turn: upright}
	if f == &jpegFormat {
		p.turn = turnOf(data)
	}
	return p, nil
}

// broken is the refusal of a file that starts like one of the format.
func (f *format) broken(err error) error {
	if errors.Is(err, errAnimated) {
		return fault.New(fault.BadImage, "image cannot be decoded: %w: give a still WebP, or a PNG, JPEG or GIF", err)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errCut
	}
	return fault.New(fault.BadImage, "image is a %s that cannot be decoded, cut short or damaged (%w): save it again as a plain PNG or JPEG", f.name, err)
}

// cancellable is a reader that ends with its context, the only way to stop a
// decoder.
type cancellable struct {
	ctx context.Context
	r   io.Reader
}

func (c cancellable) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// checkGIF finds a file that ends before its trailer: the decoder stops after
// the first frame, and the rest goes out as it is.
func checkGIF(data []byte) error {
	const header, descriptor = 13, 10
	at := header + colorTable(data, header-3)
	for at < len(data) {
		switch data[at] {
		case 0x21: // extension: introducer, label
			at += 2
		case 0x2c: // frame: descriptor, colours, code size
			at += descriptor + colorTable(data, at+descriptor-1) + 1
		default: // trailer, or what every reader takes for one
			return nil
		}
		for at < len(data) && data[at] != 0 { // blocks, each with its length before it
			at += 1 + int(data[at])
		}
		at++
	}
	return errCut
}

// colorTable is the length in bytes of the colours that the flags at an offset
// announce.
func colorTable(data []byte, at int) int {
	if at >= len(data) || data[at]&0x80 == 0 {
		return 0
	}
	return 3 << (data[at]&7 + 1)
}

// checkWebP names an animation, which the decoder takes for damage, and finds
// a file shorter than it says.
func checkWebP(data []byte) error {
	if len(data) > 20 && string(data[12:16]) == "VP8X" && data[20]&2 != 0 {
		return errAnimated
	}
	if uint64(binary.LittleEndian.Uint32(data[4:])) > uint64(len(data)-8) {
		return errCut
	}
	return nil
}
