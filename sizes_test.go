package pertain_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// How many files a package may have beside its tests, whatever the system they are for: a
// package that nobody can survey is split. The engine's are those that the root imports.
const (
	maxEngineFiles = 25
	maxFiles       = 40
)

// large are the packages that may have more, and why. One of the engine's says so in its package comment, in these words.
var large = map[string]string{
	"internal/cli":      "one file for each command",
	"internal/discover": "one file for each tool",
}

// unlimited are those of large that may have more than maxFiles.
var unlimited = []string{
	"internal/cli",
}

func TestPackageSizes(t *testing.T) {
	problems, err := sizeProblems(os.DirFS("."), ownTree(t), large, unlimited, maxEngineFiles, maxFiles)
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range problems {
		t.Error(problem)
	}
}

func sizeProblems(fsys fs.FS, tree *sourceTree, large map[string]string, unlimited []string, engineMost, most int) ([]string, error) {
	var problems []string
	engine, _ := tree.reach(".")
	for _, folder := range sortedKeys(tree.packages) {
		bound, own := most, slices.Contains(engine, folder)
		if own {
			bound = engineMost
		}
		comment, err := packageComment(fsys, tree.packages[folder])
		if err != nil {
			return nil, err
		}
		count, free := len(tree.packages[folder].files), slices.Contains(unlimited, folder)
		switch reason := large[folder]; {
		case count > bound && reason == "":
			problems = append(problems, fmt.Sprintf("%s: has %d files, more than %d", folder, count, bound))
		case count > most && !free:
			problems = append(problems, fmt.Sprintf("%s: has %d files, more than %d, for which no reason is good enough", folder, count, most))
		case count <= bound && reason != "":
			problems = append(problems, fmt.Sprintf("%s: has %d files, and needs no reason to be large", folder, count))
		case count <= most && free:
			problems = append(problems, fmt.Sprintf("%s: has %d files, and needs a limit", folder, count))
		case own && !free && !strings.Contains(comment, reason):
			problems = append(problems, fmt.Sprintf("%s: its package comment does not say why it is large: %q", folder, reason))
		}
	}
	return problems, nil
}

// packageComment is what a package says of itself, on one line.
func packageComment(fsys fs.FS, pkg *sourcePackage) (string, error) {
	var comment strings.Builder
	for _, name := range pkg.files {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return "", err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return "", err
		}
		comment.WriteString(file.Doc.Text())
	}
	return strings.Join(strings.Fields(comment.String()), " "), nil
}

func TestSizeCheckerFindsViolations(t *testing.T) {
	fsys := fstest.MapFS{
		"go.mod":  {Data: []byte("module example.org/m\n")},
		"root.go": {Data: []byte("package m\n\nimport (\n\t_ \"example.org/m/high\"\n\t_ \"example.org/m/low\"\n\t_ \"example.org/m/mute\"\n\t_ \"example.org/m/wide\"\n)\n")},
	}
	for folder, count := range map[string]int{"free": 4, "high": 4, "low": 2, "mute": 3, "none": 1, "once": 3, "plain": 3, "tool": 4, "wide": 3} {
		for i := range count {
			fsys[fmt.Sprintf("%s/%d.go", folder, i)] = &fstest.MapFile{Data: []byte("package p\n")}
		}
	}
	fsys["wide/0.go"].Data = []byte("// Package p is wide, one\n// file for each system.\npackage p\n")
	fsys["mute/1.go"].Data = []byte("// one file for each system\n\npackage p // one file for each system\n")
	tree, err := readTree(fsys)
	if err != nil {
		t.Fatal(err)
	}
	const reason = "one file for each system"
	got, err := sizeProblems(fsys, tree, map[string]string{"free": reason, "high": reason, "mute": reason, "none": reason, "wide": reason},
		[]string{"free", "once"}, 1, 3)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"high: has 4 files, more than 3, for which no reason is good enough",
		"low: has 2 files, more than 1",
		`mute: its package comment does not say why it is large: "one file for each system"`,
		"none: has 1 files, and needs no reason to be large",
		"once: has 3 files, and needs a limit",
		"tool: has 4 files, more than 3",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
