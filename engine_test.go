package pertain_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/strategy"
)

// folder is a user's folder of strategies on the real disk.
type folder struct {
	t   testing.TB
	dir string
}

func newFolder(t testing.TB, contents map[string]string) folder {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := folder{t, dir}
	for name, text := range contents {
		f.write(name, text)
	}
	return f
}

func (f folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

func (f folder) write(name, text string) {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Dir(f.path(name)), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(f.path(name), []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

func (f folder) remove(name string) {
	f.t.Helper()
	if err := os.RemoveAll(f.path(name)); err != nil {
		f.t.Fatal(err)
	}
}

func (f folder) options() pertain.Options {
	tree := files.OS()
	return pertain.Options{
		Providers: strategyfile.Providers(tree, strategyfile.Roots{User: []string{f.dir}}),
		Resolvers: []strategy.Resolver{strategyfile.Resolver{Tree: tree}},
	}
}

func open(t testing.TB, options pertain.Options) *pertain.Engine {
	t.Helper()
	engine, err := pertain.Open(context.Background(), options)
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

// contents writes a catalog as ID NAME, with ! for what is not valid and - for what is disabled.
func contents(c *pertain.Catalog) string {
	var out []string
	for _, s := range c.Strategies() {
		line := s.ID + " " + s.Name
		if !s.Valid {
			line += " !"
		}
		if !s.Enabled {
			line += " -"
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func named(name string) string { return "---\nname: " + name + "\n---\n" }

func TestReload(t *testing.T) {
	f := newFolder(t, map[string]string{
		"a.strategy.md": named("A"), "b.strategy.md": named("B"), "c.strategy.md": "---\nfrom: ./base.md\nname: C\n---\n", "base.md": "Base one.\n",
	})
	engine := open(t, f.options())
	first := engine.Catalog()
	step := func(what, want string, paths ...string) *pertain.Catalog {
		t.Helper()
		for i := range paths {
			paths[i] = f.path(paths[i])
		}
		next, err := engine.Reload(context.Background(), paths...)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, contents(next)); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
		if engine.Catalog() != next {
			t.Errorf("%s: the engine has another catalog", what)
		}
		return next
	}
	body := func(c *pertain.Catalog) string {
		s, _ := c.ByID("user.c")
		return s.Body
	}
	again := step("nothing changed", "user.a A\nuser.b B\nuser.c C")
	if again.Strategies()[0] != first.Strategies()[0] || again.Strategies()[2] != first.Strategies()[2] {
		t.Error("a file that has not changed was read anew")
	}
	f.write("a.strategy.md", named("A2"))
	f.write("b.strategy.md", named("B2"))
	step("only what is named is looked at", "user.a A2\nuser.b B\nuser.c C", "a.strategy.md")
	step("everything", "user.a A2\nuser.b B2\nuser.c C")

	f.write("base.md", "Base two.\n")
	if got := body(step("a changed source", "user.a A2\nuser.b B2\nuser.c C", "base.md")); got != "Base two." {
		t.Errorf("body = %q", got)
	}
	f.remove("base.md")
	step("a lost source", "user.a A2\nuser.b B2\nuser.c C !", "base.md")
	f.write("base.md", "Base three.\n")
	if got := body(step("a source that is back", "user.a A2\nuser.b B2\nuser.c C", "base.md")); got != "Base three." {
		t.Errorf("body = %q", got)
	}

	f.write("0/new.strategy.md", named("New"))
	step("a new file", "user.0.new New\nuser.a A2\nuser.b B2\nuser.c C", "0/new.strategy.md")
	f.remove("a.strategy.md")
	step("a file is gone", "user.0.new New\nuser.b B2\nuser.c C", "a.strategy.md")
	f.write("b.strategy.md", "broken\n")
	step("a file broke", "user.0.new New\nuser.b  !\nuser.c C", "b.strategy.md")
	f.write("z.strategy.md", "---\nname: Z\nid: user.0.NEW\n---\n")
	step("a duplicate", "user.0.new New\nuser.b  !\nuser.c C\nuser.0.NEW Z !", "z.strategy.md")
	f.remove("0")
	step("the first of two is gone", "user.b  !\nuser.c C\nuser.0.NEW Z", "0/new.strategy.md")
	step("what is no strategy", "user.b  !\nuser.c C\nuser.0.NEW Z", "notes.txt", "elsewhere.strategy.md")
	if diff := cmp.Diff("user.a A\nuser.b B\nuser.c C", contents(first)); diff != "" {
		t.Errorf("a catalog changed under its holder: %s", diff)
	}
}

func TestDuplicates(t *testing.T) {
	f := newFolder(t, map[string]string{
		"b.strategy.md": "---\nname: Second\nid: same\n---\n", "a.strategy.md": "---\nname: First\nid: SAME\n---\n", "c.strategy.md": "---\nname: Third\nid: user.Same\n---\n",
	})
	catalog := open(t, f.options()).Catalog()
	if diff := cmp.Diff("user.SAME First\nuser.same Second !\nuser.Same Third !", contents(catalog)); diff != "" {
		t.Error(diff)
	}
	if n := catalog.Diagnostics().Count(diag.Error); n != 2 {
		t.Errorf("%d errors, want one for each that comes later: %v", n, catalog.Diagnostics())
	}
	for _, d := range catalog.Diagnostics() {
		if d.Code != diag.StrategyDuplicateID || d.Related[0].Source.Name() != f.path("a.strategy.md") {
			t.Errorf("%s related to %v", d.Code, d.Related)
		}
	}
	if s, ok := catalog.ByID("USER.same"); !ok || s.Name != "First" {
		t.Errorf("by id: %v", s)
	}
}

// TestBrokenFileTakesNoID proves that a file without an id of its own does not take that of a good one.
func TestBrokenFileTakesNoID(t *testing.T) {
	f := newFolder(t, map[string]string{
		"a.strategy.md": "---\nname: A\nid: \"not an id\"\n---\n", // would be derived as user.a
		"b.strategy.md": "---\nname: B\nid: user.a\n---\n",
	})
	catalog := open(t, f.options()).Catalog()
	if s, ok := catalog.ByID("user.a"); !ok || s.Name != "B" || !s.Valid {
		t.Errorf("%s: %v", contents(catalog), catalog.Diagnostics())
	}
}

func TestDisabled(t *testing.T) {
	f := newFolder(t, map[string]string{"a.strategy.md": named("A"), "b.strategy.md": named("B"), "c.strategy.md": "---\nname: C\nenabled: false\n---\n"})
	options := f.options()
	options.Disabled = []string{"USER.B", "user.nothing"}
	engine := open(t, options)
	if diff := cmp.Diff("user.a A\nuser.b B -\nuser.c C -", contents(engine.Catalog())); diff != "" {
		t.Error(diff)
	}
	m := match(t, engine, nil, true)
	if diff := cmp.Diff("true user.a\nnull user.b\nnull user.c", results(m)); diff != "" {
		t.Error(diff)
	}
}

func match(t testing.TB, engine *pertain.Engine, s *facts.Snapshot, all bool) pertain.Match {
	t.Helper()
	if s == nil {
		s = facts.NewSnapshot(facts.Parts{Values: facts.Fields()})
	}
	m, err := engine.Match(context.Background(), s, pertain.MatchOptions{All: all})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func results(m pertain.Match) string {
	var out []string
	for _, c := range m.Candidates {
		out = append(out, fmt.Sprintf("%s %s", c.Result, c.Strategy.ID))
	}
	return strings.Join(out, "\n")
}

func when(name string, priority int, condition string) string {
	return fmt.Sprintf("---\nname: %s\npriority: %d\nwhen: %s\n---\n", name, priority, condition)
}

// TestOrder is that of docs/reference/strategies.md: priority, provider, name without case, id; with All the rest after them, in the same order.
func TestOrder(t *testing.T) {
	f := newFolder(t, map[string]string{
		"a.strategy.md": when("same", 5, "true"), "b.strategy.md": when("Same", 5, "true"), "c.strategy.md": when("élan", 5, "true"), "d.strategy.md": when("Élan", 5, "true"),
		"e.strategy.md": when("last", -1, "true"), "f.strategy.md": when("first", 100, "true"),
		"n.strategy.md": when("no", 50, "false"), "u.strategy.md": when("unknown", 60, "{clipboard.text: {equals: x}}"), "x.strategy.md": "---\nname: broken\npriority: 55\nwhen: 3\n---\n",
		"y.strategy.md": "---\nname: off\npriority: 70\nenabled: false\n---\n",
	})
	g := newFolder(t, map[string]string{".pertain/strategies/w.strategy.md": when("aaa", 5, "true"), ".pertain/strategies/v.strategy.md": when("vvv", 80, "true")})
	options := f.options()
	options.Providers = strategyfile.Providers(files.OS(), strategyfile.Roots{User: []string{f.dir}, Workspace: g.dir, Trusted: true})
	engine := open(t, options)
	matched := "true user.f\ntrue workspace.v\ntrue user.a\ntrue user.b\ntrue user.c\ntrue user.d\ntrue workspace.w\ntrue user.e"
	rest := "\nnull user.y\nnull user.u\nnull user.x\nfalse user.n"
	for range 3 { // without the index, while it is built, and with it
		if diff := cmp.Diff(matched, results(match(t, engine, nil, false))); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(matched+rest, results(match(t, engine, nil, true))); diff != "" {
			t.Error(diff)
		}
	}
	options.Providers = strategyfile.Providers(files.OS(), strategyfile.Roots{User: []string{f.dir}, Workspace: g.dir})
	m := match(t, open(t, options), nil, true)
	for _, c := range m.Candidates {
		untrusted := false
		for _, d := range c.Diagnostics {
			untrusted = untrusted || d.Code == diag.StrategyUntrusted && strings.Contains(d.Sentence(), "pertain trust")
		}
		if workspace := c.Strategy.Provider == "workspace"; untrusted != workspace || workspace && c.Result != cond.Null {
			t.Errorf("%s: %s, untrusted %v", c.Strategy.ID, c.Result, untrusted)
		}
	}
}

// TestAllSaysWhatIsMissing: what is missing or does not fit is told with All only, once for each position.
func TestAllSaysWhatIsMissing(t *testing.T) {
	f := newFolder(t, map[string]string{
		"a.strategy.md": when("a", 0, "{clipboard.text: {equals: x}}"),
		"b.strategy.md": when("b", 0, "{any: [{extra.workspace.name: {min: 3}}, {clipboard.text: {equals: x}}, true]}"),
		"c.strategy.md": when("c", 0, "{attachments.files: {any: {path: {equals: x}}}}"),
	})
	item := facts.Fields(facts.Field{Name: "extension", Value: facts.Text(".x")})
	s := facts.NewSnapshot(facts.Parts{Values: facts.Fields()}).With("extra.workspace.name", facts.Text("w")).With("attachments.files", facts.List(item, item, item))
	engine := open(t, f.options())
	if m := match(t, engine, s, false); len(m.Diagnostics) != 0 {
		t.Errorf("without All: %v", m.Diagnostics)
	}
	m := match(t, engine, s, true)
	got := map[string]int{}
	for _, d := range m.Diagnostics {
		got[d.Strategy+" "+string(d.Code)]++
	}
	want := map[string]int{"user.a condition.path_missing": 1, "user.b condition.type_mismatch": 1, "user.b condition.path_missing": 1, "user.c condition.path_missing": 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, c := range m.Candidates {
		own := 0
		for _, d := range m.Diagnostics {
			if d.Strategy == c.Strategy.ID {
				own++
			}
		}
		if len(c.Diagnostics) != own {
			t.Errorf("%s has %d diagnostics of its own, and %d in the whole", c.Strategy.ID, len(c.Diagnostics), own)
		}
	}
}

func TestReasons(t *testing.T) {
	f := newFolder(t, map[string]string{
		"a.strategy.md": when("a", 0, "{all: [{clipboard.hasText: {equals: true}}, {none: [{clipboard.text: {contains: secret}}]}]}"),
		"b.strategy.md": when("b", 0, "{any: [{clipboard.hasText: {equals: false}}, {environment.os: {equals: linux}}]}"),
		"c.strategy.md": when("c", 0, "{none: [{clipboard.hasText: {equals: true}}]}"),
		"d.strategy.md": when("d", 0, "{all: [{extra.workspace.name: {equals: x}}, {clipboard.hasText: {equals: true}}]}"),
		"e.strategy.md": named("e"),
	})
	s := facts.NewSnapshot(facts.Parts{Values: facts.Fields()}).With("clipboard.hasText", facts.Flag(true)).With("clipboard.text", facts.Text("x")).With("environment.os", facts.Text("linux"))
	engine := open(t, f.options())
	for id, want := range map[string]string{
		"user.a": "clipboard.hasText, not clipboard.text", "user.b": "environment.os", "user.c": "not clipboard.hasText", "user.d": "extra.workspace.name", "user.e": "",
	} {
		x, ok := engine.Explain(id, s, pertain.ExplainOptions{})
		if got := strings.Join(x.Reasons(), ", "); !ok || got != want {
			t.Errorf("%s (%s): %q, want %q", id, x.Result, got, want)
		}
	}
	if _, ok := engine.Explain("user.nothing", s, pertain.ExplainOptions{}); ok {
		t.Error("an unknown strategy is explained")
	}
}

func TestNearestIDs(t *testing.T) {
	f := newFolder(t, map[string]string{"summarize.strategy.md": named("s"), "sub/summarize.strategy.md": named("t"), "translate.strategy.md": named("u")})
	catalog := open(t, f.options()).Catalog()
	for id, want := range map[string]string{
		"user.sumarize": "user.summarize user.sub.summarize", "summarize": "user.sub.summarize user.summarize", "zzzzzzzzzzzz": "", "User.Translate": "user.translate",
	} {
		got := catalog.NearestIDs(id)
		if strings.Join(got, " ") != want && (len(got) == 0 || want == "" || got[0] != strings.Fields(want)[0]) {
			t.Errorf("%s: %v, want %s", id, got, want)
		}
	}
}
