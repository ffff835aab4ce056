package gateway

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
)

// repeated are the items of the present answer that the client has got, as a request
// has them. They are without their ids: the provider never kept them.
func (a *responsesAnswers) repeated() [][]byte {
	var out [][]byte
	for _, item := range a.output[a.past:] {
		v, ok := jsontext.Parse(item)
		if !ok {
			continue
		}
		out = append(out, repeatedItem(v)...)
	}
	if a.open != nil && a.open.message {
		out = append(out, responsesAPI{}.said([]block{{kind: textBlock, text: string(a.open.text)}})...)
	}
	return out
}

// repeatedItem is an item without what only an answer that is kept has; nil: it cannot
// be repeated.
func repeatedItem(v jsontext.Value) [][]byte {
	kind := v.Get("type").Text()
	switch {
	case kind == "message":
		var blocks []block
		for part := range v.Get("content").Items() {
			blocks = append(blocks, block{kind: textBlock, text: partText(part)})
		}
		return responsesAPI{}.said(blocks)
	case kind == "reasoning":
		if text := reasoningAgain(v.Raw()); text != nil {
			return [][]byte{text}
		}
	case kind == "function_call" || kind == "custom_tool_call":
		return [][]byte{withoutKeys(v, "id", "status")}
	case strings.HasSuffix(kind, "_call") && v.Get("call_id").Exists():
		return [][]byte{withoutKeys(v, "id")}
	}
	return nil // what the provider ran itself, or thought and keeps to itself
}

// withoutKeys is an object without some of its members.
func withoutKeys(v jsontext.Value, keys ...string) []byte {
	var members [][]byte
	for key, value := range v.Members() {
		if !slices.Contains(keys, key) {
			members = append(members, append(append(jsontext.Quote(key), ':'), value.Raw()...))
		}
	}
	return append(append([]byte{'{'}, joined(members)...), '}')
}
