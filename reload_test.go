package pertain_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/files"
)

// TestReloadOfOnePathTwice holds that a file is one strategy, however often and
// in whatever spelling its path is given.
func TestReloadOfOnePathTwice(t *testing.T) {
	f := newFolder(t, map[string]string{"a.strategy.md": named("A"), "b.strategy.md": named("B")})
	a := f.path("a.strategy.md")
	odd := f.dir + string(filepath.Separator) + "." + string(filepath.Separator) + "a.strategy.md"
	for name, paths := range map[string][]string{
		"twice":            {a, a},
		"not side by side": {a, f.path("b.strategy.md"), a},
		"not clean":        {odd},
		"both":             {odd, a},
	} {
		t.Run(name, func(t *testing.T) {
			f.write("a.strategy.md", named("A"))
			engine := open(t, f.options())
			f.write("a.strategy.md", named("A2"))
			catalog, err := engine.Reload(t.Context(), paths...)
			if err != nil {
				t.Fatal(err)
			}
			if got := contents(catalog); got != "user.a A2\nuser.b B" {
				t.Errorf("the catalog is\n%s\n%v", got, catalog.Diagnostics())
			}
		})
	}
}

// TestFoldersInFolders holds that a file in two of a provider's folders is one
// strategy, of the first of them.
func TestFoldersInFolders(t *testing.T) {
	f := newFolder(t, map[string]string{"a.strategy.md": named("A"), "sub/b.strategy.md": named("B")})
	sub := f.path("sub")
	for want, roots := range map[string][]string{
		"user.a A\nuser.sub.b B": {f.dir, sub},
		"user.b B\nuser.a A":     {sub, f.dir},
		"user.a A\nuser.sub.b B\n": {
			f.dir, f.dir, sub, sub,
		},
	} {
		want = strings.TrimSpace(want)
		engine := open(t, pertain.Options{Providers: strategyfile.Providers(files.OS(), strategyfile.Roots{User: roots})})
		if got := contents(engine.Catalog()); got != want {
			t.Errorf("%v:\n%s\nwant\n%s", roots, got, want)
		}
		catalog, err := engine.Reload(t.Context(), filepath.Join(sub, "b.strategy.md"))
		if err != nil {
			t.Fatal(err)
		}
		if got := contents(catalog); got != want {
			t.Errorf("%v, when the file was saved:\n%s\nwant\n%s", roots, got, want)
		}
	}
}

// TestReloadKeepsWhatIsTheSame holds that strategies which are shown otherwise
// than their files say, and those that cannot be read, do not look changed
// whenever something else is read again.
func TestReloadKeepsWhatIsTheSame(t *testing.T) {
	f := newFolder(t, map[string]string{
		"a.strategy.md":   "---\nname: A\nid: same\n---\nBody\n",
		"b.strategy.md":   "---\nname: B\nid: same\n---\nBody\n",
		"off.strategy.md": named("Off"),
	})
	if err := os.Symlink("nowhere", f.path("gone.strategy.md")); err != nil {
		t.Log(err) // then there is none to be kept
	}
	options := f.options()
	options.Disabled = []string{"user.off"}
	engine := open(t, options)
	before := engine.Catalog().Strategies()
	for _, paths := range [][]string{nil, {f.path("other.strategy.md")}, {f.path("a.strategy.md"), f.path("b.strategy.md"), f.path("off.strategy.md")}} {
		catalog, err := engine.Reload(t.Context(), paths...)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range catalog.Strategies() {
			if s != before[i] {
				t.Errorf("%s is another one after Reload(%v)", s.ID, paths)
			}
		}
	}
	f.write("a.strategy.md", "---\nname: A2\nid: same\n---\nBody\n")
	catalog, err := engine.Reload(t.Context(), f.path("a.strategy.md"))
	if err != nil {
		t.Fatal(err)
	}
	b := catalog.Strategies()[1]
	if b == before[1] || !strings.Contains(b.Diagnostics[len(b.Diagnostics)-1].Related[0].Source.Text(), "A2") {
		t.Error("the duplicate still speaks of the first strategy as it was")
	}
	f.remove("a.strategy.md")
	if catalog, err = engine.Reload(t.Context(), f.path("a.strategy.md")); err != nil {
		t.Fatal(err)
	}
	if s, ok := catalog.ByID("user.same"); !ok || !s.Valid || s.Name != "B" {
		t.Errorf("the catalog is\n%s", contents(catalog))
	}
}

// TestZeroEngine holds that an engine that was not opened has no strategies.
func TestZeroEngine(t *testing.T) {
	var engine pertain.Engine
	if n := len(engine.Catalog().Strategies()); n != 0 {
		t.Errorf("%d strategies", n)
	}
	if m, err := engine.Match(t.Context(), nil, pertain.MatchOptions{All: true, Reasons: true}); err != nil || len(m.Candidates) != 0 {
		t.Errorf("%v, %v", m, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := engine.Watch(ctx, func(*pertain.Catalog) {}); err != nil {
		t.Error(err)
	}
	if _, err := engine.Reload(t.Context(), "x.strategy.md"); err != nil {
		t.Error(err)
	}
}
