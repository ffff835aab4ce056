package lint

import (
	"context"
	"errors"
	"slices"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/cases"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
)

// IsBeside tells whether a file is one of those that authors keep beside strategies, a context or a test file, by its name.
func IsBeside(path string) bool {
	_, test := cases.StrategyOf(path)
	return test || IsContext(path)
}

// beside checks such files. What cases come to is not looked at: `pertain test` runs them. They may be a stranger's: what their
// links must not reach is told as of strategies.
func (w Workspace) beside(ctx context.Context, tree files.Tree, paths []string) (diag.List, error) {
	var list diag.List
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		data, err := strategyfile.ReadBeside(tree, path, strategyfile.Reach(tree, w.Strategies, path), cases.MaxContext)
		if outside := (*files.OutsideError)(nil); errors.As(err, &outside) {
			d := diag.At(diag.NewSource(path, ""), diag.NoSpan, diag.RuleOutsideWorkspace, "the file cannot be read: %s", fileerror.Reason(err))
			d.Severity = diag.Error // nothing of it was checked
			list.Add(d)
			continue
		}
		if err != nil {
			return nil, named(ctx, errors.New(path+": "+fileerror.Reason(err)))
		}
		if IsContext(path) {
			for _, d := range Context(path, string(data)) {
				if d.Span.IsValid() { // a context may be a copy of somebody's screen: its place is told, and no line of it
					d.Source, d.Span = document.Veil(d.Source, diag.Span{Start: d.Span.Start, End: d.Span.Start})
				}
				list.Add(d)
			}
			continue
		}
		list = append(list, cases.Read(path, data).Mistakes()...)
	}
	return list, nil
}

// withoutBeside parts the named paths in those files and all others.
func (w Workspace) withoutBeside(tree files.Tree, paths []string) (others, found []string) {
	for _, path := range paths {
		info, err := tree.Stat(path)
		if err == nil && info.Kind != files.Folder && IsBeside(path) && !discover.ReadsAsRule(tree, w.Rules, path) && !slices.Contains(found, path) {
			found = append(found, path)
		} else {
			others = append(others, path)
		}
	}
	return others, found
}
