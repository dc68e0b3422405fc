package images

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/draw"
)

// A turn is the EXIF orientation of a photo, 1 to 8: how its pixels must be
// turned and mirrored to stand upright.
type turn uint16

const upright turn = 1

// turnOf reads the orientation of a JPEG, upright when it has none.
func turnOf(jpeg []byte) turn {
	const app1 = 0xe1
	for marker, body := range segments(jpeg) {
		if tiff, ok := bytes.CutPrefix(body, []byte("Exif\x00\x00")); ok && marker == app1 {
			return orientation(tiff)
		}
	}
	return upright
}

// orientation finds the tag in the first directory of EXIF data.
func orientation(tiff []byte) turn {
	const tag, entry = 0x0112, 12
	var order binary.ByteOrder = binary.BigEndian
	if bytes.HasPrefix(tiff, []byte("II")) {
		order = binary.LittleEndian
	}
	if len(tiff) < 8 {
		return upright
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return upright
	}
	entries := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(entries) < entry {
			break
		}
		if order.Uint16(entries) == tag {
			if t := turn(order.Uint16(entries[8:])); 1 <= t && t <= 8 {
				return t
			}
			break
		}
		entries = entries[entry:]
	}
	return upright
}

// swaps reports whether width and height change places.
func (t turn) swaps() bool { return t >= 5 }

// size is the width and height of a picture after the turn.
func (t turn) size(b image.Rectangle) (w, h int) {
	if t.swaps() {
		return b.Dy(), b.Dx()
	}
	return b.Dx(), b.Dy()
}

// apply turns a picture upright.
func (t turn) apply(img image.Image) image.Image {
	if t == upright {
		return img
	}
	b := img.Bounds()
	src, ok := img.(*image.RGBA)
	if !ok {
		src = image.NewRGBA(b)
		draw.Draw(src, b, img, b.Min, draw.Src)
	}
	mirrorX := t == 2 || t == 3 || t == 7 || t == 8
	mirrorY := t == 3 || t == 4 || t == 6 || t == 7
	w, h := t.size(b)
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			fromX, fromY := x, y
			if t.swaps() {
				fromX, fromY = y, x
			}
			if mirrorX {
				fromX = b.Dx() - 1 - fromX
			}
			if mirrorY {
				fromY = b.Dy() - 1 - fromY
			}
			from := src.PixOffset(fromX, fromY)
			copy(dst.Pix[dst.PixOffset(x, y):][:4], src.Pix[from:][:4])
		}
	}
	return dst
}
