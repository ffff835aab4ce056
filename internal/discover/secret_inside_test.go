package discover_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// ways are how the files of a project can make another file of it into the text of a rule.
var ways = map[string]func(w *world, path string){
	"a link": func(w *world, path string) { w.tree.MakeLink("/w/"+path, "/w/AGENTS.md") },
	"a link in a chain": func(w *world, path string) {
		w.tree.MakeLink("/w/"+path, "/w/x.md")
		w.tree.MakeLink("x.md", "/w/CLAUDE.md")
	},
	"a link in rules": func(w *world, path string) { w.tree.MakeLink("/w/"+path, "/w/.cursor/rules/a.mdc") },
	"a link in a nested folder": func(w *world, path string) {
		w.tree.MakeLink("/w/"+path, "/w/sub/.claude/rules/deep/a.md")
	},
	"an import": func(w *world, path string) { w.tree.WriteFile("/w/CLAUDE.md", "See\n\n@"+path+"\n") },
	"an import in an import": func(w *world, path string) {
		w.tree.WriteFile("/w/CLAUDE.md", "@./i.md")
		w.tree.WriteFile("/w/i.md", "@./"+path)
	},
	"an import of a link": func(w *world, path string) {
		w.tree.WriteFile("/w/CLAUDE.md", "@./i.md")
		w.tree.MakeLink(path, "/w/i.md")
	},
	"Kiro's import": func(w *world, path string) { w.tree.WriteFile("/w/.kiro/steering/k.md", "#[[file:"+path+"]]") },
	"OpenCode's settings": func(w *world, path string) {
		w.tree.WriteFile("/w/opencode.json", fmt.Sprintf(`{"instructions": [%q]}`, path))
	},
	"a pattern in such settings": func(w *world, path string) {
		w.tree.MakeLink(path, "/w/i.md")
		w.tree.WriteFile("/w/opencode.json", `{"instructions": ["*.md"]}`)
	},
	"a linked folder of all names": func(w *world, path string) {
		w.tree.MakeLink("/w/"+path[:max(strings.LastIndexByte(path, '/'), 0)], "/w/.roo/rules")
	},
}

// insideReads tells in how many of the ways a file of a project becomes text of a rule, and checks that the others are told.
func insideReads(t *testing.T, path, text string, trusted bool) (reads []string) {
	t.Helper()
	const mark = "UNLIKELY-WORD"
	for way, lead := range ways {
		w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/" + path: text + "\n" + mark})
		lead(w, path)
		roots := w.roots("/w")
		roots.Trusted, roots.Folders = trusted, []string{"/w/sub"}
		set := w.load(t, roots)
		read := false
		for _, r := range set.All() {
			read = read || strings.Contains(r.Content, mark)
		}
		told := slices.ContainsFunc(set.Warnings(), func(d diag.Diagnostic) bool {
			return d.Code == diag.RuleOutsideWorkspace && strings.Contains(d.Message, "looks like a secret") && !strings.Contains(d.Message, mark)
		})
		if read {
			reads = append(reads, way)
		} else if !told && !(way == "a linked folder of all names" && (strings.Contains(path, "/.") || strings.HasPrefix(path, ".") && !strings.Contains(path, "/"))) { // hidden names are no rules there
			t.Errorf("%s by %s: it is not told: %v", path, way, set.Warnings())
		}
	}
	slices.Sort(reads)
	return reads
}

// TestSecretsInsideAreNotRead: not all that lies in a clone came with it. What the user keeps there is not brought into a
// prompt by what came.
func TestSecretsInsideAreNotRead(t *testing.T) {
	for path, text := range map[string]string{
		".git/config":             "[remote]",
		".git/logs/HEAD":          "0000",
		"vendor/x/.git/config":    "[remote]",
		".env":                    "A=1",
		"app/.env.local":          "A=1",
		".netrc":                  "machine",
		".npmrc":                  "//registry",
		".git-credentials":        "https://",
		".aws/credentials":        "[default]",
		".kube/config":            "clusters:",
		"keys/id_rsa":             "x",
		"infra/deploy_key":        "x",
		"infra/terraform.tfstate": "{}",
		".cursor/mcp.json":        "{}",
		".envs/.production/.db":   "A=1",
		"conf/remote.yml":         "url: https://me:hunter2hunter2@git.example.com",
		"notes/plain.md":          "-----BEGIN OPENSSH PRIVATE KEY-----",
		"conf/secrets.py":         "WIFI = 'swordfish'",
		"lib/credentials.js":      "module.exports = () => ({ password: 'swordfish' })",
		"conf/passwords.yml":      "a: b",
		"notes/token-of-it.md":    "hvs.CAESIJ0123456789abcdefghijklmnop",
	} {
		for _, trusted := range []bool{false, true} {
			if reads := insideReads(t, path, text, trusted); len(reads) > 0 {
				t.Errorf("%s, trusted %t: read by %v", path, trusted, reads)
			}
		}
	}
}

// TestOthersInsideAreRead: what is about secrets is none, nor is a rule that shows what a token looks like.
func TestOthersInsideAreRead(t *testing.T) {
	for path, text := range map[string]string{
		"docs/env.md":                    "Text.",
		"docs/secrets.md":                "Never commit .env, .npmrc and id_rsa.",
		"docs/gcloud/tokens.md":          "Use AKIA keys, and ghp_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX.",
		"conf/.env.example":              "A=",
		"src/token.ts":                   "export",
		"src/auth/password.ts":           "import { hash } from 'bcryptjs'\nexport const check = (a: string) => hash(a)",
		"src/secrets.go":                 "package secrets\n\nfunc Read() string { return \"\" }",
		"lib/credentials.rb":             "class Credentials\nend",
		"src/password.test.ts":           "import { check } from './password'",
		"src/password.css":               ".password { color: red }",
		".github/secret_scanning.yml":    "paths-ignore: []",
		".github/workflows/ci.yml":       "on: push",
		"sub/AGENTS.md":                  "Never write AKIAIOSFODNN7EXAMPLE.",
		".agents/rules/keys.md":          "Text.",
		".github/x.instructions.md":      "Never write AKIAIOSFODNN7EXAMPLE.",
		".windsurf/rules/credentials.md": "Text.",
		"docs/remotes.md":                "Never write https://me:hunter2hunter2@git.example.com.",
		"conf/compose.yml":               "url: postgres://user:password@db",
	} {
		reads := insideReads(t, path, text, false)
		want := len(ways)
		if strings.Contains(path, "/.") { // a folder of rules has no hidden files
			want--
		}
		if len(reads) != want {
			t.Errorf("%s: read by %v", path, reads)
		}
	}
}

// TestRulesWithTokens: a rule at its own place is read, whatever it is about, also where the way to the project is a link.
func TestRulesWithTokens(t *testing.T) {
	const token = "Never write AKIAIOSFODNN7EXAMPLE."
	for _, path := range []string{"AGENTS.md", ".cursor/rules/secrets.mdc", ".roo/rules/token.txt", ".roo/rules/env", "sub/CLAUDE.md"} {
		for _, dir := range []string{"/w", "/alias", "/alias/sub"} {
			w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/sub/x": "", "/w/" + path: token})
			w.tree.MakeLink("/w", "/alias")
			roots := w.roots(dir)
			roots.Folders = []string{strings.TrimSuffix(dir, "/sub") + "/sub"}
			if set := w.load(t, roots); len(set.All()) != 1 || len(set.Warnings()) > 0 {
				t.Errorf("%s from %s: %v %v", path, dir, names(set.All()), set.Warnings())
			}
		}
	}
}

// TestGitFolderOfAnotherName: git's folder is as secret where it is called something else.
func TestGitFolderOfAnotherName(t *testing.T) {
	for way, lead := range ways {
		w := newWorld(files.Unix, map[string]string{"/w/.git": "gitdir: ./.bare", "/w/.bare/HEAD": "ref: refs/heads/main", "/w/.bare/config": "UNLIKELY-WORD"})
		w.tree.MakeFolder("/w/.bare/objects")
		w.tree.MakeFolder("/w/.bare/refs")
		lead(w, ".bare/config")
		roots := w.roots("/w")
		roots.Folders = []string{"/w/sub"}
		set := w.load(t, roots)
		for _, r := range set.All() {
			if strings.Contains(r.Content, "UNLIKELY-WORD") {
				t.Errorf("read by %s", way)
			}
		}
		if !slices.ContainsFunc(set.Warnings(), func(d diag.Diagnostic) bool { return strings.Contains(d.Message, "looks like a secret") }) {
			t.Errorf("by %s: it is not told: %v", way, set.Warnings())
		}
	}
}

// TestHomeIsNoGround: where the home is the repository, its hidden folders are the user's own.
func TestHomeIsNoGround(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/home/u/.git/HEAD": "", "/home/u/.config/gh/hosts.yml": "user: me", "/home/u/got/README.md": ""})
	w.tree.MakeLink("/home/u/.config/gh/hosts.yml", "/home/u/got/AGENTS.md")
	w.tree.WriteFile("/home/u/got/CLAUDE.md", "@../.config/gh/hosts.yml")
	set := w.load(t, w.roots("/home/u/got"))
	for _, r := range set.All() {
		if strings.Contains(r.Content, "user: me") {
			t.Errorf("%s: %q", r.Path, r.Content)
		}
	}
	if len(set.Warnings()) != 2 {
		t.Error(set.Warnings())
	}
}

// TestOwnImportsInside: the user's own files import what the user wants.
func TestOwnImportsInside(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/private.txt": "MINE", "/home/u/.claude/CLAUDE.md": "@/w/private.txt", "/home/u/.claude/token.txt": "MINE"})
	for dir, text := range map[string]string{"/w": "@/w/private.txt", "/home/u": "@token.txt"} {
		w.tree.WriteFile("/home/u/.claude/CLAUDE.md", text)
		if rules := w.load(t, w.roots(dir)).All(); len(rules) != 1 || rules[0].Content != "MINE" {
			t.Errorf("in %s: %v", dir, names(rules))
		}
	}
}

// TestOwnWaysToAKey: what the user's own rules and settings lead to is no file of keys; a variable may have named their folder. Any text is read.
func TestOwnWaysToAKey(t *testing.T) {
	ways := map[string]func(w *world, target string){
		"a link":    func(w *world, target string) { w.tree.MakeLink(target, "/home/u/.claude/rules/a.md") },
		"an import": func(w *world, target string) { w.tree.WriteFile("/home/u/.claude/CLAUDE.md", "@"+target) },
		"an import in an import": func(w *world, target string) {
			w.tree.WriteFile("/home/u/.claude/CLAUDE.md", "@./i.md")
			w.tree.WriteFile("/home/u/.claude/i.md", "@"+target)
		},
		"settings": func(w *world, target string) {
			w.tree.WriteFile("/home/u/.config/opencode/opencode.json", fmt.Sprintf(`{"instructions": [%q]}`, target))
		},
	}
	for target, read := range map[string]bool{
		"/home/u/.ssh/id_rsa": false, "/home/u/.netrc": false, "/home/u/.aws/config": false, "/home/u/.npmrc": false, "/home/u/bare/config": false,
		"/home/u/.dotfiles/claude/rules.md": true, "/home/u/notes/tokens.md": true, "/home/u/notes/private.txt": true, "/nix/store/x-rules": true,
	} {
		for way, lead := range ways {
			w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/home/u/bare/HEAD": "", "/home/u/bare/objects/x": "", "/home/u/bare/refs/x": "", target: "UNLIKELY-WORD"})
			lead(w, target)
			set := w.load(t, w.roots("/w"))
			found := slices.ContainsFunc(set.All(), func(r *rule.Rule) bool { return strings.Contains(r.Content, "UNLIKELY-WORD") })
			told := slices.ContainsFunc(set.Warnings(), func(d diag.Diagnostic) bool { return d.Code == diag.RuleOutsideWorkspace })
			if found != read || told == read {
				t.Errorf("%s by %s: read: %v, told: %v", target, way, found, told)
			}
		}
	}
}

// TestOwnPlaceOfAKey: a rule of the user's own at its own place is one, whatever its name.
func TestOwnPlaceOfAKey(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/home/u/.roo/rules/id_rsa": "How to make one."})
	if set := w.load(t, w.roots("/w")); len(set.All()) != 1 || len(set.Warnings()) > 0 {
		t.Errorf("%v %v", names(set.All()), set.Warnings())
	}
}

// TestOwnImportOfAKey: nor is a private key under any name the text of one of the user's own rules.
func TestOwnImportOfAKey(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/home/u/.claude/CLAUDE.md": "@~/work/deploy", "/home/u/work/deploy": "-----BEGIN OPENSSH PRIVATE KEY-----\nUNLIKELY-WORD"})
	set := w.load(t, w.roots("/w"))
	for _, r := range set.All() {
		if strings.Contains(r.Content, "UNLIKELY-WORD") {
			t.Errorf("%q", r.Content)
		}
	}
	if len(set.Warnings()) != 1 {
		t.Error(set.Warnings())
	}
}
