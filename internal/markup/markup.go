// Package markup puts text into the elements that models are told things in, so that
// no text can end or begin an element of ours.
//
// Use [Text] inside of an element and [Attribute] for its attributes. A body that a
// model has to see as it was written goes through a [Seal] instead.
package markup

import (
	"regexp"
	"strings"
)

var (
	text      = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
	attribute = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", "&#10;", "\r", "&#13;", "\u2028", "&#8232;", "\u2029", "&#8233;")
)

// Text makes a text safe inside of an element.
func Text(s string) string { return text.Replace(s) }

// Attribute makes a text safe as the value of an attribute: a file's name may hold
// line breaks.
func Attribute(s string) string { return attribute.Replace(s) }

// Seal leaves a body as it is but for tags of some elements. The zero value changes
// nothing.
type Seal struct{ tags *regexp.Regexp }

// Tags seals against tags that would end one of these elements, or begin another.
func Tags(elements ...string) Seal {
	return Seal{regexp.MustCompile(`(?i)<(\s*/?\s*(?:` + strings.Join(elements, "|") + `)\b)`)}
}

// Rule seals the text of a rule against tags that would end an element around it, and against those that would begin one, or an
// interrupt, which is said to be of another rule. It may speak of rules by the bare names of the elements.
var Rule = Seal{regexp.MustCompile(`(?i)<(\s*/?\s*(?:always-rules|file-rules|system-interrupt)\b|\s*/\s*(?:rules|rule|glob)\b|\s*(?:rules|rule|glob)\s+[\w-]+\s*=)`)}

// Name is a name, of one line, between back quotes in a sentence: it neither ends those nor looks like an element of ours.
func Name(s string) string { return strings.ReplaceAll(Rule.Body(s), "`", "'") }

// Body is a text in which no tag of the elements is left.
func (s Seal) Body(body string) string {
	if s.tags == nil {
		return body
	}
	return s.tags.ReplaceAllString(body, "&lt;$1")
}
