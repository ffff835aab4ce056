package mcpserver

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMessage is how many bytes one message of a client may have: the longest
// text that check_text takes, each of its bytes escaped in six, fits.
const maxMessage = 8 << 20

// maxDepth is how deep a message may be nested. The SDK takes no more.
const maxDepth = 1000

// maxID is how many bytes of an id are repeated in an error. Ids of answers are
// not cut.
const maxID = 256

// fault says why a message is not taken.
type fault struct {
	id     json.RawMessage // of the request; nil: it has none, or none that can be told
	code   int64           // of JSON-RPC
	reason string
	silent bool // it is not answered: it is an answer itself, or a notification
}

// answer is the line that tells the client of it, without the line's end.
func (f *fault) answer() []byte {
	id := f.id
	if id == nil {
		id = json.RawMessage("null") // as JSON-RPC wants it
	}
	data, _ := json.Marshal(struct { // an id that was read, a number and a text always marshal
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *jsonrpc.Error  `json:"error"`
	}{"2.0", id, &jsonrpc.Error{Code: f.code, Message: f.reason}})
	return data
}

// checkForm tells whether something is JSON at all, and not deeper than can be
// read.
func checkForm(data []byte) *fault {
	if deeper(data, maxDepth) {
		var m longMessage
		m.scan(data)
		return &fault{id: m.id, code: jsonrpc.CodeInvalidRequest, silent: m.claims && !m.asks, reason: fmt.Sprintf("the message is nested more than %d deep", maxDepth)}
	}
	if !json.Valid(data) {
		return &fault{code: jsonrpc.CodeParseError, reason: "the message is not JSON"}
	}
	return nil
}

// readMessage reads one message, which [checkForm] has found to be JSON. The SDK
// has a reader too, but it takes 1.5 for 1 in an id, and its errors do not say
// which request they are for.
func readMessage(data []byte) (jsonrpc.Message, *fault) {
	var fields map[string]json.RawMessage // not a struct: names count with their case
	if err := json.Unmarshal(data, &fields); err != nil || fields == nil {
		return nil, &fault{code: jsonrpc.CodeInvalidRequest, reason: "a message is a JSON object"}
	}
	id, known, repeat := readID(fields["id"])
	if _, ok := fields["method"]; !ok && (fields["result"] != nil || fields["error"] != nil) {
		return readAnswer(fields, id, known)
	}
	refuse := func(code int64, reason string) (jsonrpc.Message, *fault) {
		return nil, &fault{id: repeat, code: code, reason: reason}
	}
	var version string
	if err := json.Unmarshal(orNull(fields["jsonrpc"]), &version); err != nil || version != "2.0" {
		return refuse(jsonrpc.CodeInvalidRequest, "`jsonrpc` must be \"2.0\"")
	}
	var method *string
	if err := json.Unmarshal(orNull(fields["method"]), &method); err != nil || method == nil {
		return refuse(jsonrpc.CodeInvalidRequest, "`method` must be a string")
	}
	if fields["id"] != nil && !known {
		return refuse(jsonrpc.CodeInvalidRequest, "`id` must be a string or a whole number")
	}
	params := fields["params"]
	switch {
	case params == nil || string(params) == "null":
		if params = nil; takesParams(*method) {
			return nil, &fault{id: repeat, code: jsonrpc.CodeInvalidParams, reason: "`params` is missing", silent: !known}
		}
	case params[0] != '{':
		return nil, &fault{id: repeat, code: jsonrpc.CodeInvalidParams, reason: "`params` must be an object", silent: !known}
	case *method == "initialize" && json.Unmarshal(params, &mcp.InitializeParams{}) != nil: // what the SDK says of it has no code and quotes it
		return nil, &fault{id: repeat, code: jsonrpc.CodeInvalidParams, reason: formOf("initialize"), silent: !known}
	}
	return &jsonrpc.Request{ID: id, Method: *method, Params: params}, nil
}

// takesParams tells whether a request means nothing without its params. What the
// SDK says of it has another code.
func takesParams(method string) bool {
	switch method {
	case "initialize", "tools/call", "resources/read", "resources/subscribe", "resources/unsubscribe", "prompts/get", "completion/complete", "logging/setLevel":
		return true
	}
	return false
}

// formOf says that the params of a request cannot be read.
func formOf(method string) string {
	return "the params have not the form that " + shorten(method, 100) + " takes"
}

// readAnswer reads what the client says to a request of ours. What is wrong with
// it is not told, or two programs could tell each other so forever.
func readAnswer(fields map[string]json.RawMessage, id jsonrpc.ID, known bool) (jsonrpc.Message, *fault) {
	if !known {
		return nil, &fault{code: jsonrpc.CodeInvalidRequest, reason: "an answer without an id", silent: true}
	}
	answer := &jsonrpc.Response{ID: id, Result: fields["result"]}
	if fields["error"] != nil {
		problem := &jsonrpc.Error{}
		if err := json.Unmarshal(fields["error"], problem); err != nil {
			problem = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "an error that cannot be read"}
		}
		answer.Error, answer.Result = problem, nil
	}
	return answer, nil
}

// readID reads an id; data may be nil. repeat is how it is written in an error:
// nil if it cannot be told.
func readID(data json.RawMessage) (id jsonrpc.ID, known bool, repeat json.RawMessage) {
	var value any
	if data == nil || json.Unmarshal(data, &value) != nil {
		return id, false, nil
	}
	switch value := value.(type) {
	case string:
		if repeat, _ = json.Marshal(value); len(repeat) > maxID {
			repeat = nil
		}
	case float64:
		if len(data) <= maxID {
			repeat = data
		}
		if value != math.Trunc(value) || math.Abs(value) >= 1<<53 { // the SDK would answer to another one
			return id, false, repeat
		}
	default:
		return id, false, nil
	}
	id, err := jsonrpc.MakeID(value)
	return id, err == nil, repeat
}

func orNull(data json.RawMessage) json.RawMessage {
	if data == nil {
		return json.RawMessage("null")
	}
	return data
}

// deeper tells whether objects and arrays are nested more than limit deep.
func deeper(data []byte, limit int) bool {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > limit {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}
