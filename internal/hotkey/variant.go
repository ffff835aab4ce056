package hotkey

import (
	"errors"
	"strings"
)

// quoted is a text as gsettings writes it.
func quoted(text string) string {
	quote := "'"
	if strings.Contains(text, "'") && !strings.Contains(text, `"`) {
		quote = `"`
	}
	return quote + strings.NewReplacer(`\`, `\\`, quote, `\`+quote).Replace(text) + quote
}

func writeList(texts []string) string {
	if len(texts) == 0 {
		return "@as []"
	}
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = quoted(text)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

var errNoList = errors.New("it is no list of texts")

// parseList reads a list of texts as gsettings prints it.
func parseList(text string) ([]string, error) {
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "@as"))
	rest, ok := strings.CutPrefix(text, "[")
	if !ok {
		return nil, errNoList
	}
	var out []string
	for rest = strings.TrimSpace(rest); !strings.HasPrefix(rest, "]"); {
		if rest == "" || rest[0] != '\'' && rest[0] != '"' {
			return nil, errNoList
		}
		quote, i := rest[0], 1
		var b strings.Builder
		for ; i < len(rest) && rest[i] != quote; i++ {
			if rest[i] == '\\' && i+1 < len(rest) {
				i++
			}
			b.WriteByte(rest[i])
		}
		if i >= len(rest) {
			return nil, errNoList
		}
		out = append(out, b.String())
		rest = strings.TrimSpace(rest[i+1:])
		rest = strings.TrimSpace(strings.TrimPrefix(rest, ","))
	}
	return out, nil
}
