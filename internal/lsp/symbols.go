package lsp

import (
	"context"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

type documentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail,omitempty"`
	Kind           int              `json:"kind"`
	Range          textRange        `json:"range"`
	SelectionRange textRange        `json:"selectionRange"`
	Children       []documentSymbol `json:"children,omitempty"`
}

// Kinds of symbols: what stands under a key, and a heading.
const (
	symbolField   = 8
	symbolHeading = 15
)

// Limits of an outline.
const (
	maxSymbols     = 2_000
	maxSymbolDepth = 8
)

// documentSymbols is the outline: keys, nested as they are, and headings.
func (s *server) documentSymbols(ctx context.Context, params documentParams) (any, error) {
	b, by := s.open(params.TextDocument.URI)
	if b == nil || b.kind == nothing || len(b.text.string) > maxEdited {
		return []documentSymbol{}, nil
	}
	source, _ := document.Decode(b.path, []byte(b.text.string))
	o := outline{text: b.text, by: by}
	if b.kind == settingsFile || b.kind == contextFile || b.kind == testFile {
		node, _ := document.ParseYAML(source)
		return o.of(node, 0), ctx.Err()
	}
	parsed, _ := document.Parse(source, document.Lenient)
	list := o.of(parsed.Frontmatter, 0)
	return append(list, o.headings(parsed)...), ctx.Err()
}

type outline struct {
	text  text
	by    encoding
	count int
}

func (o *outline) of(node *document.Node, depth int) []documentSymbol {
	list := []documentSymbol{}
	if node == nil || depth > maxSymbolDepth {
		return list
	}
	for _, item := range node.Items { // of a list, what its items hold
		list = append(list, o.of(item, depth+1)...)
	}
	for _, e := range node.Entries {
		if o.count++; o.count > maxSymbols {
			return list
		}
		key, value := e.Key.Span(), e.Value.Span()
		whole := key
		if value.IsValid() {
			whole.End = max(key.End, value.End)
		}
		symbol := documentSymbol{
			Name: diag.Short(e.Key.Text), Kind: symbolField, Range: o.text.span(whole, o.by), SelectionRange: o.text.span(key, o.by), Children: o.of(e.Value, depth+1),
		}
		if symbol.Name == "" {
			symbol.Name = `""` // an editor refuses a symbol without a name
		}
		if e.Value.IsScalar() {
			symbol.Detail, _, _ = strings.Cut(diag.Short(e.Value.Text), "\n")
		}
		list = append(list, symbol)
	}
	return list
}

// headings are those written with `#`, outside of code.
func (o *outline) headings(parsed *document.Document) []documentSymbol {
	var list []documentSymbol
	fence := ""
	at := parsed.BodySpan.Start
	for line := range strings.Lines(parsed.Body) {
		start := at
		at += len(line)
		trimmed := strings.TrimSpace(line)
		if mark := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`~"))]; len(mark) >= 3 {
			switch {
			case fence == "":
				fence = mark
			case strings.HasPrefix(mark, fence):
				fence = ""
			}
			continue
		}
		name := strings.TrimLeft(trimmed, "#")
		if level := len(trimmed) - len(name); fence != "" || level == 0 || level > 6 || !strings.HasPrefix(name, " ") || strings.TrimSpace(name) == "" {
			continue
		}
		if o.count++; o.count > maxSymbols {
			break
		}
		where := o.text.span(diag.Span{Start: start, End: start + len(strings.TrimRight(line, "\r\n"))}, o.by)
		list = append(list, documentSymbol{Name: diag.Short(strings.TrimSpace(name)), Kind: symbolHeading, Range: where, SelectionRange: where})
	}
	return list
}
