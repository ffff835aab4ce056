package pertain_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/skill"
)

// TestSkills finds the skills of the usual folders as `pertain skills` does, and
// keeps what is enabled where that keeps it.
func TestSkills(t *testing.T) {
	text := func(name string) string {
		return "---\nname: " + name + "\ndescription: About " + name + "\n---\nDo it.\n"
	}
	f := newFolder(t, map[string]string{
		"home/.config/pertain/skills/mine/SKILL.md": text("mine"),
		"home/.claude/skills/pdf/SKILL.md":          text("pdf"),
		"work/.git/HEAD":                            "",
		"work/.pertain/skills/own/SKILL.md":         text("own"),
		"work/skills.json":                          `{"version": 1, "skills": {"claude.pdf": true}}`,
	})
	t.Chdir(f.path("work"))
	at := func(home string) skill.Library {
		return pertain.Skills(pertain.Environment{Dir: f.path("work"), Env: func(name string) string {
			return map[string]string{"HOME": home}[name]
		}})
	}
	list := func(l skill.Library) string {
		r, err := l.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, s := range r.Skills() {
			if s.Enabled {
				out = append(out, s.ID+"+")
			} else {
				out = append(out, s.ID)
			}
		}
		return strings.Join(out, " ")
	}
	if got := list(at(f.path("home"))); got != "pertain.mine+ claude.pdf workspace.own" {
		t.Errorf("%s", got)
	}
	if _, err := at(f.path("home")).Enable(t.Context(), "pdf", true); err != nil {
		t.Error(err)
	}
	if got := list(at(f.path("home"))); got != "pertain.mine+ claude.pdf+ workspace.own" {
		t.Errorf("%s", got)
	}
	if got := list(at("")); got != "workspace.own" {
		t.Errorf("without a home: %s", got)
	}
	if _, err := at("").Enable(t.Context(), "own", true); err == nil {
		t.Error("without a home there is nowhere to keep that")
	}
	pertain.Skills(pertain.Environment{}) // must not panic
}
