package strategyfile_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/discover/treetest"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/goldentest"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/strategy"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestGolden compares all that is found with what testdata/golden says. A case begins with `## strategies SETTINGS`; the lines up
// to `=>` are what there is on the disk, and what follows is written by -update.
func TestGolden(t *testing.T) {
	goldentest.Form{Begin: "## ", Outcome: "=>"}.Run(t, "testdata/golden/strategies.txt", *update, func(t *testing.T, c goldentest.Case) string {
		g := &golden{settings: map[string]string{}}
		for _, word := range strings.Fields(c.Head)[1:] {
			key, value, _ := strings.Cut(word, "=")
			g.settings[key] = value
		}
		flavor := files.Unix
		if _, windows := g.settings["windows"]; windows {
			flavor = files.Windows
		}
		g.tree = files.NewMemory(flavor)
		g.tree.MakeFolder(g.path("/w"))
		g.tree.MakeFolder(g.path("/home/u"))
		treetest.Make(t, g.tree, c.Text)
		g.strategies()
		return g.String()
	})
}

// golden is one case.
type golden struct {
	strings.Builder
	tree     *files.Memory
	settings map[string]string
}

func (g *golden) line(format string, args ...any) { fmt.Fprintf(g, format+"\n", args...) }

func (g *golden) path(path string) string { return treetest.Path(g.tree.Flavor(), path) }

func (g *golden) paths(key string) []string {
	if g.settings[key] == "" {
		return nil
	}
	var out []string
	for _, p := range strings.Split(g.settings[key], ",") {
		out = append(out, g.path(p))
	}
	return out
}

func (g *golden) strategies() {
	_, trusted := g.settings["trusted"]
	roots := strategyfile.Roots{User: g.paths("user"), Named: g.paths("named"), Trusted: trusted}
	for key, field := range map[string]*string{"workspace": &roots.Workspace, "plugins": &roots.Plugins, "fleet": &roots.Fleet} {
		if g.settings[key] != "" {
			*field = g.path(g.settings[key])
		}
	}
	providers := strategyfile.Providers(g.tree, roots)
	if g.settings["paths"] != "" {
		var err error
		if providers, err = strategyfile.Named(context.Background(), g.tree, roots, g.paths("paths")); err != nil {
			g.line("error %v", err)
		}
	}
	for _, p := range providers {
		g.line("# %s %v", p.ID(), p.Roots())
		entries, err := p.List(context.Background())
		if err != nil {
			g.line("error %v", err)
		}
		for _, e := range entries {
			g.line("%s [%s] root %d in %q trusted %t: %s %s", e.Name, e.Origin.Path, e.Root, e.Origin.Confine, e.Origin.Trusted, e.Code, e.Problem)
			if e.Origin.Provider != p.ID() {
				g.line("    of %s", e.Origin.Provider)
			}
			data, err := p.Read(context.Background(), e)
			if err != nil {
				g.line("    cannot be read: %s %s", strategyfile.ProblemCode(err), fileerror.Reason(err))
			} else if len(data) < 100 {
				g.line("    %q", data)
			}
		}
		for _, path := range g.paths("find") {
			if e, ok := p.Find(path); ok {
				g.line("found %s [%s] root %d in %q: %s %s", e.Name, e.Origin.Path, e.Root, e.Origin.Confine, e.Code, e.Problem)
			}
		}
	}
	for _, path := range g.paths("find") {
		g.line("around %s: %q", path, settings.WorkspaceAround(g.tree, path))
	}
	g.from()
}

// from resolves what strategies include.
func (g *golden) from() {
	if g.settings["from"] == "" {
		return
	}
	current := diag.NewSource(g.path(g.settings["current"]), "")
	for _, target := range strings.Split(g.settings["from"], ",") {
		r := strategyfile.Resolver{Tree: g.tree}
		ref := strategy.Reference{Target: target}
		confine := g.settings["confine"]
		if confine != "" {
			confine = g.path(confine)
		}
		found, err := r.Resolve(context.Background(), ref, current, strategy.Origin{Provider: "workspace", Confine: confine})
		var hint *strategy.HintError
		if errors.As(err, &hint) {
			err = fmt.Errorf("%w (%s)", err, hint.Hint)
		}
		g.line("from %s: %t %s in %s %q %v", target, r.CanResolve(ref, nil, strategy.Origin{}), found.Name, found.Folder, found.Data, err)
	}
}
