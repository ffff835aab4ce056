package gateway

import (
	"fmt"
	"strings"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
)

// responsesAPI is OpenAI's Responses.
type responsesAPI struct{}

func (responsesAPI) name() string { return "responses" }

func (responsesAPI) asks(root jsontext.Value, _ string) *asked {
	a := &asked{
		root: root, list: root.Get("input"), key: "input", model: root.Get("model").Text(), system: root.Get("instructions").Text(),
		stream: root.Get("stream").True(), tools: root.Get("tools").Len() > 0, before: root.Get("previous_response_id"),
	}
	if a.list.Kind() == '"' {
		a.first = a.list.Text()
	}
	for item := range a.list.Items() {
		e := entry{value: item}
		kind, role := item.Get("type").Text(), item.Get("role").Text()
		switch {
		case role == "assistant":
			e.who, e.blocks = model, responseTexts(item)
		case role == "user":
			if e.who = person; a.first == "" {
				a.first = allText(item.Get("content"))
			}
		case role != "":
			a.system += allText(item.Get("content"))
		case strings.HasSuffix(kind, "_output"):
			e.who = results
		case kind == "reasoning":
			e.who, e.blocks = model, []block{{kind: thinkingBlock, text: reasoningText(item), raw: item.Raw()}}
		case strings.HasSuffix(kind, "_call"):
			e.who, e.blocks = model, []block{{kind: callBlock, calls: []string{item.Get("call_id").Text()}}}
		}
		a.entries = append(a.entries, e)
	}
	return a
}

// responseTexts reads the content of a message of the model.
func responseTexts(item jsontext.Value) []block {
	content := item.Get("content")
	if content.Kind() == '"' {
		return []block{{kind: textBlock, text: content.Text()}}
	}
	var out []block
	for v := range content.Items() {
		b := block{value: v}
		if text := v.Get("text"); text.Kind() == '"' {
			b.kind, b.text = textBlock, text.Text()
		}
		out = append(out, b)
	}
	return out
}

// reasoningText is by what reasoning is known: what only the provider can read, or its
// summary.
func reasoningText(item jsontext.Value) string {
	if text := item.Get("encrypted_content").Text(); text != "" {
		return text
	}
	return allText(item.Get("summary")) + allText(item.Get("content")) + item.Get("id").Text()
}

func (responsesAPI) reminder(text string) []byte {
	return fmt.Appendf(nil, `{"type":"message","role":"user","content":[{"type":"input_text","text":%s}]}`, jsontext.Quote(text))
}

// said leaves reasoning out: it belongs to the item that follows it, which is not sent.
func (responsesAPI) said(blocks []block) []byte {
	text, _ := jsontext.Parse(chatAPI{}.said(blocks))
	if !text.Exists() {
		return nil
	}
	return fmt.Appendf(nil, `{"type":"message","role":"assistant","content":[{"type":"output_text","text":%s}]}`, text.Get("content").Raw())
}

func (responsesAPI) without(e *entry, blocks int, text *string) []byte {
	content := e.value.Get("content")
	switch {
	case blocks >= len(e.blocks):
		return nil
	case content.Kind() == '[' && e.blocks[0].value.Exists():
		return withoutItems(e, content, blocks, text)
	case text != nil && content.Kind() == '"':
		return within(e.value, content, jsontext.Quote(*text))
	}
	return e.value.Raw()
}

func (responsesAPI) whole(root jsontext.Value) whole {
	w := whole{output: root.Get("usage", "output_tokens").Int(), id: root.Get("id").Text()}
	items := &responseItems{}
	at := int64(0)
	for item := range root.Get("output").Items() {
		w.said = append(w.said, items.done(at, item)...)
		at++
	}
	w.spent = func(tokens int64) []byte { return withUsage(root.Raw(), tokens, responseUsage, "usage") }
	return w
}

var responseUsage = []string{"output_tokens", "total_tokens"}

// responseItems reads the items of one answer, in pieces or whole. What an item is said
// to be when it is done counts: agents go by that, too.
type responseItems struct {
	items map[int64]*responseItem
}

// responseItem is what has come of an item in pieces.
type responseItem struct {
	call  bool
	texts map[int64]*strings.Builder // by key
	ended map[int64]bool
	done  bool
}

// key tells the texts of items apart.
func (*responseItems) key(item, part int64) int64 { return item<<16 | part&0xffff }

// thinkingPart is added to the parts of what is thought.
const thinkingPart = 0x8000

func (r *responseItems) of(index int64) *responseItem {
	if r.items == nil {
		r.items = make(map[int64]*responseItem)
	}
	item := r.items[index]
	if item == nil {
		item = &responseItem{texts: map[int64]*strings.Builder{}, ended: map[int64]bool{}}
		r.items[index] = item
	}
	return item
}

// added reads the beginning of an item.
func (r *responseItems) added(index int64, v jsontext.Value) []said {
	item := r.of(index)
	name, _, call := responseCall(v)
	if !call || item.call {
		return nil
	}
	item.call = true
	return []said{{what: callBegin, key: r.key(index, 0), tool: name, id: v.Get("call_id").Text()}}
}

// piece takes a piece of an item.
func (r *responseItems) piece(what what, index, part int64, text string) []said {
	item := r.of(index)
	key := r.key(index, part)
	if item.texts[key] == nil {
		item.texts[key] = &strings.Builder{}
	}
	item.texts[key].WriteString(text)
	return []said{{what: what, key: key, text: text}}
}

// done reads an item that is whole.
func (r *responseItems) done(index int64, v jsontext.Value) []said {
	item := r.of(index)
	if item.done {
		return nil
	}
	item.done = true
	if _, arguments, call := responseCall(v); call {
		out := r.added(index, v)
		return append(out, r.rest(callPiece, item, r.key(index, 0), arguments, nil)...)
	}
	var out []said
	if v.Get("type").Is("reasoning") {
		raw := append([]byte(nil), v.Raw()...)
		part := int64(thinkingPart)
		for _, list := range []string{"summary", "content"} {
			for p := range v.Get(list).Items() {
				out = append(out, r.rest(thinkingPiece, item, r.key(index, part), p.Get("text").Text(), raw)...)
				part++
			}
		}
		return out
	}
	part := int64(0)
	for p := range v.Get("content").Items() {
		text := p.Get("text").Text() + p.Get("refusal").Text()
		out = append(out, r.rest(textPiece, item, r.key(index, part), text, nil)...)
		part++
	}
	return out
}

// rest gives what has not come in pieces: all of it, if what has come is something
// else.
func (r *responseItems) rest(what what, item *responseItem, key int64, text string, raw []byte) []said {
	come := ""
	if b := item.texts[key]; b != nil {
		come = b.String()
	}
	var out []said
	if rest, ok := strings.CutPrefix(text, come); ok {
		if rest != "" {
			out = append(out, said{what: what, key: key, text: rest})
		}
	} else if what != callPiece {
		out = append(out, said{what: what, key: key | 1<<62, text: text}, said{what: streamEnd, key: key | 1<<62})
	} else {
		out = append(out, said{what: callPiece, key: key, text: "\n" + text}) // watched as it stands
	}
	return append(out, said{what: streamEnd, key: key, raw: raw})
}

// responseCall tells whether an item is a call that the agent runs, and its arguments.
func responseCall(v jsontext.Value) (name, arguments string, call bool) {
	switch v.Get("type").Text() {
	case "function_call":
		return v.Get("name").Text(), v.Get("arguments").Text(), true
	case "custom_tool_call":
		return v.Get("name").Text(), v.Get("input").Text(), true
	case "local_shell_call":
		return "local_shell", string(v.Get("action").Raw()), true
	case "shell_call":
		return "shell", string(v.Get("action").Raw()), true
	case "apply_patch_call":
		return "apply_patch", string(v.Get("operation").Raw()), true
	}
	return "", "", false
}
