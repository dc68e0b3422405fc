package network

import (
	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
)

// The events of the network, with what is kept of them: a page can ask for
// thousands of things, and headers are read only when somebody looks.
var (
	requestWillBeSent      = cdp.Event[sentEvent]{Method: network.RequestWillBeSent.Method}
	requestExtraInfo       = cdp.Event[sentExtraEvent]{Method: network.RequestWillBeSentExtraInfo.Method}
	responseReceived       = cdp.Event[responseEvent]{Method: network.ResponseReceived.Method}
	responseExtraInfo      = cdp.Event[responseExtraEvent]{Method: network.ResponseReceivedExtraInfo.Method}
	webSocketRequest       = cdp.Event[handshakeEvent]{Method: network.WebSocketWillSendHandshakeRequest.Method}
	webSocketResponse      = cdp.Event[handshakeResponseEvent]{Method: network.WebSocketHandshakeResponseReceived.Method}
	webSocketFrameSent     = cdp.Event[frameEvent]{Method: network.WebSocketFrameSent.Method}
	webSocketFrameReceived = cdp.Event[frameEvent]{Method: network.WebSocketFrameReceived.Method}
	frameNavigated         = cdp.Event[navigatedEvent]{Method: page.FrameNavigated.Method}
)

type sentEvent struct {
	RequestID network.RequestID `json:"requestId"`
	LoaderID  cdp.LoaderID      `json:"loaderId"`
	Request   struct {
		URL             string                   `json:"url"`
		Method          string                   `json:"method"`
		Headers         jsonv2.Value             `json:"headers"`
		HasPostData     bool                     `json:"hasPostData"`
		PostDataEntries []*network.PostDataEntry `json:"postDataEntries"`
	} `json:"request"`
	Timestamp        cdp.MonotonicTime    `json:"timestamp"`
	WallTime         cdp.TimeSinceEpoch   `json:"wallTime"`
	Initiator        *network.Initiator   `json:"initiator"`
	RedirectHasExtra bool                 `json:"redirectHasExtraInfo"`
	RedirectResponse *response            `json:"redirectResponse"`
	Type             network.ResourceType `json:"type"`
	FrameID          cdp.FrameID          `json:"frameId"`
}

type response struct {
	Status       int64                               `json:"status"`
	StatusText   string                              `json:"statusText"`
	Headers      jsonv2.Value                        `json:"headers"`
	MIMEType     string                              `json:"mimeType"`
	ConnectionID float64                             `json:"connectionId"`
	RemoteIP     string                              `json:"remoteIPAddress"`
	RemotePort   int64                               `json:"remotePort"`
	DiskCache    bool                                `json:"fromDiskCache"`
	Prefetch     bool                                `json:"fromPrefetchCache"`
	Worker       bool                                `json:"fromServiceWorker"`
	WorkerSource network.ServiceWorkerResponseSource `json:"serviceWorkerResponseSource"`
	CacheName    string                              `json:"cacheStorageCacheName"`
	Protocol     string                              `json:"protocol"`
	Encoded      float64                             `json:"encodedDataLength"`
	Timing       *network.ResourceTiming             `json:"timing"`
}

type responseEvent struct {
	RequestID network.RequestID    `json:"requestId"`
	Type      network.ResourceType `json:"type"`
	Response  response             `json:"response"`
	HasExtra  bool                 `json:"hasExtraInfo"`
}

type sentExtraEvent struct {
	RequestID network.RequestID `json:"requestId"`
	Headers   jsonv2.Value      `json:"headers"`
}

type responseExtraEvent struct {
	RequestID  network.RequestID `json:"requestId"`
	Headers    jsonv2.Value      `json:"headers"`
	StatusCode int               `json:"statusCode"`
}

type handshakeEvent struct {
	RequestID network.RequestID  `json:"requestId"`
	Timestamp cdp.MonotonicTime  `json:"timestamp"`
	WallTime  cdp.TimeSinceEpoch `json:"wallTime"`
	Request   struct {
		Headers jsonv2.Value `json:"headers"`
	} `json:"request"`
}

type handshakeResponseEvent struct {
	RequestID network.RequestID `json:"requestId"`
	Response  struct {
		Status         int          `json:"status"`
		StatusText     string       `json:"statusText"`
		Headers        jsonv2.Value `json:"headers"`
		RequestHeaders jsonv2.Value `json:"requestHeaders"`
	} `json:"response"`
}

type frameEvent struct {
	RequestID network.RequestID `json:"requestId"`
	Timestamp cdp.MonotonicTime `json:"timestamp"`
	Response  struct {
		Opcode  int    `json:"opcode"`
		Payload string `json:"payloadData"` // base64 unless the opcode is that of text
	} `json:"response"`
}

type navigatedEvent struct {
	Frame struct {
		ID       cdp.FrameID  `json:"id"`
		ParentID cdp.FrameID  `json:"parentId"`
		LoaderID cdp.LoaderID `json:"loaderId"`
	} `json:"frame"`
}
