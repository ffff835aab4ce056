// Package markup puts text into the elements that models are told things in, so that
// no text can end or begin an element of ours.
//
// Use [Text] inside of an element and [Attribute] for its attributes. A body that a
// model has to see as it was written goes through a [Seal] instead.
package markup

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
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
type Seal struct {
	tag    *regexp.Regexp // from its `<` on
	begins []string       // what the names of its elements begin with, in small letters
}

// Tags seals against tags that would end one of these elements, or begin another.
func Tags(elements ...string) Seal {
	return seal(`\s*/?\s*(?:`+strings.Join(elements, "|")+`)\b`, elements...)
}

// Rule seals the text of a rule against tags that would end an element around it, and against those that would begin one, or an
// interrupt, which is said to be of another rule. It may speak of rules by the bare names of the elements.
var Rule = seal(`\s*/?\s*(?:always-rules|file-rules|system-interrupt)\b|\s*/\s*(?:rules|rule|glob)\b|\s*(?:rules|rule|glob)\s+[\w-]+\s*=`,
	"always-rules", "file-rules", "system-interrupt", "rule", "glob")

// beginning is how much of a name is compared before the expression is asked.
const beginning = 4

func seal(tag string, names ...string) Seal {
	s := Seal{tag: regexp.MustCompile(`(?i)^<(?:` + tag + `)`)}
	for _, name := range names {
		s.begins = append(s.begins, name[:min(len(name), beginning)])
	}
	return s
}

// Name is a name, of one line, between back quotes in a sentence: it neither ends those nor looks like an element of ours.
func Name(s string) string { return strings.ReplaceAll(Rule.Body(s), "`", "'") }

// Body is a text in which no tag of the elements is left. A stranger's text may be nothing but what looks like the start of one.
func (s Seal) Body(body string) string {
	if s.tag == nil {
		return body
	}
	var b strings.Builder
	done := 0
	for at := strings.IndexByte(body, '<'); at >= 0 && at < len(body); {
		end := len(body) // of what one tag may be
		if next := strings.IndexByte(body[at+1:], '<'); next >= 0 {
			end = at + 1 + next
		}
		if tag := body[at:end]; s.may(tag[1:]) && s.tag.MatchString(tag) {
			b.WriteString(body[done:at])
			b.WriteString("&lt;")
			done = at + 1
		}
		at = end
	}
	if done == 0 {
		return body
	}
	b.WriteString(body[done:])
	return b.String()
}

// may tells whether what stands after a `<` may be the name of one of the elements. Letters that are no ASCII have the case of some that are.
func (s Seal) may(rest string) bool {
	rest = strings.TrimLeft(rest, "\t\n\f\r /")
	rest = rest[:min(len(rest), beginning)]
	for i := range len(rest) {
		if rest[i] >= utf8.RuneSelf {
			return true
		}
	}
	return slices.ContainsFunc(s.begins, func(begin string) bool { return strings.EqualFold(begin, rest[:min(len(rest), len(begin))]) })
}
