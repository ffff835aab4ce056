package skill

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/mark"
)

// isExported tells whether `pertain export` made a skill of a rule that is still here: its text would be told twice. A skill that was
// changed since, or whose rule is gone, is one like any other.
func (l Library) isExported(location Location, text string) bool {
	m, ok := mark.Find(text)
	if !ok || !m.Intact || len(m.Sources) == 0 {
		return false
	}
	for _, source := range m.Sources {
		if slices.Contains(strings.Split(source, "/"), "..") || !l.isAbove(location.Root, strings.TrimPrefix(source, "~/")) {
			return false
		}
	}
	return true
}

// isAbove tells whether a path lies below a folder that a root of skills is in: the project's or the home.
func (l Library) isAbove(root Root, path string) bool {
	tree, flavor := l.tree(), l.tree().Flavor()
	for dir := flavor.Dir(root.Dir); ; dir = flavor.Dir(dir) {
		if info, _, err := files.StatWithin(tree, flavor.Join(dir, path), l.within(root)); err == nil && info.Kind == files.File {
			return true
		}
		if dir == root.Workspace || dir == flavor.Dir(dir) {
			return false
		}
	}
}
