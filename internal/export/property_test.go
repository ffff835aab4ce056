package export

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// TestRoundTrip: whatever a rule is, where nothing is told as lost, the agent's own reading of the file gives the same rule back. The
// usual run is short; PERTAIN_EXPORT_RULES and PERTAIN_EXPORT_SEED make it longer and another.
func TestRoundTrip(t *testing.T) {
	count, seed := 1_000, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("PERTAIN_EXPORT_RULES")); err == nil {
		count = n
	} else if testing.Short() {
		count = 200
	}
	if n, err := strconv.ParseUint(os.Getenv("PERTAIN_EXPORT_SEED"), 10, 64); err == nil {
		seed = n
	}
	const batch = 100
	format := nativeFormat(t)
	exact, lossy := 0, 0
	for done := 0; done < count && !t.Failed(); done += batch {
		g := &generator{rand.New(rand.NewPCG(seed, uint64(done)))}
		var rules []Rule
		for i := range batch {
			rules = append(rules, g.rule(i))
		}
		paths := g.paths(30)
		want := nativeSet(t, format, rules)
		checkSkills(t, rules)
		for _, f := range Forms() {
			f.usual = f.Path
			if f.IsMemory() {
				checkMemory(t, f, rules)
				continue
			}
			made := f.folderFiles(rules)
			if err := f.readBack(t.Context(), made, false); err != nil {
				t.Fatal(err)
			}
			e, l := checkFolder(t, f, rules, made, want, paths)
			exact, lossy = exact+e, lossy+l
		}
	}
	t.Logf("%d rules × agents came back the same, %d with losses", exact, lossy)
	if exact == 0 || lossy == 0 {
		t.Error("the rules are not such that anything is shown")
	}
}

// checkFolder reads the files of an agent and compares what is not told as lost.
func checkFolder(t *testing.T, f Form, rules []Rule, made []*File, want []*rule.Set, paths []string) (exact, lossy int) {
	t.Helper()
	tree := files.NewMemory(files.Unix)
	tree.MakeFolder("/w/.git")
	seen := map[string]bool{}
	for _, file := range made {
		if seen[sameFile(file.rel)] {
			t.Errorf("%s: two files are called %q", f.Agent, file.rel)
		}
		seen[sameFile(file.rel)] = true
		if bad := strings.Contains(file.rel, "..") || !strings.HasPrefix(file.rel, f.Path+"/") || strings.ContainsAny(file.rel, "\n\x00\\"); bad {
			t.Errorf("%s: the file is called %q", f.Agent, file.rel)
		}
		if file.text != "" {
			tree.WriteFile("/w/"+file.rel, file.text)
		}
	}
	providers := []rule.Provider{discover.AgentRules(tree, discover.RuleRoots{Dir: "/w"}, f.agent)}
	set, err := rule.Load(t.Context(), providers, rule.Options{Root: "/w", Agent: f.Agent, Beside: true})
	if err != nil {
		t.Fatal(err)
	}
	byPath := map[string]*rule.Rule{}
	for _, r := range set.All() {
		byPath[r.Path] = r
	}
	for i, file := range made {
		for _, loss := range file.placed[0].lost {
			kind, _, _ := strings.Cut(loss, ": ")
			if !slices.ContainsFunc(lossKinds, func(k struct{ kind, meaning string }) bool { return k.kind == kind }) {
				t.Errorf("the page does not say what the loss %q is", loss)
			}
		}
		if len(file.placed[0].lost) > 0 {
			lossy++
			continue
		}
		exact++
		r, source := byPath["/w/"+file.rel], rules[i]
		if r == nil {
			t.Errorf("%s: %q is not loaded\n%s", f.Agent, source.Name, file.text)
			continue
		}
		if r.Export == nil || !slices.Equal(r.Export.Sources, []string{"/w/" + source.Source}) {
			t.Errorf("%s: %q does not say what it was made from: %+v", f.Agent, source.Name, r.Export)
		}
		description := ""
		if r.Description != nil {
			description = *r.Description
		}
		if r.Name != source.Name || r.Text() != source.Text || description != source.Description || r.When != whenOf(source.Activation) {
			t.Errorf("%s: %+v\ncame back as %q %q %q %s\n%s", f.Agent, source, r.Name, r.Text(), description, r.When, file.text)
		}
		if source.Activation != ByGlobs {
			continue
		}
		one := rule.NewSet([]*rule.Rule{r}, nil, rule.Options{Root: "/w", Agent: f.Agent})
		for _, path := range paths {
			if f.dialect.gitignore && beyondGitignore(path) {
				continue
			}
			if got, wanted := matches(one, path), matches(want[i], path); got != wanted {
				t.Errorf("%s: globs %q except %q match %s: %v, as exported %q: %v", f.Agent, source.Globs, source.Except, path, wanted, r.Globs, got)
			}
		}
	}
	return exact, lossy
}

// beyondGitignore tells the paths of which docs/agents.md says that Claude Code takes them otherwise: with capitals, below a
// folder that is called like a file, and a file that is called like a folder.
func beyondGitignore(path string) bool {
	folder := path[:strings.LastIndexByte(path, '/')+1]
	if path == folder+"src" {
		return true
	}
	return strings.ToLower(path) != path || strings.Contains(strings.ReplaceAll(folder, "/.github", ""), ".")
}

func matches(s *rule.Set, path string) bool {
	for _, v := range s.For([]rule.File{{Path: "/w/" + path}}, false)[0] {
		if v.Applies && v.Why == rule.ByGlob {
			return true
		}
	}
	return false
}

// checkMemory holds that each rule of a shared file is in it whole, or told.
func checkMemory(t *testing.T, f Form, rules []Rule) {
	t.Helper()
	p := &Plan{tree: files.NewMemory(files.Unix), folders: Folders{Root: "/w"}}
	for _, file := range p.memoryFiles([]Form{f}, rules) {
		if file.Change == Skipped {
			continue
		}
		read, _ := rule.Read(source(file.text), rule.Origin{Provider: f.Agent, Always: true}, &rule.Format{Tool: "t", Whole: true})
		for _, at := range file.placed {
			if !strings.Contains(read.Content, at.Text) || len(at.lost) == 0 {
				t.Errorf("%s: %q is not in %s", f.Agent, at.Text, file.rel)
			}
			if at.Activation != Always && len(at.head) == 0 {
				t.Errorf("%s: %q applies to everything without a word", f.Agent, at.Name)
			}
		}
	}
}

// nativeSet reads each rule in Pertain's own form.
func nativeSet(t *testing.T, format *rule.Format, rules []Rule) []*rule.Set {
	t.Helper()
	f := native()
	var out []*rule.Set
	for _, r := range rules {
		at := f.place(r)
		text := withFrontmatter([]string{r.Source}, f.fields(at), at.body())
		read, _ := rule.Read(source(text), rule.Origin{Provider: "pertain", Level: rule.Project, Name: r.Name, Base: "/w"}, format)
		if read == nil {
			t.Fatalf("%+v is no rule", r)
		}
		out = append(out, rule.NewSet([]*rule.Rule{read}, nil, rule.Options{Root: "/w"}))
	}
	return out
}

// generator makes rules that nobody would write, and some that somebody would.
type generator struct{ *rand.Rand }

func pick[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

func (g *generator) rule(number int) Rule {
	r := Rule{Name: g.name(number), Text: strings.TrimSpace(g.text()), Activation: Activation(g.IntN(5))}
	// Each has a file of its own: copies of one rule are made one when they are read.
	r.Source = ".pertain/rules/" + strconv.Itoa(number) + strings.TrimLeft(strings.ReplaceAll(r.Name, "..", "dots"), "/") + ".md"
	if r.Text == "" {
		r.Text = "x"
	}
	if g.IntN(2) == 0 || r.Activation == ByDescription {
		r.Description = strings.TrimSpace(g.phrase())
	}
	if r.Activation == ByDescription && r.Description == "" {
		r.Description = "d"
	}
	if r.Activation == ByGlobs || r.Activation == ByTrigger && g.IntN(2) == 0 {
		for range 1 + g.IntN(3) {
			r.Globs = append(r.Globs, g.glob())
		}
		if g.IntN(5) == 0 {
			r.Except = append(r.Except, g.glob())
		}
	}
	if r.Activation == ByTrigger {
		r.Triggers = []string{pick(g, `\.unwrap\(\)`, `"'#: `, `a|b`)}
	}
	return r
}

func (g *generator) name(number int) string {
	odd := []string{
		"../up", "a/../b", "~/x", ".dot", "CON", "nul.md", "a\nb", "x -->", "x {#}", "%2e", "é", "e\u0301", strings.Repeat("long", 90), "a.md", "b.tmp",
		"a/b/c/d/e/f/g/h", "x:y", " blank ", "`code`", "\u202Ebidi", "workflows/x", "\xff", "A", "a", `c:\x`, "node_modules/x", "..", "x,y", "--", "#x",
	}
	if g.IntN(4) == 0 {
		return pick(g, odd...)
	}
	return pick(g, "", "sub/", "a/b/") + pick(g, "style", "api", "errors") + "-" + strconv.Itoa(number)
}

func (g *generator) text() string {
	var b strings.Builder
	for range 1 + g.IntN(4) {
		b.WriteString(pick(g,
			"Be kind.", "# Title", "---", "<!-- note -->", "```\ncode @x.md\n```", "* item", "<!-- pertain export -->", "<!-- /pertain export -->", `"quoted": yes`,
			"a\tb", "  indented", "é 漢字 🙂", "</rule>", "-->", "#}", "***", "key: value\n---", "This is only for files that match `x`.",
			`<!-- Made by "pertain export" from a; change that and export again. sha256:0000000000000000 -->`,
		))
		b.WriteString(pick(g, "\n", "\n\n"))
	}
	return b.String()
}

func (g *generator) phrase() string {
	return pick(g, "TypeScript rules", `How to "deploy": now`, "line\nbreak", "# no comment", "- item", "true", "null", "12", "{a: b}", "it's", "a\\b", "é漢", "x -->", "*star", "@at", "", "---", "tab\tbed", "[list]", "1.0", "~", "| pipe", "yes: no # c")
}

func (g *generator) glob() string {
	odd := []string{
		"**", "*", "**/*", "a,b.ts", "[ab].ts", "[!a]*.ts", "?.ts", "*.{ts}", "{a,b}/**", "{src,lib}/**/*.{ts,tsx}", "x y.ts", "#x.ts", "'q'.ts", "src", "Makefile",
		"**/src", "src/*", "**/test_*", "[A-Z]*.ts", "[0-9].ts", `a\[b\].ts`, "+(a|b).ts", "a(b).ts", "**/.github/**", "*.ts ", `\!x.ts`, "a/**/b", "src/**/*", "{a,b}", "-x", "@x/y.ts", "&x", "%x",
	}
	if g.IntN(3) == 0 {
		return pick(g, odd...)
	}
	return pick(g, "", "**/", "src/", "src/api/", "src/**/", "packages/*/", "*/") + pick(g, "*.ts", "*.{ts,tsx}", "a.ts", "**", "*.md", "b*.rs", "*.test.ts")
}

func (g *generator) paths(n int) []string {
	var out []string
	for range n {
		path := ""
		for range g.IntN(4) {
			path += pick(g, "src", "api", "lib", "packages", "a", "b", "test_x", ".github", "x y", "a.ts", "Src", "@x") + "/"
		}
		out = append(out, path+pick(g, "a.ts", "b.tsx", "A.ts", "a.md", "brs.rs", "x.test.ts", "Makefile", "src", "1.ts", "a,b.ts", "x y.ts", "b.ts", "#x.ts", "y.ts", "{ts}", "a.{ts}", "a(b).ts", "a[b].ts", "'q'.ts", "!x.ts", "q"))
	}
	return out
}

func (r Rule) String() string {
	return fmt.Sprintf("%q %s %q %q except %q text %q", r.Name, r.Activation.word(), r.Description, r.Globs, r.Except, r.Text)
}
