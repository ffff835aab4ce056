package lsp_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const conditional = `---
schema: everywhere.strategy/v1
name: x
when:
  all:
    - environment.os: {equals: linux}
    - clipboard.text: {contains: todo}
---
Hello
`

// hints are those of a document, by line.
func (e *editor) hints(name string) []string {
	e.t.Helper()
	list := answer[[]struct {
		Position pos
		Label    string
	}](e, "textDocument/inlayHint", map[string]any{"textDocument": map[string]any{"uri": e.file(name)}, "range": everywhere})
	out := []string{}
	for _, h := range list {
		out = append(out, string(rune('0'+h.Position.Line))+" "+h.Label)
	}
	return out
}

// TestInlay: what a condition comes to in the context file beside it, in the one that
// was chosen, and in what is typed in either.
func TestInlay(t *testing.T) {
	const s = ".pertain/strategies/a.strategy.md"
	dir := world(t, map[string]string{
		"linux.context.json":    `{"environment": {"os": "linux"}, "clipboard": {"text": "TODO"}}`,
		"deep/mac.context.yaml": "environment: {os: macos}\n",
		"../out.context.json":   `{"environment": {"os": "linux"}}`,
	})
	e := start(t, dir)
	e.initialize(map[string]any{"capabilities": map[string]any{"workspace": map[string]any{"inlayHint": map[string]any{"refreshSupport": true}}}})
	e.open(s, 1, conditional)
	if diff := cmp.Diff([]string{"3 true in linux.context.json", "4 true", "5 true", "6 true"}, e.hints(s)); diff != "" {
		t.Errorf("the only one (-want +got):\n%s", diff)
	}
	e.open("linux.context.json", 1, `{"environment": {"os": "windows"}}`)
	if diff := cmp.Diff([]string{"3 false in linux.context.json", "4 false", "5 false", "6 null"}, e.hints(s)); diff != "" {
		t.Errorf("not saved (-want +got):\n%s", diff)
	}
	e.change("linux.context.json", 2, `{"environment": {"os": "linux"}}`)
	e.mu.Lock()
	for !slices.Contains(e.asked, "workspace/inlayHint/refresh") {
		e.changed.Wait()
	}
	e.mu.Unlock()
	if diff := cmp.Diff("3 null in linux.context.json", e.hints(s)[0]); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	choose := func(name string) {
		e.tell("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"pertain": map[string]any{"context": name}}})
	}
	choose("deep/mac.context.yaml")
	if got := e.hints(s); len(got) == 0 || got[0] != "3 false in mac.context.yaml" {
		t.Errorf("chosen: %v", got)
	}
	for _, wrong := range []string{"../out.context.json", "none.context.json", "/etc/passwd", ".git/config"} {
		choose(wrong)
		if got := e.hints(s); len(got) != 0 {
			t.Errorf("%s: %v", wrong, got)
		}
	}
	choose("")
	e.change(s, 2, strings.Replace(conditional, "equals", "equal", 1))
	if got := e.hints(s); len(got) != 0 {
		t.Errorf("a condition that is wrong: %v", got)
	}
	e.open("two.context.yaml", 1, "{}")
	e.change(s, 3, conditional)
	if got := e.hints(s); len(got) != 0 {
		t.Errorf("of two neither is chosen: %v", got)
	}
	e.goodbye()
}

// TestCases: cases that fail are told in their file, also when the strategy changes.
func TestCases(t *testing.T) {
	const s, test = ".pertain/strategies/a.strategy.md", ".pertain/strategies/a.strategy.test.yaml"
	dir := world(t, map[string]string{s: conditional})
	e := start(t, dir)
	e.initialize(nil)
	e.open(test, 1, "cases:\n  - name: on Linux\n    context: {environment: {os: linux}, clipboard: {text: todo}}\n    result: true\n    prompt: {contains: [Hello]}\n  - name: elsewhere\n    context: {environment: {os: macos}, clipboard: {text: todo}}\n    result: true\n")
	first := e.version(test, 1)
	if len(first.Diagnostics) != 1 || first.Diagnostics[0].Range.Start.Line < 5 || !strings.Contains(first.Diagnostics[0].Message, "true") {
		t.Errorf("%+v", first)
	}
	e.open(s, 1, strings.Replace(conditional, "linux", "macos", 1))
	e.wait(test, func(p publication) bool { return len(p.Diagnostics) == 1 && p.Diagnostics[0].Range.Start.Line < 5 })
	e.goodbye()
}

// TestCasesOfStrangers: what looks like a secret of whoever works in a folder is not told by a case that somebody else wrote.
func TestCasesOfStrangers(t *testing.T) {
	const test = ".pertain/strategies/a.strategy.test.yaml"
	dir := world(t, map[string]string{
		".env": "PASSWORD=HIDDEN\n", "fixture.txt": "FIXTURE\n",
		".pertain/strategies/a.strategy.md": "---\nschema: everywhere.strategy/v1\nname: x\npreprocessors: [file-manager-selection]\n---\n{preprocess.file_manager.selection.text}\n",
	})
	text := "cases:\n"
	for _, name := range []string{".env", "fixture.txt"} {
		path := filepath.Join(dir, name)
		text += fmt.Sprintf("  - name: %s\n    context: {extra: {file_manager: {selection: {items: [{path: %q}]}}}}\n    prompt: {equals: %q}\n", name, path, "==> "+path+" <==\nx")
	}
	e := start(t, dir)
	e.initialize(nil)
	e.open(test, 1, text)
	told := ""
	for _, d := range e.version(test, 1).Diagnostics {
		told += d.Message + "\n"
	}
	if strings.Contains(told, "PASSWORD") || !strings.Contains(told, "FIXTURE") {
		t.Errorf("%q", told)
	}
	e.goodbye()
}
