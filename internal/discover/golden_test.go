package discover_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/gitignore"
	"github.com/pertain-dev/pertain/internal/goldentest"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/strategy"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestGolden compares all that is found with what testdata/golden says. A case begins with `## KIND SETTINGS`; the lines up
// to `=>` are what there is on the disk, and what follows is written by -update.
func TestGolden(t *testing.T) {
	for _, file := range []string{"rules", "views", "strategies", "texts", "table"} {
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
		g.make(t, lines)
		g.rules(t)
	case "views":
		g.make(t, lines)
		g.views(t)
	case "named":
		g.make(t, lines)
		g.named(t)
	case "walk":
		g.make(t, lines)
		g.walk(t)
	case "strategies":
		g.make(t, lines)
		g.strategies(t)
	case "table":
		g.WriteString(discover.Table())
		for _, f := range discover.Fields() {
			g.line("fields of %s: %v %s", f.Provider, f.Files, f.Format.Tool)
		}
	default:
		g.texts(t, words[0], lines)
	}
	return g.String()
}

// make puts on the disk what the lines say.
func (g *golden) make(t *testing.T, lines string) {
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		first, rest, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(rest, "-> "):
			target := rest[3:]
			if strings.HasPrefix(target, "/") {
				target = g.path(target)
			}
			g.tree.MakeLink(target, g.path(first))
		case first == "folder":
			g.tree.MakeFolder(g.path(rest))
		case first == "pipe":
			g.tree.MakeSpecial(g.path(rest))
		case first == "closed":
			g.tree.Close(g.path(rest))
		case first == "foreign":
			g.tree.GiveAway(g.path(rest))
		case first == "shared":
			g.tree.Share(g.path(rest))
		case line != "":
			quoted, times, many := strings.Cut(rest, "*")
			text, err := strconv.Unquote(strings.TrimSpace(quoted))
			if !strings.HasPrefix(rest, `"`) { // a path alone holds itself
				text, err, many = "Text of "+first+".", nil, false
			} else if err != nil || many && strings.HasSuffix(strings.TrimSpace(rest), `"`) {
				many = false
				text, err = strconv.Unquote(rest)
			}
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if many {
				n, err := strconv.Atoi(strings.TrimSpace(times))
				if err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				text = strings.Repeat(text, n)
			}
			g.tree.WriteFile(g.path(strings.ReplaceAll(first, "␣", " ")), text)
		}
	}
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
	g.line("to %v", discover.FoldersTo(g.tree, root, g.paths("paths")))
	links := discover.NewLinkResolver(g.tree)
	for _, path := range g.paths("paths") {
		g.line("%s is %q", path, links.Real(path))
	}
	g.line("near:")
	g.list(discover.NearNames(g.tree, g.ruleRoots()))
}

func (g *golden) strategies(t *testing.T) {
	_, trusted := g.settings["trusted"]
	roots := discover.StrategyRoots{User: g.paths("user"), Named: g.paths("named"), Trusted: trusted}
	for key, field := range map[string]*string{"workspace": &roots.Workspace, "plugins": &roots.Plugins, "fleet": &roots.Fleet} {
		if g.settings[key] != "" {
			*field = g.path(g.settings[key])
		}
	}
	providers := discover.Strategies(g.tree, roots)
	if g.settings["paths"] != "" {
		var err error
		if providers, err = discover.Named(context.Background(), g.tree, roots, g.paths("paths")); err != nil {
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
				g.line("    cannot be read: %s %s", discover.ProblemCode(err), fileerror.Reason(err))
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
		r := discover.FileResolver{Tree: g.tree}
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

// texts describes what is made of single lines.
func (g *golden) texts(t *testing.T, kind, lines string) {
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		var words []string
		for rest := line; rest != ""; {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			word, _ := strconv.Unquote(quoted)
			words, rest = append(words, word), strings.TrimSpace(rest[len(quoted):])
		}
		switch kind {
		case "json":
			g.line("%s %q", line, discover.WithoutComments(words[0]))
		default:
			t.Fatalf("there is no kind %s", kind)
		}
	}
}
