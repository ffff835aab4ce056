package gateway

import (
	"fmt"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
	"github.com/pertain-dev/pertain/gateway/internal/sse"
)

func (responsesAPI) answers(*asked) answers { return &responsesAnswers{} }

// responsesNames are the keys that are read of answers of Responses.
var responsesNames = jsontext.NewNames([]string{"arguments", "input", "action", "actions", "operation"}, "type", "output_index", "content_index", "summary_index", "delta", "response",
	"id", "item_id", "output", "output_text", "item", "part", "text", "refusal", "code", "usage", "output_tokens", "summary", "content", "name", "call_id", "error")

func (responsesAPI) names() *jsontext.Names { return responsesNames }

func (*responsesAnswers) names() *jsontext.Names { return responsesNames }

func (a *responsesAnswers) fork() answers {
	return &responsesAnswers{parts: a.parts.fork(), order: a.order.fork()}
}

// responsesAnswers are answers of Responses.
type responsesAnswers struct {
	// Of the client:
	begun   bool
	first   string // the id of the answer that it knows
	head    []byte // the answer as it was when it began
	items   int64  // that have been added
	output  [][]byte
	past    int // of output, how many are of earlier answers
	open    *openItem
	serial  int64 // the next sequence number
	spent   int64
	spliced bool
	kept    openings

	// Of the upstream's present answer:
	base   int64
	id     string
	parts  responseItems
	order  itemOrder
	bytes  int64
	tokens int64
}

// openItem is a message that the client has got some of.
type openItem struct {
	index   int64
	item    []byte // as it began
	id      string
	message bool
	parts   [][]byte // that have ended
	part    bool     // another has begun
	text    []byte   // of that
	said    bool     // its text has ended
}

// Kinds of events of Responses.
const (
	responseOther uint8 = iota
	responseCreated
	responseItemAdded
	responsePartAdded
	responseTextDelta
	responseTextDone
	responsePartDone
	responseItemDone
	responseCompleted
)

func (a *responsesAnswers) read(e sse.Event) (r reading) {
	var top [5]jsontext.Value
	v, ok := jsontext.ParsePick(e.Data, top[:], "type", "output_index", "content_index", "delta", "item_id")
	if odd(&e, v, ok, responsesNames) || !ok {
		r.idle, r.odd = len(e.Data) == 0, len(e.Data) > 0
		return r
	}
	r.index = top[1].Int()
	part, delta := top[2].Int(), top[3].Text()
	kind := top[0].Word()
	if !top[0].Exists() { // some go by the name of the event
		kind = e.Name
	}
	if r.index < 0 || r.index > 1<<30 || part < 0 || part >= thinkingPart { // nobody has so many
		r.said = hiddenText(v.Strings())
		return r
	}
	switch string(kind) {
	case "response.created", "response.in_progress", "response.queued":
		r.kind = responseCreated
		a.id = v.Get("response", "id").Text()
		at := int64(0)
		for item := range v.Get("response", "output").Items() { // mostly none
			r.said = append(r.said, a.order.added(at, item, a.parts.added(at, item))...)
			at++
		}
	case "response.output_item.added":
		r.kind = responseItemAdded
		item := v.Get("item")
		r.said = a.order.added(r.index, item, a.parts.added(r.index, item))
		r.opens = len(r.said) == 0 && (item.Get("type").Is("message") || item.Get("type").Is("reasoning"))
	case "response.content_part.added":
		r.kind = responsePartAdded
		r.said = a.order.pushed(r.index, part, v.Get("part"), a.part(r.index, part, v.Get("part")))
		r.opens = len(r.said) == 0
	case "response.content_part.done":
		r.kind = responsePartDone
		r.said = a.part(r.index, part, v.Get("part"))
	case "response.output_text.done", "response.refusal.done":
		r.kind = responseTextDone
		r.said = a.parts.all(textPiece, r.index, part, partText(v))
	case "response.output_text.delta", "response.refusal.delta":
		r.kind = responseTextDelta
		r.said = a.order.piece(r.index, top[4], a.parts.piece(textPiece, r.index, part, delta))
	case "response.reasoning_text.delta", "response.reasoning_summary_text.delta":
		r.said = a.order.piece(r.index, top[4], a.parts.piece(thinkingPiece, r.index, thought(v, part), delta))
	case "response.reasoning_text.done", "response.reasoning_summary_text.done":
		r.said = a.parts.all(thinkingPiece, r.index, thought(v, part), v.Get("text").Text())
	case "response.reasoning_summary_part.added":
		r.said = a.parts.all(thinkingPiece, r.index, thought(v, part), v.Get("part", "text").Text())
		r.opens = len(r.said) == 0
	case "response.reasoning_summary_part.done":
		r.said = a.parts.all(thinkingPiece, r.index, thought(v, part), v.Get("part", "text").Text())
	case "response.function_call_arguments.delta", "response.custom_tool_call_input.delta", "response.mcp_call_arguments.delta", "response.code_interpreter_call_code.delta":
		r.said = a.order.piece(r.index, top[4], a.parts.piece(callPiece, r.index, 0, delta))
	case "response.function_call_arguments.done", "response.custom_tool_call_input.done", "response.mcp_call_arguments.done", "response.code_interpreter_call_code.done":
		r.said = a.parts.arguments(r.index, a.parts.of(r.index).name, "", written(v.Get("arguments"))+v.Get("input").Text()+v.Get("code").Text())
	case "response.output_item.done":
		r.kind = responseItemDone
		r.said = a.parts.done(r.index, v.Get("item"))
	case "response.completed", "response.incomplete", "response.failed":
		r.kind, r.last = responseCompleted, true
		r.failed = string(kind) == "response.failed"
		at := int64(0)
		a.parts.closing = true
		for item := range v.Get("response", "output").Items() { // what was never told of before, or otherwise
			r.said = append(r.said, a.parts.done(at, item)...)
			at++
		}
		r.said = append(r.said, outputText(v.Get("response"))...)
		a.tokens = v.Get("response", "usage", "output_tokens").Int()
	case "error":
		r.failed = true
	}
	for _, s := range r.said {
		if s.what != thinkingProof && s.side == plainSide {
			a.bytes += int64(len(s.text))
		}
	}
	return r
}

// thought is which part of what is thought an event is about.
func thought(v jsontext.Value, part int64) int64 {
	return thinkingPart + v.Get("summary_index").Int() + part
}

// part reads a part of a message, or of what is thought.
func (a *responsesAnswers) part(index, part int64, v jsontext.Value) []said {
	if v.Get("type").Is("reasoning_text") {
		return a.parts.all(thinkingPiece, index, thinkingPart+part, v.Get("text").Text())
	}
	return a.parts.all(textPiece, index, part, partText(v))
}

func (a *responsesAnswers) given(e sse.Event, r *reading) []byte { return a.kept.given(e, r, a.passed) }

// unchanged says no: what is open, and the numbers of events, are kept track of.
func (a *responsesAnswers) unchanged() bool { return false }

// passed is an event as the client gets it.
func (a *responsesAnswers) passed(e sse.Event, r *reading) []byte {
	v, ok := jsontext.Parse(e.Data)
	if !ok {
		return e.Raw
	}
	if r.kind == responseCreated {
		if a.spliced {
			return nil
		}
		a.begun, a.first, a.head = true, a.id, append([]byte(nil), v.Get("response").Raw()...)
	}
	a.track(v, r)
	if !a.spliced {
		if n := v.Get("sequence_number"); n.Kind() == '0' {
			a.serial = n.Int() + 1
		}
		if a.spent > 0 && r.kind == responseCompleted { // of answers of which the client has got nothing
			return e.With(withUsage(e.Data, a.spent, responseUsage, "response", "usage"))
		}
		return e.Raw
	}
	return e.With(a.rewritten(e.Data, v, r))
}

// track takes note of what the client has got.
func (a *responsesAnswers) track(v jsontext.Value, r *reading) {
	if a.open != nil {
		a.open.track(v, r.kind)
	}
	switch r.kind {
	case responseItemAdded:
		item := v.Get("item")
		a.items = max(a.items, a.base+r.index+1)
		a.open = &openItem{index: a.base + r.index, item: append([]byte(nil), item.Raw()...), id: item.Get("id").Text(), message: item.Get("type").Is("message")}
	case responseItemDone:
		a.items = max(a.items, a.base+r.index+1)
		a.open = nil
		a.output = append(a.output, append([]byte(nil), v.Get("item").Raw()...))
	}
}

func (o *openItem) track(v jsontext.Value, kind uint8) {
	switch kind {
	case responsePartAdded:
		o.part, o.said, o.text = true, false, []byte(partText(v.Get("part")))
	case responseTextDelta:
		o.text = append(o.text, v.Get("delta").Text()...)
	case responseTextDone:
		o.said, o.text = true, []byte(partText(v))
	case responsePartDone:
		o.parts = append(o.parts, append([]byte(nil), v.Get("part").Raw()...))
		o.part = false
	}
}

// rewritten is an event of an answer that is not the first.
func (a *responsesAnswers) rewritten(data []byte, v jsontext.Value, r *reading) []byte {
	var edits []jsontext.Edit
	if n := v.Get("sequence_number"); n.Kind() == '0' {
		edits = append(edits, n.Replace(number(a.serial)))
		a.serial++
	}
	if n := v.Get("output_index"); n.Kind() == '0' {
		edits = append(edits, n.Replace(number(a.base+r.index)))
	}
	if response := v.Get("response"); response.Kind() == '{' {
		if id := response.Get("id"); id.Exists() {
			edits = append(edits, id.Replace(jsontext.Quote(a.first)))
		}
		if output := response.Get("output"); output.Kind() == '[' && a.base > 0 {
			all := append([][]byte(nil), a.output[:min(int(a.base), len(a.output))]...)
			for item := range output.Items() {
				all = append(all, item.Raw())
			}
			edits = append(edits, output.Replace(array(all)))
		}
	}
	return withUsage(jsontext.Apply(data, edits...), a.spent, responseUsage, "response", "usage")
}

func (a *responsesAnswers) broken() []byte {
	a.spent += max(a.tokens, estimate(a.bytes))
	a.kept = nil
	var out []byte
	if a.open != nil && a.open.message {
		out = a.close()
	}
	a.open, a.past = nil, len(a.output)
	a.spliced, a.base = a.begun, a.items
	a.parts, a.order, a.bytes, a.tokens = responseItems{}, itemOrder{}, 0, 0
	return out
}

// close ends the message that is open.
func (a *responsesAnswers) close() []byte {
	o := a.open
	text := jsontext.Quote(string(o.text))
	part := fmt.Appendf(nil, `{"type":"output_text","text":%s,"annotations":[]}`, text)
	where := fmt.Sprintf(`"item_id":%s,"output_index":%d,"content_index":%d`, jsontext.Quote(o.id), o.index, len(o.parts))
	var out []byte
	if o.part {
		o.parts = append(o.parts, part)
		if !o.said {
			out = a.own(out, "response.output_text.done", fmt.Sprintf(`%s,"text":%s`, where, text))
		}
		out = a.own(out, "response.content_part.done", fmt.Sprintf(`%s,"part":%s`, where, part))
	}
	item := o.item
	if v, ok := jsontext.Parse(item); ok {
		item = jsontext.Apply(item, v.Set("content", array(o.parts)))
		if v, ok = jsontext.Parse(item); ok {
			item = jsontext.Apply(item, v.Set("status", []byte(`"completed"`)))
		}
	}
	a.output = append(a.output, item)
	return a.own(out, "response.output_item.done", fmt.Sprintf(`"output_index":%d,"item":%s`, o.index, item))
}

// own adds an event of the gateway's own.
func (a *responsesAnswers) own(to []byte, name, fields string) []byte {
	to = sse.Append(to, name, fmt.Appendf(nil, `{"type":%q,"sequence_number":%d,%s}`, name, a.serial, fields))
	a.serial++
	return to
}

func (a *responsesAnswers) ended() []byte {
	out := a.broken()
	response := a.head
	if len(response) == 0 { // nothing was told of it
		response = []byte("{}")
	}
	set := func(key string, text []byte) {
		if v, ok := jsontext.Parse(response); ok {
			response = jsontext.Apply(response, v.Set(key, text))
		}
	}
	set("status", []byte(`"completed"`))
	set("output", array(a.output))
	set("usage", fmt.Appendf(nil, `{"input_tokens":0,"input_tokens_details":{"cached_tokens":0},"output_tokens":%d,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":%d}`, a.spent, a.spent))
	return a.own(out, "response.completed", fmt.Sprintf(`"response":%s`, response))
}

func (a *responsesAnswers) failed(body []byte) []byte {
	why := `{"message":"the answer could not be gone on with"}`
	if v, ok := jsontext.Parse(body); ok && v.Get("error").Kind() == '{' {
		why = string(v.Get("error").Raw())
	}
	v, _ := jsontext.Parse([]byte(why))
	message, code := v.Get("message"), v.Get("code")
	field := func(v jsontext.Value) []byte {
		if v.Exists() {
			return v.Raw()
		}
		return []byte("null")
	}
	return a.own(nil, "error", fmt.Sprintf(`"code":%s,"message":%s,"param":null`, field(code), field(message)))
}

func (a *responsesAnswers) keepAlive() []byte { return []byte(": alive\n\n") }

func (a *responsesAnswers) ids() (client, real string) { return a.first, a.id }
