package imports

import (
	"fmt"

	"github.com/pertain-dev/pertain/internal/agent"
)

// Code describes the code and the comments of a Markdown text by their offsets.
func Code(text string) string {
	code := codeRanges(text)
	all, own := commentRanges(text, code)
	inside := ""
	for i := range len(text) {
		if inCode(code, i) {
			inside += "x"
		} else {
			inside += "."
		}
	}
	return fmt.Sprintf("code %v %s\ncomments %v own %v merged %v\n", code, inside, all, own, merged(code, all))
}

// Mentions are the files that a line of text names for an agent to import.
func Mentions(of, line string) []string {
	a, _ := agent.Lookup(of)
	x := &expansion{From: From{Imports: &a.Imports}}
	var out []string
	for _, m := range x.find(line) {
		out = append(out, fmt.Sprintf("%d-%d %s", m.Start, m.End, m.target(line)))
	}
	return out
}
