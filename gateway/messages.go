package gateway

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
	"github.com/pertain-dev/pertain/gateway/internal/sse"
)

// messagesAPI is Anthropic's Messages.
type messagesAPI struct{}

func (messagesAPI) name() string { return "messages" }

func (messagesAPI) asks(root jsontext.Value, _ string) *asked {
	a := &asked{
		root: root, list: root.Get("messages"), key: "messages", model: root.Get("model").Text(), system: allText(root.Get("system")),
		stream: root.Get("stream").True(), tools: root.Get("tools").Len() > 0,
	}
	for message := range a.list.Items() {
		e := entry{value: message, who: person}
		content := message.Get("content")
		switch {
		case message.Get("role").Is("assistant"):
			e.who = model
			e.blocks = messageBlocks(content)
		case message.Get("role").Is("system"):
			e.who = other
		default:
			for block := range content.Items() {
				if block.Get("type").Is("tool_result") {
					e.who = results
				}
			}
			if a.first == "" {
				a.first = allText(content)
			}
		}
		a.entries = append(a.entries, e)
	}
	return a
}

// messageBlocks reads the content of an assistant's message.
func messageBlocks(content jsontext.Value) []block {
	if content.Kind() == '"' {
		return []block{{kind: textBlock, text: content.Text()}}
	}
	var out []block
	for v := range content.Items() {
		b := block{value: v}
		switch v.Get("type").Text() {
		case "text":
			b.kind, b.text = textBlock, v.Get("text").Text()
		case "thinking":
			b.kind, b.text, b.raw = thinkingBlock, cmp.Or(v.Get("thinking").Text(), v.Get("signature").Text()), v.Raw()
		case "redacted_thinking":
			b.kind, b.text, b.raw = thinkingBlock, v.Get("data").Text(), v.Raw()
		case "tool_use":
			b.kind, b.calls = callBlock, []string{v.Get("id").Text()}
		}
		out = append(out, b)
	}
	return out
}

func (messagesAPI) reminder(text string) []byte {
	return fmt.Appendf(nil, `{"role":"user","content":[{"type":"text","text":%s}]}`, jsontext.Quote(text))
}

func (messagesAPI) said(blocks []block) [][]byte {
	var content [][]byte
	texts := false
	for _, b := range blocks {
		switch {
		case b.kind == thinkingBlock && b.raw != nil && !b.partial:
			content = append(content, thinkingAgain(b.raw))
		case b.kind == textBlock && strings.TrimSpace(b.text) != "":
			content, texts = append(content, fmt.Appendf(nil, `{"type":"text","text":%s}`, jsontext.Quote(b.text))), true
		}
	}
	if !texts { // a message must not end with what was thought
		return nil
	}
	return [][]byte{fmt.Appendf(nil, `{"role":"assistant","content":%s}`, array(content))}
}

// thinkingAgain is a block of thinking in one way of writing, so that the provider finds
// it as it was sent before, whoever has written it meanwhile. Its texts stay as they are.
func thinkingAgain(raw []byte) []byte {
	v, _ := jsontext.Parse(raw)
	quoted := func(key string) []byte { return jsontext.Quote(v.Get(key).Text()) }
	switch v.Get("type").Text() {
	case "thinking":
		return fmt.Appendf(nil, `{"type":"thinking","thinking":%s,"signature":%s}`, quoted("thinking"), quoted("signature"))
	case "redacted_thinking":
		return fmt.Appendf(nil, `{"type":"redacted_thinking","data":%s}`, quoted("data"))
	}
	return raw
}

func (messagesAPI) without(e *entry, blocks int, text *string) []byte {
	content := e.value.Get("content")
	if content.Kind() == '"' {
		if text == nil {
			return nil
		}
		return within(e.value, content, jsontext.Quote(*text))
	}
	return withoutItems(e, content, blocks, text)
}

// withoutItems leaves out the first blocks of a list of them.
func withoutItems(e *entry, list jsontext.Value, blocks int, text *string) []byte {
	var left [][]byte
	for i, b := range e.blocks[blocks:] {
		raw := b.value.Raw()
		if i == 0 && text != nil {
			raw = within(b.value, b.value.Get("text"), jsontext.Quote(*text))
		}
		left = append(left, raw)
	}
	if len(left) == 0 {
		return nil
	}
	return within(e.value, list, array(left))
}

// within gives a value with another text in the place of a value in it.
func within(v, part jsontext.Value, text []byte) []byte {
	return jsontext.Apply(v.Raw(), jsontext.Edit{From: part.From() - v.From(), To: part.To() - v.From(), Text: text})
}

func (messagesAPI) whole(root jsontext.Value) whole {
	w := whole{output: root.Get("usage", "output_tokens").Int()}
	key := int64(0)
	if text := root.Get("content").Text(); text != "" { // of a server that knows no blocks
		w.said = append(w.said, said{what: textPiece, text: text}, said{what: streamEnd})
	}
	for v := range root.Get("content").Items() {
		switch v.Get("type").Text() {
		case "text":
			w.said = append(w.said, said{what: textPiece, key: key, text: v.Get("text").Text()})
		case "thinking":
			w.said = append(w.said, said{what: thinkingPiece, key: key, text: v.Get("thinking").Text()})
		case "tool_use":
			w.said = append(w.said, said{what: callBegin, key: key, tool: v.Get("name").Text(), id: v.Get("id").Text()}, said{what: callPiece, key: key, text: string(v.Get("input").Raw())})
		}
		w.said = append(w.said, said{what: streamEnd, key: key})
		key++
	}
	w.spent = func(tokens int64) []byte {
		text := root.Raw()
		if v, ok := jsontext.Parse(text); ok {
			if edit, ok := addTo(v.Get("usage"), "output_tokens", tokens); ok {
				return jsontext.Apply(text, edit)
			}
		}
		return text
	}
	return w
}

func (messagesAPI) answers(*asked) answers { return &messagesAnswers{} }

// messagesNames are the keys that are read of answers of Messages.
var messagesNames = jsontext.NewNames([]string{"input"}, "type", "index", "delta", "text", "thinking", "signature", "partial_json", "message", "content",
	"content_block", "usage", "output_tokens", "data", "name", "id", "error")

func (messagesAPI) names() *jsontext.Names { return messagesNames }

func (*messagesAnswers) names() *jsontext.Names { return messagesNames }

func (m *messagesAnswers) fork() answers { return &messagesAnswers{order: m.order} } // nothing else of what came before counts for reading

// Kinds of events of Messages.
const (
	messageOther uint8 = iota
	messageStart
	blockStart
	blockDelta
	blockStop
	messageDelta
)

// messagesAnswers are answers of Messages.
type messagesAnswers struct {
	// Of the client:
	begun   bool  // it has a message_start
	blocks  int64 // that have begun
	open    bool  // the last of them has not ended
	spent   int64 // output tokens of answers that were broken off
	spliced bool
	kept    openings

	// Of the upstream's present answer:
	base   int64  // what is added to the indexes of blocks
	usage  []byte // of message_start
	output int64  // tokens, as far as they are told
	bytes  int64  // of what it says
	order  blockOrder

	usual   deltaForm
	scratch [1]said // what an event says, until the next one
}

// deltaForm is how pieces of a text, of thinking or of a call were written last: mostly the next is, too.
type deltaForm struct {
	template jsontext.Template
	what     what
	index    int64
}

func (m *messagesAnswers) read(e sse.Event) (r reading) {
	if v, ok := m.usual.template.Matches(e.Data); ok {
		r.kind, r.index = blockDelta, m.usual.index
		r.said = m.piece(m.usual.what, r.index, v)
		if m.order.apart {
			r.said = m.order.others(r.kind, r.index, r.said)
		}
		return r
	}
	var top [3]jsontext.Value
	v, ok := jsontext.ParsePick(e.Data, top[:], "type", "index", "delta")
	if odd(&e, v, ok, messagesNames) || !ok {
		r.idle, r.odd = len(e.Data) == 0, len(e.Data) > 0
		return r
	}
	r.index = top[1].Int()
	kind := top[0].Word()
	if !top[0].Exists() { // some go by the name of the event
		kind = e.Name
	}
	switch string(kind) {
	case "ping":
		r.idle = true
	case "message_start":
		r.kind = messageStart
		message := v.Get("message")
		at := int64(0)
		for block := range message.Get("content").Items() { // mostly none
			r.said = append(r.said, m.order.takes(blockStart, at, m.begins(at, block))...)
			at++
		}
		m.usage = append([]byte(nil), message.Get("usage").Raw()...)
		m.output = message.Get("usage", "output_tokens").Int()
	case "content_block_start":
		r.kind = blockStart
		block := v.Get("content_block")
		r.said = m.order.takes(r.kind, r.index, m.begins(r.index, block))
		kind := block.Get("type")
		r.opens = (kind.Is("text") || kind.Is("thinking")) && r.size() == 0
	case "content_block_delta":
		r.kind = blockDelta
		delta := top[2]
		var piece [5]jsontext.Value
		delta.Pick(piece[:], "type", "text", "thinking", "signature", "partial_json")
		switch string(piece[0].Word()) {
		case "text_delta":
			r.said = m.learns(v, textPiece, r.index, piece[1])
		case "thinking_delta":
			r.said = m.learns(v, thinkingPiece, r.index, piece[2])
		case "signature_delta":
			r.said = m.piece(thinkingProof, r.index, piece[3])
		case "input_json_delta":
			r.said = m.learns(v, callPiece, r.index, piece[4])
		default:
			r.said = m.unknown(r.index, piece)
		}
		r.said = m.order.takes(r.kind, r.index, r.said)
	case "content_block_stop":
		r.kind = blockStop
		r.said = m.order.takes(r.kind, r.index, append(m.scratch[:0], said{what: streamEnd, key: blockKey(r.index)}))
	case "message_delta":
		r.kind = messageDelta
		if n := v.Get("usage", "output_tokens"); n.Kind() == '0' {
			m.output = n.Int()
		}
	case "message_stop":
		r.last = true
	case "error":
		r.failed = true
	}
	return r
}

// unknown is a piece of a kind that is not known, by what it has: not everybody goes by the kind.
func (m *messagesAnswers) unknown(index int64, piece [5]jsontext.Value) []said {
	switch {
	case piece[1].Kind() == '"':
		return m.piece(textPiece, index, piece[1])
	case piece[2].Kind() == '"':
		return m.piece(thinkingPiece, index, piece[2])
	case piece[4].Kind() == '"':
		return m.piece(callPiece, index, piece[4])
	}
	return nil
}

// learns is piece, and takes note of how it is written.
func (m *messagesAnswers) learns(event jsontext.Value, what what, index int64, v jsontext.Value) []said {
	if v.Kind() == '"' && !event.Repeats() {
		m.usual.template.Learn(v)
		m.usual.what, m.usual.index = what, index
	}
	return m.piece(what, index, v)
}

// piece is a piece of a block.
func (m *messagesAnswers) piece(what what, index int64, v jsontext.Value) []said {
	text := v.Text()
	m.bytes += int64(len(text))
	return append(m.scratch[:0], said{what: what, key: blockKey(index), text: text})
}

// maxBlocks is more than any message has: an index beyond it, in either direction, is as good as any other.
const maxBlocks = 1 << 30

// blockKey is the key of a block.
func blockKey(index int64) int64 { return min(max(index, -maxBlocks), maxBlocks) }

// blockOrder is how many blocks of a message have begun. Some SDKs take the index of a piece for the number of its block among those that
// have begun, from the end where it is negative, and some add each piece to the block that began last. As long as a message is
// written as it is documented, block after block, each with the next index, that is all the same.
type blockOrder struct {
	begun  int64 // blocks
	apart  bool  // it is not the same any more
	shared int64 // blocks that had begun before
}

// takes reads what an event says of a block in each of these ways.
func (o *blockOrder) takes(kind uint8, index int64, list []said) []said {
	at := o.begun - 1
	if kind == blockStart {
		o.begun++
		at++
	}
	if !o.apart && index != at && (kind != blockStop || index < 0) {
		o.apart, o.shared = true, at
		if kind != blockStart {
			o.shared = o.begun
		}
	}
	if !o.apart {
		return list
	}
	return o.others(kind, index, list)
}

// others adds the other ways before the usual one.
func (o *blockOrder) others(kind uint8, index int64, list []said) (out []said) {
	at := index
	switch {
	case kind == blockStart:
		at = o.begun - 1
	case index < 0:
		at += o.begun
	}
	out = o.on(orderSide, at, list, out)
	if kind != blockStop {
		out = o.on(latestSide, o.begun-1, list, out)
	}
	return append(out, list...)
}

// on adds what is said of a block, by its number in this order.
func (o *blockOrder) on(way side, at int64, list, out []said) []said {
	if at < 0 || at >= o.begun {
		return out
	}
	if at >= o.shared {
		at += 2 * maxBlocks // no block of this key was there before
	}
	for _, s := range list {
		s.key, s.side = at, way
		out = append(out, s)
	}
	return out
}

// begins reads the beginning of a block, which may hold some of it.
func (m *messagesAnswers) begins(index int64, v jsontext.Value) []said {
	index = blockKey(index)
	switch v.Get("type").Text() {
	case "text":
		if text := v.Get("text").Text(); text != "" {
			return []said{{what: textPiece, key: index, text: text}}
		}
	case "thinking":
		return []said{{what: thinkingPiece, key: index, text: v.Get("thinking").Text()}}
	case "redacted_thinking":
		return []said{{what: thinkingProof, key: index, text: v.Get("data").Text(), raw: append([]byte(nil), v.Raw()...)}}
	case "tool_use":
		out := []said{{what: callBegin, key: index, tool: v.Get("name").Text(), id: v.Get("id").Text()}}
		if input := v.Get("input"); input.Kind() == '{' && len(strings.TrimSpace(string(input.Raw()[1:len(input.Raw())-1]))) > 0 {
			out = append(out, said{what: callPiece, key: index, text: string(input.Raw())})
		}
		return out
	}
	return nil
}

func (m *messagesAnswers) given(e sse.Event, r *reading) []byte {
	return m.kept.given(e, r, m.passed)
}

func (m *messagesAnswers) unchanged() bool { return !m.spliced && len(m.kept) == 0 }

// passed is an event as the client gets it.
func (m *messagesAnswers) passed(e sse.Event, r *reading) []byte {
	switch r.kind {
	case messageStart:
		if m.begun && m.spliced {
			return nil
		}
		m.begun = true
	case blockStart:
		m.blocks, m.open = max(m.blocks, m.base+r.index+1), true
	case blockStop:
		m.open = false
	}
	if !m.spliced {
		return e.Raw
	}
	return m.rewritten(e, r)
}

// rewritten is an event of an answer that is not the first.
func (m *messagesAnswers) rewritten(e sse.Event, r *reading) []byte {
	v, ok := jsontext.Parse(e.Data)
	if !ok {
		return e.Raw
	}
	var edits []jsontext.Edit
	switch r.kind {
	case blockStart, blockDelta, blockStop:
		if m.base == 0 {
			return e.Raw
		}
		edits = append(edits, v.Get("index").Replace(number(m.base+r.index)))
	case messageDelta:
		edits = m.usageEdits(v)
	default:
		return e.Raw
	}
	return e.With(jsontext.Apply(e.Data, edits...))
}

// usageEdits add what earlier answers have cost, and tell of the input of this one: the
// client knows that of the first.
func (m *messagesAnswers) usageEdits(v jsontext.Value) []jsontext.Edit {
	usage := v.Get("usage")
	if usage.Kind() != '{' {
		return nil
	}
	var edits []jsontext.Edit
	if edit, ok := addTo(usage, "output_tokens", m.spent); ok {
		edits = append(edits, edit)
	}
	input, _ := jsontext.Parse(m.usage)
	var more strings.Builder
	for _, key := range []string{"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"} {
		if n := input.Get(key); n.Kind() == '0' && !usage.Get(key).Exists() {
			fmt.Fprintf(&more, ",%q:%d", key, n.Int())
		}
	}
	if more.Len() > 0 && usage.Get("output_tokens").Exists() {
		at := usage.To() - 1
		edits = append(edits, jsontext.Edit{From: at, To: at, Text: []byte(more.String())})
	}
	return edits
}

func (m *messagesAnswers) broken() []byte {
	var out []byte
	m.kept = nil
	if m.open {
		out = m.stop()
	}
	m.spent += max(m.output, estimate(m.bytes))
	m.base, m.spliced = m.blocks, true
	m.output, m.bytes, m.usage = 0, 0, nil
	m.order = blockOrder{}
	return out
}

// stop ends the block that is open.
func (m *messagesAnswers) stop() []byte {
	m.open = false
	return sse.Append(nil, "content_block_stop", fmt.Appendf(nil, `{"type":"content_block_stop","index":%d}`, m.blocks-1))
}

func (m *messagesAnswers) ended() []byte {
	out := m.broken()
	out = sse.Append(out, "message_delta", fmt.Appendf(nil, `{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":%d}}`, m.spent))
	return sse.Append(out, "message_stop", []byte(`{"type":"message_stop"}`))
}

func (m *messagesAnswers) failed(body []byte) []byte { return sse.Append(nil, "error", body) }

func (m *messagesAnswers) keepAlive() []byte {
	if !m.begun {
		return nil
	}
	return sse.Append(nil, "ping", []byte(`{"type": "ping"}`))
}

func (m *messagesAnswers) repeated() [][]byte { return nil }

func (m *messagesAnswers) ids() (client, real string) { return "", "" }

func number(n int64) []byte { return strconv.AppendInt(nil, n, 10) }

// estimate is about how many tokens so many bytes are, where nobody tells.
func estimate(bytes int64) int64 { return (bytes + 3) / 4 }

// proven is thinking with its signature; nil without one.
func (p *spoken) proven() []byte {
	if p.proof.Len() == 0 {
		return nil
	}
	return fmt.Appendf(nil, `{"type":"thinking","thinking":%s,"signature":%s}`, jsontext.Quote(p.text.String()), jsontext.Quote(p.proof.String()))
}
