package lsp_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

const wrongStrategy = `---
schema: everywhere.strategy/v1
id: x.a
name: "Ä 😀"
when:
  environment.os: { equals: linus }
  clipbord.text: { contains: "😀" }
---
😀 Hello {Argumnt} {clipboard.txt}
`

const wrongRule = `---
description: x
globs: *.zzz
alwaysAply: true
examples: {match: [no]}
ttsr_trigger: "yes("
---
Text
`

// wrong are files with mistakes of every kind of file that lint takes.
var wrong = map[string]string{
	".pertain/strategies/a.strategy.md":      wrongStrategy,
	".pertain/strategies/deep/STRATEGY.md":   "---\nname: x\nwhen: {nott: true}\nfrom: ./none.md\n---\n",
	"loose.strategy.md":                      "no frontmatter",
	".cursor/rules/r.mdc":                    wrongRule,
	".omp/rules/n.md":                        strings.Replace(wrongRule, "*.zzz", `"**/*.zzz"`, 1),
	".github/instructions/x.instructions.md": "---\nglobs: x\n---\ny\n",
	".windsurf/rules/w.md":                   "---\ntrigger: alwys_on\n---\ny\n",
	".kiro/steering/k.md":                    "---\ninclusion: sometimes\n---\n\u200bhidden\n",
	"AGENTS.md":                              "",
}

// TestAsLint: for each file the server says what the command says, at the same positions.
func TestAsLint(t *testing.T) {
	dir := world(t, wrong)
	e := start(t, dir)
	e.initialize(nil)
	for name, text := range wrong {
		e.open(name, 1, text)
		var want, got []string
		for _, d := range lintJSON(t, dir, name) {
			if d["file"] != filepath.Join(dir, filepath.FromSlash(name)) {
				continue
			}
			offset := "0:0-0:0"
			if d["line"] != nil {
				offset = columns(text, d["line"], d["column"]) + "-" + columns(text, d["endLine"], d["endColumn"])
			}
			want = append(want, fmt.Sprint(offset, " ", d["severity"], " ", d["code"], " ", d["message"]))
		}
		for _, d := range e.version(name, 1).Diagnostics {
			got = append(got, fmt.Sprintf("%d:%d-%d:%d %s %s %s", d.Range.Start.Line, d.Range.Start.Character, d.Range.End.Line, d.Range.End.Character,
				[]string{"", "error", "warning", "info"}[d.Severity], d.Code, d.Message))
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-lint +lsp):\n%s", name, diff)
		}
		if len(want) == 0 && name != "AGENTS.md" {
			t.Errorf("%s: lint finds nothing, so nothing is compared", name)
		}
	}
	e.goodbye()
}

// columns is a line and column of lint as the protocol counts.
func columns(text string, line, column any) string {
	l, c := int(line.(float64)), int(column.(float64))
	runes := []rune(strings.Split(text, "\n")[l-1])
	return fmt.Sprintf("%d:%d", l-1, len(utf16.Encode(runes[:c-1])))
}

// TestUnsaved: what the editor holds counts, in the file itself and in those that it
// begins with.
func TestUnsaved(t *testing.T) {
	const good = "---\nschema: everywhere.strategy/v1\nname: x\n---\nHello\n"
	dir := world(t, map[string]string{"a.strategy.md": good, "b.strategy.md": "---\nschema: everywhere.strategy/v1\nfrom: ./a.strategy.md\n---\n"})
	e := start(t, dir)
	e.initialize(nil)
	e.open("a.strategy.md", 1, strings.Replace(good, "name: x", "nam: x", 1))
	if got := e.version("a.strategy.md", 1).codes(); !slices.Contains(got, "strategy.unknown_field") {
		t.Errorf("unsaved mistake: %v", got)
	}
	e.change("a.strategy.md", 2, good)
	if got := e.version("a.strategy.md", 2).codes(); len(got) != 0 {
		t.Errorf("mended: %v", got)
	}
	e.open("new.strategy.md", 1, "---\nname: x\nschema: everywhere.strategy/v2\n---\n") // not on the disk
	if got := e.version("new.strategy.md", 1).codes(); !slices.Contains(got, "strategy.unsupported_schema") {
		t.Errorf("a new file: %v", got)
	}
	e.goodbye()
}

// TestChanges: parts of a text are replaced, seen from the text before, in UTF-16 and
// where the editor offers it in UTF-8.
func TestChanges(t *testing.T) {
	for name, by := range map[string]int{"utf-16": 2, "utf-8": 4} {
		dir := world(t, nil)
		e := start(t, dir)
		raw := e.initialize(map[string]any{"capabilities": map[string]any{"general": map[string]any{"positionEncodings": []string{name}}}})
		var hello struct {
			Capabilities struct{ PositionEncoding string }
		}
		if err := json.Unmarshal(raw, &hello); err != nil || hello.Capabilities.PositionEncoding != name {
			t.Errorf("%s: %s", name, raw)
		}
		e.open("a.strategy.md", 1, "---\nschema: everywhere.strategy/v1\nname: 😀😀x\n---\n{Argumnt}\n")
		first := e.version("a.strategy.md", 1)
		if len(first.Diagnostics) != 1 || first.Diagnostics[0].Range != (rng{pos{4, 0}, pos{4, 9}}) {
			t.Fatalf("%s: %+v", name, first)
		}
		edit := func(line, from, to int, text string) map[string]any {
			return map[string]any{"range": rng{pos{line, from}, pos{line, to}}, "text": text}
		}
		e.tell("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": e.file("a.strategy.md"), "version": 2}, "contentChanges": []any{
			edit(2, 6+by, 6+2*by, "ü"), // the second character
			edit(2, 7+by+by/2-1, 7+by+by/2-1, "!"),
			edit(4, 0, 0, "😀 "),
		}})
		second := e.version("a.strategy.md", 2)
		if len(second.Diagnostics) != 1 || second.Diagnostics[0].Range != (rng{pos{4, by + 1}, pos{4, by + 10}}) {
			t.Errorf("%s: after changes %+v", name, second.Diagnostics)
		}
		e.goodbye()
	}
}

// TestBetweenFiles: what two files do wrong together is told of both that are open, and
// of one that is not; and taken back.
func TestBetweenFiles(t *testing.T) {
	const one = "---\nschema: everywhere.strategy/v1\nid: x.same\nname: x\n---\nHello\n"
	dir := world(t, map[string]string{".pertain/strategies/a.strategy.md": one, ".pertain/strategies/b.strategy.md": one, ".cursor/rule/x.mdc": "x"})
	e := start(t, dir)
	e.initialize(nil)
	e.open(".pertain/strategies/a.strategy.md", 1, one)
	e.wait(".pertain/strategies/b.strategy.md", func(p publication) bool {
		return slices.Equal(p.codes(), []string{"strategy.duplicate_id"}) && p.Version == nil
	})
	e.wait(".cursor/rule", func(p publication) bool { return slices.Equal(p.codes(), []string{"rule.near_name"}) })
	e.open(".pertain/strategies/b.strategy.md", 1, one)
	e.wait(".pertain/strategies/b.strategy.md", func(p publication) bool {
		return slices.Equal(p.codes(), []string{"strategy.duplicate_id"}) && p.Version != nil
	})
	e.change(".pertain/strategies/a.strategy.md", 2, strings.Replace(one, "x.same", "x.other", 1))
	e.wait(".pertain/strategies/b.strategy.md", func(p publication) bool { return len(p.Diagnostics) == 0 })
	e.goodbye()
}

// TestClose: what was said is taken back, and said again when the file is opened again.
func TestClose(t *testing.T) {
	dir := world(t, nil)
	e := start(t, dir)
	e.initialize(nil)
	e.open("a.strategy.md", 7, wrongStrategy)
	e.version("a.strategy.md", 7)
	e.tell("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": e.file("a.strategy.md")}})
	e.wait("a.strategy.md", func(p publication) bool { return p.Version == nil && len(p.Diagnostics) == 0 })
	e.open("a.strategy.md", 8, wrongStrategy)
	if len(e.version("a.strategy.md", 8).Diagnostics) == 0 {
		t.Error("nothing is said")
	}
	e.goodbye()
}

// TestOtherFiles: settings and context files are checked as what they are, and what is
// no file of ours is left alone.
func TestOtherFiles(t *testing.T) {
	dir := world(t, nil)
	e := start(t, dir)
	e.initialize(nil)
	name, err := filepath.Rel(dir, configFile(dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, text, want string }{
		{name, "ttsr:\n  interrup: x\n", "1:2-1:10"},
		{"a.context.json", `{"clipboard": {"text":`, "0:22-0:22"},
		{"b.context.yaml", "- 1\n", "0:0-0:0"},
		{"d.context.yaml", "clipboard:\n  text: x\n  text: y\n", "2:2-2:2"},
		{"c.context.json", `{"clipboard": {"text": "x"}}`, ""},
		{"e.context.json", `{"visual": {"roots": [{"type": "Panel", "children": [{"type": "Buton"}]}]}}`, "0:62-0:69"},
		{"f.context.yaml", "\ufeffvisual:\n  roots:\n    - type: Panel\n      children:\n        - type: Buton\n", "4:16-4:21"},
		{"g.context.json", "{\n\t\"visual\": {\n\t\t\"roots\": [\n\t\t\t{\n\t\t\t\t\"name\": \"é\"\n\t\t\t}\n\t\t]\n\t}\n}\n", "3:3-3:4"},
		{"README.md", "---\nx: [\n---\n", ""},
		{"docs/strategy.md", "---\nx: [\n---\n", ""},
	} {
		e.open(c.name, 1, c.text)
		got := ""
		for _, d := range e.version(c.name, 1).Diagnostics {
			got = fmt.Sprintf("%d:%d-%d:%d", d.Range.Start.Line, d.Range.Start.Character, d.Range.End.Line, d.Range.End.Character)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	e.goodbye()
}
