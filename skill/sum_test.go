package skill_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/skill"
)

// TestSkillsHaveALimitTogether: what is beyond it is listed, not read, and says
// why.
func TestSkillsHaveALimitTogether(t *testing.T) {
	tree := files.NewMemory(files.Unix)
	text := "---\nname: X\ndescription: d\n---\n" + strings.Repeat("z", 4<<20-100)
	for i := range 14 {
		tree.WriteFile(fmt.Sprintf("/w/.claude/skills/k%02d/SKILL.md", i), text)
	}
	tree.WriteFile("/home/u/.agents/skills/mine/SKILL.md", "---\nname: mine\ndescription: d\n---\nUse it.\n")
	library := skill.Library{Tree: tree, Roots: []skill.Root{{Source: "workspace-claude", Dir: "/w/.claude/skills"}, {Source: "agents", Dir: "/home/u/.agents/skills"}}}
	registry, err := library.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	read, held := 0, 0
	for _, s := range registry.Skills() {
		held += len(s.Source.Text())
		if s.Valid {
			read++
		} else if d := s.Diagnostics[0]; !strings.Contains(d.Message, "32 MiB") {
			t.Errorf("%s: %s", s.ID, d.Message)
		}
	}
	if len(registry.Skills()) != 15 || read != 10 || held > 40<<20 {
		t.Errorf("%d skills, %d read, %d bytes", len(registry.Skills()), read, held)
	}
}

// TestFieldsOfSkillsHaveALimitTogether: so has frontmatter, in all folders of a workspace that is not trusted.
func TestFieldsOfSkillsHaveALimitTogether(t *testing.T) {
	for what, text := range map[string]string{ // both count four times
		"a comment": "---\nname: X\ndescription: d\n#" + strings.Repeat("z", 256<<10) + "\n---\nUse it.\n",
		"aliases":   "---\nname: X\ndescription: &x " + strings.Repeat("x", 1023) + "\nmetadata: [" + strings.Repeat("*x, ", 256) + "]\n---\nUse it.\n",
	} {
		fieldsTogether(t, what, text)
	}
}

// fieldsTogether has files of this text in folders of a workspace and of the user.
func fieldsTogether(t *testing.T, what, text string) {
	t.Helper()
	tree := files.NewMemory(files.Unix)
	for _, dir := range []string{"/w/.claude/skills", "/w/.agents/skills", "/home/u/.agents/skills"} {
		for i := range 4 {
			tree.WriteFile(fmt.Sprintf("%s/k%02d/SKILL.md", dir, i), text)
		}
	}
	for _, trusted := range []bool{false, true} {
		library := skill.Library{Tree: tree, Roots: []skill.Root{
			{Source: "a", Dir: "/w/.claude/skills", Workspace: "/w", Trusted: trusted},
			{Source: "b", Dir: "/w/.agents/skills", Workspace: "/w", Trusted: trusted},
			{Source: "c", Dir: "/home/u/.agents/skills"},
		}}
		registry, err := library.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		read := map[string]int{}
		for _, s := range registry.Skills() {
			if s.Valid {
				read[s.Root.Source]++
			} else if d := s.Diagnostics[0]; !strings.Contains(d.Message, "6 MiB of frontmatter") {
				t.Errorf("%s: %s: %s", what, s.ID, d.Message)
			}
		}
		if want := map[bool]int{false: 2, true: 4}[trusted]; read["a"] != 4 || read["b"] != want || read["c"] != 4 {
			t.Errorf("%s, trusted: %v: read %v", what, trusted, read)
		}
	}
}
