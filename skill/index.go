package skill

import (
	"strings"
	"unicode"

	"github.com/pertain-dev/pertain/internal/markup"
	"github.com/pertain-dev/pertain/internal/visible"
)

// Index is the list of enabled, valid skills for a system prompt: name,
// description and address, never the instructions. It is empty if there is none,
// and ends with a line break otherwise.
func (r *Registry) Index() string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, s := range r.skills {
		if !s.Enabled || !s.Valid || s.exported || seen[s.real] {
			continue // a folder that two roots link to is told once, and a rule that was exported as a rule
		}
		seen[s.real] = true
		if b.Len() == 0 {
			b.WriteString("<skills>\nRead skill://<id> when its description fits what you are about to do\n")
		}
		b.WriteString("\n<skill name=\"" + markup.Attribute(oneLine(s.Name)) + "\" uri=\"" + markup.Attribute(Address(s.ID)) + "\">\n")
		b.WriteString(markup.Text(clip(oneLine(s.Description))) + "\n</skill>\n")
	}
	if b.Len() > 0 {
		b.WriteString("</skills>\n")
	}
	return b.String()
}

// oneLine joins lines and drops what no reader can see.
func oneLine(text string) string {
	text = visible.Strip(text)
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

func clip(text string) string {
	if runes := []rune(text); len(runes) > MaxDescription {
		return string(runes[:MaxDescription-1]) + "…"
	}
	return text
}
