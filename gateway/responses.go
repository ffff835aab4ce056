package gateway

import (
	"cmp"
	"fmt"
	"slices"
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
		chained: root.Get("store").Kind() != 'f',
	}
	if kept := root.Get("conversation"); kept.Exists() {
		a.kept = cmp.Or(kept.Text(), kept.Get("id").Text())
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
		case kind == "compaction_trigger":
			e.closes = true
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

// reasoningText is by what reasoning is known: what only the provider can read, or its texts, or its id, which agents
// may leave out.
func reasoningText(item jsontext.Value) string {
	return cmp.Or(item.Get("encrypted_content").Text(), allText(item.Get("summary"))+allText(item.Get("content")), item.Get("id").Text())
}

func (responsesAPI) reminder(text string) []byte {
	return fmt.Appendf(nil, `{"type":"message","role":"user","content":[{"type":"input_text","text":%s}]}`, jsontext.Quote(text))
}

// said has reasoning before the message that followed it, and none without one: the provider takes it only with what it
// belongs to.
func (responsesAPI) said(blocks []block) [][]byte {
	var out, thought [][]byte
	for len(blocks) > 0 {
		if b := &blocks[0]; b.kind != textBlock {
			if b.kind == thinkingBlock && !b.partial {
				if item := reasoningAgain(b.raw); item != nil {
					thought = append(thought, item)
				}
			}
			blocks = blocks[1:]
			continue
		}
		texts := slices.IndexFunc(blocks, func(b block) bool { return b.kind != textBlock })
		if texts < 0 {
			texts = len(blocks)
		}
		if text := saidText(blocks[:texts]); text != "" {
			out = append(append(out, thought...),
				fmt.Appendf(nil, `{"type":"message","role":"assistant","content":[{"type":"output_text","text":%s}]}`, jsontext.Quote(text)))
			thought = nil
		}
		blocks = blocks[texts:]
	}
	return out
}

// reasoningAgain is reasoning in one way of writing, so that the provider finds it as it was sent before, whoever has
// written it meanwhile; nil: it cannot be sent. It is without its id: of an answer that was broken off the provider keeps
// nothing, and what cannot be read without that is of no use.
func reasoningAgain(raw []byte) []byte {
	v, _ := jsontext.Parse(raw)
	sealed, content := v.Get("encrypted_content").Text(), v.Get("content")
	if sealed == "" && content.Len() == 0 {
		return nil
	}
	parts := func(list jsontext.Value) []byte {
		var out [][]byte
		for part := range list.Items() {
			out = append(out, fmt.Appendf(nil, `{"type":%s,"text":%s}`, jsontext.Quote(part.Get("type").Text()), jsontext.Quote(part.Get("text").Text())))
		}
		return array(out)
	}
	text := append([]byte(`{"type":"reasoning","summary":`), parts(v.Get("summary"))...)
	if content.Len() > 0 {
		text = append(append(text, `,"content":`...), parts(content)...)
	}
	if sealed != "" {
		text = append(append(text, `,"encrypted_content":`...), jsontext.Quote(sealed)...)
	}
	return append(text, '}')
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
	w.said = append(append(w.said, outputText(root)...), joinedTexts(root)...)
	w.spent = func(tokens int64) []byte { return withUsage(root.Raw(), tokens, responseUsage, "usage") }
	return w
}

// outputText is what an answer says to be all of its texts, where it is not: SDKs make it of them, and it is no part of the API.
func outputText(response jsontext.Value) []said {
	text := response.Get("output_text").Text()
	if text == "" {
		return nil
	}
	rest, same := text, true
	for item := range response.Get("output").Items() {
		for _, b := range responseTexts(item) {
			if same {
				rest, same = strings.CutPrefix(rest, b.text)
			}
		}
	}
	if same && rest == "" {
		return nil
	}
	return hiddenText(text)
}

// joinedTexts are the texts of an answer as SDKs give them: as one, with nothing in between; none: there are not several.
func joinedTexts(response jsontext.Value) []said {
	var all strings.Builder
	texts := 0
	for item := range response.Get("output").Items() {
		if !item.Get("type").Is("message") {
			continue
		}
		for part := range item.Get("content").Items() {
			if text := part.Get("text").Text(); text != "" && part.Get("type").Is("output_text") {
				all.WriteString(text)
				texts++
			}
		}
	}
	if texts < 2 {
		return nil
	}
	return []said{{what: textPiece, key: 1, side: hiddenSide, text: all.String()}} // the key is none of hiddenText
}

var responseUsage = []string{"output_tokens", "total_tokens"}

// responseCall tells whether an item is a call that somebody runs, and its arguments.
func responseCall(v jsontext.Value) (name, arguments string, call bool) {
	switch v.Get("type").Text() {
	case "function_call":
		return v.Get("name").Text(), written(v.Get("arguments")), true
	case "mcp_call": // the provider runs it, as code; what its tools make of their arguments is not known, so all of them count
		return "mcp_call", written(v.Get("arguments")), true
	case "code_interpreter_call":
		return "code_interpreter", v.Get("code").Text(), true
	case "computer_call":
		if actions := v.Get("actions"); actions.Exists() { // several at once
			return "computer", `{"actions":` + string(actions.Raw()) + `,"action":` + cmp.Or(string(v.Get("action").Raw()), "null") + `}`, true
		}
		return "computer", string(v.Get("action").Raw()), true
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
