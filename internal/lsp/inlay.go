package lsp

import (
	"context"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/lint"
)

type inlayParams struct {
	TextDocument textDocument `json:"textDocument"`
	Range        textRange    `json:"range"`
}

type inlayHint struct {
	Position    position `json:"position"`
	Label       string   `json:"label"`
	Tooltip     *markup  `json:"tooltip,omitempty"`
	PaddingLeft bool     `json:"paddingLeft"`
}

// maxContext is how large a context file may be.
const maxContext = 16 << 20

// inlayHints tell what a condition comes to in a context file, as a whole and line by
// line.
func (s *server) inlayHints(ctx context.Context, params inlayParams) (any, error) {
	hints := []inlayHint{}
	b, by := s.open(params.TextDocument.URI)
	if b == nil || b.kind != strategyFile || len(b.text.string) > maxEdited {
		return hints, nil
	}
	ctx = s.overlaid(ctx)
	name, snapshot := s.chosenContext(ctx, b)
	if snapshot == nil {
		return hints, ctx.Err()
	}
	read, err := b.folder.lint.Read(ctx, []string{b.path})
	if err != nil || len(read.Strategies) != 1 || !read.Strategies[0].Valid {
		return hints, ctx.Err()
	}
	one := read.Strategies[0]
	var list diag.List
	ev := cond.NewEvaluation(snapshot)
	ev.SetContext(ctx)
	ev.SetBudget(cond.DefaultBudget)
	result, trace := one.Program.Explain(ev, one.Limits, &list, false)
	lines := map[int]inlayHint{}
	put := func(line int, label, reason string) {
		if _, taken := lines[line]; taken || line < params.Range.Start.Line || line > params.Range.End.Line {
			return
		}
		hint := inlayHint{Position: b.text.position(b.text.lines[line]+len(b.text.line(line)), by), Label: label, PaddingLeft: true}
		if reason != "" {
			hint.Tooltip = markdown(reason)
		}
		lines[line] = hint
	}
	if line, ok := b.whenLine(); ok {
		put(line, result.String()+" in "+name, "")
	}
	mark := b.text.mark()
	var visit func(t *cond.Trace)
	visit = func(t *cond.Trace) {
		if t.Source == one.Source && t.Span.IsValid() && t.Kind != "operator" && t.Kind != "item" {
			put(b.text.position(t.Span.Start+mark, by).Line, t.Result.String(), t.Reason)
		}
		for _, child := range t.Children {
			visit(child)
		}
	}
	if trace != nil {
		visit(trace)
	}
	for line := range b.text.lines {
		if hint, ok := lines[line]; ok {
			hints = append(hints, hint)
		}
	}
	return hints, ctx.Err()
}

// whenLine is the line of the condition; where there is none, that of the first field.
func (b *buffer) whenLine() (int, bool) {
	first, last, ok := b.fences()
	if !ok {
		return 0, false
	}
	for i, start := range b.text.lines {
		if start >= first && start < last.start && strings.HasPrefix(b.text.line(i), "when:") {
			return i, true
		}
	}
	return 1, len(b.text.lines) > 1 && last.start > first
}

// chosenContext is the context that the user chose in the editor's settings, or the only
// one in the folder of the document, or the only one in the folder that is open. It must
// lie in the folder that is open: settings of an editor may be a stranger's.
func (s *server) chosenContext(ctx context.Context, b *buffer) (name string, snapshot *facts.Snapshot) {
	tree := follow.Noted(ctx, files.OS())
	flavor := tree.Flavor()
	s.mu.Lock()
	chosen := s.contextFile
	s.mu.Unlock()
	var path string
	switch {
	case chosen != "":
		if path = chosen; !flavor.IsAbs(path) {
			path = flavor.Join(b.folder.dir, path)
		}
		if path = flavor.Clean(path); !lint.IsContext(path) {
			return "", nil
		}
	default:
		if path = onlyContext(tree, flavor.Dir(b.path), b.folder.dir); path == "" {
			path = onlyContext(tree, b.folder.dir, b.folder.dir)
		}
	}
	if path == "" {
		return "", nil
	}
	data, _, err := files.ReadWithin(tree, path, files.Below(tree, b.folder.dir), maxContext)
	if err != nil {
		return "", nil
	}
	snapshot, err = facts.Decode(path, data)
	if err != nil {
		return "", nil // which is told where that file is open
	}
	return flavor.Base(path), snapshot
}

// onlyContext is the context file of a folder, if there is one alone.
func onlyContext(tree files.Tree, dir, within string) string {
	entries, err := files.ListWithin(tree, dir, files.Below(tree, within))
	if err != nil {
		return ""
	}
	entries = slices.DeleteFunc(entries, func(e files.Entry) bool { return e.Kind == files.Folder || !lint.IsContext(e.Name) })
	if len(entries) != 1 {
		return ""
	}
	return tree.Flavor().Join(dir, entries[0].Name)
}
