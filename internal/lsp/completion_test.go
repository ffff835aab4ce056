package lsp_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

type completions struct {
	IsIncomplete bool
	Items        []struct {
		Label         string
		Detail        string
		Documentation *struct{ Kind, Value string }
		TextEdit      struct {
			Range   rng
			NewText string
		}
	}
}

// marked takes the mark out of a text, and tells where it was. The last one counts.
func marked(text string) (string, pos) {
	i := strings.LastIndex(text, "|")
	before := text[:i]
	line := strings.Count(before, "\n")
	return before + text[i+1:], pos{line, i - strings.LastIndex(before, "\n") - 1}
}

// strategyWith is a strategy with this in its frontmatter.
func strategyWith(fields string) string {
	return "---\nschema: everywhere.strategy/v1\n" + fields + "\n---\nHello\n"
}

// TestCompletion: at the mark the words are offered, and others are not; taking the
// first gives the text.
func TestCompletion(t *testing.T) {
	dir := world(t, map[string]string{
		".pertain/strategies/other.strategy.md": strategyWith("id: x.other\nname: Other"),
		".pertain/strategies/parts/text.md":     "text",
		"src/a.go":                              "", "src/b.go": "", "docs/c.md": "",
		".claude/skills/pdf/SKILL.md": "---\nname: PDF\ndescription: reads PDFs\n---\nx\n",
	})
	e := start(t, dir)
	e.initialize(nil)
	const s = ".pertain/strategies/a.strategy.md"
	config, err := filepath.Rel(dir, configFile(dir))
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		file, text string
		has, not   []string
		take       string // the line after taking the first of has
	}{
		{s, strategyWith("|"), []string{"name", "when", "preprocessors"}, []string{"schema", "globs"}, "name: "},
		{s, strategyWith("na|"), []string{"name"}, nil, "name: "},
		{s, strategyWith("when:\n  |"), []string{"clipboard.text", "all", "not", "visual.exists", "attachments"}, []string{"equals", "name"}, "  clipboard.text: "},
		{s, strategyWith("when:\n  any:\n    - env|"), []string{"environment.os", "environment"}, []string{"equals"}, "    - environment.os: "},
		{s, strategyWith("when:\n  environment:\n    |"), []string{"os", "locale"}, []string{"clipboard.text", "equals"}, "    os: "},
		{s, strategyWith("when:\n  extra:\n    browser:\n      |"), []string{"active_tab.url", "active_tab"}, nil, ""},
		{s, strategyWith("when:\n  environment.os.|"), []string{"environment.os.equals", "environment.os.not"}, []string{"environment.os.min"}, "  environment.os.equals: "},
		{s, strategyWith("when:\n  attachments.files.any.|"), []string{"attachments.files.any.path"}, nil, ""},
		{s, strategyWith("when:\n  attachments.files.any.path.gl|"), []string{"attachments.files.any.path.glob"}, nil, "  attachments.files.any.path.glob: "},
		{s, strategyWith("when:\n  clipboard.text: {|}"), []string{"equals", "regex", "length", "caseSensitive"}, []string{"min", "count", "any"}, "  clipboard.text: {equals: }"},
		{s, strategyWith("when:\n  clipboard.hasText:\n    |"), []string{"equals", "in", "not"}, []string{"contains", "regex"}, "    equals: "},
		{s, strategyWith("when:\n  activeProcess.id:\n    |"), []string{"min", "max", "equals"}, []string{"contains"}, "    min: "},
		{s, strategyWith("when:\n  attachments.files:\n    |"), []string{"any", "all", "none", "count"}, []string{"equals", "contains"}, "    any: "},
		{s, strategyWith("when:\n  attachments.files:\n    any:\n      |"), []string{"path", "extension", "mimeType"}, []string{"equals"}, "      path: "},
		{s, strategyWith("when:\n  attachments.files: {count: {|}}"), []string{"min", "max", "equals"}, []string{"any"}, ""},
		{s, strategyWith("when:\n  environment.os: {equals: |}"), []string{"linux", "windows", "macos"}, nil, "  environment.os: {equals: linux}"},
		{s, strategyWith("when:\n  environment.os: {in: [linux, |]}"), []string{"macos"}, nil, "  environment.os: {in: [linux, macos]}"},
		{s, strategyWith("when:\n  clipboard.hasText: {equals: t|}"), []string{"true"}, nil, "  clipboard.hasText: {equals: true}"},
		{s, strategyWith("when:\n  extra.file_manager.selection.items: {any: {kind: {equals: |}}}"), []string{"folder"}, nil, ""},
		{s, strategyWith("when:\n  visual.exists: {query: \"//|\"}"), []string{"Button", "TextEdit"}, []string{"@name"}, "  visual.exists: {query: \"//Button\"}"},
		{s, strategyWith("when:\n  visual.exists: {query: \"//Button[|\"}"), []string{"@name", "contains"}, []string{"Button"}, "  visual.exists: {query: \"//Button[@name\"}"},
		{s, strategyWith("when:\n  visual.exists: {query: \"//Button[contains(|\"}"), []string{"@name"}, nil, ""},
		{s, strategyWith("when:\n  visual.exists: {query: \"//Button[@na|\"}"), []string{"name"}, nil, ""},
		{s, strategyWith("when:\n  visual.exists:\n    |"), []string{"query"}, nil, ""},
		{s, strategyWith("when:\n  visual.count:\n    query: //Button\n    |"), []string{"min"}, nil, ""},
		{s, strategyWith("preprocessors: [|]"), []string{"selected-text"}, []string{"name"}, "preprocessors: [selected-text]"},
		{s, strategyWith("preprocessors:\n  - |"), []string{"selected-text"}, nil, "  - selected-text"},
		{s, strategyWith("icon: file-t|"), []string{"FileText"}, []string{"Zap"}, "icon: FileText"},
		{s, strategyWith("enabled: |"), []string{"true", "false"}, nil, ""},
		{s, strategyWith("options:\n  |"), []string{"regexTimeout"}, nil, "  regexTimeout: "},
		{s, strategyWith("from: |"), []string{"./parts/text.md", "./other.strategy.md", "skill://workspace-claude.pdf"}, []string{"./a.strategy.md"}, "from: ./parts/text.md"},
		{s, strategyWith("from:\n  kind: |"), []string{"skill", "markdown"}, nil, ""},
		{s, strategyWith("name: x") + "Say {|", []string{"Argument", "clipboard.text", "preprocess.selection.text"}, nil, "Say {Argument}"},
		{s, strategyWith("name: x") + "Say {clip|}", []string{"clipboard.text"}, nil, "Say {clipboard.text}"},
		{s, strategyWith("name: x") + "Say {{|", nil, []string{"Argument"}, ""},
		{s, strategyWith("name: x") + "Say |", nil, []string{"Argument"}, ""},
		{s, strategyWith("systemPrompt: >\n  You {|"), []string{"Argument"}, nil, "  You {Argument}"},
		{".cursor/rules/r.mdc", "---\n|\n---\nx", []string{"globs", "alwaysApply", "description"}, []string{"applyTo", "trigger", "when"}, "globs: "},
		{".windsurf/rules/r.md", "---\ntrigger: |\n---\nx", []string{"always_on", "manual"}, nil, "trigger: always_on"},
		{".github/instructions/x.instructions.md", "---\n|\n---\nx", []string{"applyTo"}, []string{"globs", "alwaysApply"}, ""},
		{".cursor/rules/r.mdc", "---\nglobs: |\n---\nx", []string{"**/*.go", "src/**"}, []string{"node_modules/**"}, "globs: \"**/*.go\""},
		{".omp/rules/r.md", "---\ninterruptMode: |\n---\nx", []string{"prose-only"}, nil, ""},
		{".omp/rules/r.md", "---\nexamples:\n  |\n---\nx", []string{"match", "no_match"}, nil, ""},
		{config, "ttsr:\n  |", []string{"interruptMode", "enabled"}, []string{"disabled"}, "  interruptMode: "},
		{config, "ttsr:\n  interruptMode: |", []string{"prose-only"}, nil, ""},
		{config, "disabled: [|]", []string{"workspace.x.other", "builtin.explain-selection"}, nil, "disabled: [workspace.x.other]"},
		{config, "|", []string{"disabled", "options"}, nil, ""},
		{"x.context.json", `{"clipboard": {"|"}}`, []string{"text", "hasText"}, []string{"clipboard"}, `{"clipboard": {"text"}}`},
		{"x.context.yaml", "environment:\n  os: |", []string{"linux"}, nil, ""},
		{"x.context.yaml", "attachments:\n  files:\n    - |", []string{"path", "extension"}, nil, ""},
		{"README.md", "---\n|\n---\n", nil, []string{"name", "globs"}, ""},
		{"a.strategy.test.yaml", "strategy: |", []string{"workspace.x.other"}, nil, "strategy: workspace.x.other"},
		{"a.strategy.test.yaml", "cases:\n  - name: x\n    |", []string{"context", "prompt"}, nil, "    context: "},
		{"a.strategy.test.yaml", "cases:\n  - name: x\n    context: {clipboard: {|}}", []string{"text"}, nil, ""},
		{"a.strategy.test.yaml", "cases:\n  - fails: |", []string{"preprocessor.context_missing"}, nil, ""},
	} {
		text, offset := marked(c.text)
		e.open(c.file, i+1, text)
		got := answer[completions](e, "textDocument/completion", map[string]any{"textDocument": map[string]any{"uri": e.file(c.file)}, "position": offset})
		labels := []string{}
		for _, item := range got.Items {
			labels = append(labels, item.Label)
		}
		for _, want := range c.has {
			if !slices.Contains(labels, want) {
				t.Errorf("%q: no %s in %v", c.text, want, labels)
			}
		}
		for _, other := range c.not {
			if slices.Contains(labels, other) {
				t.Errorf("%q: %s is offered", c.text, other)
			}
		}
		if c.take != "" {
			at := slices.Index(labels, c.has[min(len(c.has)-1, 0)])
			if at < 0 {
				continue
			}
			edit := got.Items[at].TextEdit
			line := strings.Split(text, "\n")[edit.Range.Start.Line]
			if after := line[:edit.Range.Start.Character] + edit.NewText + line[edit.Range.End.Character:]; after != c.take || edit.Range.Start.Line != edit.Range.End.Line {
				t.Errorf("%q: taking %s gives %q, want %q", c.text, labels[at], after, c.take)
			}
		}
	}
	e.goodbye()
}

// TestHover: at the mark the reference says something with this part; empty: nothing.
func TestHover(t *testing.T) {
	dir := world(t, nil)
	e := start(t, dir)
	e.initialize(nil)
	const s = ".pertain/strategies/a.strategy.md"
	config, err := filepath.Rel(dir, configFile(dir))
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct{ file, text, title string }{
		{s, strategyWith("pri|ority: 1"), "`priority`"},
		{s, strategyWith("when:\n  clip|board.text: {equals: x}"), "`clipboard.text`"},
		{s, strategyWith("when:\n  clipboard.text: {equ|als: x}"), "`equals`"},
		{s, strategyWith("when:\n  clipboard.text.eq|uals: x"), "`equals`"},
		{s, strategyWith("when:\n  clip|board.text.equals: x"), "`clipboard.text`"},
		{s, strategyWith("when:\n  environment:\n    o|s: {equals: x}"), "`environment.os`"},
		{s, strategyWith("when:\n  a|ny: []"), "`any`"},
		{s, strategyWith("when:\n  attachments.files: {any: {pa|th: {glob: x}}}"), "`path`"},
		{s, strategyWith("when:\n  visual.ex|ists: {query: //Button}"), "`visual.exists`"},
		{s, strategyWith("when:\n  visual.exists: {query: \"//Button[@na|me='x']\"}"), "`@name`"},
		{s, strategyWith("preprocessors: [selected-te|xt]"), "`selected-text`"},
		{s, strategyWith("name: x") + "Say {clip|board.text}", "`clipboard.text`"},
		{s, strategyWith("name: x") + "Say {preprocess.selection.te|xt}", "`preprocess.selection.text`"},
		{s, strategyWith("name: x") + "Say clip|board.text", ""},
		{s, strategyWith("name: x|y"), ""},
		{".cursor/rules/r.mdc", "---\nglo|bs: x\n---\n", "`globs`"},
		{".github/instructions/x.instructions.md", "---\nappl|yTo: x\n---\n", "`applyTo`"},
		{config, "ttsr:\n  bud|get: 1", "`ttsr.budget`"},
		{"x.context.json", `{"clipboard": {"te|xt": 1}}`, "`clipboard.text`"},
		{"README.md", "---\nna|me: x\n---\n", ""},
	} {
		text, offset := marked(c.text)
		e.open(c.file, i+1, text)
		got := answer[*struct {
			Contents struct{ Kind, Value string }
			Range    rng
		}](e, "textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": e.file(c.file)}, "position": offset})
		switch {
		case c.title == "" && got == nil:
		case got == nil || c.title == "":
			t.Errorf("%q: %+v, want %s", c.text, got, c.title)
		case !strings.HasPrefix(got.Contents.Value, c.title+"\n\n") || len(got.Contents.Value) < len(c.title)+8 || got.Contents.Kind != "markdown":
			t.Errorf("%q: %q, want %s", c.text, got.Contents.Value, c.title)
		case got.Range.Start.Line != offset.Line || got.Range.Start.Character > offset.Character || got.Range.End.Character < offset.Character:
			t.Errorf("%q: the offset is not within %+v", c.text, got.Range)
		}
	}
	e.goodbye()
}
