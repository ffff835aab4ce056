package surface

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/stream"
)

// WatchesFile tells whether a trigger counts in a text that is meant for a file, whatever
// tool will write it: if its scope has some tool, and globs that fit one of the
// file's paths, or for a trigger of the user's own one of the paths for those.
func WatchesFile(set *stream.Set, trigger int, paths, own []string) bool {
	source := stream.Source{Kind: stream.Tool, Paths: paths, OwnPaths: own}
	return slices.ContainsFunc(scopeTools(set.Trigger(trigger)), func(tool string) bool {
		source.Tool = tool
		return set.Applies(trigger, source)
	})
}

// scopeTools are the tools that a scope names, and one that none does.
func scopeTools(t *stream.Trigger) []string {
	tools := []string{""}
	for _, word := range t.Scope {
		if name, ok := strings.CutPrefix(strings.TrimSpace(word), "tool:"); ok {
			name, _, _ = strings.Cut(name, "(")
			tools = append(tools, name)
		}
	}
	return tools
}
