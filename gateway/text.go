package gateway

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
)

// allText is all texts of a value: itself, or those of its parts.
func allText(v jsontext.Value) string { return textBelow(v, maxNesting) }

// textBelow is allText of what is nested so deep; of what is deeper it is whatever there is.
func textBelow(v jsontext.Value, depth int) string {
	if depth == 0 {
		return v.Strings()
	}
	switch v.Kind() {
	case '"':
		return v.Text()
	case '[':
		var b strings.Builder
		for item := range v.Items() {
			b.WriteString(textBelow(item, depth-1))
		}
		return b.String()
	case '{':
		if text := v.Get("text"); text.Exists() {
			return text.Text()
		}
		return textBelow(v.Get("parts"), depth-1)
	}
	return ""
}

// written are arguments of a call: a text, or what some servers write in its place.
func written(v jsontext.Value) string {
	if kind := v.Kind(); kind == '{' || kind == '[' {
		return string(v.Raw())
	}
	return v.Text()
}

// saidText is what the model has said in all texts together; "" where that is nothing but white space.
func saidText(blocks []block) string {
	var b strings.Builder
	for i := range blocks {
		if blocks[i].kind == textBlock {
			b.WriteString(blocks[i].text)
		}
	}
	if strings.TrimSpace(b.String()) == "" {
		return ""
	}
	return b.String()
}

// hash is by what a text is known. White space does not count: agents trim texts, and
// join them.
func hash(text string) string {
	h := sha256.New()
	for field := range strings.FieldsSeq(text) {
		_, _ = h.Write([]byte(field)) // never fails
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// size counts the characters that a hash is about.
func size(text string) int {
	n := 0
	for _, r := range text {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}

// prefix gives the part of a text that has so many characters, without those of white
// space; ok is false if the text is shorter.
func prefix(text string, characters int) (_ string, ok bool) {
	if characters == 0 {
		return "", true
	}
	for at, r := range text {
		if unicode.IsSpace(r) {
			continue
		}
		if characters--; characters == 0 {
			return text[:at+len(string(r))], true
		}
	}
	return "", false
}

// callNames are the names by which a call is found again: its id, and, for APIs whose
// calls may have none, what it is.
func callNames(id, tool string, arguments []byte) []string {
	var names []string
	if id != "" {
		names = append(names, id)
	}
	var tree any
	if json.Unmarshal(arguments, &tree) == nil {
		if sorted, err := json.Marshal(tree); err == nil {
			arguments = sorted
		}
	}
	return append(names, "sha256:"+hash(tool+" "+string(arguments)))
}

// sortedKeys are the keys of a map, in order.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}
