package export

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/rule"
)

// Activation is what brings a rule to a model.
type Activation uint8

const (
	Always        Activation = iota // it is in every prompt
	ByGlobs                         // a file that is touched
	ByDescription                   // its description is listed, the model asks for the text
	Manual                          // a person who asks for it
	ByTrigger                       // the model is about to break it
)

// word is the kind under which losses of it are told.
func (a Activation) word() string {
	return [...]string{"always", "globs", "description", "manual", "trigger"}[a]
}

// Rule is a rule as all formats see it.
type Rule struct {
	Name        string
	Source      string // its file, with slashes, relative to the project, or `~/…`
	Text        string
	Description string
	Activation  Activation

	// Globs are relative to the root of the project: `*` stays in one folder, `**` crosses them. Except takes files out.
	Globs, Except []string

	Triggers      []string
	Scope         []string
	InterruptMode string

	extended bool     // groups such as `+(a|b)` in the globs are no text
	anyCase  bool     // the globs are compared without case
	losses   []string // what is lost already, wherever the rule goes
}

// newRule makes what is exported of a rule; ok is false if nothing can bring it to a model.
func newRule(r *rule.Rule, root, home string) (out Rule, ok bool) {
	out = Rule{Name: r.Name, Source: sourceName(r.Path, root, home), Triggers: r.Triggers, Scope: r.Scope, InterruptMode: r.InterruptMode}
	out.Text = strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(r.Text(), "\r\n", "\n"), "\r", "\n"))
	if strings.TrimSpace(r.Content) != strings.TrimSpace(r.Text()) {
		out.losses = append(out.losses, "text: characters that no reader can see are left out")
	}
	if strings.Contains(strings.ReplaceAll(strings.TrimSpace(r.Text()), "\r\n", "\n"), "\r") {
		out.losses = append(out.losses, "text: carriage returns that stand alone become line ends")
	}
	if r.Description != nil {
		out.Description = strings.TrimSpace(plainText(*r.Description))
	}
	globs, extended := projectGlobs(r, filepath.ToSlash(root))
	out.extended, out.anyCase = extended, r.Format != nil && r.Format.Gitignore
	switch {
	case r.Disabled, r.Activation == rule.Never:
		return out, false
	case len(r.Triggers) > 0:
		out.Activation = ByTrigger
	case r.Activation == rule.AlwaysActive, r.Activation == rule.ByFields && r.AlwaysApply != nil && *r.AlwaysApply:
		out.Activation, globs = Always, nil
		if folder := folderOf(r, root); folder != "" {
			out.Activation, globs = ByGlobs, []string{escapeGlob(folder) + "/**"}
			out.losses = append(out.losses, "folder: the rule always applies in "+folder+"; elsewhere that is a glob")
		}
	case r.Activation == rule.Manual:
		out.Activation, globs = Manual, nil
	case r.Activation == rule.ByFields && len(globs) > 0:
		out.Activation = ByGlobs
	case out.Description != "":
		out.Activation, globs = ByDescription, nil
	default:
		out.Activation, globs = Manual, nil
	}
	if alone := folderGlobs(r, filepath.ToSlash(root)); len(alone) > 0 && len(globs) > 0 {
		out.losses = append(out.losses, "globs: "+codes(alone)+" is for folders alone and matches no file; without the slash at its end it takes more")
	}
	for _, g := range globs {
		if body, negated := strings.CutPrefix(g, "!"); negated {
			out.Except = append(out.Except, body)
		} else {
			out.Globs = append(out.Globs, g)
		}
	}
	if len(out.Globs) == 0 && len(out.Except) > 0 {
		out.Globs = []string{"**"} // every other file
	}
	return out, out.Text != ""
}

// folderOf is the folder of the project whose files a rule is for; empty: all.
func folderOf(r *rule.Rule, root string) string {
	rest, ok := strings.CutPrefix(r.Within, strings.TrimSuffix(filepath.ToSlash(root), "/")+"/")
	if r.Level != rule.Project || !ok {
		return ""
	}
	return rest
}

// sourceName is a file as marks name it.
func sourceName(path, root, home string) string {
	for _, base := range []struct{ dir, prefix string }{{root, ""}, {home, "~/"}} {
		if base.dir == "" {
			continue
		}
		if rel, err := filepath.Rel(base.dir, path); err == nil && filepath.IsLocal(rel) {
			if rel = filepath.ToSlash(rel); base.prefix == "" && strings.HasPrefix(rel, "~/") {
				return "./" + rel // a folder of this name is not the home
			}
			return base.prefix + rel
		}
	}
	return filepath.ToSlash(filepath.Base(path))
}

// unique keeps the first of each rule that has one name without case: on some disks their files are one.
func sortedUnique(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}
