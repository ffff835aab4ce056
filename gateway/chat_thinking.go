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
