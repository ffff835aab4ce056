package gateway

import (
	"fmt"
	"maps"
	"strings"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
	"github.com/pertain-dev/pertain/gateway/internal/sse"
)

// geminiAPI is Gemini's generateContent.
type geminiAPI struct{}

func (geminiAPI) name() string { return "gemini" }

func (geminiAPI) asks(root jsontext.Value, path string) *asked {
	name, method, _ := strings.Cut(path[strings.LastIndexByte(path, '/')+1:], ":")
	a := &asked{root: root, list: root.Get("contents"), key: "contents", model: name, stream: method == "streamGenerateContent", tools: root.Get("tools").Len() > 0}
	for _, key := range []string{"systemInstruction", "system_instruction"} {
		a.system += allText(root.Get(key))
	}
	for content := range a.list.Items() {
		e := entry{value: content, who: person}
		parts := content.Get("parts")
		if content.Get("role").Is("model") {
			e.who, e.blocks = model, geminiBlocks(parts)
		} else {
			for part := range parts.Items() {
				if part.Get("functionResponse").Exists() || part.Get("function_response").Exists() {
					e.who = results
				}
			}
			if a.first == "" {
				a.first = allText(parts)
			}
		}
		a.entries = append(a.entries, e)
	}
	return a
}

func geminiBlocks(parts jsontext.Value) []block {
	var out []block
	for v := range parts.Items() {
		b := block{value: v}
		call := v.Get("functionCall")
		switch {
		case call.Exists():
			b.kind, b.calls = callBlock, callNames(call.Get("id").Text(), call.Get("name").Text(), call.Get("args").Raw())
		case v.Get("thought").True():
			b.kind, b.text = thinkingBlock, v.Get("text").Text()
		case v.Get("text").Exists():
			b.kind, b.text = textBlock, v.Get("text").Text()
		}
		out = append(out, b)
	}
	return out
}

func (geminiAPI) reminder(text string) []byte {
	return fmt.Appendf(nil, `{"role":"user","parts":[{"text":%s}]}`, jsontext.Quote(text))
}

func (geminiAPI) said(blocks []block) [][]byte {
	text := saidText(blocks)
	if text == "" {
		return nil
	}
	return [][]byte{fmt.Appendf(nil, `{"role":"model","parts":[{"text":%s}]}`, jsontext.Quote(text))}
}

func (geminiAPI) without(e *entry, blocks int, text *string) []byte {
	return withoutItems(e, e.value.Get("parts"), blocks, text)
}

func (geminiAPI) whole(root jsontext.Value) whole {
	w := whole{id: root.Get("responseId").Text()}
	g := &geminiAnswers{}
	chunks := []jsontext.Value{root}
	if root.Kind() == '[' { // a stream that was not asked for as events is a list
		chunks = chunks[:0]
		for chunk := range root.Items() {
			chunks = append(chunks, chunk)
		}
	}
	for _, chunk := range chunks {
		var top geminiChunk
		chunk.Pick(top[:], geminiKeys[:]...)
		w.said = append(w.said, g.chunk(&top)...)
	}
	w.said = append(w.said, g.ends()...)
	w.output = g.output
	w.spent = func(tokens int64) []byte {
		var edits []jsontext.Edit
		for _, chunk := range chunks {
			for _, key := range geminiUsage {
				if edit, ok := addTo(chunk.Get("usageMetadata"), key, tokens); ok {
					edit.From, edit.To = edit.From-root.From(), edit.To-root.From()
					edits = append(edits, edit)
				}
			}
		}
		return jsontext.Apply(root.Raw(), edits...)
	}
	return w
}

var geminiUsage = []string{"candidatesTokenCount", "totalTokenCount"}

func (geminiAPI) answers(a *asked) answers { return &geminiAnswers{model: a.model} }

// geminiAnswers are answers of Gemini.
type geminiAnswers struct {
	model string

	// Of the client:
	begun   bool
	first   string
	version string // of the model, as the upstream writes it
	text    bool   // it has got text that no line break ends
	spent   int64
	spliced bool
	list    bool // it is no stream of events but a list

	// Of the upstream's present answer:
	id      string
	open    map[int64]bool // texts
	calls   int64
	partial map[int64]*partialCall // calls that arrive in pieces, by the candidate
	usage   []byte                 // as it was told last
	output  int64
	bytes   int64
	parted  bool
}

// geminiNames are the keys that are read of answers of Gemini.
var geminiNames = jsontext.NewNames([]string{"args"}, "error", "candidates", "promptFeedback", "blockReason", "finishReason", "responseId", "modelVersion", "usageMetadata",
	"candidatesTokenCount", "index", "content", "parts", "text", "thought", "functionCall", "id", "name", "willContinue", "partialArgs", "jsonPath",
	"stringValue", "numberValue", "boolValue", "executableCode", "codeExecutionResult", "code", "output")

func (geminiAPI) names() *jsontext.Names { return geminiNames }

func (*geminiAnswers) names() *jsontext.Names { return geminiNames }

func (g *geminiAnswers) fork() answers {
	out := &geminiAnswers{open: maps.Clone(g.open), calls: g.calls, partial: make(map[int64]*partialCall, len(g.partial))}
	for base, p := range g.partial {
		out.partial[base] = p.fork()
	}
	return out
}

// Keys of a candidate.
const (
	geminiText = iota
	geminiThinking
	geminiCall
)

func (g *geminiAnswers) read(e sse.Event) (r reading) {
	var top geminiChunk
	v, ok := jsontext.ParsePick(e.Data, top[:], geminiKeys[:]...)
	if odd(&e, v, ok, geminiNames) || !ok {
		r.odd = len(e.Data) > 0
		return r
	}
	r.kind = 1
	r.failed = top[geminiError].Exists()
	r.said = g.chunk(&top)
	finished := top[geminiFeedback].Get("blockReason").Exists()
	for candidate := range top[geminiCandidates].Items() {
		finished = finished || candidate.Get("finishReason").Exists()
	}
	if finished {
		r.last = true
		r.said = append(r.said, g.ends()...)
	}
	return r
}

// Members of a part of an answer.
const (
	geminiError = iota
	geminiCandidates
	geminiFeedback
	geminiID
	geminiVersion
	geminiMetadata
)

// geminiKeys are their keys.
var geminiKeys = [...]string{"error", "candidates", "promptFeedback", "responseId", "modelVersion", "usageMetadata"}

// geminiChunk is a part of an answer, or all of it.
type geminiChunk [len(geminiKeys)]jsontext.Value

// chunk reads a part of an answer, or all of it.
func (g *geminiAnswers) chunk(v *geminiChunk) []said {
	var out []said
	if id := v[geminiID].Text(); id != "" {
		g.id = id
	}
	if version := v[geminiVersion].Text(); version != "" {
		g.version = version
	}
	if usage := v[geminiMetadata]; usage.Kind() == '{' {
		g.usage = append(g.usage[:0], usage.Raw()...)
		if n := usage.Get("candidatesTokenCount"); n.Kind() == '0' {
			g.output = n.Int()
		}
	}
	if g.open == nil {
		g.open = make(map[int64]bool)
	}
	for candidate := range v[geminiCandidates].Items() {
		base := candidate.Get("index").Int() << 32
		for part := range candidate.Get("content", "parts").Items() {
			if call := part.Get("functionCall"); call.Exists() && !call.Get("args").Exists() && (g.partial[base] != nil || call.Get("willContinue").True()) {
				out = append(out, g.piece(base, call)...)
				continue
			} else if call.Exists() {
				out = append(out, g.endPartial(base)...)
				key := base + geminiCall + g.calls
				g.calls++
				arguments := string(call.Get("args").Raw())
				names := callNames(call.Get("id").Text(), call.Get("name").Text(), call.Get("args").Raw())
				out = append(out, said{what: callBegin, key: key, tool: call.Get("name").Text(), id: strings.Join(names, " ")},
					said{what: callPiece, key: key, text: arguments}, said{what: streamEnd, key: key})
				g.bytes += int64(len(arguments))
				continue
			}
			text := part.Get("text").Text()
			for _, code := range []string{"executableCode", "codeExecutionResult"} { // what the provider itself runs is text for the client
				text += part.Get(code, "code").Text() + part.Get(code, "output").Text()
			}
			if text == "" {
				continue
			}
			what, key := textPiece, base+geminiText
			if part.Get("thought").True() {
				what, key = thinkingPiece, base+geminiThinking
			}
			g.open[key] = true
			g.bytes += int64(len(text))
			out = append(out, said{what: what, key: key, text: text})
		}
	}
	return out
}

// piece reads a part of a call whose arguments arrive in pieces.
func (g *geminiAnswers) piece(base int64, call jsontext.Value) []said {
	var out []said
	p := g.partial[base]
	if p == nil {
		p = &partialCall{key: base + geminiCall + g.calls, id: call.Get("id").Text(), tool: call.Get("name").Text()}
		g.calls++
		if g.partial == nil {
			g.partial = make(map[int64]*partialCall)
		}
		g.partial[base] = p
		out = append(out, said{what: callBegin, key: p.key, tool: p.tool, id: p.id})
	}
	size := p.size
	out = append(out, p.take(call)...)
	g.bytes += int64(p.size - size)
	if !call.Get("willContinue").True() {
		out = append(out, g.endPartial(base)...)
	}
	return out
}

// endPartial ends the call of a candidate that arrives in pieces.
func (g *geminiAnswers) endPartial(base int64) []said {
	p := g.partial[base]
	if p == nil {
		return nil
	}
	delete(g.partial, base)
	return p.end()
}

// ends ends everything that has begun.
func (g *geminiAnswers) ends() []said {
	var out []said
	for _, base := range sortedKeys(g.partial) {
		out = append(out, g.endPartial(base)...)
	}
	for _, key := range sortedKeys(g.open) {
		out = append(out, said{what: streamEnd, key: key})
	}
	clear(g.open)
	return out
}

func (g *geminiAnswers) given(e sse.Event, r *reading) []byte {
	if !g.begun && r.kind != 0 {
		g.begun, g.first = true, g.id
	}
	var out []byte
	for _, s := range r.said {
		if s.what == textPiece && s.side == plainSide {
			if g.spliced && g.text && !g.parted {
				out = g.own(`"content":{"role":"model","parts":[{"text":"\n\n"}]}`, "")
			}
			g.text, g.parted = !strings.HasSuffix(s.text, "\n"), true
		}
	}
	if !g.spliced && g.spent == 0 {
		return e.Raw
	}
	v, ok := jsontext.Parse(e.Data)
	if !ok {
		return e.Raw
	}
	if g.list && g.spliced {
		e = e.Goes()
	}
	text := e.Data
	if id := v.Get("responseId"); id.Exists() && g.spliced {
		text = jsontext.Apply(text, id.Replace(jsontext.Quote(g.first)))
	}
	return append(out, e.With(withUsage(text, g.spent, geminiUsage, "usageMetadata"))...)
}

func (g *geminiAnswers) unchanged() bool { return g.begun && !g.spliced && g.spent == 0 }

// own is a chunk of the gateway's own.
func (g *geminiAnswers) own(candidate, more string) []byte {
	for _, one := range []struct{ key, text string }{{"modelVersion", g.version}, {"responseId", g.first}} {
		if one.text != "" { // as the upstream has it, or not at all
			more += fmt.Sprintf(`,%q:%s`, one.key, jsontext.Quote(one.text))
		}
	}
	return g.chunkOf(fmt.Appendf(nil, `{"candidates":[{%s,"index":0}]%s}`, candidate, more))
}

func (g *geminiAnswers) chunkOf(data []byte) []byte {
	if g.list {
		return sse.AppendItem(nil, data)
	}
	return sse.Append(nil, "", data)
}

func (g *geminiAnswers) broken() []byte {
	g.spent += max(g.output, estimate(g.bytes))
	g.spliced = g.begun
	g.open, g.calls, g.usage, g.output, g.bytes, g.parted = nil, 0, nil, 0, 0, false
	clear(g.partial)
	return nil
}

func (g *geminiAnswers) ended() []byte {
	usage := endUsage(g.usage, max(g.output, estimate(g.bytes))-g.output+g.spent, "candidatesTokenCount", "totalTokenCount")
	g.broken()
	out := g.own(`"content":{"role":"model","parts":[{"text":""}]},"finishReason":"STOP"`, `,"usageMetadata":`+string(usage))
	if g.list {
		out = append(out, "\n]\n"...)
	}
	return out
}

func (g *geminiAnswers) failed(body []byte) []byte {
	switch {
	case !g.list:
		return sse.Append(nil, "", body)
	case !g.begun:
		return array([][]byte{body})
	}
	return append(sse.AppendItem(nil, body), "\n]\n"...)
}

// keepAlive gives nothing: agents of Gemini take a comment for an error.
func (g *geminiAnswers) keepAlive() []byte { return nil }

func (g *geminiAnswers) repeated() [][]byte { return nil }

func (g *geminiAnswers) ids() (client, real string) { return "", "" }
