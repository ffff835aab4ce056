package document

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// parseLenient tolerates what real files have: leading blank
// lines, other closers, a second block, duplicate keys, values that need
// quotes. Every repair is a warning with its position and fix.
func parseLenient(source *diag.Source) (*Document, diag.List) {
	text := source.Text()
	doc := &Document{Source: source}
	var list diag.List

	open := len(text) - len(strings.TrimLeft(text, unseenAtStart))
	first, rest := line(text, open)
	odd := atLineStart(text, open) != open || !isFence(text[first.Start:first.End])
	if !isLooseFence(text[first.Start:first.End]) {
		doc.setBody(0)
		return doc, nil
	}
	block, after, closed := lenientBlock(source, rest, odd, &list)
	if odd && (!looksLikeFields(text[block.Start:block.End]) || !namesField(text[block.Start:block.End])) {
		doc.setBody(0) // a line of Markdown
		return doc, nil
	}
	if !closed {
		doc.setBody(0)
		list.Add(diag.At(source, first, diag.RuleInvalidYAML, "the frontmatter that begins here is never closed, so the whole file is the rule's text").
			WithHint("add a line `---` after its last field"))
		return doc, list
	}
	switch {
	case odd:
		list.Add(diag.At(source, diag.Span{Start: 0, End: first.End}, diag.RuleInvalidYAML, "the frontmatter begins with something else than a line `---`").
			WithHint("write `---` alone, at the very beginning: most tools take such a file as having no frontmatter"))
	case open > 0:
		list.Add(diag.At(source, diag.Span{Start: 0, End: open}, diag.RuleInvalidYAML, "blank lines stand before the frontmatter").
			WithHint("remove them: most tools take such a file as having no frontmatter"))
	}
	var inner diag.List
	node, edits, salvaged := lenientYAML(source, block, &inner, &doc.spent)
	if node == nil && len(inner) > 0 && !looksLikeFields(text[block.Start:block.End]) {
		// Prose between two Markdown rules: nothing of it may be lost.
		doc.setBody(0)
		list = nil // of the block's own lines there is nothing to say then
		list.Add(diag.At(source, first, diag.RuleInvalidYAML, "what stands between the two lines `---` holds no fields, so the whole file is the rule's text").
			WithHint("write fields such as `description: …`, or remove the first line `---`"))
		return doc, list
	}
	list = append(list, inner...)
	doc.HasFrontmatter, doc.Block = true, block
	doc.Frontmatter, doc.Edits, doc.Salvaged = node, edits, salvaged
	doc.OpenQuote = (salvaged || len(edits) > 0) && hasOpenQuote(text[block.Start:block.End])
	doc.setBody(after)
	doc.spent.keep()
	doc.secondBlock(after, &list)
	return doc, list
}

// unseenAtStart is what authors do not see before a fence: blanks of all kinds, marks
// of byte order that came twice, and characters without width.
const unseenAtStart = " \t\r\n\v\f\u0085\u00A0\u00AD\u1680\u180E\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A" +
	"\u200B\u200C\u200D\u200E\u200F\u2028\u2029\u202F\u205F\u2060\u3000\uFEFF"

// isLooseFence is true for three dashes or more with nothing but blanks after them.
func isLooseFence(line string) bool {
	rest := strings.TrimLeft(line, "-")
	return len(line)-len(rest) >= 3 && strings.TrimRight(rest, unseenAtStart) == ""
}

// lenientBlock finds the closing line; `...` and `---` with text after it are
// accepted. The text after the fence belongs to the body. Where the first line was odd,
// the last may be indented, too.
func lenientBlock(source *diag.Source, at int, odd bool, list *diag.List) (block diag.Span, after int, ok bool) {
	text := source.Text()
	closes := isFence
	if odd {
		closes = func(line string) bool { return isFence(strings.TrimLeft(line, " \t")) }
	}
	closing, found := findFence(text, at, closes)
	loose, looseFound := findFence(text, at, isLooseCloser)
	if looseFound && (!found || loose.Start < closing.Start) {
		_, after = line(text, loose.Start)
		l := text[loose.Start:loose.End]
		if rest := strings.TrimLeft(l, "-"); len(rest) < len(l) && strings.TrimSpace(rest) != "" {
			after = loose.End - len(rest)
		}
		// The line may hold the rule's text, which is not for a message.
		shown, position := Veil(source, diag.Span{Start: loose.Start, End: loose.Start + len("---")})
		list.Add(diag.At(shown, position, diag.RuleInvalidYAML, "the frontmatter is closed by something else than a line `---`").
			WithHint("write `---` alone on this line"))
		return diag.Span{Start: at, End: loose.Start}, after, true
	}
	if !found {
		return diag.Span{}, 0, false
	}
	_, after = line(text, closing.Start)
	return diag.Span{Start: at, End: closing.Start}, after, true
}

// isLooseCloser is true for `...`, for `---# Title` and for more dashes than
// three: no field of a map begins with them.
func isLooseCloser(line string) bool {
	if rest, ok := strings.CutPrefix(line, "..."); ok {
		return strings.TrimRight(rest, " \t\r") == ""
	}
	rest, ok := strings.CutPrefix(line, "---")
	return ok && strings.TrimRight(rest, " \t\r") != ""
}

// lenientYAML parses strictly, then with values quoted, then line by line, which
// salvaged tells.
func lenientYAML(source *diag.Source, block diag.Span, list *diag.List, spent *reading) (node *Node, edits []Edit, salvaged bool) {
	node, problems := parseBlock(source, block, spent)
	problems = append(problems, lostValues(node)...)
	first, mend := problems, mendable(block, problems)
	if mend {
		node, edits, problems = repairYAML(source, block, spent)
	}
	if node == nil && (mend || isSyntax(first)) {
		salvaged = true
		node, problems = parseLines(source, block, true, spent), first
		if len(node.Entries) == 0 {
			node = nil
		}
	}
	*list = append(*list, report(source, problems, diag.RuleInvalidYAML)...)
	if node != nil && node.Kind != Mapping {
		list.Add(diag.At(source, node.Span(), diag.RuleInvalidYAML, "the frontmatter must be fields such as `description: …`, not %s", node.Kind))
		return nil, nil, salvaged
	}
	return node, edits, salvaged
}

// secondBlock takes a second frontmatter right after the first: its keys fill
// what the first left empty.
func (d *Document) secondBlock(at int, list *diag.List) {
	text := d.Source.Text()
	open := at + len(text[at:]) - len(strings.TrimLeft(text[at:], " \t\r\n"))
	first, rest := line(text, open)
	if !isFence(text[first.Start:first.End]) || atLineStart(text, open) != open {
		return
	}
	var inner diag.List
	block, after, ok := lenientBlock(d.Source, rest, false, &inner)
	if !ok || !onlyFields(text[block.Start:block.End]) {
		return // a Markdown rule, or an example
	}
	node, _, salvaged := lenientYAML(d.Source, block, &inner, &d.spent)
	if node == nil || salvaged || !slices.ContainsFunc(node.Entries, func(e Entry) bool { return slices.Contains(ruleKeys, e.Key.Text) }) {
		return // text that looks like fields must not be lost
	}
	if strings.TrimSpace(text[after:]) == "" {
		return // with nothing after it, it is the text
	}
	*list = append(*list, inner...)
	list.Add(diag.At(d.Source, first, diag.RuleInvalidYAML, "a second frontmatter block follows the first; its fields fill what the first left empty").
		WithHint("put all fields into one block"))
	d.Frontmatter = fill(d.Frontmatter, node)
	d.setBody(after)
}

// ruleKeys are the fields of rules and skills; a second block has one of them.
var ruleKeys = []string{
	"description", "globs", "glob", "alwaysApply", "ttsr_trigger", "condition", "trigger", "paths", "path", "applyTo", "excludeAgent",
	"inclusion", "fileMatchPattern", "type", "name", "regex", "scope", "examples",
}

var fieldLine = expression(`^[A-Za-z_][\w-]*[ \t]*:(\s|$)`)

// looksLikeFields is true if each line that is not indented, blank, a comment
// or a list item is `key: …`.
func looksLikeFields(block string) bool {
	fields := 0
	for l := range strings.Lines(block) {
		switch {
		case fieldLine().MatchString(l):
			fields++
		case strings.TrimSpace(l) == "", strings.HasPrefix(l, " "), strings.HasPrefix(l, "\t"), strings.HasPrefix(l, "#"), strings.HasPrefix(l, "- "):
		default:
			return false
		}
	}
	return fields > 0
}

// namesField is true if one of the lines is a field of rules.
func namesField(block string) bool {
	for l := range strings.Lines(block) {
		if key, _, ok := strings.Cut(l, ":"); ok && slices.Contains(ruleKeys, strings.TrimSpace(key)) {
			return true
		}
	}
	return false
}

// onlyFields is true if every line is a field, a list item or goes on with the
// one above. A line that begins with `#` may be a heading.
func onlyFields(block string) bool {
	for l := range strings.Lines(block) {
		if strings.HasPrefix(strings.TrimLeft(l, " \t"), "#") {
			return false
		}
	}
	return looksLikeFields(block)
}

var quotedValue = expression(`^[ \t]*(?:-[ \t]+|[\w-]+[ \t]*:[ \t]*)(["'])(.*)$`)

// hasOpenQuote tells whether a value begins with a quote that its line does not
// close.
func hasOpenQuote(block string) bool {
	for l := range strings.Lines(block) {
		if m := quotedValue().FindStringSubmatch(strings.TrimRight(l, "\r\n")); m != nil && !strings.Contains(m[2], m[1]) {
			return true
		}
	}
	return false
}

func atLineStart(text string, at int) int {
	return strings.LastIndexByte(text[:at], '\n') + 1
}
