package pertain_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/connect"
	"github.com/pertain-dev/pertain/internal/export"
	"github.com/pertain-dev/pertain/internal/schema"
	"github.com/pertain-dev/pertain/internal/settings"
)

// TestDocs keeps the references true that are generated from the program: go test . -run TestDocs -update.
func TestDocs(t *testing.T) {
	pages := []struct{ name, text string }{
		{"diagnostics.md", diagnosticsPage()},
		{"context.md", contextPage()},
		{"config.md", settings.Markdown()},
		{"hooks.md", connect.Markdown()},
		{"agents.md", agent.Markdown() + export.Markdown()},
	}
	for _, name := range schema.Names() {
		text, _ := schema.Of(name)
		pages = append(pages, struct{ name, text string }{"schema/" + name + ".json", string(text)})
	}
	for _, page := range pages {
		t.Run(page.name, func(t *testing.T) {
			path := filepath.Join("docs", page.name)
			if *update {
				if err := os.WriteFile(path, []byte(page.text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			have, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(page.text, strings.ReplaceAll(string(have), "\r\n", "\n")); diff != "" {
				t.Errorf("%s is not what the program says; go test . -run TestDocs -update\n%s", path, diff)
			}
		})
	}
}

// TestHooksTable: the README shows the agents as the tests have seen them.
func TestHooksTable(t *testing.T) {
	const begin, end = "<!-- agents -->\n", "<!-- /agents -->"
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	before, rest, _ := strings.Cut(text, begin)
	have, after, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatalf("README.md has no %s", begin)
	}
	if *update && have != connect.Table() {
		if err := os.WriteFile("README.md", []byte(before+begin+connect.Table()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		have = connect.Table()
	}
	if diff := cmp.Diff(connect.Table(), have); diff != "" {
		t.Errorf("README.md is not what the program says; go test . -run TestHooksTable -update\n%s", diff)
	}
}
