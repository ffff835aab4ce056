package rule

import (
	"errors"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/regex"
)

// triggers reads ttsr_trigger and its newer name.
func (f *Fields) triggers() {
	r := f.rule
	var files []string
	for _, key := range []string{"ttsr_trigger", "condition"} {
		for _, n := range f.scalars(key) {
			_, problem := regex.Compile(n.Text, triggerOptions(false))
			if problem == nil {
				r.Triggers = append(r.Triggers, n.Text)
				continue
			}
			if key == "condition" && isFileGlob(n.Text) {
				files = append(files, strings.TrimSpace(n.Text))
				continue
			}
			at := n.SpanOf(problem.Offset, problem.Offset+1)
			d := diag.At(r.Source, at, diag.RuleInvalidTrigger, "the trigger is not a valid expression: %s; the rule works without it", problem.Message)
			d.Hint = problem.Hint
			f.list.Add(d)
		}
	}
	r.Scope = f.scope()
	for _, g := range files { // as oh-my-pi takes them: whatever is written to such a file
		r.Scope = append(r.Scope, "tool:edit("+g+")", "tool:write("+g+")")
	}
	if len(r.Triggers) == 0 && len(files) > 0 {
		r.Triggers = []string{".*"}
	}
	if len(r.Triggers) > 0 {
		r.Trigger = &r.Triggers[0]
	}
}

// isFileGlob tells whether a condition that is no expression is a glob of files,
// such as `*.rs`.
func isFileGlob(text string) bool {
	text = strings.TrimSpace(text)
	return strings.ContainsAny(text, "?*[]{}") && !strings.ContainsAny(text, "\\^$+|() \t") && (strings.Contains(text, "/") || strings.HasPrefix(text, "*."))
}

// triggerOptions are how triggers are read (docs/reference/triggers.md).
func triggerOptions(documented bool) regex.Options {
	return regex.Options{Dialect: regex.ECMAScript, InlineFlags: !documented}
}

// checkTrigger tells why an expression is no trigger; nil if it is one.
func checkTrigger(expression string, documented bool) error {
	if _, problem := regex.Compile(expression, triggerOptions(documented)); problem != nil {
		return errors.New(problem.Message)
	}
	return nil
}

// checkTriggers tells of triggers that are valid and surely mean something else.
func (r *Rule) checkTriggers() diag.List {
	narrowed := len(r.Globs) > 0 || slices.ContainsFunc(r.Scope, func(s string) bool { return strings.Contains(s, "(") })
	valid := make(map[string]bool, len(r.Triggers))
	for _, t := range r.Triggers {
		valid[t] = true
	}
	var list diag.List
	for _, key := range []string{"ttsr_trigger", "condition"} {
		node := field(r.Frontmatter, key)
		if node == nil {
			continue
		}
		for _, n := range append([]*document.Node{node}, node.Items...) {
			if n.Kind != document.String || !valid[n.Text] {
				continue
			}
			if at, hint := controlCharacter(n.Text); at >= 0 {
				list.Add(diag.At(r.Source, n.SpanOf(at, at+1), diag.RuleInvalidTrigger, "in a trigger, a control character stands here, which no model writes").WithHint("%s", hint))
			}
			for _, s := range regex.Suspects(n.Text, triggerOptions(false)) {
				if s.Broad && narrowed {
					continue // whatever is written to such a file
				}
				list.Add(diag.At(r.Source, n.SpanOf(s.From, s.To), diag.RuleInvalidTrigger, "in a trigger, %s", s.Message).WithHint("%s", s.Hint))
			}
		}
	}
	return list
}

// controlCharacter finds the first character that nobody types, and says how it came
// there: YAML reads `\b` in double quotes as a backspace. at is -1 if there is none.
func controlCharacter(text string) (at int, hint string) {
	at = strings.IndexFunc(text, func(c rune) bool { return c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f })
	if at < 0 {
		return at, ""
	}
	if i := strings.IndexByte("\x00\x07\b\v\f\x1b", text[at]); i >= 0 {
		escape := "`\\" + "0abvfe"[i:i+1] + "`"
		return at, "in double quotes YAML reads " + escape + " as this character; write the expression in single quotes"
	}
	return at, "write the expression in single quotes, without it"
}

// Examples are texts that a rule's triggers must, and must not, match.
type Examples struct {
	Match   []Example
	NoMatch []Example
}

// Len counts them.
func (e *Examples) Len() int { return len(e.Match) + len(e.NoMatch) }

// Example is one text and where it is written.
type Example struct {
	Text string
	Span diag.Span
}

// exampleKeys are what `examples` may hold.
var exampleKeys = []string{"match", "no_match"}

const exampleShape = "write `examples: {match: [\"…\"], no_match: [\"…\"]}`"

// examples reads the field of that name.
func (f *Fields) examples() Examples {
	n := f.node.Get("examples")
	switch {
	case n == nil || n.Kind == document.Null || f.Salvaged:
		return Examples{} // of what is no YAML, nested fields cannot be told
	case n.Kind != document.Mapping:
		f.wrong(n, "`examples` must be a map of `match` and `no_match`, not %s; it is left out", n.Kind).Hint = exampleShape
		return Examples{}
	}
	for _, e := range n.Entries {
		if slices.Contains(exampleKeys, e.Key.Text) {
			continue
		}
		d := diag.At(f.rule.Source, e.Key.Span(), diag.RuleUnknownField, "`examples` has no field `%s`; what it holds is not tried", e.Key.Text)
		right := diag.Nearest(e.Key.Text, exampleKeys)
		if right == "" {
			f.list.Add(d.WithHint("the fields are `match` and `no_match`"))
			continue
		}
		f.list.Add(d.WithHint("did you mean `%s`?", right))
		if n.Get(right) == nil {
			f.offer(e, right, "examples."+right)
		}
	}
	return Examples{Match: f.exampleTexts(n, "match"), NoMatch: f.exampleTexts(n, "no_match")}
}

// exampleTexts reads a list of texts; one text counts as a list of one. An empty
// text is an example like any other.
func (f *Fields) exampleTexts(examples *document.Node, key string) []Example {
	n := examples.Get(key)
	if n == nil || n.Kind == document.Null {
		return nil
	}
	items := n.Items
	switch n.Kind {
	case document.Sequence:
	case document.Mapping:
		f.wrong(n, "`examples.%s` must be a list of texts, not %s; it is left out", key, n.Kind).Hint = exampleShape
		return nil
	default:
		items = []*document.Node{n}
	}
	var out []Example
	for _, item := range items {
		if item.Kind != document.String {
			f.wrong(item, "`examples.%s` must hold texts, not %s; this one is left out", key, item.Kind).Hint = "put the text in quotes"
			continue
		}
		out = append(out, Example{Text: item.Text, Span: item.Span()})
	}
	return out
}
