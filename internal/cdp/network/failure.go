package network

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/chromedp/cdproto/network"
)

// Explain says in words what a network error (net::ERR_…) at an address means,
// and where there is one, what to do about it.
func Explain(code, address string) string {
	host := address
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		host = u.Host
	}
	name := strings.TrimPrefix(code, "net::")
	switch name {
	case "ERR_CONNECTION_REFUSED":
		return fmt.Sprintf("nothing listens on %s. Start the server, or check the port.", host)
	case "ERR_NAME_NOT_RESOLVED":
		return fmt.Sprintf("the host name of %s is unknown. Check its spelling and the network.", host)
	case "ERR_INTERNET_DISCONNECTED":
		return `the browser is offline. browser_set_offline {"offline": false} gives the network back if that took it.`
	case "ERR_CONNECTION_TIMED_OUT", "ERR_TIMED_OUT":
		return fmt.Sprintf("%s did not answer.", host)
	case "ERR_CONNECTION_RESET", "ERR_CONNECTION_CLOSED", "ERR_EMPTY_RESPONSE":
		return fmt.Sprintf("%s closed the connection without an answer. Look at the server's log.", host)
	case "ERR_ADDRESS_UNREACHABLE", "ERR_NETWORK_CHANGED", "ERR_PROXY_CONNECTION_FAILED", "ERR_TUNNEL_CONNECTION_FAILED":
		return fmt.Sprintf("%s cannot be reached over this network.", host)
	case "ERR_SSL_PROTOCOL_ERROR", "ERR_SSL_VERSION_OR_CIPHER_MISMATCH":
		return fmt.Sprintf("%s does not speak TLS as expected. Is it a plain http:// server?", host)
	case "ERR_UNSAFE_PORT":
		return fmt.Sprintf("browsers refuse the port of %s. Serve on another one.", host)
	case "ERR_TOO_MANY_REDIRECTS":
		return fmt.Sprintf("%s redirects in a circle.", host)
	case "ERR_BLOCKED_BY_CLIENT", "ERR_BLOCKED_BY_RESPONSE", "ERR_BLOCKED_BY_ADMINISTRATOR":
		return fmt.Sprintf("loading %s was blocked.", address)
	case "ERR_INVALID_RESPONSE", "ERR_INVALID_HTTP_RESPONSE", "ERR_CONTENT_DECODING_FAILED":
		return fmt.Sprintf("%s answered with something that is not valid HTTP.", host)
	case "ERR_FAILED":
		return "the browser does not say why; its console may (browser_recent_console_logs)."
	case "ERR_UNKNOWN_URL_SCHEME":
		return fmt.Sprintf("no program opens addresses such as %s.", address)
	}
	if strings.HasPrefix(name, "ERR_CERT_") {
		return fmt.Sprintf("the certificate of %s is not trusted.", host)
	}
	return fmt.Sprintf("%s could not be loaded.", address)
}

var networkError = regexp.MustCompile(`net::ERR_\w+`)

// Explanation is why a request failed, in words; "" for one that did not fail
// below HTTP.
func (r *Request) Explanation() string {
	switch {
	case r.Failure == "":
		return ""
	case r.cors != nil:
		return fmt.Sprintf("%s: blocked by CORS: %s", r.Failure, corsRule(r.cors))
	case r.Failure == blocked:
		return blockedBy(r.blocked)
	case r.blocked != "":
		return fmt.Sprintf("%s: %s", r.Failure, blockedBy(r.blocked))
	case r.Cancelled && r.Failure == "net::ERR_ABORTED":
		return r.Failure + ": given up by the page or the browser"
	case r.Cancelled:
		return r.Failure
	}
	if code := networkError.FindString(r.Failure); code != "" {
		return r.Failure + ": " + strings.TrimSuffix(Explain(code, r.URL), ".")
	}
	return r.Failure
}

// blockedBy says what kept the browser from asking or from taking the answer.
func blockedBy(reason network.BlockedReason) string {
	switch reason {
	case network.BlockedReasonCsp:
		return "blocked by the page's Content-Security-Policy"
	case network.BlockedReasonMixedContent:
		return "mixed content: a page of https:// must not load this over http://"
	case network.BlockedReasonInspector:
		return "blocked by a rule of this session"
	case network.BlockedReasonIntegrity:
		return "the content does not match its integrity attribute"
	case network.BlockedReasonContentType:
		return "the Content-Type does not allow this use (X-Content-Type-Options: nosniff)"
	case network.BlockedReasonOrigin:
		return "the page's origin may not load this address"
	case network.BlockedReasonSubresourceFilter:
		return "blocked by the browser's filter of advertisements"
	case network.BlockedReasonCoepFrameResourceNeedsCoepHeader:
		return "the frame has no Cross-Origin-Embedder-Policy, which the page demands"
	}
	if strings.HasPrefix(string(reason), "corp-") {
		return "blocked by Cross-Origin-Resource-Policy (" + string(reason) + ")"
	}
	return "blocked (" + string(reason) + ")"
}

// corsRule says which rule of CORS a response broke.
func corsRule(status *network.CorsErrorStatus) string {
	name, preflight := strings.CutPrefix(string(status.CorsError), "Preflight")
	of := "the response"
	if preflight {
		of = "the preflight's response"
	}
	said := ""
	if status.FailedParameter != "" {
		said = fmt.Sprintf(" (%q)", status.FailedParameter)
	}
	switch name {
	case "MissingAllowOriginHeader":
		return of + " has no Access-Control-Allow-Origin"
	case "AllowOriginMismatch":
		return of + " allows another origin in Access-Control-Allow-Origin" + said
	case "WildcardOriginNotAllowed":
		return "Access-Control-Allow-Origin of " + of + " must not be * for a request with credentials"
	case "MultipleAllowOriginValues":
		return of + " has several values in Access-Control-Allow-Origin" + said
	case "InvalidAllowOriginValue":
		return "Access-Control-Allow-Origin of " + of + " is no origin" + said
	case "InvalidAllowCredentials":
		return "Access-Control-Allow-Credentials of " + of + " is not true" + said
	case "InvalidStatus":
		return "the preflight was answered with an error status" + said
	case "DisallowedRedirect":
		return "the preflight was redirected"
	case "MethodDisallowedByPreflightResponse":
		return "the preflight does not allow the method" + said
	case "HeaderDisallowedByPreflightResponse":
		return "the preflight does not allow the request header" + said
	case "DisallowedByMode":
		return "the request's mode is same-origin, but the address is of another origin"
	case "CorsDisabledScheme":
		return "addresses of this kind cannot be asked for across origins"
	case "RedirectContainsCredentials":
		return "the redirect's address has a user name or password"
	}
	return string(status.CorsError) + said
}
