package document

import (
	"slices"
	"strings"
	"sync"

	"github.com/pertain-dev/pertain/diag"
)

var (
	// dashes are fences that their authors take for `---`.
	dashes = expression(`^[ \t]*(?:-{2,}|[—–−]{1,3}|\+{3,}|\*{3,}|={3,}|_{3,})[ \t\x{A0}\x{200B}]*(?:[A-Za-z]+)?[ \t\r]*$`)
	// codeFence begins an example, unless the file begins with it.
	codeFence = expression("^[ \\t]*(?:```+|~~~+)[ \\t]*(?:[A-Za-z]+)?[ \\t\\r]*$")
	// likeField is a field, however its colon is written.
	likeField = expression(`^[ \t]*["']?([A-Za-z_][\w-]*)["']?[ \t]*(?::|：|=)`)
)

// maxPreface is how many lines are looked at for frontmatter that was not read.
const maxPreface = 40

// Missed tells of a file without frontmatter where its author probably thinks that there is
// some: fields of rules stand between lines that look like fences, at the beginning or
// under the heading. Every tool takes these fields for text.
func Missed(source *diag.Source) diag.List {
	text := breaks().Replace(source.Text())
	at, preface := skipPreface(text)
	first, rest := line(text, at)
	begin := text[first.Start:first.End]
	fields := rest
	switch {
	case dashes().MatchString(begin):
	case !preface && codeFence().MatchString(begin):
		if second, next := line(text, rest); isLooseFence(text[second.Start:second.End]) {
			fields = next
		}
	case !preface && isRuleField(begin) && (closesSoon(text, rest) || bareFields(text, first.Start)):
		fields = first.Start
	default:
		return nil
	}
	if !beginsWithField(text, fields) {
		return nil
	}
	return diag.List{diag.At(source, diag.Span{Start: first.Start, End: first.End}, diag.RuleInvalidYAML, "what looks like frontmatter here is none, and its fields are text").
		WithHint("begin the file with a line `---`, then the fields, then a line `---`")}
}

// skipPreface leaves out blank lines, headings and comments. preface tells whether there
// are any of the latter.
func skipPreface(text string) (at int, preface bool) {
	for range maxPreface {
		at += len(text[at:]) - len(strings.TrimLeft(text[at:], unseenAtStart))
		switch {
		case strings.HasPrefix(text[at:], "<!--"):
			end := strings.Index(text[at:], "-->")
			if end < 0 {
				return at, true
			}
			at += end + len("-->")
		case strings.HasPrefix(text[at:], "#"):
			_, at = line(text, at)
		default:
			return atLineStart(text, at), preface
		}
		preface = true
	}
	return at, preface
}

func isRuleField(l string) bool {
	m := likeField().FindStringSubmatch(l)
	return m != nil && slices.Contains(ruleKeys, m[1])
}

// beginsWithField tells whether one of the next lines is a field of rules, and all
// before it look like fields.
func beginsWithField(text string, at int) bool {
	for range 4 {
		span, next := line(text, at)
		l := text[span.Start:span.End]
		switch {
		case isRuleField(l):
			return true
		case strings.TrimSpace(l) != "" && !likeField().MatchString(l):
			return false
		}
		at = next
	}
	return false
}

// breaks makes the line ends of some editors those of all others, without moving what follows.
var breaks = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("\u2028", "\n  ", "\u2029", "\n  ", "\u0085", "\n ")
})

// settingKeys are fields that hardly begin a sentence.
var settingKeys = []string{"globs", "alwaysApply", "paths", "applyTo", "fileMatchPattern", "ttsr_trigger"}

// bareFields tells whether a text begins with fields without any fence: nothing else up to a blank line, one of them a setting, and
// a text after them.
func bareFields(text string, at int) bool {
	setting := false
	for at < len(text) {
		span, next := line(text, at)
		l := strings.TrimRight(text[span.Start:span.End], " \t\r")
		m := likeField().FindStringSubmatch(l)
		switch {
		case l == "":
			return setting && strings.TrimSpace(text[next:]) != ""
		case m != nil:
			setting = setting || slices.Contains(settingKeys, m[1])
		case !strings.HasPrefix(strings.TrimLeft(l, " \t"), "- "):
			return false
		}
		at = next
	}
	return false
}

// closesSoon tells whether a fence follows within the lines that fields may take.
func closesSoon(text string, at int) bool {
	for range 20 {
		span, next := line(text, at)
		if isLooseFence(text[span.Start:span.End]) {
			return true
		}
		at = next
	}
	return false
}
