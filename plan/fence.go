package plan

import (
	"strings"

	"github.com/pertain-dev/pertain/facts"
)

// fence stands in Pertain's own templates before and after what comes from the
// context, so that a model does not take it for what it is told to do.
const fence = "~~~~"

// fenced makes the fences of a template longer than any line of tildes in what is
// put in, so that nothing in it can end one.
func (s scope) fenced(text string) string {
	if !strings.Contains(text, fence) {
		return text
	}
	longest := 0
	for _, path := range parseTemplate(text).paths() {
		longest = max(longest, tildes(s.value(path)))
	}
	if longest < len(fence) {
		return text
	}
	return strings.ReplaceAll(text, fence, strings.Repeat("~", longest+1))
}

// tildes is the length of the longest run of tildes in a value.
func tildes(v facts.Value) int {
	longest, run := 0, 0
	for _, c := range []byte(v.Text()) {
		if run++; c != '~' {
			run = 0
		}
		longest = max(longest, run)
	}
	for _, item := range v.Items() {
		longest = max(longest, tildes(item))
	}
	for _, field := range v.Fields() {
		longest = max(longest, tildes(field.Value))
	}
	return longest
}
