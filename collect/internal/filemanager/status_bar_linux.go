package filemanager

import (
	"context"
	"strings"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
)

// statusName reads the one selected file from the status bar, which names it in
// quotation marks of the user's language.
func (v fileWindow) statusName(ctx context.Context, folder string) (selection, bool) {
	for _, bar := range v.withRole(ctx, atspi.RoleStatusBar) {
		lines := v.statusLines(ctx, bar)
		for _, line := range lines {
			if name, ok := quoted(line); ok && inFolder(folder, name) {
				return selection{names: []string{name}, known: true, bar: bar, said: strings.Join(lines, "\n")}, true
			}
		}
	}
	return selection{}, false
}

// statusLines is what a status bar says.
func (v fileWindow) statusLines(ctx context.Context, bar atspi.Node) []string {
	lines := v.labels(ctx, []atspi.Node{bar})
	if children, err := v.Children(ctx, bar); err == nil {
		lines = append(lines, v.labels(ctx, children)...)
	}
	return lines
}

// quoted is the part of a line between its first and its last quotation mark.
func quoted(line string) (string, bool) {
	const opening, closing = "\"“„«‘'", "\"”“»’'"
	from := strings.IndexAny(line, opening)
	to := strings.LastIndexAny(line, closing)
	if from < 0 || to <= from {
		return "", false
	}
	_, rest, _ := strings.Cut(line[from:to], string([]rune(line[from:to])[0]))
	return rest, rest != ""
}
