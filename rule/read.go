package rule

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/glob"
)

// Decode turns the bytes of a rule file into a source. What cannot be decoded
// is replaced and reported; the rule is still read.
func Decode(path string, data []byte) (*diag.Source, diag.List) {
	source, list := document.Decode(path, data)
	for i := range list {
		list[i].Code, list[i].Severity = diag.RuleInvalidYAML, diag.Warning
		if len(data) > document.MaxBytes {
			list[i].Code = diag.RuleTooLarge
		}
		if list[i].Span.IsValid() { // wherever it is, no line of the rule's text is shown
			list[i].Source, list[i].Span = document.Veil(source, list[i].Span)
		}
	}
	return source, list
}

// Read makes a rule of a file. The rule is nil if the file has no body.
func Read(source *diag.Source, origin Origin, format *Format) (*Rule, diag.List) {
	r, list, _ := ReadCounted(source, origin, format)
	return r, list
}

// ReadCounted reads as [Read] does; effort is what [document.Document.Effort] says of the file.
func ReadCounted(source *diag.Source, origin Origin, format *Format) (_ *Rule, _ diag.List, effort int) {
	if text := source.Text(); !origin.Documented && strings.Contains(text, "\r") && !strings.Contains(text, "\n") {
		source = diag.NewSource(source.Name(), strings.ReplaceAll(text, "\r", "\n")) // line ends of another time; offsets stay
	}
	r := &Rule{
		Name: origin.name(), Path: source.Name(), Provider: origin.Provider, Level: origin.Level,
		Base: origin.Base, Within: origin.Within, Format: format, Source: source, documented: origin.Documented,
		loose: origin.Loose, short: origin.Name, folder: origin.Folder, nested: origin.Nested, chained: origin.Chained,
		above: origin.Prefix != "", Inner: origin.Inner,
	}
	var list diag.List
	switch {
	case format.Whole && !origin.Documented:
		r.Content = r.text(source.Text(), true)
	case format.Whole:
		r.Content = trim(source.Text())
	case format.Memory && !origin.Documented:
		doc, _ := document.Parse(source, document.Lenient)
		effort = doc.Effort()
		r.Content = r.text(doc.Body, true)
	default:
		mode := document.Lenient
		if origin.Documented {
			mode = document.Documented
		}
		doc, found := document.Parse(source, mode)
		list, effort = found, doc.Effort()
		if !origin.Documented {
			if format.BlankIsText && doc.Block.Start > 0 && !strings.HasPrefix(source.Text(), "---") {
				doc, list = document.Plain(source), nil
			}
			r.Lost = format.QuoteIsLost && doc.OpenQuote
			tellBroken(format, doc, list)
		}
		if !origin.Documented && !doc.HasFrontmatter && len(list) == 0 {
			list = document.Missed(source)
		}
		r.Content = trim(doc.Body)
		if !origin.Documented {
			r.Content = r.text(doc.Body, false)
		}
		r.Frontmatter = doc.Frontmatter
		globs := r.globValues()
		for _, e := range doc.Edits {
			text := r.mendedQuotes(e, globs)
			if text != e.Text {
				for i := range list {
					if list[i].Span == e.Span {
						list[i].Hint = "write " + text
					}
				}
			}
			r.Fixes = append(r.Fixes, Fix{Span: e.Span, Text: text, Why: "put the value in quotes"})
		}
		r.tellUnquoted(list, globs)
		if !origin.Documented {
			r.fields(doc, &list)
		}
	}
	list = append(list, document.Unseen(source)...)
	if r.Content == "" {
		list.Add(diag.At(source, diag.NoSpan, diag.RuleEmpty, "the file has no text after its frontmatter, so it is no rule").
			WithHint("write the rule's text below the frontmatter"))
		return nil, list.Limit(), effort
	}
	switch {
	case origin.Documented:
		r.normalizeDocumented(&list)
	case r.Disabled:
	case origin.Always:
		r.Activation = AlwaysActive
	case origin.Manual:
		r.Activation = Manual
	}
	if !origin.Documented {
		r.checkSize(&list)
	}
	r.Bucket = r.bucket()
	for i := range list {
		list[i].Provider = origin.Provider
	}
	r.Remarks = r.Remarks.Limit()
	return r, list.Limit(), effort
}

// tellBroken says what the tool itself makes of frontmatter that is repaired here.
func tellBroken(format *Format, doc *document.Document, list diag.List) {
	if !format.TakesBroken {
		return
	}
	for i := range list {
		switch d := &list[i]; {
		case d.Code != diag.RuleInvalidYAML:
		case d.Span.Start == 0 && !strings.HasPrefix(doc.Source.Text(), "---"): // its frontmatter begins further down
			d.Message += "; " + format.Tool + " takes the whole file as text, and loads it always"
		case doc.OpenQuote && strings.Contains(d.Message, "quote"):
			d.Message += "; " + format.Tool + " never loads such a rule"
			return
		}
	}
}

// tellUnquoted says of globs without quotes that the tool itself takes them: who keeps the file for that tool alone loses nothing.
func (r *Rule) tellUnquoted(list diag.List, globs []diag.Span) {
	if !r.Format.Unquoted {
		return
	}
	for i := range list {
		d := &list[i]
		if d.Span.Start >= 0 && strings.HasPrefix(r.Source.Text()[d.Span.Start:], "*") && touches(globs, d.Span) {
			d.Message += "; " + r.Format.Tool + " takes it as it is meant, most other programs do not"
		}
	}
}

// mendedQuotes is the text of an edit that quotes a value. Of globs it leaves out the quotes and backticks that their author wrote: in
// quotes they would be a part of them for good.
func (r *Rule) mendedQuotes(e document.Edit, globs []diag.Span) string {
	value, ok := strings.CutPrefix(e.Text, "'")
	if !ok || !touches(globs, e.Span) {
		return e.Text
	}
	value = strings.ReplaceAll(strings.TrimSuffix(value, "'"), "''", "'")
	items := []glob.Item{glob.Unquote(value)}
	if !r.Format.OnePattern {
		items = glob.SplitList(value)
	}
	if !slices.ContainsFunc(items, func(item glob.Item) bool { return item.Quoted }) {
		return e.Text
	}
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = item.Text
	}
	return "'" + strings.ReplaceAll(strings.Join(texts, ", "), "'", "''") + "'"
}

// globValues are where the values of globs stand in the source, each from its first to its last item.
func (r *Rule) globValues() []diag.Span {
	var out []diag.Span
	for _, key := range r.Format.GlobKeys {
		n := r.Frontmatter.Get(key)
		if n == nil {
			continue
		}
		whole := n.Span()
		for _, item := range n.Items {
			at := item.Span()
			whole.Start, whole.End = min(whole.Start, at.Start), max(whole.End, at.End)
		}
		out = append(out, whole)
	}
	return out
}

func touches(spans []diag.Span, span diag.Span) bool {
	return slices.ContainsFunc(spans, func(at diag.Span) bool { return at.Start < span.End && span.Start < at.End })
}

// trim takes off what JavaScript's trim does.
func trim(s string) string { return strings.Trim(strings.TrimSpace(s), " \t\r\n\uFEFF") }

// fields reads the frontmatter by the format, the default way.
func (r *Rule) fields(doc *document.Document, list *diag.List) {
	f := &Fields{rule: r, node: doc.Frontmatter, edits: doc.Edits, list: list, Present: doc.HasFrontmatter, Salvaged: doc.Salvaged}
	f.checkKeys()
	text, _ := f.Text("description")
	if text = strings.TrimSpace(text); text != "" {
		r.Description = &text
	}
	if r.Format.knows("alwaysApply") {
		r.AlwaysApply = f.Flag("alwaysApply")
		if r.Format.DropFalse && !isTrue(r.AlwaysApply) {
			r.AlwaysApply = nil
		}
	}
	for _, key := range r.Format.GlobKeys {
		if globs := f.Globs(key); r.Globs == nil {
			r.Globs = globs
		}
	}
	f.checkGlobs()
	f.triggers()
	*list = append(*list, r.ScopeProblems()...)
	r.InterruptMode = f.interruptMode()
	r.Examples = f.examples()
	if r.Format.Activate != nil {
		r.Activation = r.Format.Activate(f)
	}
	f.disable()
}

// Documented tells whether the rule was read exactly as the rulebook says.
func (r *Rule) Documented() bool { return r.documented }

// checkSize warns of what the tool would cut off.
func (r *Rule) checkSize(list *diag.List) {
	text := r.Source.Text()
	if limit := r.Format.MaxCharacters; limit > 0 {
		if n := utf8.RuneCountInString(text); n > limit {
			list.Add(diag.At(r.Source, diag.NoSpan, diag.RuleTooLarge, "the file has %d characters; %s reads %d", n, cmp.Or(r.Format.LimitBy, r.Format.Tool), limit).
				WithHint("split it into several rules"))
		}
	}
	if limit := r.Format.MaxBytes; limit > 0 && len(text) > limit {
		list.Add(diag.At(r.Source, diag.NoSpan, diag.RuleTooLarge, "the file has %d bytes; %s reads %d", len(text), cmp.Or(r.Format.LimitBy, r.Format.Tool), limit).
			WithHint("split it into several rules"))
	}
	if limit := r.Format.MaxLines; limit > 0 {
		if n := strings.Count(strings.TrimRight(text, "\n"), "\n") + 1; n > limit {
			r.Remarks.Add(diag.At(r.Source, diag.NoSpan, diag.RuleTooLarge, "the file has %d lines; %s recommends fewer than %d", n, r.Format.Tool, limit).
				WithHint("split it into several rules"))
		}
	}
}
