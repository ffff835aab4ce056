package document

import (
	"strings"
)

// FirstHeading is the text of the first heading of a Markdown text, written with
// `#` or underlined; "" if there is none. What stands in code, in HTML comments
// and in lists or quotes is no heading.
func FirstHeading(text string) string {
	var s headingSearch
	for line := range strings.Lines(text) {
		if heading, found := s.next(strings.TrimRight(line, "\r\n")); found {
			return heading
		}
	}
	return ""
}

// headingSearch goes through a text line by line.
type headingSearch struct {
	fence     string   // what closes the block of code we are in
	until     string   // what ends the HTML we are in, in lower case
	paragraph []string // lines of the paragraph so far
	inside    bool     // what goes on is a list, a quote, a table or HTML
}

var (
	fenceOpen  = expression("^(`{3,}|~{3,})")
	atxHeading = expression(`^#{1,6}(?:[ \t]+(.*))?$`)
	underline  = expression(`^(=+|-+)[ \t]*$`)
	marker     = expression(`^(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]|<[A-Za-z/!?]|\|)`)
	rawHTML    = expression(`(?i)^<(pre|script|style|textarea)(?:[ \t>]|$)`)
)

func (s *headingSearch) next(line string) (heading string, found bool) {
	inner := strings.TrimSpace(line)
	indent := len(line) - len(strings.TrimLeft(line, " "))
	switch {
	case s.fence != "":
		if strings.HasPrefix(inner, s.fence) && strings.Trim(inner, s.fence[:1]) == "" {
			s.fence = ""
		}
	case s.until != "":
		s.html(inner)
	case inner == "":
		s.paragraph, s.inside = nil, false
	case indent >= 4 || strings.HasPrefix(line, "\t"):
		if len(s.paragraph) > 0 {
			s.paragraph = append(s.paragraph, inner)
		} // else code
	case fenceOpen().MatchString(inner):
		s.fence, s.paragraph = fenceOpen().FindString(inner), nil
	case strings.HasPrefix(inner, "<!--"):
		s.paragraph, s.until = nil, "-->"
		s.html(inner[len("<!--"):])
	case rawHTML().MatchString(inner):
		s.paragraph, s.until = nil, "</"+strings.ToLower(rawHTML().FindStringSubmatch(inner)[1])+">"
		s.html(inner)
	case atxHeading().MatchString(inner):
		if heading = closed(atxHeading().FindStringSubmatch(inner)[1]); heading != "" {
			return heading, true
		}
		s.paragraph = nil
	case underline().MatchString(inner) && len(s.paragraph) > 0:
		return strings.Join(s.paragraph, " "), true
	case len(s.paragraph) == 0 && (s.inside || marker().MatchString(inner) || underline().MatchString(inner)):
		s.inside = !underline().MatchString(inner) // a line across ends it
	case marker().MatchString(inner):
		s.paragraph, s.inside = nil, true
	default:
		s.paragraph = append(s.paragraph, inner)
	}
	return "", false
}

// html leaves the HTML where it ends.
func (s *headingSearch) html(line string) {
	if strings.Contains(strings.ToLower(line), s.until) {
		s.until = ""
	}
}

// closed takes off the marks that may close a heading: `# C #`, but not `# C#`.
func closed(text string) string {
	if rest := strings.TrimRight(text, "#"); rest == "" || strings.HasSuffix(rest, " ") || strings.HasSuffix(rest, "\t") {
		return strings.TrimSpace(rest)
	}
	return text
}
