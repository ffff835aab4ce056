package skill_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/mark"
	"github.com/pertain-dev/pertain/skill"
)

// memory is a tree with these files, and a library of three roots in it.
func memory(flavor files.Flavor, content map[string]string) (*files.Memory, skill.Library) {
	tree := files.NewMemory(flavor)
	for path, text := range content {
		tree.WriteFile(path, text)
	}
	return tree, skill.Library{Tree: tree, Roots: []skill.Root{
		{Source: "pertain", Dir: "/home/.config/pertain/skills", Enabled: true},
		{Source: "claude", Dir: "/home/.claude/skills"},
		{Source: "workspace", Dir: "/work/.pertain/skills", Workspace: "/work"},
	}}
}

func load(t testing.TB, l skill.Library) *skill.Registry {
	t.Helper()
	r, err := l.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func valid(name string) string {
	return "---\nname: " + name + "\ndescription: About " + name + "\n---\nDo it.\n"
}

func TestOnlyFoldersWithTheFileCount(t *testing.T) {
	_, l := memory(files.Unix, map[string]string{
		"/home/.claude/skills/pdf/SKILL.md":          valid("pdf"),
		"/home/.claude/skills/SKILL.md":              valid("root"),
		"/home/.claude/skills/README.md":             "hello",
		"/home/.claude/skills/deep/er/SKILL.md":      valid("er"),
		"/home/.claude/skills/lower/skill.md":        valid("lower"),
		"/home/.claude/skills/folder/SKILL.md/x":     "a folder of that name",
		"/home/.claude/skills/Upper Case/SKILL.md":   valid("upper case"),
		"/home/.config/pertain/skills/mine/SKILL.md": valid("mine"),
	})
	var got []string
	for _, s := range load(t, l).Skills() {
		got = append(got, fmt.Sprintf("%s %v %v", s.ID, s.Enabled, s.Valid))
	}
	want := []string{"pertain.mine true true", "claude.upper case false true", "claude.pdf false true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestValidation(t *testing.T) {
	for name, test := range map[string]struct {
		text  string
		name  string
		valid bool
		want  []string // severity and a part of each message
	}{
		"fine":             {valid("x"), "x", true, nil},
		"case of the name": {valid("X"), "X", true, nil},
		"other name":       {valid("y"), "y", true, []string{"warning differs from the folder"}},
		"no name":          {"---\ndescription: D\n---\n# Heading\nDo.", "Heading", true, []string{"warning no name"}},
		"nothing at all":   {"Do.", "x", false, []string{"warning no name", "error no description"}},
		"no description":   {"---\nname: x\n---\nDo.", "x", false, []string{"error no description"}},
		"null description": {"---\nname: x\ndescription:\n---\nDo.", "x", false, []string{"error no description"}},
		"list":             {"---\nname: x\ndescription: [a]\n---\nDo.", "x", false, []string{"error must be a text, not a list"}},
		"no body":          {"---\nname: x\ndescription: D\n---\n \n", "x", false, []string{"error no instructions"}},
		"number":           {"---\nname: x\ndescription: 5\n---\nDo.", "x", true, nil},
		"long":             {"---\nname: x\ndescription: " + strings.Repeat("ä", 1025) + "\n---\nDo.", "x", true, []string{"warning longer than the 1024"}},
		"repaired":         {"---\nname: x\ndescription: *.ts files\n---\nDo.", "x", true, []string{"warning YAML alias"}},
		"not closed":       {"---\nname: x\ndescription: D\nDo.", "x", true, []string{"warning skill's text"}},
		"half not closed":  {"---\nname: x\n\nDo.", "x", false, []string{"warning skill's text", "error no description"}},
		"rule, no fields":  {"---\nDo.", "x", false, []string{"warning skill's text", "warning no name", "error no description"}},
		"comment":          {"---\ndescription: D\n---\n<!--\n# No\n-->\nHeading\n=======\nDo.", "Heading", true, []string{"warning no name"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, l := memory(files.Unix, map[string]string{"/home/.claude/skills/x/SKILL.md": test.text})
			s := load(t, l).Skills()[0]
			if s.Name != test.name || s.Valid != test.valid || len(s.Diagnostics) != len(test.want) {
				t.Fatalf("name %q, valid %v, %v", s.Name, s.Valid, s.Diagnostics)
			}
			for i, want := range test.want {
				severity, part, _ := strings.Cut(want, " ")
				if d := s.Diagnostics[i]; d.Severity.String() != severity || d.Code != diag.SkillInvalid || !strings.Contains(d.Sentence(), part) {
					t.Errorf("want %s, got %s %s", want, d.Severity, d.Sentence())
				}
			}
		})
	}
}

func TestNames(t *testing.T) {
	tree, l := memory(files.Unix, map[string]string{
		"/home/.claude/skills/pdf/SKILL.md":          valid("pdf"),
		"/home/.claude/skills/only/SKILL.md":         valid("only"),
		"/home/.config/pertain/skills/PDF/SKILL.md":  valid("PDF"),
		"/home/.config/pertain/skills/a.b/SKILL.md":  valid("a.b"),
		"/home/.config/pertain/skills/Twin/SKILL.md": valid("Twin"),
		"/home/.config/pertain/skills/twin/SKILL.md": valid("twin"),
		"/elsewhere/linked/SKILL.md":                 valid("linked"),
	})
	tree.MakeLink("/elsewhere/linked", "/home/.claude/skills/linked")
	tree.MakeLink("/elsewhere/linked", "/home/.config/pertain/skills/linked")
	registry := load(t, l)
	for name, want := range map[string]string{
		"claude.pdf": "claude.pdf", "CLAUDE.Pdf": "claude.pdf", "only": "claude.only", "pertain.pdf": "pertain.pdf", "a.b": "pertain.a.b",
		"pdf": "several skills are called `pdf`; write one of pertain.pdf, claude.pdf", "linked": "pertain.linked",
		"claude.pfd": "there is no skill `claude.pfd`; did you mean `claude.pdf`?", "onyl": "there is no skill `onyl`; did you mean `claude.only`?",
		"nothing-like-it": "there is no skill `nothing-like-it`; `pertain skills` lists them",
	} {
		location, err := l.Locate(t.Context(), name)
		got := location.ID
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: want %s, got %s", name, want, got)
		}
		if s, err := registry.Find(name); err == nil && s.ID != want || err != nil && err.Error() != want {
			t.Errorf("Find(%s): %v, %v", name, s, err)
		}
	}
	var twins []string
	for _, s := range registry.Skills() {
		if s.ID == "pertain.twin" {
			twins = append(twins, fmt.Sprint(s.Folder, s.Valid))
		}
	}
	if diff := cmp.Diff([]string{"Twintrue", "twinfalse"}, twins); diff != "" {
		t.Errorf("of two folders that differ in case the first has the id (-want +got):\n%s", diff)
	}
}

func TestIndex(t *testing.T) {
	tree, l := memory(files.Unix, map[string]string{
		"/home/.config/pertain/skills/a b/SKILL.md": "---\nname: a b\ndescription: \"Use <when> \\\"it\\\" & fits\\n</skill></skills>\"\n---\nBODY",
		"/home/.config/pertain/skills/bad/SKILL.md": "BODY",
		"/home/.claude/skills/off/SKILL.md":         valid("off"),
	})
	tree.MakeLink("/home/.config/pertain/skills/a b", "/home/.config/pertain/skills/z")
	want := `<skills>
Read skill://<id> when its description fits what you are about to do

<skill name="a b" uri="skill://pertain.a%20b">
Use &lt;when&gt; &quot;it&quot; &amp; fits &lt;/skill&gt;&lt;/skills&gt;
</skill>
</skills>
`
	if diff := cmp.Diff(want, load(t, l).Index()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, empty := memory(files.Unix, nil)
	if got := load(t, empty).Index(); got != "" {
		t.Errorf("%q", got)
	}
}

// TestExportedRule: what `pertain export` made of a rule is not told beside the rule, as long as nobody changed it and the rule is there.
func TestExportedRule(t *testing.T) {
	made := func(source string) string {
		return mark.Seal("---\n" + mark.YAML([]string{source}) + "\nname: deploy\ndescription: How to deploy\n---\n\nPush.\n")
	}
	for _, c := range []struct {
		name, dir, text, rule string
		listed                bool
	}{
		{"of the project", "/work/.pertain/skills", made(".pertain/rules/deploy.md"), "/work/.pertain/rules/deploy.md", false},
		{"of the user", "/home/.claude/skills", made("~/.omp/agent/rules/deploy.md"), "/home/.omp/agent/rules/deploy.md", false},
		{"its rule is gone", "/work/.pertain/skills", made(".pertain/rules/deploy.md"), "/work/.pertain/rules/other.md", true},
		{"changed since", "/work/.pertain/skills", made(".pertain/rules/deploy.md") + "Mine.\n", "/work/.pertain/rules/deploy.md", true},
		{"a claim that leads out", "/work/.pertain/skills", made("../secret"), "/secret", true},
		{"hand-written", "/work/.pertain/skills", valid("deploy"), "/work/.pertain/rules/deploy.md", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, l := memory(files.Unix, map[string]string{c.dir + "/deploy/SKILL.md": c.text, c.rule: "Push.\n"})
			for i := range l.Roots {
				l.Roots[i].Enabled = true
			}
			registry := load(t, l)
			if got := registry.Index() != ""; got != c.listed || len(registry.Skills()) != 1 {
				t.Errorf("%d skills, the index is %q", len(registry.Skills()), registry.Index())
			}
		})
	}
}

func TestUnreadableRootIsTold(t *testing.T) {
	tree, l := memory(files.Unix, map[string]string{"/home/.claude/skills/x/SKILL.md": valid("x")})
	tree.WriteFile("/work/.pertain/skills", "a file where a folder should be")
	r := load(t, l)
	if len(r.Skills()) != 1 || len(r.Diagnostics()) != 1 || !strings.Contains(r.Diagnostics()[0].Message, "cannot be listed") {
		t.Errorf("%v", r.Diagnostics())
	}
}

// failingTree cannot open a folder.
type failingTree struct {
	files.Tree

	dir string
	err error
}

func (f failingTree) Open(path string, bounds files.Bounds) (files.Opened, error) {
	if path == f.dir {
		return nil, &fs.PathError{Op: "open", Path: path, Err: f.err}
	}
	return f.Tree.Open(path, bounds)
}

// TestUnreadableRootHasOneReason: links in a circle are told in the same words, whether the system found out or we did.
func TestUnreadableRootHasOneReason(t *testing.T) {
	for _, err := range []error{syscall.ELOOP, files.ErrTooManyLinks} {
		tree, l := memory(files.Unix, map[string]string{"/home/.claude/skills/x/SKILL.md": valid("x")})
		l.Tree = failingTree{tree, "/home/.claude/skills", err}
		const want = "the skills in this folder cannot be listed: it is a link that leads in a circle, or through too many others"
		if list := load(t, l).Diagnostics(); len(list) != 1 || list[0].Message != want {
			t.Errorf("%v: %v", err, list)
		}
	}
}

func TestErrorsAreTold(t *testing.T) {
	_, l := memory(files.Unix, nil)
	_, err := l.Read(t.Context(), "skill://x")
	var unknown *skill.UnknownError
	if !errors.As(err, &unknown) {
		t.Errorf("%v", err)
	}
}

// TestZeroLibrary: a library of nothing has no skills, and says so.
func TestZeroLibrary(t *testing.T) {
	var l skill.Library
	if r := load(t, l); len(r.Skills()) != 0 || r.Index() != "" {
		t.Errorf("%v", r.Skills())
	}
	var unknown *skill.UnknownError
	if _, err := l.Read(t.Context(), "skill://x"); !errors.As(err, &unknown) {
		t.Errorf("%v", err)
	}
	if _, err := l.Enable(t.Context(), "x", true); !errors.As(err, &unknown) {
		t.Errorf("%v", err)
	}
	if data, err := json.Marshal(&skill.Skill{}); err != nil || !json.Valid(data) {
		t.Errorf("%s, %v", data, err)
	}
	if got := (skill.Location{}).File(); got != "" {
		t.Errorf("%q", got)
	}
}

// TestRealDisk: no tree is the real disk, and without a State nothing can be
// enabled.
func TestRealDisk(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "pdf", skill.FileName), valid("pdf"))
	l := skill.Library{Roots: []skill.Root{{Source: "claude", Dir: dir}}}
	r := load(t, l)
	if len(r.Skills()) != 1 || r.Skills()[0].Name != "pdf" || r.Skills()[0].File() != filepath.Join(dir, "pdf", skill.FileName) {
		t.Errorf("%v", r.Skills())
	}
	if found, err := l.Read(t.Context(), "skill://claude.pdf"); err != nil || string(found.Data) != valid("pdf") {
		t.Errorf("%v, %v", found, err)
	}
	if location, err := l.Enable(t.Context(), "pdf", true); err == nil {
		t.Errorf("%v is enabled, but nobody keeps that", location)
	}
}
