package export

import (
	"context"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// readBack reads planned files as their agent reads them, and tells what comes back otherwise and was not told yet.
func (f *Form) readBack(ctx context.Context, list []*File, user bool) error {
	const root, home = "/w", "/h"
	tree := files.NewMemory(files.Unix)
	tree.MakeFolder(root + "/.git")
	base := root
	if user {
		base = home
	}
	path := func(file *File) string { return base + "/" + f.usual + strings.TrimPrefix(file.rel, f.Path) }
	for _, file := range list {
		if file.text != "" {
			tree.WriteFile(path(file), file.text)
		}
	}
	providers := []rule.Provider{discover.AgentRules(tree, discover.RuleRoots{Dir: root, Home: home, ConfigHome: home + "/.config"}, f.agent)}
	set, err := rule.Load(ctx, providers, rule.Options{Root: root, Agent: f.Agent, Beside: true})
	if err != nil {
		return err
	}
	byPath := make(map[string]*rule.Rule, len(list))
	for _, r := range set.All() {
		byPath[r.Path] = r
	}
	for _, file := range list {
		if file.text != "" {
			f.compare(file.placed[0], byPath[path(file)], root)
		}
	}
	return nil
}

// compare tells how a rule that was read differs from the one that was written.
func (f *Form) compare(p *placed, r *rule.Rule, root string) {
	told := func(kinds ...string) bool {
		return slices.ContainsFunc(p.lost, func(loss string) bool {
			kind, _, _ := strings.Cut(loss, ": ")
			return slices.Contains(kinds, kind)
		})
	}
	if r == nil {
		if p.as != Manual && !told(p.as.word()) {
			p.lose(p.as.word(), "%s does not load the file", f.Title())
		}
		return
	}
	if r.Name != p.Name && !told("name") {
		p.lose("name", "%s reads it as %s", f.Title(), code(r.Name))
	}
	if when := whenOf(p.as); r.When != when && !told(p.as.word(), p.Activation.word()) {
		p.lose(p.as.word(), "%s loads it otherwise: %s", f.Title(), r.When)
	}
	description := ""
	if r.Description != nil {
		description = *r.Description
	}
	if description != p.Rule.Description && !told("description") {
		p.lose("description", "%s does not read it", f.Title())
	}
	if normal(r.Text()) != normal(p.Text) && !(len(p.head) > 0 && strings.HasSuffix(normal(r.Text()), normal(p.Text))) && !told("text") {
		p.lose("text", "%s reads it otherwise%s", f.Title(), f.whyText(p.Text))
	}
	if p.as == ByGlobs && !f.dialect.gitignore && !told("globs") {
		var want []string
		want = append(want, p.Globs...)
		for _, g := range p.Except {
			want = append(want, "!"+g)
		}
		if got, _ := projectGlobs(r, root); !slices.Equal(sameGlobs(want), sameGlobs(got)) {
			p.lose("globs", "%s reads them as %s", f.Title(), codes(got))
		}
	}
}

// whyText says what the agent does to a text, where that is known.
func (f *Form) whyText(text string) string {
	if f.agent.Imports.DropsComments && strings.Contains(text, "<!--") {
		return ", without the HTML comments on lines of their own"
	}
	return ""
}

func whenOf(a Activation) rule.When {
	return [...]rule.When{rule.AtStart, rule.OnTouch, rule.IsListed, rule.NotAtAll, rule.OnTrigger}[a]
}

func normal(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
