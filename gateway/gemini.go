package gateway

import (
	"fmt"
	"slices"
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

func (geminiAPI) answers(a *asked) answers {
	several := false
	for _, key := range []string{"generationConfig", "generation_config"} {
		config := a.root.Get(key)
		several = several || config.Get("candidateCount").Int() > 1 || config.Get("candidate_count").Int() > 1
	}
	return &geminiAnswers{model: a.model, several: several}
}

// geminiAnswers are answers of Gemini.
type geminiAnswers struct {
	model   string
	several bool // several candidates were asked for

	// Of the client:
	begun   bool
	first   string
	version string // of the model, as the upstream writes it
	text    bool   // it has got text that no line break ends
	spent   int64
	spliced bool
	list    bool // it is no stream of events but a list

	// Of the upstream's present answer:
	id         string
	candidates map[int64]*geminiCandidate // by their index
	flat       *geminiCandidate           // the first of each chunk, whatever its index; nil: it is the same
	usage      []byte                     // as it was told last
	output     int64
	parted     bool
}

// geminiNames are the keys that are read of answers of Gemini.
var geminiNames = jsontext.NewNames([]string{"args"}, "error", "candidates", "promptFeedback", "blockReason", "finishReason", "responseId", "modelVersion", "usageMetadata",
	"candidatesTokenCount", "index", "content", "parts", "text", "thought", "functionCall", "id", "name", "willContinue", "partialArgs", "jsonPath",
	"stringValue", "numberValue", "boolValue", "executableCode", "codeExecutionResult", "code", "output")

func (geminiAPI) names() *jsontext.Names { return geminiNames }

func (*geminiAnswers) names() *jsontext.Names { return geminiNames }

func (g *geminiAnswers) fork() answers {
	out := &geminiAnswers{several: g.several, candidates: make(map[int64]*geminiCandidate, len(g.candidates))}
	for index, c := range g.candidates {
		out.candidates[index] = c.fork()
	}
	if g.flat != nil {
		out.flat = g.flat.fork()
	}
	return out
}

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
	first := true
	for candidate := range v[geminiCandidates].Items() {
		c := g.of(candidate.Get("index").Int())
		if first && g.flat != nil {
			out = append(out, onSide(g.flat.read(candidate), flatSide)...)
		}
		first = false
		out = append(out, c.read(candidate)...)
	}
	return out
}

// of is a candidate. Where one was asked for and another comes, most take for it whatever is the first of a chunk.
func (g *geminiAnswers) of(index int64) *geminiCandidate {
	c := g.candidates[index]
	if c != nil {
		return c
	}
	if g.candidates == nil {
		g.candidates = make(map[int64]*geminiCandidate)
	}
	if len(g.candidates) == 1 && !g.several {
		for _, only := range g.candidates {
			g.flat = only.fork()
			g.flat.calls += maxParts // no call of the candidate has such a number
		}
	}
	c = &geminiCandidate{base: int64(len(g.candidates)) << 32}
	g.candidates[index] = c
	return c
}

// ends ends everything that has begun.
func (g *geminiAnswers) ends() []said {
	var out []said
	if g.flat != nil && g.flat.apart {
		out = onSide(g.flat.ends(), flatSide)
	}
	for _, index := range sortedKeys(g.candidates) {
		out = append(out, g.candidates[index].ends()...)
	}
	return out
}

// tokens are at least those of what was said, where the upstream has told of fewer.
func (g *geminiAnswers) tokens() int64 {
	bytes := int64(0)
	for _, c := range g.candidates {
		bytes += c.bytes
	}
	return max(g.output, estimate(bytes))
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
	g.spent += g.tokens()
	g.spliced = g.begun
	g.candidates, g.flat, g.usage, g.output, g.parted = nil, nil, nil, 0, false
	return nil
}

func (g *geminiAnswers) ended() []byte {
	usage := endUsage(g.usage, g.tokens()-g.output+g.spent, "candidatesTokenCount", "totalTokenCount")
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

// geminiCandidate reads what one candidate says, in pieces or whole.
type geminiCandidate struct {
	base    int64            // of the keys
	open    [geminiCall]bool // texts, by their keys
	calls   int64
	partial *partialCall // the call that arrives in pieces; nil: none does
	bytes   int64        // that were said
	apart   bool         // it has read something since it was forked
	beside  bool         // some of its texts stood beside something else, and some clients pass over them
}

// Keys of a candidate. SDKs join its texts whatever stands between them, and code is none of them.
const (
	geminiText = iota
	geminiThinking
	geminiCode // what the provider itself runs, and what comes of it, is text for the client
	geminiCall
)

// fork gives one that goes on from here by itself.
func (c *geminiCandidate) fork() *geminiCandidate {
	out := *c
	if out.apart = false; c.partial != nil {
		out.partial = c.partial.fork()
	}
	return &out
}

func (c *geminiCandidate) read(v jsontext.Value) []said {
	var out []said
	c.apart = true
	for part := range v.Get("content", "parts").Items() {
		what, key := textPiece, int64(geminiText)
		if part.Get("thought").True() {
			what, key = thinkingPiece, geminiThinking
		}
		if text := part.Get("text").Text(); isMore(part) {
			out = c.writeBeside(out, what, key, text)
		} else if out = c.write(out, what, key, text); c.beside && text != "" {
			out = append(out, said{what: what, key: c.base + key, text: text, side: ownerSide})
		}
		for _, code := range []string{"executableCode", "codeExecutionResult"} {
			out = c.write(out, what, geminiCode, part.Get(code, "code").Text()+part.Get(code, "output").Text())
		}
		if call := part.Get("functionCall"); call.Exists() {
			out = append(out, c.call(call)...)
		}
	}
	return out
}

// geminiMore are the keys of parts that are no texts.
var geminiMore = [...]string{"functionCall", "executableCode", "codeExecutionResult", "inlineData", "fileData", "functionResponse"}

// isMore tells whether a part has more than a text.
func isMore(part jsontext.Value) bool {
	var more [len(geminiMore)]jsontext.Value
	part.Pick(more[:], geminiMore[:]...)
	return slices.ContainsFunc(more[:], jsontext.Value.Exists)
}

// writeBeside adds a piece of a text that stands beside something else. From the first on, the texts without them are another
// reading, which has begun with what came before.
func (c *geminiCandidate) writeBeside(out []said, what what, key int64, text string) []said {
	if text != "" && !c.beside {
		c.beside = true
		out = append(out, said{what: textPiece, key: c.base + geminiText, side: ownerSide}, said{what: thinkingPiece, key: c.base + geminiThinking, side: ownerSide})
	}
	return c.write(out, what, key, text)
}

// write adds a piece of a text.
func (c *geminiCandidate) write(out []said, what what, key int64, text string) []said {
	if text == "" {
		return out
	}
	c.open[key] = true
	c.bytes += int64(len(text))
	return append(out, said{what: what, key: c.base + key, text: text})
}

// call reads a call, or a part of one whose arguments arrive in pieces.
func (c *geminiCandidate) call(call jsontext.Value) []said {
	arguments := call.Get("args")
	if !arguments.Exists() && (c.partial != nil || call.Get("willContinue").True()) {
		return c.piece(call)
	}
	out := c.endPartial()
	key, name := c.callKey(), call.Get("name").Text()
	names := callNames(call.Get("id").Text(), name, arguments.Raw())
	c.bytes += int64(len(arguments.Raw()))
	return append(out, said{what: callBegin, key: key, tool: name, id: strings.Join(names, " ")},
		said{what: callPiece, key: key, text: string(arguments.Raw())}, said{what: streamEnd, key: key})
}

// callKey is the key of a call that begins.
func (c *geminiCandidate) callKey() int64 {
	c.calls++
	return c.base + geminiCall + c.calls - 1
}

// piece reads a part of a call whose arguments arrive in pieces.
func (c *geminiCandidate) piece(call jsontext.Value) []said {
	var out []said
	if c.partial == nil {
		c.partial = &partialCall{key: c.callKey(), id: call.Get("id").Text(), tool: call.Get("name").Text()}
		out = append(out, said{what: callBegin, key: c.partial.key, tool: c.partial.tool, id: c.partial.id})
	}
	size := c.partial.size
	out = append(out, c.partial.take(call)...)
	c.bytes += int64(c.partial.size - size)
	if !call.Get("willContinue").True() {
		out = append(out, c.endPartial()...)
	}
	return out
}

// endPartial ends the call that arrives in pieces.
func (c *geminiCandidate) endPartial() []said {
	p := c.partial
	if p == nil {
		return nil
	}
	c.partial = nil
	return p.end()
}

// ends ends everything that has begun.
func (c *geminiCandidate) ends() []said {
	out := c.endPartial()
	for key, open := range c.open {
		if open {
			out = append(out, said{what: streamEnd, key: c.base + int64(key)})
		}
		if open && c.beside {
			out = append(out, said{what: streamEnd, key: c.base + int64(key), side: ownerSide})
		}
	}
	clear(c.open[:])
	return out
}
