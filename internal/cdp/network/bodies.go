package network

import (
	"context"
	"errors"
	"slices"

	"github.com/chromedp/cdproto/network"

	conn "github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// maxBody bounds a response body that is fetched from the browser, in bytes.
const maxBody = 10 << 20

// A Body is the payload of a request or a response.
type Body struct {
	Data []byte
	Text bool // as the browser sees it
}

// ResponseBody asks the browser for the body of a response, decoded. The error
// is a fault when the browser does not have it, or has it no longer.
func (r *Requests) ResponseBody(ctx context.Context, req Request) (Body, error) {
	switch {
	case req.Decoded > maxBody:
		return Body{}, fault.New(fault.NotKept, "the response body of #%d has %d bytes, more than the %d that are fetched; save it from its address", req.Number, req.Decoded, maxBody)
	case req.Next != 0:
		return Body{}, fault.New(fault.NotKept, "#%d is a redirect, of which the browser keeps no body; it led to #%d", req.Number, req.Next)
	}
	got, err := conn.Call(ctx, req.session, network.GetResponseBody, network.GetResponseBodyParams{RequestID: req.id})
	if earlier, ok := r.loaded(req); ok && conn.Refused(err) {
		got, err = conn.Call(ctx, earlier.session, network.GetResponseBody, network.GetResponseBodyParams{RequestID: earlier.id})
	}
	if err != nil {
		return Body{}, req.gone("response", err)
	}
	return Body{Data: got.Body, Text: !got.Base64encoded}, nil
}

// loaded finds the request that brought what the memory cache gave again; only
// of that one the browser keeps the body when the document has gone.
func (r *Requests) loaded(again Request) (Request, bool) {
	if !again.from.memory {
		return Request{}, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, req := range slices.Backward(r.entries.Entries()) {
		if req.Number < again.Number && req.URL == again.URL && req.Status == again.Status && !req.from.memory {
			return r.copy(req), true
		}
	}
	return Request{}, false
}

// HasBody reports whether something was sent with the request.
func (r *Request) HasBody() bool { return r.hasPostData || len(r.postData) > 0 }

// RequestBody gives what was sent: it comes from the browser when it is long.
// ok is false for a request without a body.
func (r *Requests) RequestBody(ctx context.Context, req Request) (body Body, ok bool, err error) {
	switch {
	case len(req.postData) > 0:
		return Body{Data: req.postData, Text: true}, true, nil
	case !req.hasPostData:
		return Body{}, false, nil
	}
	got, err := conn.Call(ctx, req.session, network.GetRequestPostData, network.GetRequestPostDataParams{RequestID: req.id})
	if err != nil {
		return Body{}, true, req.gone("request", err)
	}
	return Body{Data: got.PostData, Text: !got.Base64encoded}, true, nil
}

// gone tells why there is no body.
func (r *Request) gone(which string, err error) error {
	switch {
	case errors.Is(err, conn.ErrDetached), errors.Is(err, conn.ErrClosed):
		return fault.New(fault.NotKept, "the %s body of #%d went with the %s that had asked for it; make the request again to see it", which, r.Number, r.Context)
	case conn.Refused(err) && !r.Done:
		return fault.New(fault.NotKept, "the %s body of #%d has not arrived yet; ask again when the request is done", which, r.Number)
	case conn.Refused(err):
		return fault.New(fault.NotKept, "the browser does not have the %s body of #%d, or has it no longer: it keeps the newest up to a bound; make the request again to see it", which, r.Number)
	}
	return err
}
