package images

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// readable is how every refusal of a foreign format ends.
const readable = "PNG, JPEG, GIF and WebP can be read, so convert it to one of these"

// sniff gives the format of data by its first bytes, nil for a foreign one.
func sniff(data []byte) *format {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return &pngFormat
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return &jpegFormat
	case bytes.HasPrefix(data, []byte("GIF87a")), bytes.HasPrefix(data, []byte("GIF89a")):
		return &gifFormat
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return &webpFormat
	}
	return nil
}

// signatures are the foreign files that people mistake for pictures we can
// read, each with the offset of its mark. The first match wins.
var signatures = []struct {
	offset     int
	mark, name string
}{
	{0, "%PDF-", "a PDF document"},
	{0, "II*\x00", "a TIFF picture"},
	{0, "MM\x00*", "a TIFF picture"},
	{0, "\x00\x00\x01\x00", "an icon (ICO)"},
	{0, "\xff\x0a", "a JPEG XL picture"},
	{4, "JXL \r\n", "a JPEG XL picture"},
	{4, "jP  \r\n", "a JPEG 2000 picture"},
	{4, "ftypavi", "an AVIF picture"},
	{4, "ftyphe", "a HEIC picture"},
	{4, "ftypmif1", "a HEIC picture"},
	{4, "ftypmsf1", "a HEIC picture"},
	{4, "ftyp", "a video"},
	{0, "\x1a\x45\xdf\xa3", "a video"},
	{0, "8BPS", "a Photoshop document"},
	{0, "PK\x03\x04", "a ZIP archive or an Office document"},
	{0, "\x1f\x8b", "a gzip archive"},
	{0, "\x7fELF", "a program"},
	{0, "MZ", "a program"},
	{0, "version https://git-lfs", "a Git LFS pointer in place of the file"},
	{0, "data:image/", "a data: URL as text"},
	{0, "\xff\xfe", "text"},
	{0, "\xfe\xff", "text"},
}

// foreign names what data, of no format of ours, seems to be.
func foreign(data []byte) string {
	head := data[:min(len(data), 1024)]
	// Two letters alone are also the start of much text.
	if len(head) >= 14 && string(head[:2]) == "BM" && string(head[6:10]) == "\x00\x00\x00\x00" {
		return "a BMP picture"
	}
	for _, s := range signatures {
		if len(head) >= s.offset && bytes.HasPrefix(head[s.offset:], []byte(s.mark)) {
			return s.name
		}
	}
	for len(head) > 0 && len(head) < len(data) && !utf8.RuneStart(data[len(head)]) {
		head = head[:len(head)-1] // otherwise a letter cut in two passes for no text
	}
	binary := func(r rune) bool {
		return r == utf8.RuneError || r < ' ' && !strings.ContainsRune("\t\n\r\f\x1b", r)
	}
	if bytes.ContainsFunc(head, binary) {
		return "of an unknown kind"
	}
	switch lower := strings.ToLower(string(head)); {
	case strings.Contains(lower, "<svg"):
		return "an SVG drawing"
	case strings.Contains(lower, "<html"), strings.Contains(lower, "<!doctype html"):
		return "an HTML page"
	}
	return "text"
}
