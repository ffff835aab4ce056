package skill_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// traps are what SKILL.md files in the wild have. MARK is unique in
// each file. Where described is false the description cannot be told from the
// text; the text itself is there in any case.
var traps = []struct {
	name, text string
	described  bool
}{
	{"plain", "---\nname: NAME\ndescription: About MARK\n---\n\nBody MARK\n", true},
	{"star", "---\nname: NAME\ndescription: *.MARK files\n---\nBody MARK\n", true},
	{"star list", "---\nname: NAME\nglobs: *.ts\ndescription: About MARK\n---\nBody MARK\n", true},
	{"colon", "---\nname: NAME\ndescription: Use when: the MARK is there\n---\nBody MARK\n", true},
	{"text after quote", "---\nname: NAME\ndescription: \"Use\" for MARK\n---\nBody MARK\n", true},
	{"mangled escape", "---\nname: NAME\ndescription: \"C:\\Users\\MARK\"\n---\nBody MARK\n", true},
	{"backtick", "---\nname: NAME\ndescription: `MARK` calls\n---\nBody MARK\n", true},
	{"at sign", "---\nname: NAME\ndescription: @MARK calls\n---\nBody MARK\n", true},
	{"percent", "---\nname: NAME\ndescription: %MARK\n---\nBody MARK\n", true},
	{"closer with title", "---\nname: NAME\ndescription: About MARK\n---# Title\nBody MARK\n", true},
	{"closer of dots", "---\nname: NAME\ndescription: About MARK\n...\nBody MARK\n", true},
	{"twice", "---\nname: NAME\n---\n---\ndescription: About MARK\n---\nBody MARK\n", true},
	{"twice with blanks", "---\nname: NAME\ndescription:\n---\n\n---\nname: other\ndescription: About MARK\n---\nBody MARK\n", true},
	{"never closed", "---\nname: NAME\ndescription: About MARK\n\nBody MARK\n", true},
	{"never closed, no blank line", "---\nname: NAME\ndescription: About MARK\n# Title\nBody MARK\n", true},
	{"CRLF", "---\r\nname: NAME\r\ndescription: About MARK\r\n---\r\n\r\nBody MARK\r\n", true},
	{"BOM", "\ufeff---\nname: NAME\ndescription: About MARK\n---\nBody MARK\n", true},
	{"duplicate keys", "---\nname: NAME\ndescription: first\ndescription: About MARK\n---\nBody MARK\n", true},
	{"blank line before", "\n\n---\nname: NAME\ndescription: About MARK\n---\nBody MARK\n", true},
	{"folded", "---\nname: NAME\ndescription: >\n  About\n  MARK\n---\nBody MARK\n", true},
	{"literal", "---\nname: NAME\ndescription: |-\n  About\n  MARK: it\n---\nBody MARK\n", true},
	{"unknown keys", "---\nname: NAME\ndescription: About MARK\nlicense: MIT\nmetadata: {a: [1, 2]}\nallowed-tools: Bash(git:*)\n---\nBody MARK\n", true},
	{"no frontmatter", "# Title\n\nBody MARK\n", false},
	{"empty frontmatter", "---\n---\nBody MARK\n", false},
	{"tabs", "---\nname:\tNAME\ndescription:\tAbout MARK\n---\nBody MARK\n", true},
	{"rule in body", "---\nname: NAME\ndescription: About MARK\n---\nBody\n\n---\n\nmore MARK\n", true},
	{"example in body", "---\nname: NAME\ndescription: About MARK\n---\nBody\n```yaml\n---\nname: x\n---\n```\nMARK\n", true},
	{"large", "---\nname: NAME\ndescription: About MARK\n---\n" + strings.Repeat("0123456789abcdef\n", 18_000) + "MARK\n", true},
	{"invalid UTF-8", "---\nname: NAME\ndescription: About MARK\n---\nBody \xe9 MARK\n", true},
	{"quotes inside", "---\nname: 'NAME'\ndescription: 'It''s about MARK'\n---\nBody MARK\n", true},
	{"comment", "---\n# a comment\nname: NAME # the name\ndescription: About MARK # not this\n---\nBody MARK\n", true},
}

// TestThreeHundredSkillsLoadWithoutLoss makes ten skills of each trap, in
// folders that are traps of their own.
func TestThreeHundredSkillsLoadWithoutLoss(t *testing.T) {
	tree, l := memory(files.Unix, nil)
	type made struct {
		trap   int
		mark   string
		folder string
	}
	all := map[string]made{}
	for i := range 300 {
		m := made{trap: i % len(traps), mark: fmt.Sprintf("M%03dX", i)}
		m.folder = []string{"skill-%d", "Skill_%d", "a skill %d", "skill.%d", ".hidden-%d", "über-%d", "100%%-%d", "--%d", "技能%d", "SKILL.md-%d"}[i/len(traps)%10]
		m.folder = fmt.Sprintf(m.folder, i)
		text := strings.NewReplacer("NAME", "same name", "MARK", m.mark).Replace(traps[m.trap].text)
		root := l.Roots[i%2].Dir
		if i%7 == 0 { // kept elsewhere, and linked
			tree.WriteFile("/elsewhere/"+m.folder+"/SKILL.md", text)
			tree.MakeLink("/elsewhere/"+m.folder, root+"/"+m.folder)
		} else {
			tree.WriteFile(root+"/"+m.folder+"/SKILL.md", text)
		}
		all[strings.ToLower([]string{"pertain.", "claude."}[i%2]+m.folder)] = m
	}
	registry := load(t, l)
	if got := len(registry.Skills()); got != 300 {
		t.Fatalf("%d of 300 skills are there", got)
	}
	for _, s := range registry.Skills() {
		m, ok := all[s.ID]
		if !ok {
			t.Errorf("where does %s come from?", s.ID)
			continue
		}
		delete(all, s.ID)
		trap := traps[m.trap]
		if !strings.Contains(s.Body, m.mark) {
			t.Errorf("%s (%s): the text is lost", s.ID, trap.name)
		}
		if got := strings.Contains(s.Description, m.mark); got != trap.described || s.Valid != trap.described {
			t.Errorf("%s (%s): description %q, valid %v", s.ID, trap.name, s.Description, s.Valid)
		}
		for _, d := range s.Diagnostics {
			if d.Source == nil || d.Message == "" {
				t.Errorf("%s: %+v", s.ID, d)
			}
		}
	}
	if index := registry.Index(); strings.Count(index, "<skill ") != strings.Count(index, "</skill>") || strings.Count(index, "<skill ") == 0 || strings.Contains(index, "Body") {
		t.Errorf("the index is wrong: %.300s", index)
	}
}
