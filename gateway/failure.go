package gateway

import (
	"fmt"
	"net/http"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
)

// form is how an API writes errors.
type form uint8

const (
	anthropicForm form = iota
	openAIForm
	geminiForm
)

// failure is the body of an error. code tells programs what it is, why tells people.
func (f form) failure(status int, code, why string) []byte {
	message := jsontext.Quote("pertain gateway: " + why)
	switch f {
	case openAIForm:
		kind := "invalid_request_error"
		if status >= http.StatusInternalServerError {
			kind = "server_error"
		}
		return fmt.Appendf(nil, `{"error":{"message":%s,"type":%q,"param":null,"code":%q}}`, message, kind, code)
	case geminiForm:
		return fmt.Appendf(nil, `{"error":{"code":%d,"message":%s,"status":%q}}`, status, message, geminiStatus(status))
	default:
		return fmt.Appendf(nil, `{"type":"error","error":{"type":%q,"message":%s}}`, anthropicKind(status), message)
	}
}

func anthropicKind(status int) string {
	switch {
	case status == http.StatusForbidden:
		return "permission_error"
	case status == http.StatusNotFound:
		return "not_found_error"
	case status == http.StatusRequestEntityTooLarge:
		return "request_too_large"
	case status < http.StatusInternalServerError:
		return "invalid_request_error"
	}
	return "api_error"
}

func geminiStatus(status int) string {
	switch {
	case status == http.StatusForbidden:
		return "PERMISSION_DENIED"
	case status == http.StatusNotFound:
		return "NOT_FOUND"
	case status < http.StatusInternalServerError:
		return "INVALID_ARGUMENT"
	}
	return "UNAVAILABLE"
}

// fail answers with an error of the gateway's own.
func fail(w http.ResponseWriter, f form, status int, code, why string) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("X-Pertain-Error", code)
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(f.failure(status, code, why))
}
