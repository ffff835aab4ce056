package document

import (
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// Mode says how a doubtful file is taken.
type Mode uint8

const (
	Strict     Mode = iota // strategies: an error
	Lenient                // rules and skills: repaired, with a warning
	Documented             // rules, exactly as the rulebook describes: line by line where YAML fails
)

// Document is a file taken apart. It is immutable.
type Document struct {
	Source         *diag.Source
	HasFrontmatter bool
	Frontmatter    *Node     // a map; nil when there is none, or none that could be read
	Block          diag.Span // the YAML between the two fences
	Body           string    // everything after the closing fence, as it is
	BodySpan       diag.Span // of Body
	HasBody        bool      // anything but white space follows the closing fence
	Salvaged       bool      // the frontmatter is no YAML, and quotes would not make it so: fields were read line by line
	OpenQuote      bool      // a quote in the frontmatter is never closed
	Edits          []Edit    // what would mend the frontmatter in the file; its values there are a guess

	spent reading
}

// Effort is how many bytes were read as YAML to take the source apart; a text that had to be mended counts each time that
// it was read, and what aliases stand for counts as if it were written. Callers that read many files of a stranger add it up.
func (d *Document) Effort() int { return d.spent.effort }

// Plain is a document that is all text.
func Plain(source *diag.Source) *Document {
	doc := &Document{Source: source}
	doc.setBody(0)
	return doc
}

// Parse takes a source apart. Whatever is wrong, the document holds what could
// be read; in strict mode an error in the list means it must not be used.
func Parse(source *diag.Source, mode Mode) (*Document, diag.List) {
	switch mode {
	case Lenient:
		return parseLenient(source)
	case Documented:
		return parseDocumented(source)
	default:
		return parseStrict(source)
	}
}

func parseStrict(source *diag.Source) (*Document, diag.List) {
	text := source.Text()
	doc := &Document{Source: source}
	first, rest := line(text, 0)
	if !isFence(text[first.Start:first.End]) {
		doc.setBody(0)
		return doc, diag.List{missingFrontmatter(source)}
	}
	closing, ok := findFence(text, rest, isFence)
	if !ok {
		doc.HasFrontmatter = true
		doc.Block = diag.Span{Start: rest, End: len(text)}
		doc.setBody(len(text))
		d := diag.At(source, first, diag.StrategyInvalidYAML, "the frontmatter that begins here is never closed").
			WithHint("add a line `---` after its last field")
		return doc, diag.List{d}
	}
	doc.HasFrontmatter = true
	doc.Block = diag.Span{Start: rest, End: closing.Start}
	_, after := line(text, closing.Start)
	doc.setBody(after)

	node, problems := parseBlock(source, doc.Block, &doc.spent)
	if isSyntax(problems) && mendable(doc.Block, problems) {
		// Still wrong, but with the value quoted the rest can be checked too.
		first := problems[0]
		node, doc.Edits, problems = repairYAML(source, doc.Block, &doc.spent)
		problems[0] = first
	}
	list := report(source, problems, diag.StrategyInvalidYAML)
	doc.Frontmatter = node
	if node != nil && node.Kind != Mapping {
		doc.Frontmatter = nil
		if len(list) == 0 {
			list.Add(diag.At(source, node.Span(), diag.StrategyInvalidYAML, "the frontmatter must be fields such as `name: …`, not %s", node.Kind))
		}
	}
	return doc, list
}

// missingFrontmatter looks for what the author may have meant.
func missingFrontmatter(source *diag.Source) diag.Diagnostic {
	text := source.Text()
	d := diag.At(source, diag.Span{Start: 0, End: 0}, diag.StrategyMissingFrontmatter, "the file does not begin with frontmatter").
		WithHint("begin it with a line `---`, then `name: …`, then a line `---`")
	trimmed := strings.TrimLeft(text, " \t\r\n")
	if len(trimmed) < len(text) && strings.HasPrefix(trimmed, "---") {
		d = d.WithHint("remove what stands before the first line `---`")
		d.Span.End = len(text) - len(trimmed)
	}
	return d
}

// report turns YAML problems into diagnostics.
func report(source *diag.Source, problems []Problem, code diag.Code) diag.List {
	var list diag.List
	for _, p := range problems {
		d := diag.At(source, p.Span, code, "%s", p.Message)
		d.Hint = p.Hint
		if p.Kind == DuplicateKey {
			d = d.WithRelated(source, p.First, "the first one is here")
		}
		list.Add(d)
		if p.More > 0 {
			list.Add(d.Standing(p.More))
		}
	}
	return list
}

func (d *Document) setBody(start int) {
	text := d.Source.Text()
	d.Body = text[start:]
	d.BodySpan = diag.Span{Start: start, End: len(text)}
	d.HasBody = strings.TrimSpace(d.Body) != ""
}

// line returns the span of the line at an offset without its break, and where
// the next one begins.
func line(text string, at int) (span diag.Span, next int) {
	end := strings.IndexByte(text[at:], '\n')
	if end < 0 {
		return diag.Span{Start: at, End: len(text)}, len(text)
	}
	return diag.Span{Start: at, End: at + end}, at + end + 1
}

// findFence finds the first line from an offset on that closes the frontmatter.
func findFence(text string, at int, closes func(string) bool) (diag.Span, bool) {
	for at < len(text) {
		span, next := line(text, at)
		if closes(text[span.Start:span.End]) {
			return span, true
		}
		at = next
	}
	return diag.Span{}, false
}

// isFence is true for `---` with nothing but blanks after it.
func isFence(line string) bool {
	rest, ok := strings.CutPrefix(line, "---")
	return ok && strings.TrimRight(rest, " \t\r") == ""
}
