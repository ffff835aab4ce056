package toolcall_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/toolcall"
)

// TestDeep: text that lies deeper in arguments than their names are followed counts, for any file, and so does what is no JSON.
func TestDeep(t *testing.T) {
	deep := func(n int, inner string) string { return strings.Repeat(`{"a":`, n) + inner + strings.Repeat("}", n) }
	list := func(n int, inner string) string {
		return `{"content":` + strings.Repeat("[", n) + inner + strings.Repeat("]", n) + "}"
	}
	for _, c := range []struct{ tool, arguments string }{
		{"Write", deep(64, `{"path":"a.ts","content":"V"}`)},
		{"Write", deep(5000, `{"path":"a.ts","content":"V"}`)},
		{"Write", list(64, `{"path":"a.ts","content":"V"}`)},
		{"Bash", deep(64, `{"command":"V"}`)},
		{"Bash", `{"command":["a",` + deep(64, `"V"`) + `,"b"]}`},
		{"deploy", deep(65, `"V"`)},
		{"mcp__x__put", deep(80, `["V"]`)},
		{"Write", `{"file_path":"a.ts","content":"x", content:"V"}`},
	} {
		found := false
		for _, s := range toolcall.Read(c.tool, c.arguments) {
			found = found || s.Anywhere && s.Path == "" && strings.Contains(s.Text, "V")
		}
		if !found {
			t.Errorf("%s %.80s: %.300q", c.tool, c.arguments, shown(toolcall.Read(c.tool, c.arguments)))
		}
		if len(c.arguments) < 2000 {
			cut(t, c.tool, c.arguments, 3)
		}
	}
}
