package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// longMessage looks at a message that is too long to be kept while its bytes go
// by, for the id to answer to: many clients write it last. What it finds in
// something that is no JSON means nothing.
type longMessage struct {
	depth           int
	quoted, escaped bool

	key    string // of the object's field that is being read
	within bool   // after the colon
	text   []byte // the key or the plain value so far, cut at maxID

	id           json.RawMessage
	asks, claims bool // has a method; has a result or an error
}

func (m *longMessage) scan(part []byte) {
	for _, c := range part {
		switch {
		case m.quoted:
			m.keep(c)
			switch {
			case m.escaped:
				m.escaped = false
			case c == '\\':
				m.escaped = true
			case c == '"':
				m.quoted = false
			}
		case c == '"':
			m.keep(c)
			m.quoted = true
		case c == '{' || c == '[':
			m.depth++
		case c == '}' || c == ']':
			if m.depth == 1 {
				m.field()
			}
			m.depth--
		case c == ':' && m.depth == 1 && !m.within:
			_ = json.Unmarshal(m.text, &m.key) // what is no string is no key
			m.within, m.text = true, m.text[:0]
		case c == ',' && m.depth == 1:
			m.field()
		default:
			m.keep(c)
		}
	}
}

func (m *longMessage) keep(c byte) {
	if m.depth == 1 && len(m.text) <= maxID {
		m.text = append(m.text, c)
	}
}

// field ends a field of the message.
func (m *longMessage) field() {
	switch m.key {
	case "id":
		_, _, repeat := readID(bytes.TrimSpace(m.text))
		m.id = bytes.Clone(repeat)
	case "method":
		m.asks = true
	case "result", "error":
		m.claims = true
	}
	m.key, m.within, m.text = "", false, m.text[:0]
}

// fault is what to say about it.
func (m *longMessage) fault(limit int) *fault {
	return &fault{
		id: m.id, code: jsonrpc.CodeInvalidRequest, silent: m.claims && !m.asks,
		reason: fmt.Sprintf("the message is longer than the %d bytes that are read", limit),
	}
}
