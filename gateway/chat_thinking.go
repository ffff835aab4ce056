package gateway

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
)

// thinkingKeys are where agents send back what the model has thought, to servers that want it. The API itself has no place
// for it.
var thinkingKeys = []string{"reasoning_content", "reasoning"}

// thoughtKeys are where servers write what the model thinks. Some write it into several fields, and agents read any.
var thoughtKeys = [...]string{"reasoning_content", "reasoning", "reasoning_text", "reasoning_details", "thinking", "thinking_blocks"}

// deltaKeys are the members of a message that are read.
var deltaKeys = [...]string{
	"content", "tool_calls", "function_call", "refusal",
	"reasoning_content", "reasoning", "reasoning_text", "reasoning_details", "thinking", "thinking_blocks",
}

// thinks takes a piece of what is thought, in one of the fields for it.
func (d *deltas) thinks(field int, text string) {
	if text != "" {
		d.thought[field] = true
		d.said = append(d.said, said{what: thinkingPiece, key: d.thinkingKey(field), text: text})
	}
}

// thinkingKey is the key of what is thought in a field.
func (d *deltas) thinkingKey(field int) int64 {
	if field == 0 {
		return d.base + chatThinking
	}
	return d.base + chatThoughts + int64(field)
}

// thoughts are all texts of what is thought, nested so deep: itself, or those of its parts.
func thoughts(v jsontext.Value, depth int) string {
	switch {
	case depth == 0:
		return v.Strings()
	case v.Kind() == '"':
		return v.Text()
	}
	var b strings.Builder
	for item := range v.Items() {
		b.WriteString(thoughts(item, depth-1))
	}
	if v.Kind() == '{' {
		var texts [3]jsontext.Value
		v.Pick(texts[:], "text", "thinking", "summary")
		for _, text := range texts {
			b.WriteString(thoughts(text, depth-1))
		}
	}
	return b.String()
}

// partThoughts are those of the parts of a content that say that they are thought.
func partThoughts(content jsontext.Value) string {
	var b strings.Builder
	for part := range content.Items() {
		b.WriteString(thoughts(part.Get("thinking"), maxNesting))
	}
	return b.String()
}

// remembers tells whether an entry of the model's has such thinking.
func remembers(api api, text []byte, parts []Part) bool {
	return !bytes.Equal(text, forgets(api, text, parts))
}

// forgets is an entry of the model's without what was thought for answers that were broken off, where that stands beside
// its texts: agents join it with what was thought for the answer they have.
func forgets(api api, text []byte, parts []Part) []byte {
	if _, chat := api.(chatAPI); !chat || len(parts) == 0 {
		return text
	}
	message, ok := jsontext.Parse(text)
	if !ok {
		return text
	}
	var edits []jsontext.Edit
	for _, key := range thinkingKeys {
		v := message.Get(key)
		all := v.Text()
		rest := all
		for _, part := range parts {
			if begin, ok := prefix(rest, part.Size); ok && part.Size > 0 && hash(begin) == part.Hash {
				rest = strings.TrimLeftFunc(rest[len(begin):], unicode.IsSpace)
			}
		}
		if rest != all {
			edits = append(edits, v.Replace(jsontext.Quote(rest)))
		}
	}
	return jsontext.Apply(text, edits...)
}
