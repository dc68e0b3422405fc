package page

import (
	"fmt"
	"net/url"
	"strings"
)

// explain says in words what a network error of a navigation means, and what
// to do about it.
func explain(code, address string) string {
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
	case "ERR_ABORTED":
		return fmt.Sprintf("the navigation to %s was aborted: by the page itself, by a dismissed beforeunload dialog, or because no program opens such an address.", address)
	case "ERR_UNKNOWN_URL_SCHEME":
		return fmt.Sprintf("no program opens addresses such as %s.", address)
	}
	if strings.HasPrefix(name, "ERR_CERT_") {
		return fmt.Sprintf("the certificate of %s is not trusted.", host)
	}
	return fmt.Sprintf("%s could not be loaded.", address)
}
