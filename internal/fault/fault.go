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

// The codes, as they appear in an answer's _meta.
const (
	InvalidArgument    Code = "ERR_INVALID_ARGUMENT"
	Timeout            Code = "ERR_TIMEOUT"
	Cancelled          Code = "ERR_CANCELLED"
	SelectorNotFound   Code = "ERR_SELECTOR_NOT_FOUND"
	NotActionable      Code = "ERR_NOT_ACTIONABLE"
	AssertionFailed    Code = "ERR_ASSERTION_FAILED"
	NavigationFailed   Code = "ERR_NAVIGATION_FAILED"
	ScriptFailed       Code = "ERR_SCRIPT_FAILED"
	DialogOpen         Code = "ERR_DIALOG_OPEN"
	NoDialog           Code = "ERR_NO_DIALOG"
	PageCrashed        Code = "ERR_PAGE_CRASHED"
	TabClosed          Code = "ERR_TAB_CLOSED"
	BrowserLost        Code = "ERR_BROWSER_LOST"
	BrowserNotFound    Code = "ERR_BROWSER_NOT_FOUND"
	BrowserStartFailed Code = "ERR_BROWSER_START_FAILED"
	TooManySessions    Code = "ERR_TOO_MANY_SESSIONS"
	Blocked            Code = "ERR_BLOCKED"
	FileNotFound       Code = "ERR_FILE_NOT_FOUND"
	NotKept            Code = "ERR_NOT_KEPT"
	BadImage           Code = "ERR_BAD_IMAGE"
	Internal           Code = "ERR_INTERNAL"
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
