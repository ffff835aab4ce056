package stream

import (
	"regexp"
	"strings"

	"github.com/pertain-dev/pertain/internal/visible"
)

// Injection gives the block that tells a model about rules: one element for each,
// in the order given.
func Injection(triggers ...*Trigger) string {
	var b strings.Builder
	for i, t := range triggers {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(`<system-interrupt reason="rule_violation" rule="` + attribute(t.Name) + `" path="` + attribute(t.Path) + "\">\n")
		b.WriteString(seal(strings.Trim(visible.Strip(t.Body), "\n")))
		b.WriteString("\n</system-interrupt>")
	}
	return b.String()
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", "&#10;", "\r", "&#13;")

// attribute makes a text safe as the value of an attribute. The name of a file may
// hold any bytes: what is no text is replaced, what nobody can see is left out.
func attribute(s string) string { return escapes.Replace(visible.Strip(s)) }

// closer is what would end the element, or begin another.
var closer = regexp.MustCompile(`(?i)<(\s*/?\s*system-interrupt\b)`)

// seal leaves a body as it is but for what a model could take for the block's own.
func seal(body string) string { return closer.ReplaceAllString(body, "&lt;$1") }
