package pertain_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// programFolder is the only package that may find and start other programs: it never finds one in a relative
// folder or in a workspace.
const programFolder = "internal/program"

// testFolder starts agents for tests; the program does not reach it.
const testFolder = "internal/agenttest"

// startNames are how a program would be started past os/exec.
var startNames = []string{
	"CreateProcess", "CreateProcessAsUser", "Exec", "ForkExec", "ShellExecute", "StartProcess", "SYS_EXECVE", "SYS_EXECVEAT",
}

// TestOneWayToStartPrograms holds for all code, also that of other systems. TestHostileRepository watches the
// program itself.
func TestOneWayToStartPrograms(t *testing.T) {
	tree := ownTree(t)
	if reached, _ := tree.reach("cmd/pertain"); slices.Contains(reached, testFolder) {
		t.Errorf("the program reaches %s", testFolder)
	}
	problems, err := programProblems(os.DirFS("."), tree)
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range problems {
		t.Error(problem)
	}
}

// programProblems returns one line for each other way to start a program.
func programProblems(fsys fs.FS, tree *sourceTree) ([]string, error) {
	var problems []string
	for _, folder := range sortedKeys(tree.packages) {
		if folder == programFolder || folder == testFolder {
			continue
		}
		pkg := tree.packages[folder]
		for _, file := range pkg.imports["os/exec"] {
			problems = append(problems, fmt.Sprintf("%s: imports os/exec; programs are found and started by %s", file, programFolder))
		}
		for _, file := range pkg.files {
			found, err := startCalls(fsys, file)
			if err != nil {
				return nil, err
			}
			problems = append(problems, found...)
		}
	}
	return problems, nil
}

// startCalls returns the positions in one file that use a name of startNames out of os or a package of system calls,
// or name it as a system function by a text.
func startCalls(fsys fs.FS, name string) ([]string, error) {
	file, err := parseSource(fsys, name)
	if err != nil {
		return nil, err
	}
	var found []string
	file.uses(func(at token.Position, local, imported, name string) {
		if slices.Contains(startNames, name) && (imported == "os" || isSystemCalls(imported)) {
			found = append(found, fmt.Sprintf("%s: uses %s.%s", at, local, name))
		}
	})
	ast.Inspect(file.File, func(n ast.Node) bool {
		if n, ok := n.(*ast.BasicLit); ok {
			value, err := strconv.Unquote(n.Value)
			if n.Kind == token.STRING && err == nil && slices.Contains(startNames, strings.TrimRight(value, "AW")) && value != "Exec" {
				found = append(found, fmt.Sprintf("%s: names %s", file.positions.Position(n.Pos()), value))
			}
		}
		return true
	})
	return found, nil
}

func TestProgramCheckerFindsViolations(t *testing.T) {
	fsys := fstest.MapFS{
		"go.mod":                      {Data: []byte("module example.org/m\n")},
		"a/a.go":                      {Data: []byte("package a\n\nimport _ \"os/exec\"\n")},
		"a/a_test.go":                 {Data: []byte("package a\n\nimport _ \"os/exec\"\n")},
		"b/b.go":                      {Data: []byte("package b\n\nimport (\n\t\"os\"\n\tsys \"golang.org/x/sys/unix\"\n)\n\nvar _, _, _ = os.StartProcess, sys.Exec, os.Stat\n")},
		"c/c_windows.go":              {Data: []byte("package c\n\nvar _ = library.NewProc(\"ShellExecuteW\")\n")},
		"internal/program/program.go": {Data: []byte("package program\n\nimport _ \"os/exec\"\n")},
	}
	tree, err := readTree(fsys)
	if err != nil {
		t.Fatal(err)
	}
	got, err := programProblems(fsys, tree)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"a/a.go: imports os/exec; programs are found and started by internal/program",
		"b/b.go:8:15: uses os.StartProcess",
		"b/b.go:8:32: uses sys.Exec",
		"c/c_windows.go:3:25: names ShellExecuteW",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
