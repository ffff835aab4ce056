package pertain_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// How many files a package may have beside its tests, whatever the system they are for: a
// package that nobody can survey is split. The engine's are those that the root imports.
const (
	maxEngineFiles = 25
	maxFiles       = 40
)

// large are the packages that may have more, and why.
var large = map[string]string{
	"internal/cli":      "one file for each command",
	"internal/discover": "one file for each folder of a tool in which things are found",
}

func TestPackageSizes(t *testing.T) {
	tree := ownTree(t)
	for _, problem := range sizeProblems(tree, large, maxEngineFiles, maxFiles) {
		t.Error(problem)
	}
}

func sizeProblems(tree *sourceTree, large map[string]string, engineMost, most int) []string {
	var problems []string
	engine, _ := tree.reach(".")
	for _, folder := range sortedKeys(tree.packages) {
		bound := most
		if slices.Contains(engine, folder) {
			bound = engineMost
		}
		count := len(tree.packages[folder].files)
		switch reason := large[folder]; {
		case count > bound && reason == "":
			problems = append(problems, fmt.Sprintf("%s: has %d files, more than %d", folder, count, bound))
		case count <= bound && reason != "":
			problems = append(problems, fmt.Sprintf("%s: has %d files, and needs no reason to be large", folder, count))
		}
	}
	return problems
}

func TestSizeCheckerFindsViolations(t *testing.T) {
	want := []string{
		"low: has 2 files, more than 1",
		"internal/left: has 1 files, and needs no reason to be large",
	}
	slices.Sort(want)
	got := sizeProblems(brokenTree(t), map[string]string{"internal/left": "none"}, 1, 2)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
