package pertain_test

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestNoMethodsByName: a program that looks methods up by names that are made while it runs, as
// templates do, keeps every method of every type that it has, used or not. One such call cost
// 3.4 MB of 28.6, and would cost as much again with the SDKs of the model providers.
func TestNoMethodsByName(t *testing.T) {
	tree := ownTree(t)
	folders, outside := tree.reach("cmd/pertain")
	for _, p := range sortedKeys(outside) {
		if p == "text/template" || p == "html/template" {
			t.Errorf("%s imports %s", outside[p], p)
		}
	}
	for _, folder := range folders {
		for _, name := range tree.packages[folder].files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, call := range []string{".SetVersionTemplate(", ".SetHelpTemplate(", ".SetUsageTemplate(", ".MethodByName("} {
				if strings.Contains(string(text), call) {
					t.Errorf("%s calls %s), which looks methods up by name", name, call[1:])
				}
			}
		}
	}
	if !slices.Contains(folders, "internal/cli") {
		t.Errorf("the command line is not among %v", folders)
	}
}
