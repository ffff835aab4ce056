package stream

import (
	"strings"

	"github.com/pertain-dev/pertain/rule"
)

// FromRules gives the triggers of those rules that have any and are in force, in
// the order of the rules. root is the project's folder; it is
// absolute and written like the rules' paths.
// Rules that were read as the rulebook documents them watch text and tools without
// regard to files, and are to be compiled with [Options.Documented].
func FromRules(rules []*rule.Rule, root string) []Trigger {
	var out []Trigger
	for _, r := range rules {
		if !r.Watches() || r.Shadowed || r.Overfull() {
			continue
		}
		t := Trigger{Name: r.Name, Patterns: r.Triggers, Path: relative(root, r.Path), Body: r.Content, Own: r.Level == rule.User}
		if !r.Documented() {
			t.Scope, t.InterruptMode = r.Scope, InterruptMode(r.InterruptMode)
			t.Globs, t.Extglobs = r.ProjectGlobs(root)
		}
		out = append(out, t)
	}
	return out
}

// relative gives a path relative to the project, or as it is if it is elsewhere.
func relative(root, name string) string {
	if name == root {
		return "."
	}
	if rest, ok := strings.CutPrefix(name, strings.TrimSuffix(root, "/")+"/"); ok {
		return rest
	}
	return name
}
