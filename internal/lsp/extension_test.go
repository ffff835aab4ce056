package lsp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/facts"
)

func readExtension(t *testing.T, name string, into any) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "editors", "vscode", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return string(data)
}

// TestExtension: what the extension names is there, a workspace cannot choose the program,
// and its grammar knows every operator and root.
func TestExtension(t *testing.T) {
	var manifest struct {
		Main         string
		Capabilities struct {
			UntrustedWorkspaces struct{ RestrictedConfigurations []string }
		}
		Contributes struct {
			Languages     []struct{ ID, Configuration string }
			Grammars      []struct{ Path, ScopeName string }
			Snippets      []struct{ Path, Language string }
			Configuration struct {
				Properties map[string]struct{ Scope string }
			}
		}
	}
	readExtension(t, "package.json", &manifest)
	paths := []string{manifest.Main}
	for _, l := range manifest.Contributes.Languages {
		paths = append(paths, l.Configuration)
	}
	for _, g := range manifest.Contributes.Grammars {
		paths = append(paths, g.Path)
	}
	for _, path := range paths {
		if _, err := os.Stat(filepath.Join("..", "..", "editors", "vscode", path)); err != nil {
			t.Error(err)
		}
	}
	if manifest.Contributes.Configuration.Properties["pertain.path"].Scope != "machine" || !slices.Contains(manifest.Capabilities.UntrustedWorkspaces.RestrictedConfigurations, "pertain.path") {
		t.Error("a workspace could name the program that is started")
	}
	var grammar map[string]any
	text := readExtension(t, "syntaxes/pertain.tmLanguage.json", &grammar)
	for _, name := range slices.Concat(cond.OperatorNames(), facts.Roots()) {
		if !regexp.MustCompile(`[(|b]` + name + `[|)]`).MatchString(text) {
			t.Errorf("the grammar does not know %s", name)
		}
	}
}

// TestSnippets: a snippet for a whole file makes one without mistakes.
func TestSnippets(t *testing.T) {
	stop := regexp.MustCompile(`\$\{\d+:([^}]*)\}`)
	for path, file := range map[string]string{"snippets/strategy.json": "a.strategy.md", "snippets/rule.json": ".cursor/rules/a.mdc"} {
		var snippets map[string]struct {
			Prefix, Description string
			Body                []string
		}
		readExtension(t, path, &snippets)
		for name, s := range snippets {
			text := stop.ReplaceAllString(strings.Join(s.Body, "\n")+"\n", "$1")
			if !strings.HasPrefix(text, "---\n") {
				if s.Prefix != "when" {
					text = "when:\n  " + text
				}
				text = strategyWith("name: x\n" + strings.TrimSpace(text))
			}
			dir := world(t, map[string]string{file: text, "src/a.ts": ""})
			for _, d := range lintJSON(t, dir, file) {
				if d["code"] != "rule.example_failed" { // its examples are the author's
					t.Errorf("%s %s: %v in\n%s", path, name, d["message"], text)
				}
			}
		}
	}
}
