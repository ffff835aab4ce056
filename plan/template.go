package plan

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/facts"
)

// argument is the placeholder of the user's input (docs/reference/templates.md).
const argument = "Argument"

// variableRoot is the first segment of what preprocessors set.
const variableRoot = "preprocess"

// template is a text with placeholders, taken apart once. What is put in for a
// placeholder is never looked at again.
type template struct{ parts []part }

// part is a piece of literal text, or a placeholder.
type part struct {
	text   string // literal; of a placeholder what stands between its braces
	holder bool
	at     int // byte offset of a placeholder's opening brace
}

// parseTemplate finds the placeholders: {Argument}, and {path} for a path that
// begins with a root of the context or with preprocess. {{path}} is a literal
// {path}; every other brace stays as it is (docs/reference/templates.md).
func parseTemplate(text string) template {
	var t template
	literal := 0 // where the literal text that is not stored yet begins
	for i := 0; i < len(text); {
		if text[i] != '{' {
			next := strings.IndexByte(text[i:], '{')
			if next < 0 {
				break
			}
			i += next
			continue
		}
		if name, end := placeholder(text, i+1); strings.HasPrefix(text[i:], "{{") {
			if name, end = placeholder(text, i+2); name != "" && strings.HasPrefix(text[end:], "}}") {
				t.literal(text[literal:i] + "{" + name + "}")
				i = end + 2
				literal = i
				continue
			}
		} else if name != "" && strings.HasPrefix(text[end:], "}") {
			t.literal(text[literal:i])
			t.parts = append(t.parts, part{text: name, holder: true, at: i})
			i = end + 1
			literal = i
			continue
		}
		i++
	}
	t.literal(text[literal:])
	return t
}

func (t *template) literal(text string) {
	if text != "" {
		t.parts = append(t.parts, part{text: text})
	}
}

// placeholder reads a name from an offset on; it is empty if there is none that
// may stand between braces.
func placeholder(text string, from int) (name string, end int) {
	end = from
	segment := 0 // length of the current segment, -1 after its [] or [0]
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		switch {
		case segment >= 0 && (r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)):
			segment++
		case r == '.' && segment != 0:
			segment = 0
		case r == '[' && segment != 0 && facts.Picked(text[end:]) > 0:
			segment, size = -1, facts.Picked(text[end:])
		default:
			return checkName(text[from:end], segment), end
		}
		end += size
	}
	return "", end // nothing closes it
}

func checkName(name string, lastSegment int) string {
	root, _, _ := strings.Cut(name, ".")
	if lastSegment != 0 && (name == argument || root == variableRoot || slices.Contains(facts.Roots(), root)) {
		return name
	}
	return ""
}

// paths are the context paths and variables that the template names, each once.
func (t template) paths() []string {
	var out []string
	known := map[string]bool{}
	for _, p := range t.parts {
		if p.holder && p.text != argument && !known[p.text] {
			known[p.text] = true
			out = append(out, p.text)
		}
	}
	return out
}

// takesInput tells whether the template places the user's input.
func (t template) takesInput() bool {
	return slices.ContainsFunc(t.parts, func(p part) bool { return p.holder && p.text == argument })
}
