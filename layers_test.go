package pertain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// layers is the import graph, drawn. A package may import only from lines above its own; packages on
// one line never import each other. Test files are free.
var layers = [][]string{
	{"internal/visible", "internal/casefold", "internal/packed", "internal/patch", "internal/markup", "internal/agent", "internal/metrics", "internal/origin", "internal/cputime", "internal/systemcall", "internal/quota", "toolcall", "docs/reference"},
	{"diag", "internal/mark", "internal/sparse", "gateway/internal/jsontext", "gateway/internal/sse"},
	{"internal/modeltest", "internal/goldentest", "internal/regex/syntax"},
	{"internal/regex/look", "internal/regex/regextest", "internal/files"},
	{"document", "internal/regex", "internal/glob", "internal/follow", "internal/identity", "internal/jsonscan", "internal/agenttest", "internal/program", "internal/tokens", "internal/writing", "internal/discover/secret"},
	{"internal/revision", "internal/fileerror", "internal/discover/treetest"},
	{"facts", "internal/settings", "internal/menu", "internal/hotkey", "internal/replica", "internal/gitignore"},
	{"internal/journal", "internal/visual", "rule", "skill"},
	{"stream/internal/effort", "stream/internal/lanes", "internal/tally", "internal/discover/imports"},
	{"cond", "stream"},
	{"strategy", "stream/memorytest", "gateway", "internal/format"},
	{"plan", "internal/conversations", "internal/discover", "internal/discover/strategyfile", "internal/discover/skillfolder", "internal/store"},
	{".", "internal/repository", "internal/schema", "internal/ask"}, // pertain, the engine
	{"internal/surface", "internal/export", "internal/fleet", "collect/internal/environment", "collect/internal/git", "collect/internal/process", "collect/internal/clipboard", "collect/internal/uitree", "collect/internal/com", "collect/internal/uia/api"},
	{"collect/internal/browser", "collect/internal/uia", "collect/internal/uia/uiatest", "internal/cases"},
	{"collect/internal/privacy", "collect/internal/x11", "collect/internal/wayland", "collect/internal/atspi", "collect/internal/devtools", "collect/internal/ax"},
	{"collect/internal/macos"},
	{"collect/internal/compositor", "collect/internal/filemanager", "collect/internal/terminal"},
	{"collect", "internal/hook", "internal/preprocess", "internal/httpapi", "internal/mcpserver"},
	{"internal/connect", "internal/lint", "internal/service"},
	{"internal/lsp"},
	{"internal/cli"},
	{"cmd/pertain"},
}

// engineModules are all other modules that the engine may reach: who embeds it pays for these and no more.
var engineModules = []string{
	"github.com/fsnotify/fsnotify", // reload on change
	"go.yaml.in/yaml/v4",
	"aead.dev/minisign",   // signatures of a fleet's revisions
	"golang.org/x/crypto", // their hashes
	"golang.org/x/sys",    // needed by fsnotify
	"golang.org/x/text",   // how many columns a character takes, for the caret; names that look alike
}

// engineStandard are packages of the standard library that neither the engine nor a module it uses may import.
// Packages below one of them are meant too; net/url and net/netip only work on text and are fine.
var engineStandard = []string{
	"C", "crypto/tls", "crypto/x509", "expvar", "flag", "log/syslog", "mime/multipart", "net", "os/exec", "plugin", "testing",
}

func TestLayers(t *testing.T) {
	for _, problem := range layerProblems(ownTree(t), layers) {
		t.Error(problem)
	}
}

func TestEngineDependencies(t *testing.T) {
	tree := ownTree(t)
	problems, others := engineProblems(tree, ".", engineModules)
	for _, problem := range problems {
		t.Error(problem)
	}
	packages, missing, err := tree.otherModules(others)
	if err != nil {
		t.Fatal(err)
	}
	if len(missing) > 0 {
		t.Logf("source not in the module cache, so not followed: %s", strings.Join(missing, ", "))
	}
	for _, p := range sortedKeys(packages) {
		for _, imported := range packages[p] {
			if denied(imported, engineStandard) && (imported != "net" || networkModules[p] == "") {
				t.Errorf("the engine reaches %s, which imports %q", p, imported)
			}
			if !isStandard(imported) && !slices.Contains(engineModules, tree.moduleOf(imported)) {
				t.Errorf("the engine reaches %s, which imports %q of a module outside engineModules", p, imported)
			}
		}
	}
}

// layerProblems returns one line for each import that goes up or sideways, and for each package that is not in the table.
func layerProblems(tree *sourceTree, table [][]string) []string {
	level := map[string]int{} // from 1
	var problems []string
	for i, line := range table {
		for _, folder := range line {
			if level[folder] != 0 {
				problems = append(problems, fmt.Sprintf("%s: is twice in the layer table", folder))
			}
			level[folder] = i + 1
		}
	}
	for _, folder := range sortedKeys(tree.packages) {
		pkg, own := tree.packages[folder], level[folder]
		if own == 0 {
			problems = append(problems, fmt.Sprintf("%s: package is not in the layer table", folder))
			continue
		}
		for _, p := range sortedKeys(pkg.imports) {
			target, ok := tree.folder(p)
			if !ok {
				continue
			}
			where := strings.Join(pkg.imports[p], ", ")
			switch other := level[target]; {
			case other == 0:
				problems = append(problems, fmt.Sprintf("%s: imports %s, which is not in the layer table", where, target))
			case other == own:
				problems = append(problems, fmt.Sprintf("%s: %s imports %s of its own layer %d", where, folder, target, own))
			case other > own:
				problems = append(problems, fmt.Sprintf("%s: %s of layer %d imports %s of the later layer %d", where, folder, own, target, other))
			}
		}
	}
	return problems
}

// engineProblems checks everything that start reaches inside this module, and returns which import paths of other modules it met.
func engineProblems(tree *sourceTree, start string, modules []string) (problems, others []string) {
	_, outside := tree.reach(start)
	for _, p := range sortedKeys(outside) {
		switch {
		case denied(p, engineStandard):
			problems = append(problems, fmt.Sprintf("%s: %q must stay out of what the engine imports", outside[p], p))
		case isStandard(p):
		case !slices.Contains(modules, tree.moduleOf(p)):
			problems = append(problems, fmt.Sprintf("%s: %q is of a module that the engine may not import", outside[p], p))
		default:
			others = append(others, p)
		}
	}
	return problems, others
}

// denied reports whether an import path is one of the list or below one of it.
func denied(importPath string, list []string) bool {
	if importPath == "net/url" || importPath == "net/netip" {
		return false
	}
	return slices.ContainsFunc(list, func(d string) bool {
		return importPath == d || strings.HasPrefix(importPath, d+"/")
	})
}

// brokenTree has one of each violation, and beside each a thing that looks like one and is none.
func brokenTree(t *testing.T) *sourceTree {
	t.Helper()
	source := func(imports ...string) *fstest.MapFile {
		text := "package p\n"
		for _, p := range imports {
			text += fmt.Sprintf("import %q\n", p)
		}
		return &fstest.MapFile{Data: []byte(text)}
	}
	tree, err := readTree(fstest.MapFS{
		"go.mod": {Data: []byte("module example.org/m\n\ngo 1.26\n\nrequire example.org/one v1.0.0 // indirect\n" +
			"require (\n\texample.org/one/two/v2 v2.1.0\n)\n")},
		"root.go":                  source("example.org/m/low", "example.org/m/internal/left"),
		"root_test.go":             source("net/http", "example.org/m/cmd/tool"),
		"low/low.go":               source("fmt", "net/url", "example.org/one/two/v2/deep"),
		"low/low_windows.go":       source("example.org/m/internal/left"),
		"low/low_test.go":          source("example.org/m/cmd/tool"),
		"internal/left/left.go":    source("example.org/m/low", "example.org/m/internal/right", "example.org/one/p"),
		"internal/right/right.go":  source("example.org/m/low", "os/exec"),
		"internal/lost/lost.go":    source("example.org/m/low"),
		"cmd/tool/main.go":         source("example.org/m", "net/http", "example.org/m/examples/hello"),
		"cmd/tool/testdata/bad.go": source("example.org/m/nowhere"),
		"examples/hello/main.go":   source("example.org/m/cmd/tool"),
		"other/go.mod":             {Data: []byte("module example.org/other\n")},
		"other/other.go":           source("example.org/m/cmd/tool"),
		"_old/old.go":              source("example.org/m/cmd/tool"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestLayerCheckerFindsViolations(t *testing.T) {
	table := [][]string{{"low"}, {"internal/left", "internal/right"}, {"."}, {"cmd/tool", "low"}}
	want := []string{
		"low: is twice in the layer table",
		"root.go: . of layer 3 imports low of the later layer 4",
		"cmd/tool/main.go: imports examples/hello, which is not in the layer table",
		"internal/left/left.go: internal/left imports internal/right of its own layer 2",
		"internal/left/left.go: internal/left of layer 2 imports low of the later layer 4",
		"internal/lost: package is not in the layer table",
		"internal/right/right.go: internal/right of layer 2 imports low of the later layer 4",
	}
	if diff := cmp.Diff(want, layerProblems(brokenTree(t), table)); diff != "" {
		t.Errorf("with low listed twice (-want +got):\n%s", diff)
	}

	table = [][]string{{"low"}, {"internal/left"}, {"internal/right", "internal/lost"}, {"."}, {"examples/hello"}, {"cmd/tool"}}
	want = []string{
		"internal/left/left.go: internal/left of layer 2 imports internal/right of the later layer 3",
		"low/low_windows.go: low of layer 1 imports internal/left of the later layer 2",
	}
	if diff := cmp.Diff(want, layerProblems(brokenTree(t), table)); diff != "" {
		t.Errorf("with all in the table (-want +got):\n%s", diff)
	}
}

func TestEngineCheckerFindsViolations(t *testing.T) {
	tree := brokenTree(t)
	problems, others := engineProblems(tree, ".", []string{"example.org/one/two/v2"})
	want := []string{
		`internal/left/left.go: "example.org/one/p" is of a module that the engine may not import`,
		`internal/right/right.go: "os/exec" must stay out of what the engine imports`,
	}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"example.org/one/two/v2/deep"}, others); diff != "" {
		t.Errorf("other modules (-want +got):\n%s", diff)
	}
	if got, _ := tree.reach("cmd/tool"); len(got) != 5 || slices.Contains(got, "internal/lost") {
		t.Errorf("reach(cmd/tool) = %v", got)
	}
}
