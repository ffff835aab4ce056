package discover_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
)

// ruleFolders are the folders in which tools keep a project's rules.
var ruleFolders = []string{
	".clinerules", ".cursor/rules", ".omp/rules", ".windsurf/rules", ".devin/rules", ".claude/rules", ".github/instructions",
	".continue/rules", ".kiro/steering", ".roo/rules", ".roo/rules-code", ".augment/rules", ".amazonq/rules", ".agent/rules",
	".agents/rules", ".qwen/rules",
}

// outside is a world with text that must never be in a rule.
func outside(t *testing.T) *world {
	t.Helper()
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/.omp/rules/good.md": "x"})
	for _, path := range []string{
		"/home/u/Documents/diary.md", "/home/u/Documents/x.mdc", "/home/u/Documents/notes.txt", "/home/u/Documents/x.instructions.md",
		"/home/u/Documents/rules/a.md", "/home/u/.ssh/id_rsa", "/home/u/.ssh/config.md", "/home/u/passwords.txt", "/home/u/my-secret.md", "/etc/motd.md",
	} {
		w.tree.WriteFile(path, "---\ndescription: OUTSIDE\nglobs: \"**\"\n---\nOUTSIDE")
	}
	w.tree.WriteFile("/home/u/dotfiles/mine.md", "-----BEGIN OPENSSH PRIVATE KEY-----\nOUTSIDE\n")
	w.tree.MakeSpecial("/dev/zero")
	return w
}

// TestOutside: no link of a project brings text from elsewhere into a rule, and
// each that was not followed is told of at its position.
func TestOutside(t *testing.T) {
	tests := []struct {
		name string
		make func(*files.Memory)
		file string // file of the warning
	}{
		{"file elsewhere", func(m *files.Memory) { m.MakeLink("/etc/motd.md", "/w/.cursor/rules/a.mdc") }, "/w/.cursor/rules/a.mdc"},
		{"folder elsewhere", func(m *files.Memory) { m.MakeLink("/etc", "/w/.cursor/rules") }, "/w/.cursor/rules"},
		{"folder above", func(m *files.Memory) { m.MakeLink("../home/u", "/w/.clinerules") }, "/w/.clinerules"},
		{"folder around a folder of rules", func(m *files.Memory) { m.MakeLink("/home/u/Documents", "/w/.cursor") }, "/w/.cursor/rules"},
		{"folder with the name of a text", func(m *files.Memory) {
			m.WriteFile("/home/u/rules.md/x.mdc", "OUTSIDE")
			m.MakeLink("/home/u/rules.md", "/w/.cursor/rules")
		}, "/w/.cursor/rules"},
		{"folder with the name of a text, in the place of a file", func(m *files.Memory) {
			m.WriteFile("/home/u/rules.md/x.mdc", "OUTSIDE")
			m.MakeLink("/home/u/rules.md", "/w/AGENTS.md")
		}, "/w/AGENTS.md"},
		{"no Markdown, by a name of rules", func(m *files.Memory) {
			m.WriteFile("/home/u/ledger", "OUTSIDE")
			m.MakeLink("/home/u/ledger", "/w/.cursorrules")
		}, "/w/.cursorrules"},
		{"folder in a folder of rules", func(m *files.Memory) { m.MakeLink("/home/u/Documents", "/w/.cursor/rules/sub") }, "/w/.cursor/rules/sub"},
		{"no Markdown", func(m *files.Memory) { m.MakeLink("/home/u/.ssh/id_rsa", "/w/AGENTS.md") }, "/w/AGENTS.md"},
		{"secret by its folder", func(m *files.Memory) { m.MakeLink("/home/u/.ssh/config.md", "/w/AGENTS.md") }, "/w/AGENTS.md"},
		{"secret by its name", func(m *files.Memory) { m.MakeLink("/home/u/passwords.txt", "/w/AGENTS.md") }, "/w/AGENTS.md"},
		{"another one", func(m *files.Memory) { m.MakeLink("/home/u/my-secret.md", "/w/AGENTS.md") }, "/w/AGENTS.md"},
		{"secret by its text", func(m *files.Memory) { m.MakeLink("/home/u/dotfiles/mine.md", "/w/AGENTS.md") }, "/w/AGENTS.md"},
		{"through two links", func(m *files.Memory) {
			m.MakeLink("/etc/motd.md", "/w/one.md")
			m.MakeLink("one.md", "/w/AGENTS.md")
		}, "/w/AGENTS.md"},
		{"nested folder", func(m *files.Memory) { m.MakeLink("/home/u/Documents", "/w/sub/.clinerules") }, "/w/sub/.clinerules"},
	}
	for _, test := range tests {
		w := outside(t)
		test.make(w.tree)
		roots := w.roots("/w")
		roots.Folders = []string{"/w/sub"}
		for _, documented := range []bool{false, true} {
			roots.Documented = documented
			set := w.load(t, roots)
			list := set.Warnings()
			if !documented && (len(list) != 1 || list[0].File() != test.file || list[0].Code != diag.RuleOutsideWorkspace || list[0].Provider == "") {
				t.Errorf("%s: %+v", test.name, list)
			}
			if strings.Contains(fmt.Sprintf("%+v", list), "OUTSIDE") {
				t.Errorf("%s: the warning shows the text", test.name)
			}
			if got := names(set.All()); !slices.Equal(got, []string{"native:good"}) {
				t.Errorf("%s, documented %v: %v", test.name, documented, got)
			}
		}
	}
}

// TestOutsideFolders: of no tool's folder that leads out anything is found, and
// links inside of the project are followed as ever.
func TestOutsideFolders(t *testing.T) {
	for _, folder := range ruleFolders {
		w := outside(t)
		w.tree.MakeLink("/home/u/Documents", "/w/"+folder)
		set := w.load(t, w.roots("/w"))
		if got := names(set.All()); !slices.Equal(got, []string{"native:good"}) && folder != ".omp/rules" || len(got) > 1 {
			t.Errorf("%s: %v", folder, got)
		}
		if list := set.Warnings(); len(list) != 1 || list[0].Code != diag.RuleOutsideWorkspace || list[0].File() != "/w/"+folder {
			t.Errorf("%s: %v", folder, codes(list))
		}
	}
	w := outside(t)
	w.tree.WriteFile("/w/shared/in.md", "Inside.")
	w.tree.MakeLink("../shared", "/w/.cursor/rules")
	if got := names(w.load(t, w.roots("/w")).All()); !slices.Equal(got, []string{"native:good", "cursor:in"}) {
		t.Errorf("inside: %v", got)
	}
}

// TestImportsOutside: imports leave the workspace from the user's own files and in
// trusted workspaces alone.
func TestImportsOutside(t *testing.T) {
	load := func(t *testing.T, trusted bool, project, user string) (text string, warnings diag.List) {
		t.Helper()
		w := outside(t)
		w.tree.Remove("/w/.omp")
		w.tree.WriteFile("/home/u/notes/plain.md", "From the home.")
		w.tree.WriteFile("/w/inner.md", "Inner.\n@~/.ssh/id_rsa")
		w.tree.MakeLink("/home/u/notes", "/w/linked")
		w.tree.WriteFile("/w/CLAUDE.md", project)
		w.tree.WriteFile("/home/u/.claude/CLAUDE.md", user)
		roots := w.roots("/w")
		roots.Trusted = trusted
		set := w.load(t, roots)
		for _, r := range set.All() {
			text += r.Content + "\n"
		}
		return text, set.Warnings()
	}
	for _, target := range []string{"~/notes/plain.md", "../home/u/notes/plain.md", "/home/u/notes/plain.md", "linked/plain.md", "./linked/plain.md", "/home/u/none.md"} {
		text, list := load(t, false, "@"+target, "x")
		if strings.Contains(text, "From the home.") || len(list) != 1 || list[0].Code != diag.RuleOutsideWorkspace {
			t.Errorf("%s: %q %v", target, text, codes(list))
		}
		p, ok := list[0].Position()
		if !ok || p.Line != 1 || p.Column != 1 {
			t.Errorf("%s: the warning is at %v", target, p)
		}
		if target == "/home/u/none.md" {
			continue
		}
		if text, list = load(t, true, "@"+target, "x"); !strings.Contains(text, "From the home.") || len(list) > 0 {
			t.Errorf("trusted: %s: %q %v", target, text, codes(list))
		}
		if text, list = load(t, false, "x", "@"+strings.Replace(target, "../home/u/", "../", 1)); !strings.Contains(text, "From the home.") && !strings.Contains(target, "linked") {
			t.Errorf("the user's: %s: %q %v", target, text, codes(list))
		}
	}
	for _, target := range []string{"~/.ssh/id_rsa", "~/.ssh/config.md", "~/passwords.txt", "~/dotfiles/mine.md"} {
		if text, list := load(t, true, "@"+target, "x"); strings.Contains(text, "OUTSIDE") || len(list) != 1 || list[0].Code != diag.RuleOutsideWorkspace {
			t.Errorf("trusted: %s: %q %v", target, text, codes(list))
		}
	}
	// A file of the workspace that the user's own imports is a stranger's still.
	if text, list := load(t, false, "x", "@/w/inner.md"); strings.Contains(text, "OUTSIDE") || !strings.Contains(text, "Inner.") || len(list) != 1 {
		t.Errorf("the user's, through the workspace: %q %v", text, codes(list))
	}
}

// TestOtherUsers: what another user put into a folder above does not count.
func TestOtherUsers(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{
		"/srv/.git/HEAD": "", "/srv/AGENTS.md": "OUTSIDE", "/srv/.clinerules/a.md": "OUTSIDE", "/srv/me/AGENTS.md": "Mine.", "/srv/me/work/x": "",
	})
	load := func() ([]string, diag.List) {
		set := w.load(t, w.roots("/srv/me/work"))
		return names(set.All()), set.Warnings()
	}
	if got, list := load(); !slices.Equal(got, []string{"cline:a", "agents-md:AGENTS", "agents-md:me/AGENTS"}) || len(list) > 0 {
		t.Fatalf("%v %v", got, codes(list))
	}
	w.tree.GiveAway("/srv/AGENTS.md")
	w.tree.GiveAway("/srv/.clinerules/a.md")
	got, list := load()
	if !slices.Equal(got, []string{"agents-md:AGENTS"}) || len(list) != 2 || list[0].Code != diag.RuleOutsideWorkspace || list[1].Code != diag.RuleOutsideWorkspace {
		t.Errorf("files: %v %v", got, codes(list))
	}
	w.tree.WriteFile("/srv/docs/theirs.md", "OUTSIDE")
	w.tree.GiveAway("/srv/docs/theirs.md")
	w.tree.MakeLink("/srv/docs/theirs.md", "/srv/CLAUDE.md")
	if got, list := load(); !slices.Equal(got, []string{"agents-md:AGENTS"}) || len(list) != 3 {
		t.Errorf("a link of the user's to a file of another: %v %v", got, codes(list))
	}
	w.tree.GiveAway("/srv/.git")
	if got, list = load(); !slices.Equal(got, []string{"agents-md:/srv/me/AGENTS"}) || !slices.ContainsFunc(list, func(d diag.Diagnostic) bool { return d.File() == "/srv/.git" && d.Code == diag.RuleOutsideWorkspace }) {
		t.Errorf("repository: %v %v", got, codes(list))
	}
	w = newWorld(files.Unix, map[string]string{"/srv/.git/HEAD": "", "/srv/me/.git/HEAD": "", "/srv/me/work/x": ""})
	w.tree.GiveAway("/srv/me/.git") // no repository, as git has it, nor a clone of another program's
	if root := discover.ProjectRoot(w.tree, "/srv/me/work"); root != "/srv" {
		t.Errorf("a repository of another user between: root %s", root)
	}
	w.tree.WriteFile("/srv/me/.hg/x", "")
	if root := discover.ProjectRoot(w.tree, "/srv/me/work"); root != "/srv/me" {
		t.Errorf("a clone of Mercurial between: root %s", root)
	}
	w = newWorld(files.Unix, map[string]string{"/srv/.git/HEAD": "", "/srv/AGENTS.md": "Root.", "/srv/me/AGENTS.md": "OUTSIDE", "/srv/me/work/AGENTS.md": "Work."})
	w.tree.GiveAway("/srv/me")
	w.tree.GiveAway("/srv/me/work") // the working directory is where the user went himself
	if got, list = load(); !slices.Equal(got, []string{"agents-md:AGENTS", "agents-md:me/work/AGENTS"}) || len(list) != 1 || list[0].File() != "/srv/me" {
		t.Errorf("folder between: %v %v", got, codes(list))
	}
	if root := discover.ProjectRoot(w.tree, "/srv/me/work"); root != "/srv" {
		t.Errorf("root %s", root)
	}
}

// TestPublicFolders: in a folder of the project that everyone may write, what somebody else has put there does not count,
// nor what a link of theirs leads to. A group that may write is one that was meant to.
func TestPublicFolders(t *testing.T) {
	const theirs = "belongs to another user"
	load := func(change func(*files.Memory)) ([]string, diag.List) {
		w := newWorld(files.Unix, map[string]string{
			"/w/.git/HEAD": "", "/w/CLAUDE.md": "See @pub/i.md here.\n", "/w/pub/i.md": "IMPORTED", "/w/docs/own.md": "Own.", "/w/pub/deep/x.md": "x",
			"/w/.cursor/rules/c.mdc": "---\nalwaysApply: true\n---\nc\n",
		})
		change(w.tree)
		roots := w.roots("/w")
		roots.Folders = []string{"/w/pub/deep"}
		set := w.load(t, roots)
		got := names(set.All())
		for _, r := range set.All() {
			if strings.Contains(r.Content, "IMPORTED") {
				got = append(got, "imported")
			}
		}
		return got, set.Warnings()
	}
	for _, tt := range []struct {
		name   string
		change func(*files.Memory)
		want   []string
		warned int
	}{
		{"nobody else's", func(m *files.Memory) { m.Publish("/w/pub"); m.Publish("/w/.cursor/rules") }, []string{"cursor:c", "claude:CLAUDE", "imported"}, 0},
		{"not public", func(m *files.Memory) {
			m.Share("/w/pub")
			m.Share("/w/.cursor")
			m.GiveAway("/w/.cursor/rules/c.mdc")
			m.GiveAway("/w/pub/i.md")
		}, []string{"cursor:c", "claude:CLAUDE", "imported"}, 0},
		{"a rule", func(m *files.Memory) { m.Publish("/w/.cursor/rules"); m.GiveAway("/w/.cursor/rules/c.mdc") }, []string{"claude:CLAUDE", "imported"}, 1},
		{"in a folder around", func(m *files.Memory) { m.Publish("/w/.cursor"); m.GiveAway("/w/.cursor/rules/c.mdc") }, []string{"claude:CLAUDE", "imported"}, 1},
		{"an import", func(m *files.Memory) { m.Publish("/w/pub"); m.GiveAway("/w/pub/i.md") }, []string{"cursor:c", "claude:CLAUDE"}, 1},
		{"the user's own in a folder of theirs", func(m *files.Memory) {
			m.Publish("/w/pub")
			m.GiveAway("/w/pub/deep")
			m.WriteFile("/w/pub/deep/AGENTS.md", "Moved there.")
		}, []string{"cursor:c", "claude:CLAUDE", "imported"}, 1},
		{"the user's own in a folder of their group", func(m *files.Memory) {
			m.Share("/w/pub")
			m.GiveAway("/w/pub/deep")
			m.WriteFile("/w/pub/deep/AGENTS.md", "Moved there.")
		}, []string{"cursor:c", "claude:CLAUDE", "agents-md:pub/deep/AGENTS", "imported"}, 0},
		{"by a link of the user's", func(m *files.Memory) {
			m.Publish("/w/pub")
			m.GiveAway("/w/pub/deep")
			m.GiveAway("/w/pub/deep/x.md")
			m.MakeLink("/w/pub/deep", "/w/.clinerules")
		}, []string{"cursor:c", "claude:CLAUDE", "imported"}, 1},
	} {
		got, list := load(tt.change)
		if !slices.Equal(got, tt.want) || len(list) != tt.warned {
			t.Errorf("%s: %v %v", tt.name, got, codes(list))
		}
		for _, d := range list {
			if d.Code != diag.RuleOutsideWorkspace || !strings.Contains(d.Message, theirs) {
				t.Errorf("%s: %s %s", tt.name, d.Code, d.Message)
			}
		}
	}
}

// TestManyEntries: a folder with more than is looked at is told of.
func TestManyEntries(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": ""})
	for i := range 20_001 {
		w.tree.WriteFile(fmt.Sprintf("/w/.cursor/rules/%05d.txt", i), "")
	}
	w.tree.WriteFile("/w/.cursor/rules/last.mdc", "x")
	list := w.load(t, w.roots("/w")).Warnings()
	if len(list) != 1 || list[0].Code != diag.RuleTooLarge || list[0].File() != "/w/.cursor/rules" || !strings.Contains(list[0].Message, "left out") {
		t.Errorf("%+v", list)
	}
}

// TestNestedTooDeep: folders that are not looked at are told of.
func TestNestedTooDeep(t *testing.T) {
	deep := "/w" + strings.Repeat("/d", 40)
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/a/AGENTS.md": "x", deep + "/AGENTS.md": "x"})
	folders, list, err := discover.NestedFolders(t.Context(), w.tree, "/w")
	if err != nil || !slices.Equal(folders, []string{"/w/a"}) || len(list) != 1 || list[0].Code != diag.RuleTooLarge || !strings.Contains(list[0].Message, "folders deep") {
		t.Fatalf("%v %v %v", folders, codes(list), err)
	}
	roots := w.roots("/w")
	roots.Folders, roots.Notes = folders, list
	if got := w.load(t, roots).Warnings(); len(got) != 1 || got[0].Code != diag.RuleTooLarge {
		t.Errorf("%v", codes(got))
	}
}

// TestRootIsNoHome: where the home is the root of all, links still lead nowhere else.
func TestRootIsNoHome(t *testing.T) {
	w := outside(t)
	w.tree.MakeLink("/etc/motd.md", "/w/AGENTS.md")
	roots := w.roots("/w")
	roots.Home = "/"
	if got := names(w.load(t, roots).All()); !slices.Equal(got, []string{"native:good"}) {
		t.Errorf("%v", got)
	}
}

// TestNamedOfOthers: a file that the user names is looked at, whoever it belongs to.
func TestNamedOfOthers(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/srv/x/AGENTS.md": "Theirs.", "/w/.git/HEAD": ""})
	w.tree.GiveAway("/srv/x/AGENTS.md")
	for _, path := range []string{"/srv/x/AGENTS.md", "/srv/x"} {
		rules, list, _, err := discover.NamedRules(t.Context(), w.tree, w.roots("/w"), []string{path})
		if err != nil || len(rules) != 1 || len(list) > 0 {
			t.Errorf("%s: %v %v %v", path, rules, codes(list), err)
		}
	}
}

// TestOwnRepositories: the user's own folder of rules may be a repository, and what the user names may lie in one elsewhere; links lead out
// of them as the user wants it. Those of a clone inside of the project do not, whoever names them.
func TestOwnRepositories(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{
		"/w/.git/HEAD": "", "/etc/team.md": "Team.", "/home/u/.claude/.git/HEAD": "", "/home/u/src/some/.git/HEAD": "", "/w/evil/.git/HEAD": "",
	})
	for _, link := range []string{"/home/u/.claude/CLAUDE.md", "/home/u/src/some/AGENTS.md", "/w/evil/AGENTS.md"} {
		w.tree.MakeLink("/etc/team.md", link)
	}
	if got := names(w.load(t, w.roots("/w")).All()); !slices.Equal(got, []string{"claude:~/CLAUDE"}) {
		t.Errorf("the user's own: %v", got)
	}
	for path, want := range map[string]int{"/home/u/src/some/AGENTS.md": 1, "/w/evil/AGENTS.md": 0} {
		if rules, list, _, err := discover.NamedRules(t.Context(), w.tree, w.roots("/w"), []string{path}); err != nil || len(rules) != want {
			t.Errorf("%s: %v %v %v", path, names(rules), list, err)
		}
	}
}

// TestOutsideSameName: folders in which a tool reads files of any name reach none of the home's by a link that has its name. Files whose
// names tools fix are reached, as people keep one for many projects.
func TestOutsideSameName(t *testing.T) {
	for _, folder := range ruleFolders {
		w := outside(t)
		for i, path := range []string{
			".codex/auth.json", ".gemini/oauth_creds.json", ".config/gh/hosts.yml", ".local/share/opencode/auth.json", ".config/rclone/rclone.conf",
			".kaggle/kaggle.json", ".m2/settings.xml", ".config/hub", ".irssi/config", "Documents/diary", ".local/state/tool/log.md", ".config/tool/notes.txt", "env.txt",
		} {
			w.tree.WriteFile("/home/u/"+path, "OUTSIDE")
			link := fmt.Sprintf("/w/%s/%d/%s", folder, i, path[strings.LastIndexByte(path, '/')+1:])
			w.tree.MakeLink("/home/u/"+path, link)
		}
		for _, r := range w.load(t, w.roots("/w")).All() {
			if strings.Contains(r.Content, "OUTSIDE") {
				t.Errorf("%s: %s is a rule", folder, r.Path)
			}
		}
	}
	w := outside(t)
	w.tree.WriteFile("/home/u/dotfiles/cursorrules", "Mine.")
	w.tree.MakeLink("/home/u/dotfiles/cursorrules", "/w/.cursorrules")
	if got := names(w.load(t, w.roots("/w")).All()); !slices.Equal(got, []string{"native:good", "cursor:cursorrules"}) {
		t.Errorf("the user's own file: %v", got)
	}
}
