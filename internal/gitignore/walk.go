package gitignore

import (
	"context"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
)

// Walk visits the files and folders of a project that .gitignore does
// not name. Folders that only tools write (.git, node_modules) are left out. What
// cannot be looked at is visited with its error, also where a limit is reached
// ([files.LimitError]). An error of visit ends the walk, as in [files.Walk].
func Walk(ctx context.Context, tree files.Tree, root string, visit func(files.Step) error) error {
	base := newList(tree, root)
	stack := map[string]*list{".": base}
	return files.Walk(ctx, tree, root, files.WalkOptions{MaxEntries: files.ProjectEntries, Within: &base.within}, func(step files.Step) error {
		if step.Rel == "." {
			if step.Err != nil {
				return visit(step)
			}
			return nil
		}
		up := "."
		if i := strings.LastIndexByte(step.Rel, '/'); i >= 0 {
			up = step.Rel[:i]
		}
		rules := stack[up]
		if err := base.spent.exceeded(root); err != nil {
			step.Err = err
			if err := visit(step); err != nil {
				return err
			}
			return files.ErrSkipAll
		}
		isFolder := step.Info.Kind == files.Folder && !step.Link
		if rules.names(step.Rel, isFolder) {
			if isFolder {
				return files.ErrSkipFolder
			}
			return nil
		}
		if isFolder {
			if name := tree.Flavor().Base(step.Path); name == ".git" || name == "node_modules" {
				return files.ErrSkipFolder
			}
		}
		if err := visit(step); err != nil {
			return err
		}
		if isFolder && step.Err == nil {
			stack[step.Rel] = rules.enter(tree, step.Path, step.Rel)
		}
		return nil
	})
}
