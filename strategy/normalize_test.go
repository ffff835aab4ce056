package strategy_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

func TestDefaults(t *testing.T) {
	s := normalize("---\nname: x\n---\n")
	if !s.Valid || !s.Enabled || s.Priority != 0 || s.Description != "" || s.Icon != "" || s.Tools != nil || s.Preprocessors != nil ||
		s.SystemPrompt != "" || s.Body != "" || s.Includes != nil || s.Derived {
		t.Errorf("%+v", s)
	}
	if s.Limits != cond.DefaultLimits() {
		t.Errorf("limits = %v", s.Limits)
	}
	var list diag.List
	if s.Program.Eval(cond.NewEvaluation(facts.NewSnapshot(facts.Parts{})), s.Limits, &list) != cond.True || len(s.Needs.Names()) != 0 {
		t.Errorf("without when it always holds: %+v", s.When)
	}
}

func TestValues(t *testing.T) {
	s := normalize(`---
schema: "everywhere.strategy/v1"
id: Mixed.Case
enabled: false
name: "Näme"
description: |
  two
  lines
icon: file-text
priority: -0x10
when:
  all:
    - extra.file_manager.selection.items: { count: { min: 1 } }
    - clipboard.text: { contains: TODO }
    - visual.exists: { query: "//ListViewItem[@selected=true]" }
    - environment.os: { equals: linux }
    - assistant.model.id: { equals: m }
tools:
  builtin.web.*: true
  builtin.web.web_search: false
preprocessors: [selected-text, clipboard-text, selected-text]
systemPrompt: |
  You are.
options: { matchingTimeout: 0.5s, conditionTimeout: 80ms, regexTimeout: 1.5ms, visualQueryTimeout: 2s, extraTimeout: 3s }
---

    indented first line

last line

`)
	if len(s.Diagnostics) > 0 {
		t.Fatal(s.Diagnostics)
	}
	if s.ID != "user.Mixed.Case" || s.Enabled || s.Name != "Näme" || s.Description != "two\nlines\n" || s.Icon != "FileText" || s.Priority != -16 {
		t.Errorf("%+v", s)
	}
	if diff := cmp.Diff([]string{"assistant.model.id", "clipboard.text", "extra.file_manager", "visual"}, s.Needs.Names()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]strategy.ToolRule{{Pattern: "builtin.web.*", Allow: true}, {Pattern: "builtin.web.web_search", Allow: false}}, s.Tools); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"selected-text", "clipboard-text", "selected-text"}, s.Preprocessors); diff != "" {
		t.Error(diff) // the declared order, as often as declared
	}
	want := cond.Limits{Matching: 500 * time.Millisecond, Condition: 80 * time.Millisecond, Regex: 1500 * time.Microsecond, VisualQuery: 2 * time.Second, Extra: 3 * time.Second}
	if s.Limits != want {
		t.Errorf("limits = %v", s.Limits)
	}
	if s.Body != "    indented first line\n\nlast line" || s.SystemPrompt != "You are.\n" {
		t.Errorf("body %q, system prompt %q", s.Body, s.SystemPrompt)
	}
}

func TestLimitsOfTheSettings(t *testing.T) {
	n := &strategy.Normalizer{Limits: cond.Limits{Regex: time.Second, Matching: 2 * time.Second}}
	s := n.Normalize(context.Background(), "x", []byte("---\nname: x\noptions: {regexTimeout: 7ms}\n---\n"), user("x.strategy.md"))
	want := cond.DefaultLimits()
	want.Matching, want.Regex = 2*time.Second, 7*time.Millisecond
	if s.Limits != want {
		t.Errorf("limits = %v: a strategy's own come first, then the settings', then the defaults", s.Limits)
	}
}

// TestLimitsOfAStranger: a strategy of a workspace that is not trusted may take less of
// the user's time than the settings say, and never more.
func TestLimitsOfAStranger(t *testing.T) {
	n := &strategy.Normalizer{Limits: cond.Limits{Regex: time.Second}}
	text := "---\nname: x\noptions: {matchingTimeout: 100000s, conditionTimeout: 7ms, regexTimeout: 100000s, visualQueryTimeout: 100000s, extraTimeout: 100000s}\n---\n"
	origin := strategy.Origin{Provider: "workspace", Path: "x.strategy.md", Confine: "/w"}
	want := cond.DefaultLimits()
	want.Regex, want.Condition = time.Second, 7*time.Millisecond
	if s := n.Normalize(t.Context(), "/w/x.strategy.md", []byte(text), origin); s.Limits != want || !s.Valid {
		t.Errorf("limits = %v, valid %v", s.Limits, s.Valid)
	}
	const asked = 100_000 * time.Second
	want = cond.Limits{Matching: asked, Condition: 7 * time.Millisecond, Regex: asked, VisualQuery: asked, Extra: asked}
	origin.Trusted = true
	if s := n.Normalize(t.Context(), "/w/x.strategy.md", []byte(text), origin); s.Limits != want {
		t.Errorf("trusted: limits = %v", s.Limits)
	}
}

func TestRegistryIsOptional(t *testing.T) {
	s := new(strategy.Normalizer).Normalize(context.Background(), "x", []byte("---\nname: x\npreprocessors: [made-up]\n---\n"), user("x.strategy.md"))
	if !s.Valid || len(s.Preprocessors) != 1 {
		t.Errorf("without a registry ids are not checked: %v", s.Diagnostics)
	}
}

func TestIcons(t *testing.T) {
	for name, want := range map[string]string{
		"FileText": "FileText", "file-text": "FileText", "filetext": "FileText", "PenLine": "PenLine", "MessageSquareCode": "MessageSquareCode",
		"Sparkles": "Sparkles", "Nonsense": "", "": "",
	} {
		if got, ok := strategy.Icon(name); got != want || ok != (want != "") {
			t.Errorf("Icon(%q) = %q, %v", name, got, ok)
		}
	}
	s := normalize("---\nname: x\nicon: Nonsense\n---\n")
	if !s.Valid || s.Icon != strategy.DefaultIcon {
		t.Errorf("an unknown icon is shown as %q", s.Icon)
	}
}

func TestFieldNames(t *testing.T) {
	want := []string{"schema", "id", "from", "enabled", "name", "title", "description", "icon", "priority", "when", "tools", "preprocessors", "systemPrompt", "options"}
	if diff := cmp.Diff(want, strategy.FieldNames()); diff != "" {
		t.Errorf("not the fields of the format and the title: %s", diff)
	}
}

// TestSpecificationExamples loads the four examples of the format's specification as they stand there.
func TestSpecificationExamples(t *testing.T) {
	examples := map[string]string{
		"file manager": `---
schema: everywhere.strategy/v1
id: user.file-manager.summarize-selection
name: "Summarize selected files"
description: "Summarize files selected in the file manager"
icon: FileText
priority: 80

when:
  all:
    - extra.file_manager.selection.items:
        count:
          min: 1
    - extra.file_manager.selection.items:
        any:
          extension:
            in: [".pdf", ".docx", ".txt", ".md"]

tools:
  builtin.filesystem.read_file: true
  builtin.web.*: false

preprocessors:
  - file-manager-selection

options:
  matchingTimeout: 300ms
  conditionTimeout: 80ms
  regexTimeout: 50ms
  visualQueryTimeout: 120ms
  extraTimeout: 200ms
---

Please summarize the selected files:

{extra.file_manager.selection.items}
`,
		"browser": `---
schema: everywhere.strategy/v1
id: user.browser.arxiv-summary
name: "Summarize arXiv paper"
description: "Summarize the currently open arXiv paper"
icon: FileText
priority: 90

when:
  all:
    - extra.browser.active_tab.url:
        startsWith: "https://arxiv.org/"

preprocessors:
  - browser-active-page

tools:
  builtin.web.*: true
---

Summarize this arXiv paper:

URL: {extra.browser.active_tab.url}

Readable text:
{preprocess.browser.readable_text}
`,
		"skill": `---
schema: everywhere.strategy/v1
id: user.writing.polite-rewrite
from: ./SKILL.md

name: "Polite rewrite"
description: "Rewrite selected text using my writing rules"
icon: PenLine
priority: 60

when:
  all:
    - attachments.selection.text:
        length:
          min: 1
---

Please rewrite this text politely and concisely:

{attachments.selection.text}
`,
		"visual": `---
schema: everywhere.strategy/v1
id: user.ide.explain-focused-editor
name: "Explain focused editor"
description: "Explain text in the focused editor"
icon: MessageSquareCode
priority: 70

when:
  all:
    - visual.exists:
        query: ".//TextEdit[@focused=true]"
    - visual.match:
        query: "//TopLevel/@name"
        contains: "Visual Studio"
---

Explain the current focused editor content:

{attachments.selection.text}
`,
	}
	tree := files.NewMemory(files.Unix)
	tree.WriteFile("/u/SKILL.md", skill)
	n := &strategy.Normalizer{Resolvers: []strategy.Resolver{strategyfile.Resolver{Tree: tree}}, Preprocessors: plan.Preprocessors()}
	for name, text := range examples {
		s := n.Normalize(context.Background(), "/u/x.strategy.md", []byte(text), user("x.strategy.md"))
		if len(s.Diagnostics) > 0 || !s.Valid {
			t.Errorf("%s: %v", name, s.Diagnostics)
		}
	}
}

func FuzzNormalize(f *testing.F) {
	f.Add([]byte("---\nname: x\nwhen:\n  all:\n    - clipboard.text: { regex: \"a(b\" , caseSensitive: true }\n---\n"))
	f.Add([]byte("---\nid: a b\nname: 5\npriority: 1.5\ntools: {a: {b: 1}}\noptions: {regexTimeout: 5}\nicon: x\ncolour: y\n---\n"))
	f.Add([]byte("---\nfrom: {source: ./SKILL.md, kind: auto}\nname: null\n---\nbody"))
	f.Add([]byte("---\nfrom: ./base.strategy.md\nwhen: {visual.match: {query: \"//Button[@name='\", contains: 3}}\n---\n"))
	f.Add([]byte("---\nname: &a x\nwhen: {any: [{attachments.files: {any: {extension: {in: [*a, 1, true]}}}}, {none: []}]}\n---\n"))
	f.Add([]byte("---\nwhen: {\"attachments.files[].path\": {glob: \"{a,b[\"}, x.y: 1, all: 2, visual.count: {query: 3, min: x}}\n---\n"))
	tree := files.NewMemory(files.Unix)
	tree.WriteFile("/u/SKILL.md", skill)
	tree.WriteFile("/u/base.strategy.md", "---\nname: Base\nwhen: {clipboard.text: {contains: x}}\n---\nBody\n")
	n := &strategy.Normalizer{Resolvers: []strategy.Resolver{strategyfile.Resolver{Tree: tree}}, Preprocessors: plan.Preprocessors()}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := n.Normalize(context.Background(), "/u/x.strategy.md", data, user("x.strategy.md"))
		if s.Valid == s.Diagnostics.HasErrors() {
			t.Fatalf("valid %v with %v", s.Valid, s.Diagnostics)
		}
		if s.Valid && (s.ID == "" || strings.TrimSpace(s.Name) == "" || s.Program == nil) {
			t.Fatalf("valid, but %+v", s)
		}
		for _, d := range s.Diagnostics {
			if _, known := d.Code.Info(); !known || d.Message == "" || d.Source == nil {
				t.Fatalf("%+v", d)
			}
			if d.Span.IsValid() && d.Span.End > len(d.Source.Text()) {
				t.Fatalf("%s: span %v of %d bytes", d.Code, d.Span, len(d.Source.Text()))
			}
		}
		if again := n.Normalize(context.Background(), "/u/x.strategy.md", data, user("x.strategy.md")); short(again.Diagnostics) != short(s.Diagnostics) {
			t.Fatalf("a second reading says something else:\n%s\n%s", short(s.Diagnostics), short(again.Diagnostics))
		}
	})
}
