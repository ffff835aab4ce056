package export

import (
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/skill"
)

const asked = "---\ndescription: How to deploy\n---\n"

// TestSkills: a rule that is asked for by its description becomes a skill where an agent has no such rules; agents that read one folder
// share it.
func TestSkills(t *testing.T) {
	rules := map[string]string{".pertain/rules/x.md": always + "Be kind.", ".pertain/rules/Deploy It.md": asked + "Push the button."}
	w := newWorld(t, rules)
	got := w.export(Run{}, Source{}, "claude", "codex", "gemini", "copilot", "opencode")
	w.becomes(got, ".claude/skills/deploy-it/SKILL.md", Created, "")
	w.becomes(got, ".agents/skills/deploy-it/SKILL.md", Created, "")
	shared := got[".agents/skills/deploy-it/SKILL.md"]
	if strings.Join(shared.Shared, " ") != "codex gemini copilot opencode" || shared.Agent != "codex" {
		t.Errorf("it is shared by %q, for %s", shared.Shared, shared.Agent)
	}
	if want := []string{
		"description: Claude Code lists no rules by their descriptions; it becomes a skill, and those are listed",
		"name: the skill is called `deploy-it`",
	}; !slices.Equal(got[".claude/skills/deploy-it/SKILL.md"].Losses, want) {
		t.Errorf("%q", got[".claude/skills/deploy-it/SKILL.md"].Losses)
	}
	if want := []string{"twice: Copilot CLI and OpenCode read this skill as well as their own"}; !slices.Equal(got[".claude/skills/deploy-it/SKILL.md"].Notes, want) {
		t.Errorf("%q", got[".claude/skills/deploy-it/SKILL.md"].Notes)
	}
	for _, name := range []string{"AGENTS.md", "GEMINI.md"} {
		if strings.Contains(w.read(name), "button") || !strings.Contains(w.read(name), "kind") {
			t.Errorf("%s is %q", name, w.read(name))
		}
	}
	text := w.read(".agents/skills/deploy-it/SKILL.md")
	if !strings.HasSuffix(text, "\nname: \"deploy-it\"\ndescription: \"How to deploy\"\n---\n\nPush the button.\n") {
		t.Errorf("%s", text)
	}
	for name, file := range w.export(Run{}, Source{}, "claude", "codex", "gemini", "copilot", "opencode") {
		if file.Change != Unchanged {
			t.Errorf("%s is %s at the second time", name, file.Change)
		}
	}

	w.write(".agents/skills/deploy-it/SKILL.md", text+"mine\n")
	w.becomes(w.export(Run{}, Source{}, "codex"), ".agents/skills/deploy-it/SKILL.md", Refused, "edited since")
	w.write(".agents/skills/deploy-it/SKILL.md", "mine\n")
	w.becomes(w.export(Run{}, Source{}, "codex"), ".agents/skills/deploy-it/SKILL.md", Refused, "a person wrote it")
	w.write(".agents/skills/deploy-it/SKILL.md", text)
	w.write(".agents/skills/other/SKILL.md", "mine\n")

	w.write(".pertain/rules/Deploy It.md", always+"Push the button.")
	w.becomes(w.export(Run{}, Source{}, "codex"), ".agents/skills/deploy-it/SKILL.md", Skipped, "--prune removes it")
	got = w.export(Run{Prune: true}, Source{}, "codex")
	w.becomes(got, ".agents/skills/deploy-it/SKILL.md", Removed, "")
	if got[".agents/skills/other/SKILL.md"] != nil || w.read(".agents/skills/other/SKILL.md") != "mine\n" {
		t.Error("somebody's skill was looked at")
	}
}

// TestNoSkills: where one of the agents that share a file has no skills, the rule stands in the file, in words.
func TestNoSkills(t *testing.T) {
	w := newWorld(t, map[string]string{".pertain/rules/deploy.md": asked + "Push the button."})
	got := w.export(Run{}, Source{}, "codex", "zed", "claude", "cursor")
	if !strings.Contains(w.read("AGENTS.md"), "Heed this only where it is about what you do: How to deploy") || got[".agents/skills/deploy/SKILL.md"] != nil {
		t.Errorf("%s", w.read("AGENTS.md"))
	}
	w.becomes(got, ".claude/skills/deploy/SKILL.md", Created, "")
	w.becomes(got, ".cursor/rules/deploy.mdc", Created, "")
}

// TestUserSkills: the user's own skills, and the folder that a variable names.
func TestUserSkills(t *testing.T) {
	w := newWorld(t, map[string]string{"~/.omp/agent/rules/deploy.md": asked + "Push the button."})
	got := w.export(Run{}, Source{User: true}, "claude", "codex", "goose")
	w.becomes(got, "~/.claude/skills/deploy/SKILL.md", Created, "")
	w.becomes(got, "~/.agents/skills/deploy/SKILL.md", Created, "")
	w.becomes(got, "~/.config/agents/skills/deploy/SKILL.md", Created, "")
	w.folders.Lookup = func(name string) (string, bool) { return w.path("~/elsewhere"), name == "CLAUDE_CONFIG_DIR" }
	w.becomes(w.export(Run{}, Source{User: true}, "claude"), "~/elsewhere/skills/deploy/SKILL.md", Created, "")
}

// checkSkills holds that every rule with a description is found as a skill, the same but for what is told.
func checkSkills(t *testing.T, rules []Rule) {
	t.Helper()
	form, _ := FormOf("codex")
	form.skills = skillFolder{"/w", ".agents/skills"}
	_, listed := splitListed(rules)
	tree := files.NewMemory(files.Unix)
	made := skillFiles([]Form{form}, listed)
	for _, file := range made {
		tree.WriteFile("/w/"+file.rel, file.text)
	}
	registry, err := skill.Library{Tree: tree, Roots: []skill.Root{{Source: "agents", Dir: "/w/.agents/skills", Enabled: true}}}.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*skill.Skill{}
	for _, s := range registry.Skills() {
		found["/w/.agents/skills/"+s.Folder+"/SKILL.md"] = s
	}
	for i, file := range made {
		s, source := found["/w/"+file.rel], listed[i]
		if s == nil || !s.Valid || s.Name != s.Folder || !validSkill.MatchString(s.Name) || len(s.Name) > 64 {
			t.Errorf("%+v is the skill %+v", source, s)
			continue
		}
		if s.Name != source.Name && !slices.ContainsFunc(file.placed[0].lost, func(loss string) bool { return strings.HasPrefix(loss, "name: ") }) {
			t.Errorf("%q is called %q without a word", source.Name, s.Name)
		}
		if told := slices.ContainsFunc(file.placed[0].lost, func(loss string) bool { return strings.HasPrefix(loss, "text: ") }); !told && (s.Description != source.Description || strings.TrimSpace(s.Body) != source.Text) {
			t.Errorf("%+v came back as %q %q", source, s.Description, s.Body)
		}
	}
	if len(found) != len(made) {
		t.Errorf("%d skills of %d", len(found), len(made))
	}
}

// TestManySkillNames: names that are one as those of skills are all different, in their order, and finding them takes no longer than they are many.
func TestManySkillNames(t *testing.T) {
	const many = 4000
	for what, name := range map[string]func(i int) string{
		"cut":        func(i int) string { return strings.Repeat("a", 64) + strconv.Itoa(i) },
		"equal":      func(int) string { return "b" },
		"in pairs":   func(i int) string { return strings.Repeat("c", 60) + fmt.Sprintf("%04d", i/2) },
		"of hyphens": func(i int) string { return strings.Repeat("d-", 40) + strconv.Itoa(i) },
	} {
		var names skillNames
		found := map[string]bool{}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := range many {
			one := names.take(name(i))
			if found[one] || !validSkill.MatchString(one) || len(one) > 64 {
				t.Fatalf("%s: %q", what, one)
			}
			found[one] = true
		}
		runtime.ReadMemStats(&after)
		if made := after.Mallocs - before.Mallocs; made > 100*many {
			t.Errorf("%s: %d allocations for %d names", what, made, many)
		}
	}
	var names skillNames
	for _, want := range []string{"x", "x-2", "x-3"} {
		if got := names.take("X"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// validSkill is what https://agentskills.io/specification wants of a name.
var validSkill = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
