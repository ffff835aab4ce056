package lsp

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/creachadair/jrpc2"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/cases"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/gitignore"
	"github.com/pertain-dev/pertain/strategy"
)

type renameParams struct {
	positionParams
	NewName string `json:"newName"`
}

type prepared struct {
	Range       textRange `json:"range"`
	Placeholder string    `json:"placeholder"`
}

// prepareRename tells whether there is an id at an offset.
func (s *server) prepareRename(ctx context.Context, params positionParams) (any, error) {
	b, by := s.open(params.TextDocument.URI)
	if b == nil {
		return nil, nil
	}
	span, ok := b.idAt(b.text.offset(params.Position, by))
	if !ok {
		return nil, ctx.Err()
	}
	return prepared{textRange{b.text.position(span.Start, by), b.text.position(span.End, by)}, b.text.string[span.Start:span.End]}, ctx.Err()
}

// idAt is where the id of a strategy is written, if it is at an offset.
func (b *buffer) idAt(offset int) (diag.Span, bool) {
	where, start := b.partOf(offset)
	if b.kind != strategyFile || where != fields {
		return diag.Span{}, false
	}
	c := cursorAt(b.text.string, start, offset)
	return c.whole, c.key == "id" && len(c.keys) == 0 && c.whole.End > c.whole.Start
}

// rename gives a strategy another id, wherever the folder names it: in its file, in
// tests and, where they are in the folder or open, in the settings.
func (s *server) rename(ctx context.Context, params renameParams) (any, error) {
	b, by := s.open(params.TextDocument.URI)
	if b == nil {
		return nil, nil
	}
	span, ok := b.idAt(b.text.offset(params.Position, by))
	if !ok {
		return nil, jrpc2.Errorf(codeFailed, "only the id of a strategy can be renamed, where it is written")
	}
	texts := s.buffers()
	before, err := strategyOf(s.overlay(ctx, texts), b)
	if err != nil {
		return nil, err
	}
	texts[b.path] = b.text.string[:span.Start] + params.NewName + b.text.string[span.End:]
	after, err := strategyOf(s.overlay(ctx, texts), b)
	switch {
	case err != nil:
		return nil, err
	case before == nil || after == nil || strings.ContainsAny(params.NewName, "\r\n"):
		return nil, jrpc2.Errorf(codeFailed, "this cannot be an id")
	}
	for _, d := range after.Diagnostics {
		if d.Severity == diag.Error && !slices.ContainsFunc(before.Diagnostics, func(o diag.Diagnostic) bool { return o.Code == d.Code && o.Message == d.Message }) {
			return nil, jrpc2.Errorf(codeFailed, "%s", d.Sentence())
		}
	}
	for _, one := range s.strategies(s.overlay(ctx, s.buffers()), b) {
		if strategy.Key(one.ID) == strategy.Key(after.ID) && one.Source != nil && one.Source.Name() != b.path {
			return nil, jrpc2.Errorf(codeFailed, "the id `%s` is taken by another file", diag.Short(after.ID))
		}
	}
	edit := workspaceEdit{Changes: map[string][]textEdit{
		b.uri: {{Range: textRange{b.text.position(span.Start, by), b.text.position(span.End, by)}, NewText: params.NewName}},
	}}
	for _, r := range s.references(s.overlay(ctx, s.buffers()), b.folder, before.ID) {
		edit.Changes[uriOf(r.path)] = append(edit.Changes[uriOf(r.path)], textEdit{Range: r.text.span(r.span, by), NewText: after.ID})
	}
	return edit, ctx.Err()
}

// strategyOf is the strategy of a document as its folder loads it; if that does not,
// as it is by itself. nil: it cannot be read.
func strategyOf(ctx context.Context, b *buffer) (*strategy.Strategy, error) {
	catalog, err := b.folder.catalog(ctx)
	if err != nil {
		return nil, err
	}
	for _, one := range catalog.Strategies() {
		if one.Source != nil && one.Source.Name() == b.path {
			return one, nil
		}
	}
	read, err := b.folder.lint.Read(ctx, []string{b.path})
	if err != nil || len(read.Strategies) != 1 {
		return nil, err
	}
	return read.Strategies[0], nil
}

// idReference is where an id is named.
type idReference struct {
	path string
	text text // of the file
	span diag.Span
}

// references finds where an id is named in a folder.
func (s *server) references(ctx context.Context, f *folder, id string) []idReference {
	tree := follow.Noted(ctx, files.OS())
	flavor := tree.Flavor()
	var found []idReference
	look := func(path string, bounds files.Bounds, named func(*document.Node) []*document.Node) {
		data, _, err := files.ReadWithin(tree, path, bounds, document.MaxYAML)
		if err != nil {
			return
		}
		source, _ := document.Decode(path, data)
		node, _ := document.ParseYAML(source)
		whole := newText(string(data))
		for _, n := range named(node) {
			if n != nil && n.IsScalar() && strategy.Key(n.Text) == strategy.Key(id) {
				span := n.Span()
				if text := source.Text()[span.Start:span.End]; len(text) > 1 && (text[0] == '"' || text[0] == '\'') {
					span.Start, span.End = span.Start+1, span.End-1
				}
				found = append(found, idReference{path, whole, span})
			}
		}
	}
	within := files.Below(tree, f.dir)
	enough, seen := errors.New("enough"), 0
	_ = gitignore.Walk(ctx, tree, f.dir, func(step files.Step) error {
		if seen++; seen > files.SearchEntries {
			return enough
		}
		if _, tests := cases.StrategyOf(step.Path); tests && step.Err == nil && step.Info.Kind == files.File {
			look(step.Path, within, func(n *document.Node) []*document.Node { return []*document.Node{n.Get("strategy")} })
		}
		return nil
	})
	if _, open := s.buffers()[f.settings]; f.settings != "" && (open || flavor.Inside(f.dir, f.settings)) {
		look(f.settings, files.Anywhere(), func(n *document.Node) []*document.Node {
			if disabled := n.Get("disabled"); disabled != nil {
				return disabled.Items
			}
			return nil
		})
	}
	return found
}
