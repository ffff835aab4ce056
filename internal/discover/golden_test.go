package discover_test

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/discover/treetest"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/gitignore"
	"github.com/pertain-dev/pertain/internal/goldentest"
	"github.com/pertain-dev/pertain/rule"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestGolden compares all that is found with what testdata/golden says. A case begins with `## KIND SETTINGS`; the lines up
// to `=>` are what there is on the disk, and what follows is written by -update.
func TestGolden(t *testing.T) {
	for _, file := range []string{"rules", "views", "folders", "json", "table"} {
		goldentest.Form{Begin: "## ", Outcome: "=>"}.Run(t, "testdata/golden/"+file+".txt", *update, func(t *testing.T, c goldentest.Case) string {
			return goldenCase(t, c.Head, c.Text)
		})
	}
}

// golden is one case.
type golden struct {
	*world
	strings.Builder
	settings map[string]string
}

func (g *golden) line(format string, args ...any) { fmt.Fprintf(g, format+"\n", args...) }

func goldenCase(t *testing.T, head, lines string) string {
	words := strings.Fields(head)
	g := &golden{settings: map[string]string{}}
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		g.settings[key] = value
	}
	_, windows := g.settings["windows"]
	flavor := files.Unix
	if windows {
		flavor = files.Windows
	}
	g.world = newWorld(flavor, nil)
	switch words[0] {
	case "rules":
		treetest.Make(t, g.tree, lines)
		g.rules(t)
	case "views":
		treetest.Make(t, g.tree, lines)
		g.views(t)
	case "named":
		treetest.Make(t, g.tree, lines)
		g.named(t)
	case "walk":
		treetest.Make(t, g.tree, lines)
		g.walk(t)
	case "table":
		g.WriteString(discover.Table())
		for _, f := range discover.Fields() {
			g.line("fields of %s: %v %s", f.Provider, f.Files, f.Format.Tool)
		}
	case "json":
		g.json(t, lines)
	default:
		t.Fatalf("there is no kind %s", words[0])
	}
	return g.String()
}

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

func (g *golden) ruleRoots() discover.RuleRoots {
	dir := g.settings["dir"]
	if dir == "" {
		dir = "/w"
	}
	roots := g.roots(dir)
	_, roots.Documented = g.settings["documented"]
	_, roots.Own = g.settings["own"]
	_, roots.Trusted = g.settings["trusted"]
	if _, homeless := g.settings["homeless"]; homeless {
		roots.Home, roots.ConfigHome = "", ""
	}
	if home, ok := g.settings["home"]; ok {
		roots.Home = g.path(home)
	}
	if g.settings["fleet"] != "" {
		roots.Fleet = g.path(g.settings["fleet"])
	}
	roots.Folders, roots.Instructions = g.paths("folders"), g.paths("instructions")
	if env, ok := g.settings["env"]; ok {
		name, value, _ := strings.Cut(env, ":")
		roots.Lookup = func(asked string) (string, bool) { return value, asked == name }
	}
	return roots
}

func (g *golden) rules(t *testing.T) {
	roots := g.ruleRoots()
	set := g.load(t, roots)
	if _, asked := g.settings["agents"]; asked {
		if err := discover.Agents(context.Background(), g.tree, roots, set.All()); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range set.All() {
		g.rule(r)
	}
	g.list(set.Warnings())
}

func (g *golden) rule(r *rule.Rule) {
	g.line("%s %s %s %s %v: %s", r.Provider, r.Name, r.Level, r.Bucket, r.Activation, r.Path)
	if content := r.Content; len(content) > 300 {
		g.line("    %d bytes: %q to %q", len(content), content[:10], content[len(content)-10:])
	} else {
		g.line("    %q", content)
	}
	var more []string
	add := func(name string, value any, given bool) {
		if given {
			more = append(more, fmt.Sprintf("%s %v", name, value))
		}
	}
	add("globs", strings.Join(r.Globs, "|"), len(r.Globs) > 0)
	add("base", r.Base, r.Base != "/w" && r.Base != "C:/w")
	add("within", r.Within, r.Within != "")
	add("real", r.Real, r.Real != r.Path)
	add("agents", strings.Join(r.Agents, " "), len(r.Agents) > 0)
	add("when", r.When, r.When != "")
	add("shadowed", "", r.Shadowed)
	add("disabled", "", r.Disabled)
	add("lost", "", r.Lost)
	add("includes", r.Includes, len(r.Includes) > 0)
	add("imported", r.Imported, len(r.Imported) > 0)
	if r.Format != nil && r.Format.Contested != nil {
		note := r.Format.Contested(r)
		add("note", note, note != "")
	}
	add("export", "", r.Export != nil)
	if r.Export != nil {
		add("sources", r.Export.Sources, true)
	}
	if len(more) > 0 {
		g.line("    %s", strings.Join(more, ", "))
	}
}

func (g *golden) list(list diag.List) {
	for _, d := range list {
		g.line("%s %s %s %v %s: %s (%s)", d.Severity, d.Code, d.File(), d.Span, d.Provider, d.Message, d.Hint)
	}
}

func (g *golden) views(t *testing.T) {
	for _, a := range agent.All() {
		if only := g.settings["of"]; only != "" && !slices.Contains(strings.Split(only, ","), a.Name) {
			continue
		}
		set := g.view(t, a.Name, g.ruleRoots())
		if len(set.All())+len(set.Warnings()) == 0 {
			continue
		}
		g.line("# %s", a.Name)
		for _, r := range set.All() {
			r.Agents = nil
			g.rule(r)
		}
		g.list(set.Warnings())
	}
}

func (g *golden) named(t *testing.T) {
	rules, list, looked, err := discover.NamedRules(context.Background(), g.tree, g.ruleRoots(), g.paths("paths"))
	g.line("looked at %v, error %v", looked, err)
	for _, r := range rules {
		g.rule(r)
	}
	g.list(list)
	isRule := discover.IsRuleFile(g.tree, g.ruleRoots())
	for _, path := range g.paths("paths") {
		format, ok := discover.RuleFormat(g.tree, g.ruleRoots(), path)
		tool := ""
		if ok {
			tool = format.Tool
		}
		g.line("%s: read %t, format %q, rule file %t", path, discover.ReadsAsRule(g.tree, g.ruleRoots(), path), tool, isRule(path))
	}
	if folder := g.settings["folder"]; folder != "" {
		rules, list, err := discover.FolderRules(context.Background(), g.tree, g.ruleRoots(), g.path(folder))
		g.line("folder %s: %v", folder, err)
		for _, r := range rules {
			g.rule(r)
		}
		g.list(list)
	}
}

func (g *golden) walk(t *testing.T) {
	root := g.path("/w")
	err := gitignore.Walk(context.Background(), g.tree, root, func(step files.Step) error {
		problem := ""
		if step.Err != nil {
			problem = " !" + fileerror.Reason(step.Err)
		}
		g.line("%s %s%s", step.Rel, step.Info.Kind, problem)
		return nil
	})
	folders, list, nested := discover.NestedFolders(context.Background(), g.tree, root)
	g.line("error %v; nested %v %v", err, folders, nested)
	g.list(list)
	to, _ := discover.FoldersTo(g.tree, root, g.paths("paths"))
	g.line("to %v", to)
	links := discover.NewLinkResolver(g.tree)
	for _, path := range g.paths("paths") {
		g.line("%s is %q", path, links.Real(path))
	}
	g.line("near:")
	g.list(discover.NearNames(g.tree, g.ruleRoots()))
}

// json describes what settings are without their comments, a line each.
func (g *golden) json(t *testing.T, lines string) {
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		text, err := strconv.Unquote(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		g.line("%s %q", line, discover.WithoutComments(text))
	}
}
