package export

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/mark"
	"github.com/pertain-dev/pertain/rule"
)

// world is a project and a home on the disk.
type world struct {
	t       *testing.T
	folders Folders
}

func newWorld(t *testing.T, texts map[string]string) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", filepath.Join(dir, "home"))
	w := &world{t, Folders{Root: filepath.Join(dir, "work"), Home: filepath.Join(dir, "home"), Config: filepath.Join(dir, "home", ".config"), State: filepath.Join(dir, "home", ".local")}}
	for _, folder := range []string{filepath.Join(w.folders.Root, ".git"), w.folders.Home} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range texts {
		w.write(name, text)
	}
	return w
}

func (w *world) path(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		return filepath.Join(w.folders.Home, filepath.FromSlash(rest))
	}
	return filepath.Join(w.folders.Root, filepath.FromSlash(name))
}

func (w *world) write(name, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path(name), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) read(name string) string {
	w.t.Helper()
	data, err := os.ReadFile(w.path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

func (w *world) link(target, name string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Symlink(target, w.path(name)); err != nil {
		w.t.Skipf("no links here: %v", err)
	}
}

// export runs the whole and returns what became of each file, by its name in the project.
func (w *world) export(run Run, source Source, agents ...string) map[string]*File {
	w.t.Helper()
	forms, err := CheckTargets(agents, source.User)
	if err != nil {
		w.t.Fatal(err)
	}
	source.Dir = w.folders.Root
	run.Source = source
	rules, _, err := Load(w.t.Context(), w.folders, source)
	if err != nil {
		w.t.Fatal(err)
	}
	plan, err := NewPlan(w.t.Context(), w.folders, rules, forms, source.User)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := plan.Do(w.t.Context(), run); err != nil {
		w.t.Fatal(err)
	}
	out := map[string]*File{}
	for _, f := range plan.Files {
		if name := plan.name(f.Path); out[name] == nil || f.Change != Skipped { // a rule that is not written names the file that it would be in
			out[name] = f
		}
	}
	return out
}

func (w *world) becomes(list map[string]*File, name string, change Change, why string) {
	w.t.Helper()
	f := list[name]
	if f == nil {
		w.t.Errorf("%s is not in the plan", name)
		return
	}
	if f.Change != change || !strings.Contains(f.Why, why) {
		w.t.Errorf("%s is %s: %s, want %s: %s", name, f.Change, f.Why, change, why)
	}
}

const always = "---\nalwaysApply: true\n---\n"

func TestHostileTargets(t *testing.T) {
	rules := map[string]string{".pertain/rules/x.md": always + "Be kind.\n", ".pertain/rules/y.md": always + "Be brave.\n"}
	t.Run("a link that leads out", func(t *testing.T) {
		w := newWorld(t, rules)
		w.write("~/mine/x.md", "mine")
		w.link(w.path("~/mine"), ".claude/rules")
		w.becomes(w.export(Run{}, Source{}, "claude"), ".claude/rules/x.md", Refused, "link")
		if w.read("~/mine/x.md") != "mine" {
			t.Error("it was written through the link")
		}
	})
	t.Run("a file that is a link out", func(t *testing.T) {
		w := newWorld(t, rules)
		w.write("~/secret.md", "mine")
		w.link(w.path("~/secret.md"), ".claude/rules/x.md")
		got := w.export(Run{}, Source{}, "claude")
		w.becomes(got, ".claude/rules/x.md", Refused, "link")
		w.becomes(got, ".claude/rules/y.md", Created, "")
		if w.read("~/secret.md") != "mine" {
			t.Error("it was written through the link")
		}
	})
	t.Run("a link that leads nowhere", func(t *testing.T) {
		w := newWorld(t, rules)
		w.link("gone.md", ".claude/rules/x.md")
		w.becomes(w.export(Run{}, Source{}, "claude"), ".claude/rules/x.md", Refused, "")
	})
	t.Run("a link into .git", func(t *testing.T) {
		w := newWorld(t, rules)
		w.link("../.git", ".claude/rules")
		w.becomes(w.export(Run{}, Source{}, "claude"), ".claude/rules/x.md", Refused, ".git")
	})
	t.Run("two folders that are one", func(t *testing.T) {
		w := newWorld(t, rules)
		w.write(".claude/rules/keep.md", "mine")
		w.link("../.claude/rules", ".windsurf/rules")
		got := w.export(Run{}, Source{}, "claude", "windsurf")
		w.becomes(got, ".claude/rules/x.md", Created, "")
		w.becomes(got, ".windsurf/rules/x.md", Refused, "same file")
	})
	t.Run("the folder is a file", func(t *testing.T) {
		w := newWorld(t, rules)
		w.write(".clinerules", "mine")
		w.write(".claude", "mine")
		got := w.export(Run{}, Source{}, "cline", "claude")
		w.becomes(got, ".clinerules/x.md", Refused, "")
		w.becomes(got, ".claude/rules/x.md", Refused, "")
		if w.read(".clinerules") != "mine" || w.read(".claude") != "mine" {
			t.Error("a file was lost")
		}
	})
	t.Run("the file is a folder", func(t *testing.T) {
		w := newWorld(t, rules)
		w.write(".claude/rules/x.md/y.md", "mine")
		w.write("AGENTS.md/mine.md", "mine")
		got := w.export(Run{}, Source{}, "claude", "codex")
		w.becomes(got, ".claude/rules/x.md", Refused, "")
		w.becomes(got, "AGENTS.md", Refused, "")
	})
	t.Run("a folder that nobody may write", func(t *testing.T) {
		if os.Geteuid() == 0 || runtime.GOOS == "windows" {
			t.Skip("permissions mean nothing here")
		}
		w := newWorld(t, rules)
		w.write(".claude/rules/keep.md", "mine")
		if err := os.Chmod(w.path(".claude/rules"), 0o555); err != nil {
			t.Fatal(err)
		}
		w.becomes(w.export(Run{}, Source{}, "claude"), ".claude/rules/x.md", Refused, "permission")
		_ = os.Chmod(w.path(".claude/rules"), 0o755)
	})
	t.Run("a hand-written file of another case", func(t *testing.T) {
		w := newWorld(t, rules)
		w.write(".claude/rules/X.md", "mine")
		w.export(Run{}, Source{}, "claude")
		if w.read(".claude/rules/X.md") != "mine" {
			t.Error("it was overwritten")
		}
	})
}

func TestNames(t *testing.T) {
	w := newWorld(t, map[string]string{
		".pertain/rules/a.md": always + "lower", ".pertain/rules/sub/b.md": always + "deep", ".pertain/rules/sub-b.md": always + "flat",
		".pertain/rules/" + strings.Repeat("n", 200) + ".md": always + "long",
	})
	if runtime.GOOS == "linux" {
		w.write(".pertain/rules/A.md", always+"upper")
		w.write(".pertain/rules/x -->\n<!-- #}.md", always+"odd")
	}
	got := w.export(Run{}, Source{}, "kiro", "codex")
	texts := map[string]bool{}
	for name, f := range got {
		if f.Change != Created || strings.ContainsAny(name, "\n<>") || len(filepath.Base(name)) > 140 {
			t.Errorf("%q is %s: %s", name, f.Change, f.Why)
		}
		if f.Agent == "kiro" {
			_, text, _ := strings.Cut(w.read(name), "---\n\n")
			texts[strings.TrimSpace(text)] = true
		}
	}
	for _, text := range []string{"lower", "deep", "flat", "long"} {
		if !texts[text] {
			t.Errorf("%q is in no file", text)
		}
	}
	if runtime.GOOS == "linux" && (!texts["upper"] || !texts["odd"]) {
		t.Errorf("there are %v", texts)
	}
	if m, ok := mark.Find(w.read("AGENTS.md")); !ok || !m.Intact || len(m.Sources) != len(texts) {
		t.Errorf("AGENTS.md says %+v", m)
	}
	for name, f := range w.export(Run{}, Source{}, "kiro", "codex") {
		if f.Change != Unchanged {
			t.Errorf("%q is %s the second time", name, f.Change)
		}
	}
}

func TestTextWithMarks(t *testing.T) {
	evil := "<!-- /pertain export -->\n" + mark.HTML([]string{"a"}) + "\n" + mark.Begin
	w := newWorld(t, map[string]string{".pertain/rules/x.md": always + evil, "AGENTS.md": "mine\n" + mark.Begin + "\n" + mark.End + "\nmine too\n"})
	got := w.export(Run{}, Source{}, "codex", "claude")
	w.becomes(got, "AGENTS.md", Refused, "mark")
	if w.read("AGENTS.md") != "mine\n"+mark.Begin+"\n"+mark.End+"\nmine too\n" {
		t.Error("it was changed")
	}
	w.write(".pertain/rules/x.md", always+"fine")
	w.becomes(w.export(Run{}, Source{}, "codex", "claude"), "AGENTS.md", Changed, "")
	if text := w.read("AGENTS.md"); !strings.HasPrefix(text, "mine\n") || !strings.HasSuffix(text, "\nmine too\n") {
		t.Errorf("it is %q", text)
	}
}

func TestLineEnds(t *testing.T) {
	w := newWorld(t, map[string]string{".pertain/rules/x.md": strings.ReplaceAll(always+"one\ntwo\n", "\n", "\r\n"), "AGENTS.md": "mine\r\n" + mark.Begin + "\r\n" + mark.End + "\r\n"})
	w.export(Run{}, Source{}, "claude", "codex")
	for _, name := range []string{".claude/rules/x.md"} {
		w.write(name, strings.ReplaceAll(w.read(name), "\n", "\r\n")) // as version control may do
	}
	if text := w.read("AGENTS.md"); strings.Count(text, "\r\n") != strings.Count(text, "\n") {
		t.Errorf("AGENTS.md has line ends of both kinds: %q", text)
	}
	for name, f := range w.export(Run{}, Source{}, "claude", "codex") {
		if f.Change != Unchanged {
			t.Errorf("%s is %s: %s", name, f.Change, f.Why)
		}
	}
	w.write(".pertain/rules/x.md", always+"three\n")
	w.becomes(w.export(Run{}, Source{}, "claude"), ".claude/rules/x.md", Changed, "")
	if text := w.read(".claude/rules/x.md"); strings.Count(text, "\r\n") != strings.Count(text, "\n") || !strings.Contains(text, "three") {
		t.Errorf("it is %q", text)
	}
}

// TestMeanwhile: what somebody writes between looking and writing is not lost.
func TestMeanwhile(t *testing.T) {
	w := newWorld(t, map[string]string{".pertain/rules/x.md": always + "one", ".pertain/rules/y.md": always + "one y"})
	w.export(Run{}, Source{}, "claude")
	w.write(".pertain/rules/x.md", always+"two")
	w.write(".pertain/rules/z.md", always+"new")
	forms, _ := CheckTargets([]string{"claude"}, false)
	rules, _, err := Load(t.Context(), w.folders, Source{Dir: w.folders.Root})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := NewPlan(t.Context(), w.folders, rules, forms, false)
	if err != nil {
		t.Fatal(err)
	}
	var writes []write
	for _, f := range plan.Files {
		one, err := plan.compare(f)
		if err != nil {
			t.Fatal(err)
		}
		writes = append(writes, one)
	}
	w.write(".claude/rules/x.md", "mine")
	w.write(".claude/rules/z.md", "mine")
	for _, one := range writes {
		if name := filepath.Base(one.file.Path); name != "y.md" && one.do() == nil {
			t.Errorf("%s was written over", name)
		}
	}
	if w.read(".claude/rules/x.md") != "mine" || w.read(".claude/rules/z.md") != "mine" {
		t.Error("a line was lost")
	}
}

func TestManifestOfAStranger(t *testing.T) {
	w := newWorld(t, map[string]string{
		".pertain/rules/x.md":    always + "one",
		".pertain/exported.json": `{"version": 1, "files": {"../../mine.md": "x", ".claude/rules/mine.md": "x", "/etc/passwd": "x", "src/main.go": "x", "~/.claude/rules/own.md": "x"}}`,
		".claude/rules/mine.md":  "mine", "src/main.go": "package main",
		"~/.claude/rules/own.md": mark.Seal(mark.HTML([]string{"gone.md"}) + "\n\ntext\n"),
		"../mine.md":             mark.Seal(mark.HTML([]string{"gone.md"}) + "\n\ntext\n"),
	})
	for name, f := range w.export(Run{Prune: true}, Source{}, "claude", "codex") {
		if f.Change == Removed {
			t.Errorf("%s was removed", name)
		}
	}
	for _, name := range []string{".claude/rules/mine.md", "src/main.go", "~/.claude/rules/own.md", "../mine.md"} {
		w.read(name)
	}
}

// TestForeignManifest: a file of another kind in the manifest's place is not written over, and nothing else is written.
func TestForeignManifest(t *testing.T) {
	for _, text := range []string{"my notes", "", "{}", `{"mine": 1}`, `{"version": 1, "files": {}, "mine": 1}`, `{"version": 1}`, `{"version": 2, "files": {}}`, `{"version": 1, "files": {}} mine`, `{"version": 1, "files": []}`} {
		w := newWorld(t, map[string]string{".pertain/rules/x.md": always + "one", ".pertain/exported.json": text})
		rules, _, err := Load(t.Context(), w.folders, Source{Dir: w.folders.Root})
		if err != nil {
			t.Fatal(err)
		}
		forms, _ := CheckTargets([]string{"claude"}, false)
		for _, run := range []Run{{DryRun: true}, {}, {Prune: true}} {
			plan, err := NewPlan(t.Context(), w.folders, rules, forms, false)
			if err != nil {
				t.Fatal(err)
			}
			var foreign *ManifestError
			if err := plan.Do(t.Context(), run); !errors.As(err, &foreign) || foreign.Path != ".pertain/exported.json" {
				t.Errorf("%q: %+v: %v", text, run, err)
			}
		}
		if w.read(".pertain/exported.json") != text {
			t.Errorf("%q was written over", text)
		}
		if _, err := os.Stat(w.path(".claude")); err == nil {
			t.Errorf("%q: rules were written", text)
		}
	}
}

func TestUser(t *testing.T) {
	w := newWorld(t, map[string]string{
		".pertain/rules/x.md": always + "of the project", "~/.omp/agent/rules/mine.md": always + "of the user",
		".pertain/export.yaml": "export: {to: [cursor]}",
	})
	got := w.export(Run{}, Source{User: true}, "claude", "codex", "windsurf", "gemini", "opencode")
	w.becomes(got, "~/.claude/rules/mine.md", Created, "")
	for _, name := range []string{"~/.codex/AGENTS.md", "~/.codeium/windsurf/memories/global_rules.md", "~/.gemini/GEMINI.md", "~/.config/opencode/AGENTS.md"} {
		if text := w.read(name); !strings.Contains(text, "of the user") || strings.Contains(text, "of the project") {
			t.Errorf("%s is %q", name, text)
		}
	}
	if len(got["~/.claude/rules/mine.md"].Losses) > 0 {
		t.Errorf("it loses %q", got["~/.claude/rules/mine.md"].Losses)
	}
	if _, err := os.Stat(w.path(".claude")); err == nil {
		t.Error("the user's rules are in the project")
	}
	w.becomes(w.export(Run{}, Source{}, "claude"), ".claude/rules/x.md", Created, "")
	if got := w.export(Run{}, Source{User: true}, "claude"); len(got) != 1 || got["~/.claude/rules/mine.md"].Change != Unchanged {
		t.Errorf("%v", got)
	}
	dir := filepath.Join(w.folders.Home, "elsewhere")
	w.folders.Lookup = func(name string) (string, bool) { return dir, name == "CLAUDE_CONFIG_DIR" }
	w.becomes(w.export(Run{}, Source{User: true}, "claude"), "~/elsewhere/rules/mine.md", Created, "")
}

func TestSettingsOfAStranger(t *testing.T) {
	w := newWorld(t, map[string]string{".pertain/export.yaml": "export:\n  to: [claude, cursor]\n  from: cursor\n", "~/secret/x.md": "secret"})
	s, err := ReadSettings(w.folders.Root)
	if err != nil || !slices.Equal(s.To, []string{"claude", "cursor"}) || !slices.Equal(s.From, []string{"cursor"}) {
		t.Errorf("%+v %v", s, err)
	}
	for _, text := range []string{"to: claude,cursor\n", "export.to: [claude, cursor]\n"} {
		w.write(".pertain/export.yaml", text)
		if s, err := ReadSettings(w.folders.Root); err != nil || !slices.Equal(s.To, []string{"claude", "cursor"}) {
			t.Errorf("%q: %+v %v", text, s, err)
		}
	}
	for _, text := range []string{"- a\n", "export: {run: x}\n", "to: {a: b}\n", "to: [1]\n", "{", "a: &a [*a]\n"} {
		w.write(".pertain/export.yaml", text)
		if s, err := ReadSettings(w.folders.Root); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q is read as %+v, %v", text, s, err)
		}
	}
	w.link(w.path("~/secret"), "linked")
	for _, from := range []string{"../home/secret", w.path("~/secret"), "linked", "linked/x.md", "", ".."} {
		if rules, _, err := Load(t.Context(), w.folders, Source{From: []string{from}, Dir: w.folders.Root, Confine: true}); err == nil {
			t.Errorf("%q gives %d rules", from, len(rules))
		}
	}
}

func TestSources(t *testing.T) {
	w := newWorld(t, map[string]string{
		".cursor/rules/c.mdc":                    "---\nglobs: src/**\n---\nof cursor",
		".github/instructions/g.instructions.md": "---\napplyTo: \"*.ts\"\n---\nof copilot",
		"AGENTS.md":                              "of all",
		"packages/pay/AGENTS.md":                 "of pay",
		"some/rule.md":                           always + "of nobody",
		"some/deep/other.md":                     always + "deep",
		"some/STRATEGY.md":                       "no rule",
		"empty/deep/x.txt":                       "no rule",
		".pertain/rules/off.md":                  "---\nenabled: false\n---\noff",
	})
	for from, want := range map[string]string{"cursor": ".claude/rules/c.md", "github": ".claude/rules/g.md", "copilot": ".claude/rules/g.md", "some/rule.md": ".claude/rules/rule.md", "some": ".claude/rules/deep/other.md"} {
		got := w.export(Run{DryRun: true}, Source{From: []string{from}}, "claude")
		w.becomes(got, want, Created, "")
	}
	if got := w.export(Run{DryRun: true}, Source{From: []string{"some"}}, "claude"); len(got) != 2 {
		t.Errorf("a folder becomes %d files", len(got))
	}
	for _, from := range []string{"empty", "empty/deep", "some/STRATEGY.md"} {
		var none *NoRulesError
		if _, _, err := Load(t.Context(), w.folders, Source{From: []string{from}, Dir: w.folders.Root}); !errors.As(err, &none) {
			t.Errorf("%s: %v", from, err)
		}
		if _, _, err := Import(t.Context(), w.folders, Source{From: []string{from}, Dir: w.folders.Root}, w.path(".pertain/rules"), true); !errors.As(err, &none) {
			t.Errorf("import %s: %v", from, err)
		}
	}
	if text := w.export(Run{DryRun: true}, Source{From: []string{"github"}}, "claude")[".claude/rules/g.md"].text; !strings.Contains(text, `"**/*.ts"`) {
		t.Errorf("the scope is lost: %s", text)
	}
	if text := w.export(Run{DryRun: true}, Source{From: []string{"agents-md"}}, "cursor")[".cursor/rules/packages/pay/AGENTS.mdc"].text; !strings.Contains(text, `packages/pay/**`) {
		t.Errorf("the folder is lost: %s", text)
	}
	if got := w.export(Run{DryRun: true}, Source{}, "claude"); len(got) != 0 {
		t.Errorf("what is switched off is exported: %v", got)
	}
}

func TestPruneLeavesOthers(t *testing.T) {
	w := newWorld(t, map[string]string{".pertain/rules/x.md": always + "one", ".claude/rules/mine.md": "mine", "GEMINI.md": "mine"})
	w.export(Run{}, Source{}, "claude", "cursor")
	before := w.read(".cursor/rules/x.mdc")
	if err := os.Remove(w.path(".pertain/rules/x.md")); err != nil {
		t.Fatal(err)
	}
	got := w.export(Run{Prune: true}, Source{}, "claude", "gemini")
	w.becomes(got, ".claude/rules/x.md", Removed, "")
	if _, err := os.Stat(w.path(".claude/rules/x.md")); err == nil {
		t.Error("it is there")
	}
	if !bytes.Equal([]byte(before), []byte(w.read(".cursor/rules/x.mdc"))) || w.read(".claude/rules/mine.md") != "mine" || w.read("GEMINI.md") != "mine" {
		t.Error("others were touched")
	}
}

// TestPruneEdited: a file that would be removed and was edited since is refused, never passed over.
func TestPruneEdited(t *testing.T) {
	w := newWorld(t, map[string]string{".pertain/rules/x.md": always + "one", "GEMINI.md": "above\n" + mark.Begin + "\n" + mark.End + "\n"})
	agents := []string{"claude", "codex", "gemini"}
	w.export(Run{}, Source{}, agents...)
	names := []string{".claude/rules/x.md", "AGENTS.md", "GEMINI.md"}
	for _, name := range names {
		w.write(name, strings.Replace(w.read(name), "one", "one\nmine", 1))
	}
	if err := os.Remove(w.path(".pertain/rules/x.md")); err != nil {
		t.Fatal(err)
	}
	for _, run := range []Run{{}, {Prune: true, DryRun: true}, {Prune: true}} {
		got := w.export(run, Source{}, agents...)
		for _, name := range names {
			change := Skipped
			if run.Prune {
				change = Refused
			}
			w.becomes(got, name, change, "was edited since it was exported")
			if !strings.Contains(w.read(name), "mine") {
				t.Errorf("%s has lost a line", name)
			}
		}
	}
}

func TestImportsAreTold(t *testing.T) {
	w := newWorld(t, map[string]string{
		".pertain/rules/x.md": always + "See @docs.md and `@code.md`, and @none.md.\n", ".claude/rules/docs.md": "docs", ".claude/rules/code.md": "code", "docs.md": "docs",
	})
	got := w.export(Run{}, Source{}, "claude", "gemini", "cursor")
	for name, want := range map[string]bool{".claude/rules/x.md": true, "GEMINI.md": true, ".cursor/rules/x.mdc": false} {
		told := slices.ContainsFunc(got[name].Losses, func(loss string) bool { return strings.HasPrefix(loss, "text: ") })
		if told != want || strings.Contains(strings.Join(got[name].Losses, " "), "code.md") {
			t.Errorf("%s loses %q", name, got[name].Losses)
		}
	}
}

// TestOwnSource: where a rule comes from, it is not written.
func TestOwnSource(t *testing.T) {
	w := newWorld(t, map[string]string{".omp/rules/x.md": always + "one", ".pertain/rules/y.md": always + "two"})
	got := w.export(Run{}, Source{}, "omp")
	w.becomes(got, ".omp/rules/x.md", Skipped, "where the rule comes from")
	w.becomes(got, ".omp/rules/y.md", Created, "")
	if w.read(".omp/rules/x.md") != always+"one" {
		t.Error("it was changed")
	}
	if got := w.export(Run{}, Source{}, "omp", "claude"); len(got) != 4 || got[".omp/rules/y.md"].Change != Unchanged {
		t.Errorf("what was exported is a source: %v", got)
	}
}

// TestCommentsOfClaude: what Claude Code leaves out of a text is told, and does not make the file look changed.
func TestCommentsOfClaude(t *testing.T) {
	w := newWorld(t, map[string]string{".pertain/rules/x.md": always + "---\none\n\n<!-- note -->\n\ntwo\n"})
	if got := w.export(Run{}, Source{}, "claude")[".claude/rules/x.md"]; !strings.Contains(strings.Join(got.Losses, " "), "text: ") {
		t.Errorf("it loses %q", got.Losses)
	}
	set, err := rule.Load(t.Context(), discover.Rules(files.OS(), discover.RuleRoots{Dir: w.folders.Root}), rule.Options{Root: w.folders.Root})
	if err != nil || len(set.Warnings()) > 0 || len(set.Rules()) != 1 {
		t.Errorf("%v %v %v", set.Rules(), set.Warnings(), err)
	}
}

// TestExample: the files of examples/export are what the program writes.
func TestExample(t *testing.T) {
	w := newWorld(t, nil)
	if err := os.CopyFS(w.folders.Root, os.DirFS(filepath.Join("..", "..", "examples", "export"))); err != nil {
		t.Fatal(err)
	}
	s, err := ReadSettings(w.folders.Root)
	if err != nil || len(s.To) != 6 {
		t.Fatalf("%+v %v", s, err)
	}
	for name, f := range w.export(Run{DryRun: true}, Source{}, s.To...) {
		if f.Change != Unchanged {
			t.Errorf("%s is %s: %s\n%s", name, f.Change, f.Why, f.Diff)
		}
	}
}
