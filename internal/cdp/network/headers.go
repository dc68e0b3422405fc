package network

import (
	"cmp"
	"slices"
	"strings"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
)

// A Header is one line of a request's or a response's headers.
type Header struct{ Name, Value string }

// SentHeaders are the headers of the request, by name; those that were on the
// wire when the browser told them.
func (r *Request) SentHeaders() []Header { return headers(r.sentHeaders) }

// ReceivedHeaders are the headers of the response, by name.
func (r *Request) ReceivedHeaders() []Header { return headers(r.receivedHeaders) }

// headers reads the browser's object of headers. It joins the values of a name
// that is there several times by line breaks.
func headers(raw jsonv2.Value) []Header {
	var values map[string]string
	if len(raw) == 0 || jsonv2.Unmarshal(raw, &values) != nil {
		return nil
	}
	var list []Header
	for name, joined := range values {
		for value := range strings.SplitSeq(joined, "\n") {
			list = append(list, Header{name, value})
		}
	}
	slices.SortStableFunc(list, func(a, b Header) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return list
}

// Value gives the value of a header, "" when it is not there.
func Value(list []Header, name string) string {
	for _, h := range list {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

// hidden stands for a value that a header must not show.
const hidden = "[hidden]"

// secretWords are in the names of headers that apps make up for credentials:
// X-Api-Key, X-Auth-Token, X-Client-Secret.
var secretWords = []string{"token", "secret", "api-key", "apikey", "authorization"}

// Masked hides what would let a reader act in the user's name: the values of
// credentials and cookies. Schemes, cookies' names and their attributes stay.
func (h Header) Masked() Header {
	name := strings.ToLower(h.Name)
	switch name {
	case "authorization", "proxy-authorization":
		scheme, _, ok := strings.Cut(h.Value, " ")
		if !ok {
			return Header{h.Name, hidden}
		}
		return Header{h.Name, scheme + " " + hidden}
	case "cookie":
		var masked []string
		for pair := range strings.SplitSeq(h.Value, ";") {
			masked = append(masked, maskPair(pair))
		}
		return Header{h.Name, strings.Join(masked, "; ")}
	case "set-cookie":
		pair, attributes, more := strings.Cut(h.Value, ";")
		if more {
			return Header{h.Name, maskPair(pair) + ";" + attributes}
		}
		return Header{h.Name, maskPair(pair)}
	}
	if slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(name, word) }) {
		return Header{h.Name, hidden}
	}
	return h
}

// maskPair hides the value of a cookie, or the whole of one without a name.
func maskPair(pair string) string {
	if name, _, ok := strings.Cut(strings.TrimSpace(pair), "="); ok {
		return name + "=" + hidden
	}
	return hidden
}
