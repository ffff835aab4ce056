package lsp_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/cli"
)

type edit struct {
	Range   rng
	NewText string
}

type action struct {
	Title       string
	Kind        string
	Diagnostics []struct{ Code string }
	Edit        struct{ Changes map[string][]edit }
}

// apply makes edits, which count in ASCII here.
func apply(text string, edits []edit) string {
	lines := strings.SplitAfter(text, "\n")
	offset := func(p pos) int {
		at := p.Character
		for _, l := range lines[:min(p.Line, len(lines))] {
			at += len(l)
		}
		return at
	}
	slices.SortFunc(edits, func(a, b edit) int { return offset(b.Range.Start) - offset(a.Range.Start) })
	for _, e := range edits {
		text = text[:offset(e.Range.Start)] + e.NewText + text[offset(e.Range.End):]
	}
	return text
}

func (e *editor) actions(name string, where rng, only ...string) []action {
	e.t.Helper()
	return answer[[]action](e, "textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": e.file(name)}, "range": where, "context": map[string]any{"diagnostics": []any{}, "only": only},
	})
}

var everywhere = rng{pos{0, 0}, pos{1000, 0}}

// TestQuickFixes: each suggestion that helps is offered, and the file is right after
// all of them.
func TestQuickFixes(t *testing.T) {
	dir := world(t, nil)
	e := start(t, dir)
	e.initialize(nil)
	const s = "a.strategy.md"
	for i, c := range []struct{ name, before, after string }{
		{s, strategyWith("when:\n  environment.os: {equals: linus}"), strategyWith("when:\n  environment.os: {equals: linux}")},
		{s, strategyWith("when:\n  environment.os: {equals: \"linus\"}"), strategyWith("when:\n  environment.os: {equals: \"linux\"}")},
		{s, strategyWith("when:\n  clipbord.text: {contains: a}"), strategyWith("when:\n  clipboard.text: {contains: a}")},
		{s, strategyWith("when:\n  clipboard.text: {contans: a}"), strategyWith("when:\n  clipboard.text: {contains: a}")},
		{s, strategyWith("when:\n  clipboard.text: {equals: 5}"), strategyWith("when:\n  clipboard.text: {equals: \"5\"}")},
		{s, strategyWith("when:\n  environment.os: linux"), strategyWith("when:\n  environment.os: { equals: \"linux\" }")},
		{s, strategyWith("when:\n  attachments.files: {any: {extension: {equals: pdf}}}"), strategyWith("when:\n  attachments.files: {any: {extension: {equals: .pdf}}}")},
		{s, strategyWith("when:\n  visual.exists: {query: \"//Buton\"}"), strategyWith("when:\n  visual.exists: {query: \"//Button\"}")},
		{s, strategyWith("nmae: x"), strategyWith("name: x")},
		{s, strategyWith("name: x") + "{Argumnt} {clipboard.txt}\n", strategyWith("name: x") + "{Argument} {clipboard.text}\n"},
		{".cursor/rules/r.mdc", "---\nglobs: *.go\nalwaysAply: true\n---\nx\n", "---\nglobs: '*.go'\nalwaysApply: true\n---\nx\n"},
		{"x.context.json", `{"visual": {"roots": [{"type": "Buton"}]}}`, `{"visual": {"roots": [{"type": "Button"}]}}`},
		{"x.context.yaml", "clipboard:\n  text: x\nvisual:\n  roots:\n    - type: Panel\n    - type: Lable\n", "clipboard:\n  text: x\nvisual:\n  roots:\n    - type: Panel\n    - type: Label\n"},
		{s, strategyWith("when:\n  zzz.text: {contains: a}"), strategyWith("when:\n  zzz.text: {contains: a}")}, // nothing helps
	} {
		e.open(c.name, i+1, c.before)
		var edits []edit
		for _, a := range e.actions(c.name, everywhere, "quickfix") {
			if a.Kind != "quickfix" || len(a.Diagnostics) == 0 || a.Title == "" || len(a.Edit.Changes) != 1 {
				t.Errorf("%q: %+v", c.before, a)
			}
			edits = append(edits, a.Edit.Changes[e.file(c.name)]...)
		}
		if diff := cmp.Diff(c.after, apply(c.before, edits)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.before, diff)
		}
		if c.before != c.after && len(e.actions(c.name, rng{pos{0, 0}, pos{0, 1}}, "quickfix")) > 0 {
			t.Errorf("%q: a fix is offered elsewhere", c.before)
		}
	}
	e.goodbye()
}

// TestFixAll is `lint --fix`.
func TestFixAll(t *testing.T) {
	const name = ".cursor/rules/r.mdc"
	dir := world(t, map[string]string{name: wrongRule})
	e := start(t, dir)
	e.initialize(nil)
	e.open(name, 1, wrongRule)
	all := e.actions(name, rng{}, "source.fixAll")
	if len(all) != 1 || all[0].Kind != "source.fixAll.pertain" {
		t.Fatalf("%+v", all)
	}
	got := apply(wrongRule, all[0].Edit.Changes[e.file(name)])
	command(t, dir, "lint", "--fix", name)
	want, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil || string(want) == wrongRule {
		t.Fatalf("lint --fix: %v", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("(-lint --fix +lsp):\n%s", diff)
	}
	if more := e.actions(name, everywhere, "refactor"); len(more) != 0 {
		t.Errorf("nobody asked for %+v", more)
	}
	e.goodbye()
}

// command runs the program in a folder.
func command(t *testing.T, dir string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	cli.Main(t.Context(), cli.Invocation{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: dir, Env: environment(dir)})
	return out.String()
}

// TestFormatting is `pertain fmt`.
func TestFormatting(t *testing.T) {
	const name = "a.strategy.md"
	for _, text := range []string{
		"---\nname: x\nschema: everywhere.strategy/v1 # why\n---\nBody {a}\n",
		"---\r\nname: x\r\nid: a.b\r\n---\r\nBody",
		"\ufeff---\nname: 'x'\nwhen: {clipboard.text: {contains: a}}\nid: a.b\n---\n",
		"---\nschema: \"everywhere.strategy/v1\"\nname: \"x\"\n---\n",
	} {
		dir := world(t, map[string]string{name: text})
		e := start(t, dir)
		e.initialize(nil)
		e.open(name, 1, text)
		edits := answer[[]edit](e, "textDocument/formatting", map[string]any{"textDocument": map[string]any{"uri": e.file(name)}, "options": map[string]any{"tabSize": 2}})
		command(t, dir, "fmt", name)
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := apply(text, edits); got != string(want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		e.goodbye()
	}
}

// TestDefinition: at the mark the definition is this file; empty: there is none.
func TestDefinition(t *testing.T) {
	dir := world(t, map[string]string{
		".pertain/strategies/base.md":           "text",
		".pertain/strategies/other.strategy.md": strategyWith("id: x.other\nname: Other"),
		".pertain/skills/pdf/SKILL.md":          "---\nname: PDF\ndescription: reads PDFs\n---\nx\n",
		".cursor/rules/house.mdc":               "---\ndescription: house\n---\nx\n",
		"docs/more.md":                          "more",
		"../outside.md":                         "secret",
	})
	e := start(t, dir)
	e.initialize(nil)
	const s = ".pertain/strategies/a.strategy.md"
	config, err := filepath.Rel(dir, configFile(dir))
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct{ file, text, want string }{
		{s, strategyWith("from: ./ba|se.md"), ".pertain/strategies/base.md"},
		{s, strategyWith("from: {source: ./ba|se.md}"), ".pertain/strategies/base.md"},
		{s, strategyWith("from: skill://workspace.p|df"), ".pertain/skills/pdf/SKILL.md"},
		{s, strategyWith("from: ./non|e.md"), ""},
		{s, strategyWith("from: ../../../outsi|de.md"), ""},
		{s, strategyWith("na|me: x"), ""},
		{s, strategyWith("name: x") + "Read rule://hou|se.", ".cursor/rules/house.mdc"},
		{"AGENTS.md", "See `skill://workspace.pd|f` first.", ".pertain/skills/pdf/SKILL.md"},
		{"CLAUDE.md", "See @docs/mo|re.md\n", "docs/more.md"},
		{"CLAUDE.md", "See @../outsi|de.md\n", ""},
		{"AGENTS.md", "Mail a@docs/mo|re.md\n", ""},
		{config, "disabled: [workspace.x.oth|er]", ".pertain/strategies/other.strategy.md"},
		{config, "disabled: [builtin.expl|ain-selection]", ""},
	} {
		text, offset := marked(c.text)
		e.open(c.file, i+1, text)
		got := answer[*struct{ URI string }](e, "textDocument/definition", map[string]any{"textDocument": map[string]any{"uri": e.file(c.file)}, "position": offset})
		switch {
		case c.want == "" && got != nil:
			t.Errorf("%q leads to %s", c.text, got.URI)
		case c.want != "" && (got == nil || got.URI != e.file(c.want)):
			t.Errorf("%q: %v, want %s", c.text, got, c.want)
		}
	}
	e.goodbye()
}

// TestSymbols: keys as they are nested, then headings.
func TestSymbols(t *testing.T) {
	dir := world(t, nil)
	e := start(t, dir)
	e.initialize(nil)
	type symbol struct {
		Name           string
		Range          rng
		SelectionRange rng
		Children       []json.RawMessage
	}
	names := func(list []symbol) string {
		var b strings.Builder
		var add func([]symbol)
		add = func(list []symbol) {
			for _, one := range list {
				b.WriteString(one.Name + " ")
				if one.Range.Start.Line > one.SelectionRange.Start.Line || one.Range.End.Line < one.SelectionRange.End.Line {
					t.Errorf("%s: what is selected lies outside", one.Name)
				}
				for _, raw := range one.Children {
					var child symbol
					if err := json.Unmarshal(raw, &child); err != nil {
						t.Fatal(err)
					}
					b.WriteString("<")
					add([]symbol{child})
				}
			}
		}
		add(list)
		return b.String()
	}
	for i, c := range []struct{ file, text, want string }{
		{
			"a.strategy.md", strategyWith("name: x\nwhen:\n  any:\n    - clipboard.text: {contains: a}\n    - not: {environment.os: {equals: linux}}") + "# One\n```\n# code\n```\n## Two\n#no\n",
			"schema name when <any <clipboard.text <contains <not <environment.os <equals One Two ",
		},
		{".cursor/rules/r.mdc", "---\nglobs: *.ts\n---\n# Head\n", "globs Head "},
		{"x.context.json", `{"clipboard": {"text": "x"}, "": 1}`, `clipboard <text "" `},
		{"b.strategy.md", "no frontmatter", ""},
		{"README.md", "# Other", ""},
	} {
		e.open(c.file, i+1, c.text)
		got := names(answer[[]symbol](e, "textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": e.file(c.file)}}))
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.file, got, c.want)
		}
	}
	e.goodbye()
}

// TestRename: the id changes wherever the folder names it, saved or not.
func TestRename(t *testing.T) {
	const s = ".pertain/strategies/a.strategy.md"
	texts := map[string]string{
		s:                                   strategyWith("id: x.old\nname: A"),
		".pertain/strategies/b.strategy.md": strategyWith("id: x.taken\nname: B"),
		".pertain/strategies/a.strategy.test.yaml": "strategy: \"Workspace.x.OLD\"\ncases: []\n",
		"tests/far.strategy.test.yaml":             "strategy: workspace.x.other\n",
	}
	dir := world(t, texts)
	e := start(t, dir)
	e.initialize(nil)
	config, err := filepath.Rel(dir, configFile(dir))
	if err != nil {
		t.Fatal(err)
	}
	const settings = "disabled: [builtin.x, 'workspace.x.old']\n"
	e.open(config, 1, settings)
	e.open(s, 1, texts[s])
	e.open("tests/far.strategy.test.yaml", 1, "strategy: workspace.x.old\n") // not saved yet
	at := map[string]any{"textDocument": map[string]any{"uri": e.file(s)}, "position": pos{2, 6}}
	ready := answer[*struct{ Placeholder string }](e, "textDocument/prepareRename", at)
	if ready == nil || ready.Placeholder != "x.old" {
		t.Errorf("%+v", ready)
	}
	if other := answer[*struct{}](e, "textDocument/prepareRename", map[string]any{"textDocument": map[string]any{"uri": e.file(s)}, "position": pos{3, 6}}); other != nil {
		t.Error("a name is no id")
	}
	at["newName"] = "x.new"
	changes := answer[struct{ Changes map[string][]edit }](e, "textDocument/rename", at).Changes
	for name, want := range map[string][2]string{
		s: {texts[s], strategyWith("id: x.new\nname: A")},
		".pertain/strategies/a.strategy.test.yaml": {texts[".pertain/strategies/a.strategy.test.yaml"], "strategy: \"workspace.x.new\"\ncases: []\n"},
		"tests/far.strategy.test.yaml":             {"strategy: workspace.x.old\n", "strategy: workspace.x.new\n"},
		config:                                     {settings, "disabled: [builtin.x, 'workspace.x.new']\n"},
	} {
		if got := apply(want[0], changes[e.file(name)]); got != want[1] {
			t.Errorf("%s: %q, want %q", name, got, want[1])
		}
	}
	if len(changes) != 4 {
		t.Errorf("%d files change", len(changes))
	}
	for _, wrong := range []string{"", "a b", "x.taken", "builtin.x", "x\nname: B"} {
		at["newName"] = wrong
		if _, err := e.client.Call(t.Context(), "textDocument/rename", at); err == nil {
			t.Errorf("%q is taken as an id", wrong)
		}
	}
	e.goodbye()
}

// TestFixOfTheLine: an editor may ask for a line's mistakes from anywhere on it.
func TestFixOfTheLine(t *testing.T) {
	const name = "a.strategy.md"
	dir := world(t, nil)
	e := start(t, dir)
	e.initialize(nil)
	e.open(name, 1, strategyWith("when:\n  environment.os: {equals: linus}\nname: x"))
	told := e.version(name, 1).Diagnostics
	ask := func(diagnostics any) []action {
		return answer[[]action](e, "textDocument/codeAction", map[string]any{
			"textDocument": map[string]any{"uri": e.file(name)}, "range": rng{pos{3, 0}, pos{3, 0}}, "context": map[string]any{"diagnostics": diagnostics, "triggerKind": 1},
		})
	}
	lower := []map[string]any{{"range": told[0].Range, "code": told[0].Code, "source": "pertain", "message": told[0].Message, "severity": 2}, {"range": told[0].Range, "code": 5, "source": 7}}
	if got := ask(lower[:1]); len(got) != 1 {
		t.Errorf("%+v", got)
	}
	if got := ask([]any{}); len(got) != 0 {
		t.Errorf("nobody asked for %+v", got)
	}
	if got := ask(lower); len(got) != 1 { // numbers are codes of others
		t.Errorf("%+v", got)
	}
	e.goodbye()
}
