package cli_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

var updateFormats = flag.Bool("update", false, "write examples/formats/README.md")

// TestFormatsExample: the README of the repository with all formats tells what each
// agent loads of it.
func TestFormatsExample(t *testing.T) {
	const folder = "../../examples/formats"
	root := filepath.Join(t.TempDir(), "w")
	if err := os.CopyFS(root, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "packages", "pay", "src", "a.ts")
	home := t.TempDir()
	env := pertain.Environment{Dir: root, Env: func(name string) string {
		return map[string]string{"HOME": home, "USERPROFILE": home, "APPDATA": home}[name]
	}}
	var b strings.Builder
	b.WriteString("| agent | at the start | on touching `packages/pay/src/a.ts` | listed, or waiting |\n| --- | --- | --- | --- |\n")
	for _, name := range pertain.AgentNames() {
		book, err := pertain.OpenRules(t.Context(), env, pertain.RuleOptions{Agent: name, Files: []string{file}})
		if err != nil {
			t.Fatal(err)
		}
		if len(book.Rules()) == 0 {
			t.Errorf("%s loads nothing", name)
		}
		cells := map[rule.When][]string{}
		for _, v := range book.ForPaths([]string{file}, true)[0] {
			if !v.Applies {
				continue
			}
			when := v.Rule.When
			if when == rule.OnTrigger {
				when = rule.IsListed
			}
			rel, err := filepath.Rel(root, v.Rule.Path)
			if err != nil {
				t.Fatal(err)
			}
			cells[when] = append(cells[when], "`"+filepath.ToSlash(rel)+"`")
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", name, strings.Join(cells[rule.AtStart], " "), strings.Join(cells[rule.OnTouch], " "), strings.Join(cells[rule.IsListed], " "))
	}
	b.WriteString("\nFiles of other tools, and those that no agent of the table brings to a model by itself:\n\n| file | tool |\n| --- | --- |\n")
	book, err := pertain.OpenRules(t.Context(), env, pertain.RuleOptions{Nested: true, Agents: true})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{"amp": true, "devin": true, "junie": true} // Amp and Devin have files of the user alone, and Junie's stand back behind AGENTS.md
	paths := map[string]bool{}
	for _, r := range book.All() {
		found[r.Provider] = true
		if paths[r.Path] {
			t.Errorf("%s is there twice", r.Path)
		}
		paths[r.Path] = true
		if rel, err := filepath.Rel(root, r.Path); err == nil && len(r.Agents) == 0 {
			fmt.Fprintf(&b, "| `%s` | %s |\n", filepath.ToSlash(rel), r.Provider)
		}
	}
	for _, p := range discover.Rules(files.OS(), discover.RuleRoots{Dir: root}) {
		if !found[p.ID()] {
			t.Errorf("there is no file of %s", p.ID())
		}
	}
	if list := book.Warnings(); len(list) > 0 {
		t.Errorf("%s", list[0].Sentence())
	}
	const mark = "-update -->\n"
	text, err := os.ReadFile(folder + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	head, have, _ := strings.Cut(strings.ReplaceAll(string(text), "\r\n", "\n"), mark)
	if want := "\n" + b.String(); have != want {
		if !*updateFormats {
			t.Fatalf("examples/formats/README.md is not what the program says; go test ./internal/cli -run TestFormatsExample -update\n%s", want)
		}
		if err := os.WriteFile(folder+"/README.md", []byte(head+mark+want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
