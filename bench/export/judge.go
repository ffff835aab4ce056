package export

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/bench/measure"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// read reads the rules of one tool as its documents say.
func read(ctx context.Context, dir, provider string) (map[string]*rule.Rule, error) {
	providers := discover.Rules(files.OS(), discover.RuleRoots{Dir: dir})
	providers = slices.DeleteFunc(providers, func(p rule.Provider) bool { return p.ID() != provider })
	set, err := rule.Load(ctx, providers, rule.Options{Root: filepath.ToSlash(dir)})
	if err != nil {
		return nil, err
	}
	out := map[string]*rule.Rule{}
	for _, r := range set.Rules() {
		out[r.Name] = r
	}
	return out, nil
}

// judge reads what was written for an agent, alone in a folder, and counts the rules whose text, scope and activation are those of
// the source.
func judge(dir, from string, t target, want map[string]*rule.Rule, paths []string) (*measure.Survival, error) {
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
		return nil, err
	}
	for _, folder := range t.folders {
		if _, err := os.Stat(filepath.Join(from, folder)); err != nil {
			continue
		}
		if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(filepath.Join(from, folder))); err != nil {
			return nil, err
		}
	}
	got, err := read(context.Background(), dir, t.provider)
	if err != nil {
		return nil, err
	}
	s := &measure.Survival{Rules: len(want)}
	for name, source := range want {
		r := got[name]
		if r == nil {
			continue
		}
		text := strings.TrimSpace(r.Text()) == strings.TrimSpace(source.Text())
		scope := slices.Equal(matched(r, paths), matched(source, paths))
		activation := kind(r) == kind(source)
		for _, c := range []struct {
			holds bool
			count *int
		}{{text, &s.Text}, {scope, &s.Scope}, {activation, &s.Activation}, {text && scope && activation, &s.All}} {
			if c.holds {
				*c.count++
			}
		}
	}
	return s, nil
}

// kind is what brings a rule to a model.
func kind(r *rule.Rule) string {
	switch {
	case r.Bucket == rule.Always:
		return "always"
	case r.Activation == rule.Manual, r.Activation == rule.Never:
		return "manual"
	case r.Activation == rule.ByFields && len(r.Globs) > 0:
		return "globs"
	case r.Description != nil:
		return "description"
	}
	return "manual"
}

// matched are the paths that the rule's globs match.
func matched(r *rule.Rule, paths []string) []string {
	if kind(r) != "globs" {
		return nil
	}
	set := rule.NewSet([]*rule.Rule{r}, nil, rule.Options{})
	list := make([]rule.File, len(paths))
	for i, path := range paths {
		list[i].Path = strings.TrimSuffix(r.Base, "/") + "/" + path
	}
	var out []string
	for i, verdicts := range set.For(list, false) {
		if slices.ContainsFunc(verdicts, func(v rule.Verdict) bool { return v.Why == rule.ByGlob }) {
			out = append(out, paths[i])
		}
	}
	return out
}

var braces = regexp.MustCompile(`\{([^{},]*)[^{}]*\}`)

// samples are paths that the globs of rules match at the root and farther down, and some that few do.
func samples(rules map[string]*rule.Rule) []string {
	out := []string{"readme.zz", "a/b/readme.zz", "main.zz"}
	for _, r := range rules {
		for _, g := range r.Globs {
			g = braces.ReplaceAllString(g, "$1")
			for _, any := range []string{"", "x/", "x/y/"} {
				path := strings.ReplaceAll(strings.ReplaceAll(g, "**/", any), "**", "x/n.zz")
				path = strings.NewReplacer("*", "n", "?", "n", "[", "", "]", "").Replace(path)
				out = append(out, path, "deep/"+path)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
