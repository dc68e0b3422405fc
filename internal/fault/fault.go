// Package fault owns the errors that a caller can mend: each carries a stable
// code and a message that ends with the next step, often the nearest name that is
// known. It imports nothing of ours, and every package may import it.
package fault

import (
	"errors"
	"fmt"
)

// A Code names a kind of error. It is stable: clients may match on it.
type Code string

// The codes, as they appear in an answer's _meta. The comments go into docs/tools.md.
const (
	InvalidArgument    Code = "ERR_INVALID_ARGUMENT"     // an argument, a selector or a setting is not one that is taken
	Timeout            Code = "ERR_TIMEOUT"              // the time was over before what was asked for was there
	Cancelled          Code = "ERR_CANCELLED"            // the client cancelled the call
	SelectorNotFound   Code = "ERR_SELECTOR_NOT_FOUND"   // no element matches the selector
	NotActionable      Code = "ERR_NOT_ACTIONABLE"       // the element is there, but cannot be acted on: hidden, disabled, covered, moving, of the wrong kind
	AssertionFailed    Code = "ERR_ASSERTION_FAILED"     // the page does not show what was asserted
	NavigationFailed   Code = "ERR_NAVIGATION_FAILED"    // the page could not be loaded, or answered with an error status
	ScriptFailed       Code = "ERR_SCRIPT_FAILED"        // the script threw, or its value cannot be had
	DialogOpen         Code = "ERR_DIALOG_OPEN"          // a dialog of the page waits for its answer, and the page stands still until then
	NoDialog           Code = "ERR_NO_DIALOG"            // there is no open dialog to answer
	PageCrashed        Code = "ERR_PAGE_CRASHED"         // the page crashed; a navigation brings it back
	TabClosed          Code = "ERR_TAB_CLOSED"           // the tab was closed, or there is none
	BrowserLost        Code = "ERR_BROWSER_LOST"         // the browser ended; the next call starts a fresh one
	BrowserNotFound    Code = "ERR_BROWSER_NOT_FOUND"    // there is no browser on this machine, or not where the configuration says
	BrowserStartFailed Code = "ERR_BROWSER_START_FAILED" // the browser is there and does not start
	TooManySessions    Code = "ERR_TOO_MANY_SESSIONS"    // as many browsers are open as session.max allows
	Blocked            Code = "ERR_BLOCKED"              // a rule forbids it: an address that is not opened, a path that is not written to
	FileNotFound       Code = "ERR_FILE_NOT_FOUND"       // the file is not there
	NotKept            Code = "ERR_NOT_KEPT"             // what was asked for has been dropped, or was never kept
	BadImage           Code = "ERR_BAD_IMAGE"            // the file is no picture that can be shown, or a damaged one
	Internal           Code = "ERR_INTERNAL"             // the server or the browser failed at something that the caller cannot mend
)

// An Error is an error that the caller of a tool can mend.
type Error struct {
	Code    Code
	Message string // a sentence for a model: what is wrong, by name, and the next step
	cause   error
}

// New makes an Error from a format and its arguments; %w keeps a cause.
func New(code Code, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), cause: errors.Unwrap(err)}
}

// Error is the message alone: the code travels beside it.
func (e *Error) Error() string { return e.Message }

// Unwrap gives the cause, nil when there is none.
func (e *Error) Unwrap() error { return e.cause }

// CodeOf gives the code of the first Error in err's chain, Internal when there is none.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}

// Is reports whether err carries the code.
func Is(err error, code Code) bool { return err != nil && CodeOf(err) == code }
