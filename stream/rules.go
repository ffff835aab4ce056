package stream

import (
	"path"
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
		if r.Bucket != rule.TTSR || r.Shadowed || r.Disabled || r.Activation == rule.Never {
			continue
		}
		t := Trigger{Name: r.Name, Patterns: r.Triggers, Path: relative(root, r.Path), Body: r.Content, Own: r.Level == rule.User}
		if !r.Documented() {
			t.Scope, t.InterruptMode = r.Scope, InterruptMode(r.InterruptMode)
			t.Globs, t.Extglobs = projectGlobs(r, root), r.Format.Extglobs
		}
		out = append(out, t)
	}
	return out
}

// projectGlobs makes the globs of a rule relative to the project.
func projectGlobs(r *rule.Rule, root string) []string {
	below := relative(root, r.Base)
	if below == "." || path.IsAbs(below) {
		below = ""
	} else if below != "" {
		below = escapeGlob(below) + "/"
	}
	var out []string
	for _, text := range r.Globs {
		body, negated := strings.CutPrefix(text, "!")
		if r.Format.Extglobs && strings.HasPrefix(text, "!(") { // a group
			body, negated = text, false
		}
		if negated && !r.Format.Negation {
			continue
		}
		for strings.HasPrefix(body, "./") {
			body = body[2:]
		}
		rooted := strings.HasPrefix(body, "/")
		body = strings.TrimLeft(body, "/")
		if r.Format.BaseName && !rooted {
			if g, bad := ruleGlob(r.Format.Extglobs)(body); bad == nil && !g.HasSlash() {
				body = "**/" + body
			}
		}
		body = below + body
		if negated {
			body = "!" + body
		}
		out = append(out, body)
	}
	return out
}

// escapeGlob makes a glob that matches a path and nothing else.
func escapeGlob(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`*?[]{}()\!`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
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
