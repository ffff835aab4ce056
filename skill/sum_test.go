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
