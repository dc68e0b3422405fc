package images

import (
	"encoding/binary"
	"iter"
)

// segments walks the segments of a JPEG before its pixels, each with its
// marker. It ends at the first oddity, though a decoder may go on there.
func segments(jpeg []byte) iter.Seq2[byte, []byte] {
	const startOfScan = 0xda
	return func(yield func(byte, []byte) bool) {
		for rest := jpeg[2:]; len(rest) >= 4 && rest[0] == 0xff && rest[1] != startOfScan; {
			n := 2 + int(binary.BigEndian.Uint16(rest[2:]))
			if n < 4 || n > len(rest) || !yield(rest[1], rest[4:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// baseline reports whether a JPEG surely is not progressive: a decoder keeps
// all coefficients of one that is.
func baseline(jpeg []byte) bool {
	const sof0, sof1, sof2 = 0xc0, 0xc1, 0xc2
	for marker := range segments(jpeg) {
		switch marker {
		case sof0, sof1:
			return true
		case sof2:
			return false
		}
	}
	return false
}
