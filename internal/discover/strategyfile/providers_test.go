package strategyfile_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/strategy"
)

// listing writes what providers list as PROVIDER NAME [PATH] with ! for what must not be read.
func listing(t *testing.T, providers []strategy.Provider) string {
	t.Helper()
	var b strings.Builder
	for _, p := range providers {
		entries, err := p.List(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range entries {
			fmt.Fprintf(&b, "%s %s [%s]", p.ID(), e.Name, e.Origin.Path)
			if !e.Origin.Trusted {
				b.WriteString(" untrusted")
			}
			if e.Origin.Confine != "" {
				b.WriteString(" in " + e.Origin.Confine)
			}
			if e.Problem != "" {
				b.WriteString(" !" + e.Problem)
			}
			b.WriteByte('\n')
			if i > 0 && e.Root == entries[i-1].Root && e.Compare(entries[i-1]) < 0 {
				t.Errorf("%s stands after %s", e.Name, entries[i-1].Name)
			}
			if e.Origin.Provider != p.ID() {
				t.Errorf("%s is of %s, listed by %s", e.Name, e.Origin.Provider, p.ID())
			}
		}
	}
	return b.String()
}

func memory(flavor files.Flavor, paths ...string) *files.Memory {
	tree := files.NewMemory(flavor)
	for _, p := range paths {
		tree.WriteFile(p, "---\nname: x\n---\n")
	}
	return tree
}

func TestStrategies(t *testing.T) {
	tree := memory(files.Unix,
		"/h/strategies/b.strategy.md", "/h/strategies/a-b.strategy.md", "/h/strategies/a/x.strategy.md", "/h/strategies/UP.Strategy.MD",
		"/h/strategies/notes.md", "/h/strategies/strategy.md", "/h/strategies/.git/x.strategy.md", "/h/strategies/node_modules/p/x.strategy.md",
		"/w/.pertain/strategies/w.strategy.md", "/w/.pertain/other.strategy.md", "/outside/o.strategy.md",
		"/h/plugins/zed/strategies/z.strategy.md", "/h/plugins/My Plugin/strategies/m.strategy.md", "/h/plugins/file", "/h/plugins/empty/readme.md",
		"/linked/deep/l.strategy.md",
	)
	tree.MakeLink("/outside/o.strategy.md", "/w/.pertain/strategies/link.strategy.md")
	tree.MakeLink("/outside", "/w/.pertain/strategies/folder")
	tree.MakeLink("/nowhere", "/w/.pertain/strategies/dangling.strategy.md")
	tree.MakeLink("/w/.pertain/other.strategy.md", "/w/.pertain/strategies/inside.strategy.md")
	tree.MakeLink("/linked", "/h/strategies/follow")
	tree.MakeLink("/h/strategies", "/h/strategies/cycle")
	providers := strategyfile.Providers(tree, strategyfile.Roots{User: []string{"/h/strategies", "/missing"}, Workspace: "/w", Plugins: "/h/plugins"})
	want := `user /h/strategies/UP.Strategy.MD [UP.Strategy.MD]
user /h/strategies/a-b.strategy.md [a-b.strategy.md]
user /h/strategies/a/x.strategy.md [a/x.strategy.md]
user /h/strategies/b.strategy.md [b.strategy.md]
user /h/strategies/follow/deep/l.strategy.md [follow/deep/l.strategy.md]
workspace /w/.pertain/strategies/dangling.strategy.md [dangling.strategy.md] untrusted in /w !it is a link that leads to nothing
workspace /w/.pertain/strategies/folder [folder] untrusted in /w !it is a link that leads out of the workspace
workspace /w/.pertain/strategies/inside.strategy.md [inside.strategy.md] untrusted in /w
workspace /w/.pertain/strategies/link.strategy.md [link.strategy.md] untrusted in /w !it is a link that leads out of the workspace
workspace /w/.pertain/strategies/w.strategy.md [w.strategy.md] untrusted in /w
plugin.My-Plugin /h/plugins/My Plugin/strategies/m.strategy.md [m.strategy.md]
plugin.zed /h/plugins/zed/strategies/z.strategy.md [z.strategy.md]
`
	if diff := cmp.Diff(want, listing(t, providers)); diff != "" {
		t.Error(diff)
	}
	var order []string
	for _, p := range providers {
		order = append(order, p.ID())
	}
	if diff := cmp.Diff([]string{"user", "workspace", "plugin.empty", "plugin.My-Plugin", "plugin.zed"}, order); diff != "" {
		t.Errorf("not the documented order: %s", diff)
	}
	if diff := cmp.Diff([]string{"/h/strategies", "/missing"}, providers[0].Roots()); diff != "" {
		t.Error(diff)
	}
}

func TestTrustedWorkspace(t *testing.T) {
	tree := memory(files.Unix, "/w/.pertain/strategies/w.strategy.md")
	providers := strategyfile.Providers(tree, strategyfile.Roots{Workspace: "/w", Trusted: true})
	want := "workspace /w/.pertain/strategies/w.strategy.md [w.strategy.md] in /w\n" // confined all the same
	if diff := cmp.Diff(want, listing(t, providers)); diff != "" {
		t.Error(diff)
	}
}

func TestFind(t *testing.T) {
	tree := memory(files.Unix, "/h/a.strategy.md", "/h/sub/b.strategy.md", "/i/c.strategy.md", "/h/notes.md")
	tree.MakeFolder("/h/folder.strategy.md")
	provider := strategyfile.Providers(tree, strategyfile.Roots{User: []string{"/h", "/i"}})[0]
	for path, want := range map[string]string{
		"/h/a.strategy.md": "a.strategy.md", "/h/sub/b.strategy.md": "sub/b.strategy.md", "/i/c.strategy.md": "c.strategy.md",
		"/h/notes.md": "", "/h/gone.strategy.md": "", "/elsewhere/a.strategy.md": "", "/h/folder.strategy.md": "",
	} {
		e, ok := provider.Find(path)
		if ok != (want != "") || e.Origin.Path != want {
			t.Errorf("Find(%s) = %v, %v", path, e, ok)
		}
	}
	listed, err := provider.List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range listed {
		if e.Problem != "" {
			continue
		}
		if found, ok := provider.Find(e.Name); !ok || found != e {
			t.Errorf("%s is listed as %v and found as %v", e.Name, e, found)
		}
	}
}

// TestNamedStrategyFolders: a STRATEGY.md outside of a folder of strategies is one if it says what only strategies say.
func TestNamedStrategyFolders(t *testing.T) {
	tree := files.NewMemory(files.Unix)
	for path, text := range map[string]string{
		"/w/mail/STRATEGY.md":         "---\nname: Mail\nwhen: {environment.os: {equals: linux}}\n---\nWrite.\n",
		"/w/company/STRATEGY.md":      "# Our strategy\n\nSell more.\n",
		"/w/titled/STRATEGY.md":       "---\ntitle: Our strategy\ndescription: Sell\n---\nSell more.\n",
		"/w/strategies/x/STRATEGY.md": "Anything.\n",
		"/w/broken/STRATEGY.md":       "---\nwhen: [\n---\n",
		"/w/STRATEGY.md":              "---\nwhen: {}\n---\nThe folder itself.\n",
	} {
		tree.WriteFile(path, text)
	}
	providers, err := strategyfile.Named(t.Context(), tree, strategyfile.Roots{}, []string{"/w"})
	if err != nil {
		t.Fatal(err)
	}
	want := "user /w/broken/STRATEGY.md [broken/STRATEGY.md]\nuser /w/mail/STRATEGY.md [mail/STRATEGY.md]\nuser /w/strategies/x/STRATEGY.md [strategies/x/STRATEGY.md]\n"
	if diff := cmp.Diff(want, listing(t, providers)); diff != "" {
		t.Error(diff)
	}
}

func TestNamed(t *testing.T) {
	tree := memory(files.Unix,
		"/h/strategies/sub/a.strategy.md", "/h/plugins/p/strategies/b.strategy.md", "/w/.pertain/strategies/deep/c.strategy.md",
		"/tmp/d.strategy.md", "/tmp/e/f.strategy.md", "/tmp/readme.md",
		"/w/docs/g.strategy.md",
	)
	roots := strategyfile.Roots{User: []string{"/h/strategies"}, Plugins: "/h/plugins"}
	providers, err := strategyfile.Named(context.Background(), tree, roots, []string{
		"/w/.pertain/strategies/deep/c.strategy.md", "/h/plugins/p/strategies/b.strategy.md", "/tmp", "/h/strategies/sub", "/tmp/d.strategy.md", "/w/docs",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `user /tmp/d.strategy.md [d.strategy.md]
user /tmp/e/f.strategy.md [e/f.strategy.md]
user /w/docs/g.strategy.md [g.strategy.md] untrusted in /w
user /h/strategies/sub/a.strategy.md [sub/a.strategy.md]
workspace /w/.pertain/strategies/deep/c.strategy.md [deep/c.strategy.md] untrusted in /w
plugin.p /h/plugins/p/strategies/b.strategy.md [b.strategy.md]
`
	if diff := cmp.Diff(want, listing(t, providers)); diff != "" {
		t.Error(diff)
	}
	for path, says := range map[string]string{"/tmp/gone.strategy.md": "it does not exist", "/tmp/readme.md": "must end in .strategy.md"} {
		if _, err := strategyfile.Named(context.Background(), tree, roots, []string{path}); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", path, err, says)
		}
	}
}
