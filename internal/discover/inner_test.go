package discover_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// innerWays are how the files of a clone in /w/evil may try to make a file beside it, or in the home, into the text of a rule.
var innerWays = map[string]func(w *world){
	"imports": func(w *world) {
		w.tree.WriteFile("/w/evil/CLAUDE.md", "EVIL\n@../private/plan.md\n@../private/main.py\n@~/notes.md\n@/w/private/plan.md\n")
	},
	"imports in an import": func(w *world) {
		w.tree.WriteFile("/w/evil/docs/a.md", "@../../private/plan.md\n@~/notes.md\n")
		w.tree.WriteFile("/w/evil/CLAUDE.md", "EVIL\n@docs/a.md\n")
	},
	"Kiro's import": func(w *world) {
		w.tree.WriteFile("/w/evil/.kiro/steering/k.md", "EVIL\n#[[file:private/plan.md]]\n#[[file:../private/plan.md]]\n")
	},
	"a linked folder of rules": func(w *world) { w.tree.MakeLink("/w/private", "/w/evil/.clinerules") },
	"a linked folder in rules": func(w *world) { w.tree.MakeLink("/w/private", "/w/evil/.claude/rules/d") },
	"a linked rule":            func(w *world) { w.tree.MakeLink("/w/private/main.py", "/w/evil/.pertain/rules/c.md") },
	"a link to another":        func(w *world) { w.tree.MakeLink("../.././../private/plan.md", "/w/evil/.cursor/rules/c.mdc") },
	"OpenCode's settings": func(w *world) {
		w.tree.WriteFile("/w/evil/opencode.json", `{"instructions": ["../private/plan.md", "../private/*.md", "~/notes.md"]}`)
	},
	"what the user imports": func(w *world) {
		w.tree.WriteFile("/w/CLAUDE.md", "@evil/docs/a.md\n")
		w.tree.WriteFile("/w/evil/docs/a.md", "EVIL\n@../../private/plan.md\n@~/notes.md\n")
	},
	"what the user's own file imports": func(w *world) {
		w.tree.WriteFile("/home/u/.claude/CLAUDE.md", "@/w/evil/docs/a.md\n")
		w.tree.WriteFile("/w/evil/docs/a.md", "EVIL\n@../../private/plan.md\n@~/notes.md\n")
	},
}

// innerLinks are the same by links in the clone that files of the project, or of the user's own, name.
var innerLinks = map[string]func(w *world){
	"what the user's own file imports": func(w *world) {
		w.tree.WriteFile("/home/u/.claude/CLAUDE.md", "@/w/evil/t.md\n@/w/evil/d/plan.md\n@/w/link/t.md\n")
		w.tree.MakeLink("/w/private", "/w/evil/d")
		w.tree.MakeLink("/w/evil", "/w/link")
	},
	"what the user's project imports":    func(w *world) { w.tree.WriteFile("/w/CLAUDE.md", "@evil/t.md\n@./evil/n.md\n") },
	"what the user's settings name":      func(w *world) { w.tree.WriteFile("/w/opencode.json", `{"instructions": ["evil/t.md"]}`) },
	"what the user's patterns match":     func(w *world) { w.tree.WriteFile("/w/opencode.json", `{"instructions": ["evil/*.md"]}`) },
	"what the user's folder of rules is": func(w *world) { w.tree.MakeLink("/w/evil/rules", "/w/.cursor/rules") },
}

// clones are what makes a folder a repository.
var clones = []string{".git", ".hg", ".jj", ".svn"}

// TestInnerLinks: a link in a repository inside of the project does not lead out of it, whoever names it.
func TestInnerLinks(t *testing.T) {
	for _, marker := range append(clones, "") {
		for _, trusted := range []bool{false, true} {
			for way, lead := range innerLinks {
				w := newWorld(files.Unix, map[string]string{
					"/w/.git/HEAD": "", "/w/private/plan.md": "PRIVATE-PLAN\n", "/w/private/main.py": "PRIVATE-PY\n", "/home/u/notes.md": "PRIVATE-NOTES\n",
				})
				if marker != "" {
					w.tree.WriteFile("/w/evil/"+marker+"/x", "")
				}
				w.tree.MakeLink("../private/main.py", "/w/evil/t.md")
				w.tree.MakeLink("/home/u/notes.md", "/w/evil/n.md")
				w.tree.MakeLink("/w/private/main.py", "/w/evil/rules/a.mdc")
				lead(w)
				roots := w.roots("/w")
				roots.Trusted = trusted
				set := w.load(t, roots)
				text := ""
				for _, r := range set.All() {
					text += r.Content + "\n"
				}
				leaks := strings.Contains(text, "PRIVATE")
				if marker != "" && leaks || marker == "" && !leaks {
					t.Errorf("%q, trusted %v, %s: %q %v", marker, trusted, way, text, set.Warnings())
				}
			}
		}
	}
}

// TestRootsOfClones: a clone below the root of a repository is a project of its own for who works in it, and one around that repository is not.
func TestRootsOfClones(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{
		"/a/.hg/x": "", "/a/w/.git/HEAD": "", "/a/w/.jj/x": "", "/a/w/src/x": "", "/a/w/vendor/one/.svn/x": "", "/a/w/vendor/one/src/x": "", "/b/.hg/x": "", "/b/src/x": "",
	})
	for dir, want := range map[string]string{
		"/a/w": "/a/w", "/a/w/src": "/a/w", "/a/w/vendor": "/a/w", "/a/w/vendor/one": "/a/w/vendor/one", "/a/w/vendor/one/src": "/a/w/vendor/one", "/b/src": "/b/src", "/a": "/a",
	} {
		if got := discover.ProjectRoot(w.tree, dir); got != want {
			t.Errorf("of %s it is %s, want %s", dir, got, want)
		}
	}
}

// TestInnerAskedOnce: whether the user trusts a repository inside of the project is asked once, however many rules lie in it.
func TestInnerAskedOnce(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": ""})
	roots := w.roots("/w")
	for _, clone := range []string{"/w/one", "/w/two", "/w/three"} {
		w.tree.WriteFile(clone+"/.git/HEAD", "")
		for _, name := range []string{"/AGENTS.md", "/sub/AGENTS.md", "/sub/CLAUDE.md", "/sub/deep/GEMINI.md", "/.cursor/rules/a.mdc", "/.cursor/rules/b/c.mdc"} {
			w.tree.WriteFile(clone+name, "Text.")
		}
		roots.Folders = append(roots.Folders, clone, clone+"/sub", clone+"/sub/deep")
	}
	asked := map[string]int{}
	roots.TrustsInner = func(folder string) bool {
		asked[folder]++
		return folder == "/w/two"
	}
	if n := len(w.load(t, roots).All()); n != 18 {
		t.Errorf("%d rules", n)
	}
	for folder, times := range asked {
		if times != 1 {
			t.Errorf("%s: %d times", folder, times)
		}
	}
	if len(asked) != 3 {
		t.Errorf("%v", asked)
	}
}

// TestInnerLinkedOut: a folder of rules that is a link into a clone brings what the clone's own links lead to only where a link of the project
// might lead as well: to text in the home.
func TestInnerLinkedOut(t *testing.T) {
	for _, project := range []string{"/w", "/home/u/w"} {
		for target, read := range map[string]bool{
			"/private/plan.md": project != "/w", "/private/main.py": false, "/private/api-token.md": false, "/evil/docs/own.md": true,
		} {
			w := newWorld(files.Unix, map[string]string{project + "/.git/HEAD": "", project + "/evil/.git/HEAD": "", project + target: "TEXT"})
			w.tree.MakeLink(project+"/evil/rules", project+"/.cursor/rules")
			w.tree.MakeLink(project+target, project+"/evil/rules/a.mdc")
			set := w.load(t, w.roots(project))
			if got := len(set.All()) == 1; got != read || len(set.Warnings()) > 0 == read {
				t.Errorf("%s in %s: read %v %v", target, project, got, set.Warnings())
			}
		}
	}
}

// TestInnerOfRules: in which repository of its own a rule lies, where a tool's folder is one, or a link leads into one.
func TestInnerOfRules(t *testing.T) {
	tree := map[string]string{
		"/w/.git/HEAD": "", "/w/.omp/rules/.git": "gitdir: x", "/w/.omp/rules/a.md": "Text.", "/w/vendor/evil/.git/HEAD": "", "/w/vendor/evil/rules/b.mdc": "Text.",
		"/w/real/.claude/.git/HEAD": "", "/w/real/.claude/rules/c.md": "Text.", "/p/.hg/x": "", "/p/w/.git/HEAD": "", "/p/CLAUDE.md": "Text.",
	}
	for _, test := range []struct {
		name, dir, path   string
		documented, named bool
		inner             string
	}{
		{"a tool's folder that is one", "/w", "/w/.omp/rules/a.md", false, false, "/w/.omp/rules"},
		{"the same, as the rulebook is documented", "/w", "/w/.omp/rules/a.md", true, false, ""},
		{"a rule that the user names", "/w", "/w/.omp/rules/a.md", false, true, ""},
		{"a folder of rules that is a link into one", "/w", "/w/.cursor/rules/b.mdc", false, false, ""},
		{"a working directory that is a link", "/w/alias", "/w/alias/.claude/rules/c.md", false, false, "/w/real/.claude"},
		{"one around the project", "/p/w", "/p/CLAUDE.md", false, false, ""},
	} {
		w := newWorld(files.Unix, tree)
		w.tree.MakeLink("/w/vendor/evil/rules", "/w/.cursor/rules")
		w.tree.MakeLink("/w/real", "/w/alias")
		roots := w.roots(test.dir)
		roots.Documented = test.documented
		rules := w.load(t, roots).All()
		if test.named {
			var err error
			if rules, _, _, err = discover.NamedRules(t.Context(), w.tree, roots, []string{test.path}); err != nil {
				t.Fatal(err)
			}
		}
		i := slices.IndexFunc(rules, func(r *rule.Rule) bool { return r.Path == test.path })
		if i < 0 || rules[i].Inner != test.inner {
			t.Errorf("%s: %d of %v", test.name, i, rules)
		}
	}
}

// TestInnerOwnText: a rule at its own place in a repository inside of the project may be a link to text in the home, as in the project
// itself, and to nothing else outside of that repository.
func TestInnerOwnText(t *testing.T) {
	for target, read := range map[string]bool{
		"/home/u/notes.md": true, "/home/u/dotfiles/AGENTS.md": true, "/w/evil/docs/own.md": true,
		"/home/u/tax.json": false, "/home/u/.ssh/config.md": false, "/w/private/plan.md": false, "/etc/motd.md": false,
	} {
		for _, marker := range clones {
			w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/evil/" + marker + "/x": ""})
			w.tree.WriteFile(target, "TEXT")
			w.tree.MakeLink(target, "/w/evil/AGENTS.md")
			roots := w.roots("/w")
			roots.Folders = []string{"/w/evil"}
			set := w.load(t, roots)
			told := slices.ContainsFunc(set.Warnings(), func(d diag.Diagnostic) bool {
				return d.Code == diag.RuleOutsideWorkspace && d.File() == "/w/evil/AGENTS.md"
			})
			if got := len(set.All()) == 1; got != read || told == read {
				t.Errorf("%s in a clone with %s: read %v, told %v", target, marker, got, set.Warnings())
			}
		}
	}
}

// TestLinkedRepository: a link to another repository, or to a folder that holds one, is no repository inside of the project, and its rules are not read.
func TestLinkedRepository(t *testing.T) {
	for _, own := range []string{".git", ".pertain", "src"} { // with the last the project is a folder of whatever was put there
		for _, marker := range append(clones, "") {
			for _, trusted := range []bool{false, true} {
				w := newWorld(files.Unix, map[string]string{
					"/w/" + own + "/x": "", "/w/AGENTS.md": "OWN\n", "/p/a/AGENTS.md": "PRIVATE\n", "/p/a/sub/CLAUDE.md": "PRIVATE\n@x.md\n", "/p/a/sub/x.md": "PRIVATE\n", "/p/a/.cursor/rules/r.mdc": "PRIVATE\n",
				})
				if marker != "" {
					w.tree.WriteFile("/p/a/"+marker+"/x", "")
				}
				w.tree.MakeLink("/p/a", "/w/vendor")
				w.tree.MakeLink("/p", "/w/up")
				roots := w.roots("/w")
				roots.Trusted = trusted
				roots.Folders = []string{"/w/up/a", "/w/up/a/sub", "/w/vendor", "/w/vendor/sub"}
				set := w.load(t, roots)
				text := ""
				for _, r := range set.All() {
					text += r.Content + "\n"
				}
				told := false
				for _, d := range set.Warnings() {
					told = told || d.Code == diag.RuleOutsideWorkspace && d.Source.Name() == "/w/vendor/AGENTS.md"
				}
				if strings.Contains(text, "PRIVATE") || !strings.Contains(text, "OWN") || !told {
					t.Errorf("project with %s, linked folder with %q, trusted %v: %q %v", own, marker, trusted, text, set.Warnings())
				}
			}
		}
	}
}

// TestInnerHome: where the home is a repository, as with dotfiles, it is not the workspace of what lies in it.
func TestInnerHome(t *testing.T) {
	for dir, home := range map[string]string{"/home/u/src/evil": "/home/u", "/home/u": "/home/u", "/home/u/src/evil/": "/root", "/home/u/src": "/led"} {
		w := newWorld(files.Unix, map[string]string{
			"/home/u/.git/HEAD": "", "/home/u/CLAUDE.md": "@notes.txt\n", "/home/u/notes.txt": "NOTES\n", "/home/u/tax.json": "PRIVATE\n", "/home/u/src/private/plan.md": "PRIVATE\n",
			"/home/u/src/evil/CLAUDE.md": "@../private/plan.md\n@../../tax.json\n@own.md\n", "/home/u/src/evil/own.md": "OWN\n",
		})
		roots := w.roots(dir)
		roots.Folders = []string{"/home/u/src/evil"}
		if home != roots.Home { // the environment names another, which is not believed
			roots.Home, roots.NamedHome = "/root", roots.Home
		}
		if home == "/led" { // by a link
			w.tree.MakeLink("/home/u", "/led")
			roots.NamedHome = "/led"
		}
		text := ""
		for _, r := range w.load(t, roots).All() {
			text += r.Content + "\n"
		}
		if strings.Contains(text, "PRIVATE") || !strings.Contains(text, "OWN") || !strings.Contains(text, "NOTES") {
			t.Errorf("%s: %q", dir, text)
		}
	}
}

// TestInnerWorkingDir: a repository inside of the project is the workspace of who works in it, whichever program made it.
func TestInnerWorkingDir(t *testing.T) {
	for _, marker := range clones {
		for way, lead := range innerWays {
			if strings.HasPrefix(way, "what the user") {
				continue
			}
			for _, dir := range []string{"/w/evil", "/w/evil/src/deep"} {
				w := newWorld(files.Unix, map[string]string{
					"/w/.git/HEAD": "", "/w/private/plan.md": "PRIVATE-PLAN\n", "/w/private/main.py": "PRIVATE-PY\n", "/home/u/notes.md": "PRIVATE-NOTES\n",
					"/w/evil/" + marker + "/HEAD": "", "/w/evil/AGENTS.md": "OWN\n", "/w/evil/src/deep/x": "",
				})
				lead(w)
				text := ""
				for _, r := range w.load(t, w.roots(dir)).All() {
					text += r.Content + "\n"
				}
				if strings.Contains(text, "PRIVATE") || !strings.Contains(text, "OWN") {
					t.Errorf("%s, %s, %s: %q", marker, way, dir, text)
				}
			}
		}
	}
}

// TestInnerRepositories: a repository inside of the project is a workspace of its own. Its files reach nothing around it, whether the
// project is a repository, or a folder of clones, and whether the user trusts it.
func TestInnerRepositories(t *testing.T) {
	for _, c := range []struct {
		name             string
		outer, inner     bool // are repositories
		trusted, trustIt bool // the project, and the one inside
	}{
		{"clones in a folder", false, true, false, false},
		{"folders without repositories", false, false, false, false},
		{"a repository inside of another", true, true, false, false},
		{"one inside of a trusted one", true, true, true, false},
		{"a trusted one inside of another", true, true, false, true},
	} {
		for way, lead := range innerWays {
			w := newWorld(files.Unix, map[string]string{
				"/w/private/plan.md": "PRIVATE-PLAN\n", "/w/private/main.py": "PRIVATE-PY\n", "/home/u/notes.md": "PRIVATE-NOTES\n",
				"/w/evil/own.md": "OWN\n",
			})
			if c.outer {
				w.tree.WriteFile("/w/.git/HEAD", "")
			} else {
				w.tree.WriteFile("/w/private/.git/HEAD", "")
			}
			if c.inner {
				w.tree.WriteFile("/w/evil/.git", "gitdir: elsewhere")
			}
			lead(w)
			roots := w.roots("/w")
			roots.Trusted, roots.Folders = c.trusted, []string{"/w/evil"}
			roots.TrustsInner = func(folder string) bool { return c.trustIt && folder == "/w/evil" }
			set := w.load(t, roots)
			text := ""
			for _, r := range set.All() {
				text += r.Content + "\n"
			}
			imported := strings.HasPrefix(way, "what the user") && !c.inner // they wrote it themselves, as far as can be known
			if strings.Contains(text, "PRIVATE") && !c.trustIt && !imported {
				t.Errorf("%s, %s: %q", c.name, way, text)
			}
			if c.trustIt && c.outer && way == "imports" && !strings.Contains(text, "PRIVATE-PLAN") {
				t.Errorf("%s, %s: what the user trusts is kept from the project: %q", c.name, way, text)
			}
			told := slices.ContainsFunc(set.Warnings(), func(d diag.Diagnostic) bool { return d.Code == diag.RuleOutsideWorkspace })
			if c.inner && !c.trustIt && !told && way != "Kiro's import" && way != "OpenCode's settings" { // which are not read in folders below
				t.Errorf("%s, %s: nobody is told: %v", c.name, way, set.Warnings())
			}
		}
	}
}

// TestInnerFoldersOfOneRepository: folders of one repository reach each other, also those with a `.pertain` of their own, and with
// links on the way to the repository.
func TestInnerFoldersOfOneRepository(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{
		"/real/.git/HEAD": "", "/real/docs/style.md": "STYLE\n", "/real/packages/pay/.pertain/rules/a.md": "A rule.\n",
		"/real/packages/pay/CLAUDE.md": "@../../docs/style.md\n",
	})
	w.tree.MakeLink("/real", "/led")
	for _, dir := range []string{"/real", "/led"} {
		roots := w.roots(dir)
		roots.Folders = []string{dir + "/packages", dir + "/packages/pay"}
		set := w.load(t, roots)
		if !slices.ContainsFunc(set.All(), func(r *rule.Rule) bool { return strings.Contains(r.Content, "STYLE") }) {
			t.Errorf("%s: %v", dir, set.Warnings())
		}
	}
}

// TestInnerRepositoriesOfATrustedOne: who trusts a project does not stand behind the rules of a clone in it.
func TestInnerRepositoriesOfATrustedOne(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{
		"/w/.git/HEAD": "", "/w/AGENTS.md": "Outer.\n", "/w/packages/pay/AGENTS.md": "Part.\n",
		"/w/vendor/evil/.git/HEAD": "", "/w/vendor/evil/AGENTS.md": "Inner.\n", "/w/vendor/evil/sub/.pertain/rules/a.md": "---\ncondition: x\n---\nInner.\n",
	})
	roots := w.roots("/w")
	roots.Trusted = true
	roots.Folders = []string{"/w/packages/pay", "/w/vendor/evil", "/w/vendor/evil/sub"}
	for trusted, want := range map[bool]int{false: 2, true: 4} {
		roots.TrustsInner = func(folder string) bool { return trusted && folder == "/w/vendor/evil" }
		set, err := rule.Load(t.Context(), discover.Rules(w.tree, roots), rule.Options{Root: "/w", Trusted: []string{"/w"}})
		if err != nil {
			t.Fatal(err)
		}
		binding := 0
		for _, r := range set.All() {
			if set.Binding(r) {
				binding++
			} else if !strings.Contains(r.Path, "evil") {
				t.Errorf("%s is not binding", r.Path)
			}
		}
		if binding != want || len(set.All()) != 4 {
			t.Errorf("trusted %v: %d of %d rules are binding, want %d", trusted, binding, len(set.All()), want)
		}
	}
}

// TestInnerToolFolders: a repository that is a tool's own folder, or lies in one, is one inside of the project, too; a link that the project
// made is its own choice.
func TestInnerToolFolders(t *testing.T) {
	for folder, rulesIn := range map[string]string{"/w/.claude/rules/shared": "", "/w/.claude": "/rules", "/w/.cursor/rules": ""} {
		w := newWorld(files.Unix, map[string]string{
			"/w/.git/HEAD": "", folder + "/.git": "gitdir: x", "/w/private/plan.md": "PRIVATE\n", "/home/u/notes.md": "PRIVATE\n",
			folder + rulesIn + "/x.md": "Text.\n\n@~/notes.md\n\n@/w/private/plan.md\n", folder + rulesIn + "/y.mdc": "---\nalwaysApply: true\n---\n@~/notes.md\n",
		})
		w.tree.MakeFolder("/w/sub/deep")
		for _, dir := range []string{"/w", "/w/sub/deep"} {
			roots := w.roots(dir)
			roots.Trusted = true
			set, err := rule.Load(t.Context(), discover.Rules(w.tree, roots), rule.Options{Root: "/w", Trusted: []string{"/w"}})
			if err != nil {
				t.Fatal(err)
			}
			if len(set.All()) == 0 {
				t.Errorf("%s from %s: %v", folder, dir, set.Warnings())
			}
			for _, r := range set.All() {
				if strings.Contains(r.Content, "PRIVATE") || set.Binding(r) {
					t.Errorf("%s from %s: %s, binding %v: %q", folder, dir, r.Path, set.Binding(r), r.Content)
				}
			}
		}
	}
}

// TestInnerOrdinary: what is no repository inside of the project stays as it was: workspaces that the user trusts below a home with
// dotfiles, projects of other programs than git, and folders that are worked in behind a link.
func TestInnerOrdinary(t *testing.T) {
	for name, c := range map[string]struct {
		tree    map[string]string
		link    [2]string
		dir     string
		trusted []string // folders that the user trusts by themselves
		trusts  bool     // the user trusts the project
		folders []string
		want    string
	}{
		"a trusted workspace in a home that is a repository": {
			tree: map[string]string{"/home/u/.git/HEAD": "", "/home/u/notes/.pertain/x": "", "/home/u/notes/sub/CLAUDE.md": "@../style.md\n", "/home/u/notes/style.md": "STYLE\n"},
			dir:  "/home/u/notes", trusted: []string{"/home/u/notes"}, folders: []string{"/home/u/notes/sub"}, want: "STYLE",
		},
		"a project of Mercurial": {
			tree: map[string]string{"/hg/.hg/x": "", "/hg/sub/CLAUDE.md": "@../style.md\n", "/hg/style.md": "STYLE\n"},
			dir:  "/hg", folders: []string{"/hg/sub"}, want: "STYLE",
		},
		"a folder of a clone in a folder of clones": {
			tree: map[string]string{"/w/some/.git/HEAD": "", "/w/some/sub/CLAUDE.md": "@../style.md\n", "/w/some/style.md": "STYLE\n"},
			dir:  "/w", folders: []string{"/w/some/sub"}, want: "STYLE",
		},
		"a folder of a trusted folder of whatever was put there": {
			tree: map[string]string{"/w/sub/CLAUDE.md": "@../style.md\n", "/w/style.md": "STYLE\n"},
			dir:  "/w", folders: []string{"/w/sub"}, trusts: true, want: "STYLE",
		},
		"the user's own folder of rules that is a repository": {
			tree: map[string]string{"/home/u/.git/HEAD": "", "/home/u/.claude/.git/HEAD": "", "/home/u/.claude/rules/a.md": "@~/style.md\n", "/home/u/style.md": "STYLE\n"},
			dir:  "/home/u", want: "STYLE",
		},
		"behind a link of another repository": {
			tree: map[string]string{"/data/.hg/x": "", "/srv/proj/.git/HEAD": "", "/srv/proj/CLAUDE.md": "@style.md\n", "/srv/proj/style.md": "STYLE\n"},
			link: [2]string{"/srv/proj", "/data/link"}, dir: "/data/link", want: "STYLE",
		},
	} {
		w := newWorld(files.Unix, c.tree)
		if c.link[0] != "" {
			w.tree.MakeLink(c.link[0], c.link[1])
		}
		roots := w.roots(c.dir)
		roots.Folders, roots.Trusted = c.folders, c.trusts
		asked := map[string]int{}
		roots.TrustsInner = func(folder string) bool {
			asked[folder]++
			return slices.Contains(c.trusted, folder)
		}
		set, err := rule.Load(t.Context(), discover.Rules(w.tree, roots), rule.Options{Root: discover.ProjectRoot(w.tree, c.dir), Trusted: c.trusted})
		if err != nil {
			t.Fatal(err)
		}
		for folder, times := range asked {
			if times > 1 {
				t.Errorf("%s: whether %s is trusted is asked %d times", name, folder, times)
			}
		}
		found := false
		for _, r := range set.All() {
			found = found || strings.Contains(r.Content, c.want)
			if len(c.trusted) > 0 && !set.Binding(r) {
				t.Errorf("%s: %s is not binding", name, r.Path)
			}
		}
		if !found {
			t.Errorf("%s: %v", name, set.Warnings())
		}
	}
}
