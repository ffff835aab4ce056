package rule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/glob"
)

// Fields is the frontmatter of one file, for the Activate function of a format.
// Null, "" and [] are as good as absent. A value of the wrong type is reported
// once, when it is read.
type Fields struct {
	Present  bool // the file has frontmatter
	Salvaged bool // it is no YAML; its fields are a guess

	rule *Rule
	node *document.Node // nil: no frontmatter that could be read
	list *diag.List

	edits []document.Edit // that quote values, and are told
	odd   int             // globs that something was to be said of
}

// Rule is the rule that is being read; its usual fields are filled in.
func (f *Fields) Rule() *Rule { return f.rule }

// get is the value of a field, however its key is spelt.
func (f *Fields) get(key string) *document.Node { return field(f.node, key) }

// field is the value of a field of some frontmatter, however its key is spelt.
func field(node *document.Node, key string) *document.Node {
	if n := node.Get(key); n != nil {
		return n
	}
	for _, other := range aliases[key] {
		if n := node.Get(other); n != nil {
			return n
		}
	}
	return nil
}

// Has tells whether the key is there, whatever its value.
func (f *Fields) Has(key string) bool { return f.get(key) != nil }

// IsEmptyList tells whether the value is [].
func (f *Fields) IsEmptyList(key string) bool {
	n := f.get(key)
	return n != nil && n.Kind == document.Sequence && len(n.Items) == 0
}

// Readable tells whether there is frontmatter and it could be read.
func (f *Fields) Readable() bool { return f.node != nil }

// Text returns a text field. A number or boolean counts as text, with a warning.
func (f *Fields) Text(key string) (string, bool) {
	n := f.get(key)
	if n == nil || n.Kind == document.Null || n.IsScalar() && n.Text == "" {
		return "", false
	}
	if n.Kind == document.Sequence { // `description: [text]`
		if text := strings.Join(f.Texts(key), ", "); text != "" {
			f.wrong(n, "`%s` must be a string, not %s; its texts are taken", key, n.Kind).Hint = "write it without brackets, or in quotes"
			return text, true
		}
	}
	if !n.IsScalar() {
		f.wrong(n, "`%s` must be a string, not %s; it is left out", key, n.Kind)
		return "", false
	}
	if n.Kind != document.String {
		f.wrong(n, "`%s` must be a string, not %s; it is taken as text", key, n.Kind).Hint = "put the value in quotes"
	}
	return n.Text, true
}

// Texts returns a field that is a string or a list of strings.
func (f *Fields) Texts(key string) []string {
	var out []string
	for _, n := range f.scalars(key) {
		out = append(out, n.Text)
	}
	return out
}

// scalars returns the strings of a field that is a string or a list of them.
func (f *Fields) scalars(key string) []*document.Node {
	n := f.get(key)
	if n == nil {
		return nil
	}
	items := []*document.Node{n}
	if n.Kind == document.Sequence {
		items = n.Items
	}
	var out []*document.Node
	for _, item := range items {
		switch {
		case item.Kind == document.String && item.Text != "":
			out = append(out, item)
		case item.Kind != document.String && item.Kind != document.Null:
			f.wrong(item, "`%s` must hold strings, not %s; this one is left out", key, item.Kind).Hint = "put it in quotes, or write `" + key + ": […]` with a text for each"
		}
	}
	return out
}

// Flag returns a boolean field; nil if it is absent. "true" and "false" in
// quotes count, with a warning.
func (f *Fields) Flag(key string) *bool {
	n := f.get(key)
	if n == nil || n.Kind == document.Null || n.Kind == document.String && n.Text == "" {
		return nil
	}
	if value, ok := n.Bool(); ok {
		return &value
	}
	word := strings.ToLower(strings.TrimSpace(n.Text))
	if n.Kind == document.String && (word == "true" || word == "false") {
		value := word == "true"
		f.wrong(n, "`%s` is the text %q, not a boolean; it is taken as %s", key, n.Text, word).Hint = "write " + word + " without quotes"
		return &value
	}
	f.wrong(n, "`%s` must be true or false, not %s; it is left out", key, n.Kind).Hint = document.FlagHint(n)
	return nil
}

// Word returns a field that is one of a few words; empty if it is absent or
// another word.
func (f *Fields) Word(key string, words ...string) string {
	n := f.get(key)
	if n == nil || n.Kind == document.Null || n.IsScalar() && n.Text == "" {
		return ""
	}
	word := strings.TrimSpace(n.Text)
	for _, w := range words {
		if strings.EqualFold(w, word) {
			return w
		}
	}
	d := f.wrong(n, "`%s` has no such value in %s rules; it is left out", key, f.rule.Format.Tool)
	d.Hint = "write one of " + strings.Join(words, ", ")
	if near := diag.DidYouMean(word, words); near != "" {
		d.Hint = near
	}
	return ""
}

// Globs returns a field of path globs: one, several separated by commas
// (outside braces and brackets), or a list, whose elements are one glob each
// (docs/reference/rules.md). Nil if there are none.
func (f *Fields) Globs(key string) []string {
	n := f.get(key)
	if n == nil || n.Kind == document.Null {
		return nil
	}
	var out []string
	switch n.Kind {
	case document.Sequence:
		for _, item := range n.Items {
			if item.Kind == document.String {
				out = append(out, f.element(key, item)...)
			} else {
				f.wrong(item, "`%s` must hold strings, not %s; this one is left out", key, item.Kind).Hint = "put the glob in quotes"
			}
		}
	case document.String:
		out = f.split(n.Text)
	case document.Mapping:
		// `{a,b}` without quotes is a YAML map; what stands in the file is a glob.
		span := n.Span()
		text := f.rule.Source.Text()[span.Start:span.End]
		if strings.HasPrefix(text, "{") && !strings.Contains(text, "\n") {
			f.wrong(n, "`%s` is read by YAML as a map; it is taken as text", key).Hint = "put the glob in quotes"
			return f.split(text)
		}
		f.wrong(n, "`%s` must be a string or a list of strings, not %s; it is left out", key, n.Kind)
	default:
		f.wrong(n, "`%s` must be a string or a list of strings, not %s; it is left out", key, n.Kind).Hint = "put the glob in quotes"
	}
	return out
}

// maxRuleGlobs is the weight of the globs that one rule may have: some thousand
// ordinary ones.
const maxRuleGlobs = 64 << 10

// checkGlobs reports globs that can never match, and leaves out those that are too
// many.
func (f *Fields) checkGlobs() {
	r := f.rule
	weight := 0
	for i, g := range r.Globs {
		if weight > maxRuleGlobs {
			f.globProblem(g, fmt.Sprintf("the %d before it are as many as can be compared", i), "write fewer, or several rules")
			r.Globs = r.Globs[:i:i]
			return
		}
		if _, negated := r.Format.negation(g); negated && !r.Format.negates() {
			f.globProblem(g, r.Format.Tool+" has no globs that begin with `!`", "")
			continue
		}
		read, err := r.Format.glob(strings.TrimLeft(g, "/"))
		if err != nil {
			f.globProblem(g, err.Message, err.Hint)
			continue
		}
		weight += read.Weight()
		if parts := severalGlobs(r.Format, g); parts != nil && f.few() {
			d := diag.At(r.Source, r.globSpan(g), diag.RuleInvalidField, "`%s` is one glob to %s, and no file is called so", g, r.Format.Tool)
			f.list.Add(d.WithHint("%s", separated(r.Format, parts)))
		}
	}
}

func (f *Fields) globProblem(g, message, hint string) {
	if !f.few() {
		return
	}
	span := diag.NoSpan
	for _, key := range f.rule.Format.GlobKeys {
		if n := f.get(key); n != nil {
			span = n.Span()
			break
		}
	}
	d := diag.At(f.rule.Source, span, diag.RuleInvalidField, "the glob `%s` cannot be read: %s", g, message)
	d.Hint = hint
	f.list.Add(d)
}

func (f *Fields) split(text string) []string {
	if f.rule.Format.OnePattern {
		g := strings.TrimSpace(text)
		if !f.rule.Format.Exact {
			g = f.unquoted(glob.Unquote(text))
		}
		if g == "" {
			return nil
		}
		return []string{g}
	}
	text = listText(strings.TrimSpace(text))
	var out []string
	met := map[string]bool{"": true}
	for _, item := range glob.SplitList(text) {
		if g := f.unquoted(item); !met[g] {
			met[g] = true
			out = append(out, g)
		}
	}
	return out
}

// few tells whether one more glob can be told of: to find where it stands takes as long as the list is, and nobody is shown more.
func (f *Fields) few() bool {
	f.odd++
	return f.odd <= diag.MaxPerFile
}

// unquoted takes off the quotes that word processors put around a glob, and says so, as of others that no tool takes for quotes.
func (f *Fields) unquoted(item glob.Item) string {
	const marks = "“”„‟‘’‚«»"
	if f.rule.Format.Exact {
		return item.Text
	}
	bare := strings.Trim(item.Text, marks)
	stray := item.Stray || f.rule.Format.OnePattern && item.Quoted
	if bare == item.Text && !stray {
		return bare
	}
	if !f.few() {
		return bare
	}
	span := f.rule.globSpan(item.Text)
	told := slices.ContainsFunc(f.edits, func(e document.Edit) bool { return e.Span.Start < span.End && span.Start < e.Span.End })
	switch {
	case bare != item.Text:
		d := diag.At(f.rule.Source, span, diag.RuleInvalidField, "the quotes around the glob `%s` are those of a word processor, and a part of it to most tools", bare)
		f.list.Add(d.WithHint("write \"%s\"", bare))
	case !told:
		d := diag.At(f.rule.Source, span, diag.RuleInvalidField, "the glob `%s` has quotes that are a part of it to most tools: they are no pair, or inside of others", bare)
		f.list.Add(d.WithHint("write \"%s\"", bare))
	}
	return bare
}

// element is one glob of a list, with the blanks and quotes around it taken off.
func (f *Fields) element(key string, n *document.Node) []string {
	parts := glob.SplitList(n.Text)
	if len(parts) < 2 || f.rule.Format.OnePattern || f.rule.Format.SplitItems {
		return f.split(n.Text)
	}
	f.rule.Remarks.Add(diag.At(f.rule.Source, n.Span(), diag.RuleInvalidField, "an element of the list `%s` is one glob, commas and all", key).
		WithHint("write each glob as an element of its own"))
	return []string{strings.TrimSpace(n.Text)}
}

// listText takes off the brackets of a list that lost its YAML meaning, as in
// `globs: [**/*.ts, **/*.tsx]`, where `*` stops YAML.
func listText(text string) string {
	if !strings.HasPrefix(text, "[") || !strings.HasSuffix(text, "]") {
		return text
	}
	inner := text[1 : len(text)-1]
	if strings.ContainsAny(inner, "[]") || !strings.ContainsAny(inner, `*,/"'`) {
		return text
	}
	return inner
}

// wrong reports a value of the wrong type and returns the diagnostic, for a hint.
func (f *Fields) wrong(n *document.Node, format string, args ...any) *diag.Diagnostic {
	f.list.Add(diag.At(f.rule.Source, n.Span(), diag.RuleInvalidField, format, args...))
	return &(*f.list)[len(*f.list)-1]
}
