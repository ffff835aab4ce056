package export

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

func TestFromGitignore(t *testing.T) {
	for glob, want := range map[string][]string{
		"*.ts": {"**/*.ts"}, "/*.ts": {"*.ts"}, "Cargo.toml": {"**/Cargo.toml"}, "src/**": {"**/src/**"}, "/src/**": {"src/**"}, "src/": {"**/src/**"}, "src": {"**/src", "**/src/**"},
		"src/*.ts": {"src/*.ts"}, "src/*": {"src/**"}, "**": {"**"}, "*": {"**"}, "**/*": {"**/*"}, "./src/**": nil, "!x": nil, "#x": nil, "/": nil, "*.{ts,tsx}": {"**/*.{ts,tsx}"},
	} {
		if got := fromGitignore(glob); !slices.Equal(got, want) {
			t.Errorf("%s means %q, want %q", glob, got, want)
		}
	}
}

// TestClaudeGlobs: what is read from Claude Code's rules means the same files in Pertain's language.
func TestClaudeGlobs(t *testing.T) {
	tree := files.NewMemory(files.Unix)
	g := &generator{rand.New(rand.NewPCG(7, 7))}
	var globs []string
	for _, glob := range []string{"*.ts", "/*.ts", "src/**", "/src/**", "src/", "/src/api/", "src/*.ts", "src/*", "**/*.md", "**/api/**", "*.{ts,md}", "packages/*/b*.rs", "{src,lib}/**", "{src/api,lib}/*.ts", "a.ts", "**/*"} {
		globs = append(globs, glob)
		tree.WriteFile("/w/.claude/rules/r"+string(rune('a'+len(globs)))+".md", "---\npaths:\n  - \""+glob+"\"\n---\nx")
	}
	tree.MakeFolder("/w/.git")
	set, err := rule.Load(t.Context(), discover.Rules(tree, discover.RuleRoots{Dir: "/w"}), rule.Options{Root: "/w"})
	if err != nil || len(set.Rules()) != len(globs) {
		t.Fatalf("%d rules, %v", len(set.Rules()), err)
	}
	paths := g.paths(2000)
	format := nativeFormat(t)
	for i, r := range set.Rules() {
		one, _ := newRule(r, "/w", "")
		own := rule.NewSet([]*rule.Rule{r}, nil, rule.Options{Root: "/w"})
		native := nativeSet(t, format, []Rule{one})[0]
		hits := 0
		for _, path := range paths {
			if beyondGitignore(path) {
				continue
			}
			got, want := matches(native, path), matches(own, path)
			if want {
				hits++
			}
			if got != want {
				t.Errorf("%s: %s: %v, as %q: %v", globs[i], path, want, one.Globs, got)
				break
			}
		}
		if hits == 0 {
			t.Errorf("%s matches none of the paths", globs[i])
		}
	}
}

// TestFolderGlobs: a glob that ends with a slash does not take more without a word.
func TestFolderGlobs(t *testing.T) {
	for glob, told := range map[string]bool{"src/**/": true, "*/src/": true, "a*/": true, "src/**": false, "src/*.ts": false} {
		w := newWorld(t, map[string]string{".pertain/rules/x.md": "---\nglobs: [\"" + glob + "\"]\n---\ntext"})
		for name, f := range w.export(Run{DryRun: true}, Source{}, "claude", "cursor", "copilot") {
			got := slices.ContainsFunc(f.Losses, func(loss string) bool { return strings.Contains(loss, "`"+glob+"` is for folders alone") })
			if got != told {
				t.Errorf("%s in %s: the losses are %q", glob, name, f.Losses)
			}
		}
	}
}

// TestCase: that Claude Code compares without case is told where a rule's own tool does not.
func TestCase(t *testing.T) {
	const told = "compares paths without case"
	for glob, want := range map[string]bool{"README.md": true, "*.MD": true, "src/[A-Z]*.ts": true, "src/*.ts": false, "*.md": false} {
		w := newWorld(t, map[string]string{".pertain/rules/x.md": "---\nglobs: [\"" + glob + "\"]\n---\ntext"})
		for name, f := range w.export(Run{DryRun: true}, Source{}, "claude", "cursor") {
			if got := strings.Contains(strings.Join(f.Losses, "\n"), told); got != (want && f.Agent == "claude") {
				t.Errorf("%s in %s: the losses are %q", glob, name, f.Losses)
			}
		}
	}
	if _, loss, _ := (dialect{gitignore: true}).say("**/README.md", false, true); loss != "" {
		t.Errorf("a rule of Claude Code itself loses %s", loss)
	}
}
