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
		chained: root.Get("store").Kind() != 'f',
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
