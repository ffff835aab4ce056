package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pertain-dev/pertain/internal/visible"
)

// checked answers what is no message, or does not begin a session where it should,
// before the SDK sees it, and writes the SDK's own refusals as errors of JSON-RPC:
// they are plain text, which quotes what was sent.
func checked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		held := &refusals{ResponseWriter: w}
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); r.Method == http.MethodPost && err == nil && kind == "application/json" {
			body, status, f := readBody(w, r)
			if f != nil {
				refuseRequest(w, status, f)
				return
			}
			if body[0] == '{' {
				_, _, held.id = readID(idOf(body))
			}
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		}
		next.ServeHTTP(held, r)
		held.finish()
	})
}

// readBody reads the messages of a request. With a fault, status is that of the
// answer.
func readBody(w http.ResponseWriter, r *http.Request) (body []byte, status int, f *fault) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	var large *http.MaxBytesError
	var busy interface{ RetryAfter() time.Duration } // of the server in front
	switch {
	case errors.As(err, &busy):
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(busy.RetryAfter().Seconds()))))
		return nil, http.StatusServiceUnavailable, &fault{code: jsonrpc.CodeInternalError, reason: err.Error()}
	case errors.As(err, &large):
		// The rest is read, as far as the server in front allows: many clients look for an answer only when all is sent.
		_, _ = io.Copy(io.Discard, r.Body)
		return nil, http.StatusRequestEntityTooLarge, (&longMessage{}).fault(maxMessage)
	case err != nil:
		return nil, http.StatusBadRequest, &fault{code: jsonrpc.CodeParseError, reason: "the message could not be read to its end"}
	}
	body = bytes.TrimSpace(body)
	if f := checkForm(body); f != nil {
		return nil, http.StatusBadRequest, f
	}
	var messages []json.RawMessage
	if body[0] != '[' {
		messages = append(messages, body)
	} else if err := json.Unmarshal(body, &messages); err != nil || len(messages) == 0 || len(messages) > maxBatch {
		return nil, http.StatusBadRequest, &fault{code: jsonrpc.CodeInvalidRequest, reason: "a message is a JSON object"}
	}
	for _, message := range messages {
		m, f := readMessage(message)
		if f == nil && r.Header.Get("Mcp-Session-Id") == "" && !begins(r, m) {
			_, _, id := readID(idOf(message))
			f = &fault{id: id, code: jsonrpc.CodeInvalidRequest, reason: "begin with initialize, and send the Mcp-Session-Id of its answer with each request"}
		}
		if f != nil {
			return nil, http.StatusBadRequest, f
		}
	}
	return body, 0, nil
}

// begins tells whether a message may come without a session. The versions of the
// protocol that have none are told which ones are spoken here.
func begins(r *http.Request, message jsonrpc.Message) bool {
	request, ok := message.(*jsonrpc.Request)
	if !ok {
		return false
	}
	if request.Method == "initialize" || request.Method == "server/discover" || r.Header.Get("MCP-Protocol-Version") > "2025-11-25" {
		return true
	}
	var params struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	_ = json.Unmarshal(request.Params, &params) // without them there is no version either
	return params.Meta[mcp.MetaKeyProtocolVersion] != nil
}

// idOf is the id of a message, as it is written.
func idOf(message json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(message, &fields) // it has been read before
	return fields["id"]
}

func refuseRequest(w http.ResponseWriter, status int, f *fault) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(visible.JSON(f.answer()), '\n')) // a client that is gone
}

// refusals holds plain text back that comes with a status of failure, and writes
// it as an error of JSON-RPC. Everything else passes, with what a person could not
// see in it escaped, as in all JSON that is written.
type refusals struct {
	http.ResponseWriter
	id     json.RawMessage // of the one request; nil: there is none, or several
	status int             // not 0: text is held back
	text   bytes.Buffer
}

// unknownMethod is how the SDK's refusal of a method begins that it does not know.
const unknownMethod = "JSON RPC not handled"

func (w *refusals) WriteHeader(status int) {
	if status >= http.StatusBadRequest && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.status = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *refusals) Write(p []byte) (int, error) {
	if w.status != 0 {
		return w.text.Write(p)
	}
	if _, err := w.ResponseWriter.Write(visible.JSON(p)); err != nil { // the SDK writes whole messages
		return 0, err
	}
	return len(p), nil
}

// Unwrap is for [http.ResponseController], by which streams are flushed.
func (w *refusals) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *refusals) finish() {
	if w.status == 0 {
		return
	}
	w.Header().Del("Content-Length")
	f := &fault{code: jsonrpc.CodeInvalidRequest, reason: shorten(strings.TrimSpace(w.text.String()), 300)}
	switch {
	case w.status >= http.StatusInternalServerError:
		f.code = jsonrpc.CodeInternalError
	case w.id != nil && strings.HasPrefix(f.reason, unknownMethod): // an answer like any other, as over standard input
		f.id, f.code, f.reason, w.status = w.id, jsonrpc.CodeMethodNotFound, "there is no such method", http.StatusOK
	}
	refuseRequest(w.ResponseWriter, w.status, f)
}
