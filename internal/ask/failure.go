package ask

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/visible"
)

// Error says why there is no answer, or no more of it, in words for the user. It holds
// neither the key nor anything of what was sent.
type Error struct{ message string }

func (e *Error) Error() string { return e.message }

// worded puts an error into words.
func (o Options) worded(ctx context.Context, err error, out *outward, asked request) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil && !errors.Is(out.why(), errSilent) {
		return ctx.Err()
	}
	if heard := (*heardError)(nil); errors.As(err, &heard) {
		return heard.err
	}
	host := o.Upstream.URL.Host
	if why := out.why(); why != nil {
		return &Error{o.unreached(why, host)}
	}
	var refusal *refusalError
	switch {
	case errors.As(err, &refusal):
		return &Error{o.refused(refusal.status, refusal.raw, asked)}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &Error{host + " has broken its answer off"}
	case errors.Is(err, errUnfinished):
		return &Error{host + " has ended without the end of an answer; is it an API of the kind `" + o.Upstream.API + "`?"}
	}
	return &Error{"the answer of " + host + " cannot be read; is it an API of the kind `" + o.Upstream.API + "`?"}
}

// unreached says why nobody answers.
func (o Options) unreached(why error, host string) string {
	var name *net.DNSError
	var unknown x509.UnknownAuthorityError
	var wrong x509.HostnameError
	var invalid x509.CertificateInvalidError
	var timeout net.Error
	switch {
	case errors.Is(why, errSilent):
		return fmt.Sprintf("%s was silent for %s; the setting ask.timeout says how long it may be", host, o.Upstream.Silence)
	case errors.Is(why, errRedirect):
		return host + " redirects to another address, which is not followed: the key is for this one; set ask.url to the right one"
	case errors.Is(why, errForm):
		return "the answer of " + host + " cannot be read; is it an API of the kind `" + o.Upstream.API + "`?"
	case errors.Is(why, errNotHere):
		return host + " is not on this machine, and http is for this machine alone; use https"
	case errors.As(why, &name):
		return host + " cannot be found; check ask.url and the connection"
	case errors.As(why, &unknown), errors.As(why, &wrong), errors.As(why, &invalid):
		return "the certificate of " + host + " cannot be trusted, so nothing was sent"
	case errors.As(why, &timeout) && timeout.Timeout():
		return host + " does not answer"
	}
	return host + " cannot be reached; check ask.url, the connection and the proxy"
}

// refused says what an upstream has answered instead. 0 is an error within an answer.
func (o Options) refused(status int, raw string, asked request) string {
	host := o.Upstream.URL.Host
	var words string
	switch {
	case status == 0 || status == http.StatusOK:
		words = host + " has broken its answer off with an error"
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		words = host + " does not accept the key"
		if o.Upstream.KeyVariable != "" {
			words += " of " + o.Upstream.KeyVariable
		} else {
			words = host + " wants a key; the setting ask.keyVariable names the environment variable that holds it"
		}
	case status == http.StatusNotFound:
		words = host + " knows no such model, or has no such address: check ask.model and ask.url"
	case status == http.StatusRequestEntityTooLarge:
		words = "the prompt is too long for " + host
	case status == http.StatusTooManyRequests:
		words = host + " allows no more requests for now"
	case status >= http.StatusInternalServerError:
		words = host + " has a problem of its own, or is overloaded"
	default:
		words = host + " refuses the request"
	}
	if status > 0 && status != http.StatusOK {
		words += fmt.Sprintf(" (status %d)", status)
	}
	if said := o.said(raw, asked); said != "" {
		words += ": " + said
	}
	return words
}

// maxSaid is how much of a provider's own words is repeated, in bytes.
const maxSaid = 300

// said is what a provider says of an error, as far as it can be repeated: messages of
// providers quote keys and prompts.
func (o Options) said(raw string, asked request) string {
	var told struct {
		Error struct {
			Type    string `json:"type"`
			Code    any    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
		Type    string `json:"type"` // where there is no inner object
		Code    any    `json:"code"`
		Message string `json:"message"`
	}
	if json.Unmarshal([]byte(raw), &told) != nil {
		return ""
	}
	message := told.Error.Message
	if message == "" {
		message = told.Message
	}
	message = strings.Join(strings.Fields(visible.Show(message)), " ")
	if message != "" && len(message) <= maxSaid && utf8.ValidString(message) && !o.quotes(message, asked) {
		return message
	}
	for _, word := range []any{told.Error.Code, told.Code, told.Error.Type, told.Type} {
		if name, ok := word.(string); ok && isIdentifier(name) && name != "error" && !o.quotes(name, asked) {
			return name
		}
	}
	return ""
}

// How many bytes in a row a message may share with a secret.
const (
	sharedKey  = 6
	sharedText = 16
)

// quotes tells whether a message repeats some of the key or of what was sent.
func (o Options) quotes(message string, asked request) bool {
	return shares(message, o.Key, sharedKey) || shares(message, asked.prompt, sharedText) || shares(message, asked.system, sharedText)
}

// shares tells whether two texts have n bytes in a row in common, or all of the second.
func shares(message, secret string, n int) bool {
	if secret == "" || len(secret) < n {
		return secret != "" && strings.Contains(message, secret)
	}
	for i := 0; i+n <= len(message); i++ {
		if strings.Contains(secret, message[i:i+n]) {
			return true
		}
	}
	return false
}

func isIdentifier(s string) bool {
	for _, r := range s {
		if r != '_' && r != '-' && r != '.' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') {
			return false
		}
	}
	return s != "" && len(s) <= 64
}

// heardError is one of the listener.
type heardError struct{ err error }

func (e *heardError) Error() string { return e.err.Error() }
