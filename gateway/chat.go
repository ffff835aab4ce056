package gateway

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
	"github.com/pertain-dev/pertain/gateway/internal/sse"
)

// chatAPI is OpenAI's Chat Completions.
type chatAPI struct{}

func (chatAPI) name() string { return "chat" }

func (chatAPI) asks(root jsontext.Value, _ string) *asked {
	a := &asked{
		root: root, list: root.Get("messages"), key: "messages", model: root.Get("model").Text(),
		stream: root.Get("stream").True(), tools: root.Get("tools").Len() > 0 || root.Get("functions").Len() > 0,
		usage: root.Get("stream_options", "include_usage").True(),
	}
	for message := range a.list.Items() {
		e := entry{value: message}
		switch message.Get("role").Text() {
		case "assistant":
			e.who, e.blocks = model, chatBlocks(message)
		case "tool", "function":
			e.who = results
		case "user":
			if e.who = person; a.first == "" {
				a.first = allText(message.Get("content"))
			}
		default:
			a.system += allText(message.Get("content"))
		}
		a.entries = append(a.entries, e)
	}
	return a
}

// chatBlocks reads a message of the model: its texts, its refusal, then its calls.
func chatBlocks(message jsontext.Value) []block {
	var out []block
	content := message.Get("content")
	if content.Kind() == '"' {
		out = append(out, block{kind: textBlock, text: content.Text()})
	}
	for v := range content.Items() {
		b := block{value: v}
		if text := v.Get("text"); text.Kind() == '"' {
			b.kind, b.text = textBlock, text.Text()
		}
		out = append(out, b)
	}
	if refusal := message.Get("refusal"); refusal.Kind() == '"' {
		out = append(out, block{value: refusal, kind: textBlock, text: refusal.Text()})
	}
	for v := range message.Get("tool_calls").Items() {
		out = append(out, block{value: v, kind: callBlock, calls: []string{v.Get("id").Text()}})
	}
	return out
}

func (chatAPI) reminder(text string) []byte {
	return fmt.Appendf(nil, `{"role":"user","content":%s}`, jsontext.Quote(text))
}

func (chatAPI) said(blocks []block) [][]byte {
	text := saidText(blocks)
	if text == "" {
		return nil
	}
	return [][]byte{fmt.Appendf(nil, `{"role":"assistant","content":%s}`, jsontext.Quote(text))}
}

func (chatAPI) without(e *entry, blocks int, text *string) []byte {
	if blocks >= len(e.blocks) {
		return nil
	}
	content, refusal := e.value.Get("content"), e.value.Get("refusal")
	texts := 0 // blocks of the content, which come first
	for texts < len(e.blocks) && e.blocks[texts].kind != callBlock && (refusal.Kind() != '"' || e.blocks[texts].value.From() != refusal.From()) {
		texts++
	}
	var edits []jsontext.Edit
	set := func(v jsontext.Value, now []byte) {
		edits = append(edits, jsontext.Edit{From: v.From() - e.value.From(), To: v.To() - e.value.From(), Text: now})
	}
	switch {
	case blocks >= texts:
		if texts > 0 {
			set(content, []byte(`""`))
		}
	case content.Kind() == '"':
		if text != nil {
			set(content, jsontext.Quote(*text))
		}
	default:
		var parts [][]byte
		for i, b := range e.blocks[blocks:texts] {
			if i == 0 && text != nil {
				parts = append(parts, within(b.value, b.value.Get("text"), jsontext.Quote(*text)))
			} else {
				parts = append(parts, b.value.Raw())
			}
		}
		set(content, array(parts))
	}
	if refusal.Kind() == '"' && blocks >= texts {
		switch {
		case blocks > texts:
			set(refusal, []byte("null"))
		case text != nil:
			set(refusal, jsontext.Quote(*text))
		}
	}
	return jsontext.Apply(e.value.Raw(), edits...)
}

func (chatAPI) whole(root jsontext.Value) whole {
	w := whole{output: root.Get("usage", "completion_tokens").Int()}
	choices := int64(0)
	for choice := range root.Get("choices").Items() {
		d := deltas{base: choices << 32}
		choices++
		d.choice(choice)
		d.end()
		w.said = append(w.said, d.said...)
	}
	w.spent = func(tokens int64) []byte { return withUsage(root.Raw(), tokens, chatUsage, "usage") }
	return w
}

// chatUsage are the numbers that output counts into.
var chatUsage = []string{"completion_tokens", "total_tokens"}

// withUsage adds tokens to the usage of an answer.
func withUsage(text []byte, tokens int64, numbers []string, path ...string) []byte {
	v, ok := jsontext.Parse(text)
	if !ok || tokens == 0 {
		return text
	}
	var edits []jsontext.Edit
	usage := v.Get(path...)
	for _, key := range numbers {
		if edit, ok := addTo(usage, key, tokens); ok {
			edits = append(edits, edit)
		}
	}
	return jsontext.Apply(text, edits...)
}

// endUsage is the usage of an answer that was ended, from what the upstream has told last of it; nil: nothing. Tokens come
// to those that it told of.
func endUsage(told []byte, tokens int64, output, total string) []byte {
	if len(told) == 0 {
		told = []byte("{}")
	}
	for _, key := range []string{output, total} {
		if v, ok := jsontext.Parse(told); ok {
			told = jsontext.Apply(told, v.Set(key, number(v.Get(key).Int()+tokens)))
		}
	}
	return told
}

// chatNames are the keys that are read of answers of Chat, and of the API before it.
var chatNames = jsontext.NewNames([]string{"arguments", "input"}, "error", "id", "usage", "completion_tokens", "choices", "index", "delta", "message", "text",
	"content", "parts", "reasoning_content", "reasoning", "reasoning_text", "reasoning_details", "thinking", "thinking_blocks", "summary", "tool_calls", "function_call", "refusal", "function", "name", "custom", "role", "finish_reason")

func (chatAPI) names() *jsontext.Names { return chatNames }

func (*chatAnswers) names() *jsontext.Names { return chatNames }

func (c *chatAnswers) fork() answers {
	out := &chatAnswers{plain: c.plain, choices: make(map[int64]*deltas, len(c.choices))}
	for index, d := range c.choices {
		out.choices[index] = d.fork()
	}
	if out.several = c.several; c.flat != nil {
		out.flat = c.flat.fork()
	}
	return out
}

func (chatAPI) answers(a *asked) answers {
	return &chatAnswers{usage: a.usage, model: a.model, several: a.root.Get("n").Int() > 1}
}

// chatAnswers are answers of Chat Completions.
type chatAnswers struct {
	usage bool
	model string
	plain bool // of the API before Chat
	// several says that several choices were asked for.
	several bool

	// Of the client:
	begun   bool
	first   string // the id that it knows
	created []byte
	text    bool // it has got text that no line break ends
	spent   int64
	spliced bool

	// Of the upstream's present answer:
	id      string
	choices map[int64]*deltas
	flat    *deltas // the first choice of each event, whatever its index; nil: it is the same
	told    []byte  // the usage, as it was told last
	output  int64
	bytes   int64
	parted  bool // its text has begun, with a line break before it where one is needed
	usual   chatForm
	scratch [1]said // of what is written as usual, until the next event
}

// chatForm is how the last piece of a text was written: mostly the next is, too.
type chatForm struct {
	template jsontext.Template
	id       string // of the answer; "": it says none
	index    int64  // of the choice
}

const (
	chatOther uint8 = iota
	chatChunk
	chatRole // nothing but who speaks
)

func (c *chatAnswers) read(e sse.Event) (r reading) {
	if string(bytes.TrimSpace(e.Data)) == "[DONE]" {
		r.last, r.said = true, c.late()
		return r
	}
	if r, ok := c.readAlike(e); ok {
		return r
	}
	var top [4]jsontext.Value
	v, ok := jsontext.ParsePick(e.Data, top[:], "error", "id", "usage", "choices")
	if odd(&e, v, ok, chatNames) || !ok {
		r.odd = len(e.Data) > 0
		return r
	}
	if top[0].Exists() {
		r.failed = true
	}
	if id := top[1]; id.Kind() == '"' && !id.Is(c.id) {
		c.id = id.Text()
	}
	if top[2].Kind() == '{' { // some servers tell of it all the time
		c.told = append(c.told[:0], top[2].Raw()...)
		if n := top[2].Get("completion_tokens"); n.Kind() == '0' {
			c.output = n.Int()
		}
	}
	r.kind = chatChunk
	var piece jsontext.Value // of a text, and the choice that it is of
	choices, at := 0, int64(0)
	for choice := range top[3].Items() {
		index := choice.Get("index").Int()
		d := c.of(index)
		if choices == 0 && c.flat != nil {
			r.said = append(r.said, c.flat.again(choice)...)
		}
		d.said = nil
		d.choice(choice)
		if choice.Get("finish_reason").Exists() {
			d.over = true
			d.end()
		} else if len(d.said) == 0 && choice.Get("delta", "role").Exists() {
			r.kind = chatRole
		} else if content := choice.Get("delta", "content"); content.Kind() == '"' && d.saysText(content.Text()) {
			piece, at = content, index
		}
		choices++
		r.said = append(r.said, d.said...)
	}
	for _, s := range r.said {
		if s.side == plainSide {
			c.bytes += int64(len(s.text))
		}
	}
	if choices == 1 && piece.Exists() && !r.failed && top[2].Kind() != '{' && !v.Repeats() {
		c.usual.template.Learn(piece)
		c.usual.id, c.usual.index = top[1].Text(), at
	}
	r.finished = c.finished()
	return r
}

// of is a choice. Where one was asked for and another comes, some take for it whatever is the first of an event.
func (c *chatAnswers) of(index int64) *deltas {
	d := c.choices[index]
	if d != nil {
		return d
	}
	if c.choices == nil {
		c.choices = make(map[int64]*deltas)
	}
	if len(c.choices) == 1 && !c.several {
		for _, only := range c.choices {
			c.flat = only.fork()
			c.flat.count += maxParts // no call of the choice has such a number
		}
	}
	d = &deltas{base: int64(len(c.choices)) << 32}
	c.choices[index] = d
	return d
}

// late is what nobody knew where to put when all has come.
func (c *chatAnswers) late() (out []said) {
	read := func(d *deltas, side side) {
		d.said = nil
		d.late()
		out = append(out, onSide(d.said, side)...)
	}
	if c.flat != nil {
		read(c.flat, flatSide)
	}
	for _, index := range sortedKeys(c.choices) {
		read(c.choices[index], plainSide)
	}
	return out
}

// readAlike reads an event that is written as the last piece of a text was; ok is false if it is not.
func (c *chatAnswers) readAlike(e sse.Event) (r reading, ok bool) {
	d := c.choices[c.usual.index]
	v, ok := c.usual.template.Matches(e.Data)
	if !ok || d == nil || d.denied || c.flat != nil {
		return r, false
	}
	text := v.Text()
	if text == "" {
		return r, false
	}
	c.id, d.text, d.wrote = cmp.Or(c.usual.id, c.id), true, true
	c.bytes += int64(len(text))
	r.kind = chatChunk
	r.said = append(c.scratch[:0], said{what: textPiece, key: d.base + chatText, text: text})
	r.finished = c.finished()
	return r, true
}

// finished tells whether every choice has its reason for the end.
func (c *chatAnswers) finished() bool {
	for _, d := range c.choices {
		if !d.over {
			return false
		}
	}
	return len(c.choices) > 0
}

func (c *chatAnswers) given(e sse.Event, r *reading) []byte {
	if !c.begun && r.kind != chatOther {
		c.begun, c.first = true, c.id
		if v, ok := jsontext.Parse(e.Data); ok {
			c.created = append([]byte(nil), v.Get("created").Raw()...)
		}
	}
	var out []byte
	for _, s := range r.said {
		if s.side == plainSide && s.what == textPiece && s.text != "" && s.key&(1<<32-1) == chatText {
			if c.spliced && c.text && !c.parted {
				out = c.part()
			}
			c.text, c.parted = !strings.HasSuffix(s.text, "\n"), true
		}
	}
	switch {
	case !c.spliced && c.spent == 0:
		return e.Raw
	case !c.spliced: // the client has got nothing of an answer that was broken off
		return e.With(withUsage(e.Data, c.spent, chatUsage, "usage"))
	case r.kind == chatRole:
		return nil
	case r.kind == chatOther:
		return e.Raw
	}
	v, ok := jsontext.Parse(e.Data)
	if !ok {
		return e.Raw
	}
	var edits []jsontext.Edit
	if id := v.Get("id"); id.Exists() {
		edits = append(edits, id.Replace(jsontext.Quote(c.first)))
	}
	if created := v.Get("created"); created.Exists() && len(c.created) > 0 {
		edits = append(edits, created.Replace(c.created))
	}
	text := withUsage(jsontext.Apply(e.Data, edits...), c.spent, chatUsage, "usage")
	return append(out, e.With(text)...)
}

func (c *chatAnswers) unchanged() bool { return c.begun && !c.spliced && c.spent == 0 }

// part parts texts of two answers.
func (c *chatAnswers) part() []byte {
	if !c.plain {
		return c.chunk(`{"content":"\n\n"}`, "null")
	}
	return sse.Append(nil, "", fmt.Appendf(nil, `{"id":%s,"object":"text_completion","created":%s,"model":%s,"choices":[{"index":0,"text":"\n\n","logprobs":null,"finish_reason":null}]}`,
		jsontext.Quote(c.first), c.when(), jsontext.Quote(c.model)))
}

// when is the time at which the client's answer began.
func (c *chatAnswers) when() []byte {
	if len(c.created) == 0 {
		return []byte("0")
	}
	return c.created
}

// chunk is one of the gateway's own.
func (c *chatAnswers) chunk(delta, reason string) []byte {
	return sse.Append(nil, "", fmt.Appendf(nil, `{"id":%s,"object":"chat.completion.chunk","created":%s,"model":%s,"choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`,
		jsontext.Quote(c.first), c.when(), jsontext.Quote(c.model), delta, reason))
}

func (c *chatAnswers) broken() []byte {
	c.spent += max(c.output, estimate(c.bytes))
	c.spliced = c.begun // else the next is the first that the client gets
	c.choices, c.flat, c.told, c.output, c.bytes, c.parted = nil, nil, nil, 0, 0, false
	return nil
}

func (c *chatAnswers) ended() []byte {
	told := c.told
	if len(told) == 0 {
		told = []byte(`{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}`) // nobody knows
	}
	usage := endUsage(told, max(c.output, estimate(c.bytes))-c.output+c.spent, "completion_tokens", "total_tokens")
	c.broken()
	out := c.chunk("{}", `"tool_calls"`)
	if c.usage {
		out = sse.Append(out, "", fmt.Appendf(nil, `{"id":%s,"object":"chat.completion.chunk","created":%s,"model":%s,"choices":[],"usage":%s}`,
			jsontext.Quote(c.first), c.when(), jsontext.Quote(c.model), usage))
	}
	return sse.Append(out, "", []byte("[DONE]"))
}

func (c *chatAnswers) failed(body []byte) []byte { return sse.Append(nil, "", body) }

func (c *chatAnswers) keepAlive() []byte { return []byte(": alive\n\n") }

func (c *chatAnswers) repeated() [][]byte { return nil }

func (c *chatAnswers) ids() (client, real string) { return "", "" }
