package plan_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/visible"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

const someContext = `{
  "attachments": {"selection": {"text": "SEL"}, "text": "",
    "files": [{"extension": ".pdf", "path": "/w/a.pdf", "unknown": 1}, {"mimeType": "text/plain", "path": "/w/b"}, {}]},
  "clipboard": {"text": "{attachments.selection.text} {Argument} {{clipboard.text}}", "hasText": true, "files": []},
  "assistant": {"model": {"modalities": ["text", "image"], "supportsToolCall": false, "id": "m"}, "id": "a"},
  "extra": {
    "file_manager": {"selection": {"items": [{"size": 10485760, "displayName": "two\nlines", "path": "/w/x"}, {"kind": "virtual"}]}},
    "workspace": {"git": {"hasChanges": true, "branch": "main"}, "root": "/w"},
    "odd": {"value": 1}
  }
}`

func render(t testing.TB, body string) string {
	t.Helper()
	p, _ := build(t, plan.NewRegistry(), plan.Execution{Strategy: strategyOf(body), Snapshot: snapshot(t, someContext)}, plan.Options{})
	return p.Prompt
}

func TestPlaceholders(t *testing.T) {
	for template, want := range map[string]string{
		"{attachments.selection.text}":      "SEL",
		"a{attachments.selection.text}b":    "aSELb",
		"{{attachments.selection.text}}":    "{attachments.selection.text}",
		"{{{attachments.selection.text}}}":  "{{attachments.selection.text}}",
		"{{attachments.selection.text}":     "{SEL",
		"{attachments.selection.text}}":     "SEL}",
		"{ attachments.selection.text }":    "{ attachments.selection.text }",
		"{Attachments.selection.text}":      "{Attachments.selection.text}",
		"{argument} {ARGUMENT}":             "{argument} {ARGUMENT}",
		"{attachments.selection.text":       "{attachments.selection.text",
		"{attachments..text}":               "{attachments..text}",
		"{attachments.}":                    "{attachments.}",
		"{.attachments}":                    "{.attachments}",
		"{attachments.files[0].path}":       "/w/a.pdf",
		"{attachments.files[^2].path}":      "/w/b",
		"{attachments.files[..2].path}":     "- /w/a.pdf\n- /w/b",
		"{attachments.files[7].path}|":      "|",
		"{attachments.files[x].path}":       "{attachments.files[x].path}",
		"{attachments.files[0]x}":           "{attachments.files[0]x}",
		"{attachments.[0]}":                 "{attachments.[0]}",
		"{attachments.files[0]}":            "path: /w/a.pdf\nextension: .pdf",
		"{extrapolate.x} {preprocessor.x}":  "{extrapolate.x} {preprocessor.x}",
		"{}{{}}{x}{{x}}${x}":                "{}{{}}{x}{{x}}${x}",
		`{"a": {"b": [1, {}]}}`:             `{"a": {"b": [1, {}]}}`,
		"func f() { return extra.x }":       "func f() { return extra.x }",
		"{clipboard.text}":                  "{attachments.selection.text} {Argument} {{clipboard.text}}",
		"{attachments.text}|":               "|",
		"{extra.nothing.at.all}|":           "|",
		"{extra.odd.value}|":                "|",
		"{visual.roots}{visual}|":           "|",
		"{preprocess.nothing}{preprocess}|": "|",
		"{extra.browser.active_tab.über}|":  "|",
	} {
		if got := render(t, template); got != want {
			t.Errorf("%s: want %q, got %q", template, want, got)
		}
	}
}

// TestUnseenNames: what no reader can see in the names of a workspace, which whoever made it has chosen, is not told to a model; what
// the user selected stays.
func TestUnseenNames(t *testing.T) {
	const context = `{"attachments": {"selection": {"text": "a\u200bb"}}, "extra": {"workspace": {"name": "w\u202e", "root": "/w", "git": {"branch": "ma\udb40\udc41in"}}}}`
	for body, want := range map[string]string{
		"{extra.workspace.git.branch}|{extra.workspace.name}": "main|w",
		"{extra.workspace.git}":                               "branch: main",
		"{extra.workspace}":                                   "root: /w\nname: w\ngit:\n  branch: main",
		"{attachments.selection.text}":                        "a\u200bb",
	} {
		p, _ := build(t, plan.NewRegistry(), plan.Execution{Strategy: strategyOf(body), Snapshot: snapshot(t, context)}, plan.Options{})
		if p.Prompt != want {
			t.Errorf("%s: %+q, want %+q", body, p.Prompt, want)
		}
	}
}

func TestValues(t *testing.T) {
	for template, want := range map[string]string{
		"{clipboard.hasText}":                                  "true",
		"{assistant.model.supportsToolCall}":                   "false",
		"{extra.file_manager.selection.items[].size}":          "- 10485760",
		"{assistant.model.modalities}":                         "- text\n- image",
		"{clipboard.files}|":                                   "|",
		"{attachments.files[].path}":                           "- /w/a.pdf\n- /w/b",
		"{attachments.files}":                                  "- path: /w/a.pdf\n  extension: .pdf\n- path: /w/b\n  mimeType: text/plain\n-",
		"{extra.file_manager.selection.items}":                 "- path: /w/x\n  displayName: two\n    lines\n  size: 10485760\n- kind: virtual",
		"{extra.workspace}":                                    "root: /w\ngit:\n  branch: main\n  hasChanges: true",
		"{assistant}":                                          "id: a\nmodel:\n  id: m\n  modalities:\n    - text\n    - image\n  supportsToolCall: false",
		"{extra.workspace.git.branch}{extra.workspace.root}\n": "main/w\n",
	} {
		if got := render(t, template); got != want {
			t.Errorf("%s: want\n%s\ngot\n%s", template, want, got)
		}
	}
}

func TestVariablesAreObjectsToo(t *testing.T) {
	registry := plan.NewRegistry(gives("v",
		plan.Variable{Name: "preprocess.a.b", Value: facts.Texts("x {preprocess.a.c}", "y")},
		plan.Variable{Name: "preprocess.a.c", Value: facts.Num(1.5)}))
	p, _ := build(t, registry, plan.Execution{Strategy: strategyOf("{preprocess.a}", "v")}, plan.Options{})
	if want := "b:\n  - x {preprocess.a.c}\n  - y\nc: 1.5"; p.Prompt != want {
		t.Errorf("got %q", p.Prompt)
	}
	registry = plan.NewRegistry(gives("v", plan.Variable{Name: "preprocess.a.b.c", Value: facts.Num(1)}, plan.Variable{Name: "preprocess.a.b.d", Value: facts.Num(2)}))
	p, _ = build(t, registry, plan.Execution{Strategy: strategyOf("{preprocess.a}", "v")}, plan.Options{})
	if want := "b:\n  c: 1\n  d: 2"; p.Prompt != want {
		t.Errorf("got %q", p.Prompt)
	}
}

// TestUses: a preprocessor asks whether what it makes is wanted at all.
func TestUses(t *testing.T) {
	x := plan.Execution{Strategy: strategyOf("{preprocess.page.text} {clipboard}")}
	x.Strategy.SystemPrompt = "{environment.date}"
	for path, want := range map[string]bool{
		"preprocess.page.text": true, "clipboard.text": true, "environment.date": true, "clipboard": true, "preprocess.page": false, "preprocess.page.title": false, "clipboards": false,
	} {
		if got := x.Uses(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// FuzzTemplate holds that what is put in is never expanded, that what is no
// placeholder stays, and that rendering twice gives the same.
func FuzzTemplate(f *testing.F) {
	f.Add("{clipboard.text} {x}", "{Argument}")
	f.Add("{{clipboard.text}}}", "{clipboard.text}")
	f.Add("{{{Argument}}}[]{attachments.files[].path}", "{")
	f.Fuzz(func(t *testing.T, body, input string) {
		s := strategyOf(body)
		in := plan.Execution{Strategy: s, Input: input, Snapshot: facts.NewSnapshot(facts.Parts{Values: facts.Fields()})}
		p, _ := build(t, plan.NewRegistry(), in, plan.Options{})
		if again, _ := build(t, plan.NewRegistry(), in, plan.Options{}); again.Prompt != p.Prompt {
			t.Errorf("%q and %q", p.Prompt, again.Prompt)
		}
		// Characters that no reader can see are left out.
		if !strings.Contains(body, "{") && !strings.HasPrefix(p.Prompt, visible.Strip(body)) {
			t.Errorf("%q became %q", body, p.Prompt)
		}
		if input != "" && !strings.Contains(p.Prompt, input) {
			t.Errorf("the input %q is not in %q", input, p.Prompt)
		}
	})
}

func TestToolsQuery(t *testing.T) {
	rules := []strategy.ToolRule{
		{Pattern: "*", Allow: false},
		{Pattern: "builtin.web.*", Allow: true},
		{Pattern: "builtin.web.web_search", Allow: false},
		{Pattern: "plugin.{a,b}.x", Allow: true},
		{Pattern: "tie.*", Allow: true},
		{Pattern: "tie.?", Allow: false},
		{Pattern: `esc\*.*`, Allow: true},
		{Pattern: "builtin.web.web_*", Allow: true},
		{Pattern: "one*", Allow: false},
		{Pattern: `\on*`, Allow: true},
		{Pattern: `wild\*x`, Allow: true},
		{Pattern: "wild?*", Allow: false},
	}
	p := plan.Plan{Tools: rules}
	for tool, want := range map[string]bool{
		"builtin.web.fetch": true, "builtin.web.web_search": false, "builtin.web.web_x": true, "builtin.shell": false,
		"plugin.a.x": true, "plugin.c.x": false, "tie.a": false, "tie.ab": true, "esc*.x": true, "escx.x": false, "once": true, "ones": false, "wild*x": true, "wildly": false, "BUILTIN.web.FETCH": true,
	} {
		if got := p.Allows(tool); got == nil || *got != want {
			t.Errorf("%s: want %v, got %v", tool, want, got)
		}
	}
	if got := (&plan.Plan{Tools: rules[1:]}).Allows("other"); got != nil {
		t.Errorf("no rule speaks of it, got %v", *got)
	}
	if got := (&plan.Plan{}).Allows("other"); got != nil {
		t.Errorf("no rules, got %v", *got)
	}
}

func TestPermissions(t *testing.T) {
	s := strategyOf("{extra.workspace.root} {clipboard}", plan.ClipboardText, plan.FileManagerSelection)
	s.SystemPrompt = "{assistant.name} {nothing} {extra.odd.value}"
	s.Needs.Add("visual")
	s.Tools = []strategy.ToolRule{{Pattern: "builtin.web.*", Allow: true}, {Pattern: "x", Allow: false}}
	want := []string{
		"Reads the assistant's settings", "Reads the files on the clipboard", "Reads whether the clipboard holds an image",
		"Reads whether the clipboard holds text", "Reads clipboard text", "Reads the workspace's folder and git state",
		"Reads visible interface elements", "Reads the files selected in the file manager", "Allows builtin.web.*",
	}
	if diff := cmp.Diff(want, plan.Permissions(s, nil)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	needs := plan.Needs(s, plan.Preprocessors())
	if !needs.Has("extra.file_manager") || needs.Has("visual") || !needs.Has("clipboard.hasImage") {
		t.Errorf("%v", needs.Names())
	}
	for _, id := range plan.Preprocessors().IDs() {
		info, _ := plan.BuiltinInfo(id)
		if info.Name == "" || info.Description == "" || !strings.HasPrefix(info.Permission, "Reads ") || len(info.Variables) == 0 {
			t.Errorf("%s does not describe itself: %+v", id, info)
		}
	}
}

func TestPlanIsStoredAndReadAgain(t *testing.T) {
	s := strategyOf("<b>{clipboard.text}</b> {preprocess.v}", "v")
	s.SystemPrompt = "Be & stay"
	s.Tools = []strategy.ToolRule{{Pattern: "z.*", Allow: true}, {Pattern: "a", Allow: false}}
	p, _ := build(t, plan.NewRegistry(gives("v", plan.Variable{Name: "preprocess.v", Value: facts.Text("1")})), plan.Execution{Strategy: s}, plan.Options{})
	first, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var again plan.Plan
	if err := json.Unmarshal(first, &again); err != nil {
		t.Fatal(err)
	}
	second, err := json.Marshal(again)
	if err != nil || string(first) != string(second) {
		t.Errorf("%v\n%s\n%s", err, first, second)
	}
	if diff := cmp.Diff(p.Tools, again.Tools); diff != "" || again.Prompt != p.Prompt || len(again.Diagnostics) != 1 || again.Diagnostics[0].Path != "clipboard.text" {
		t.Errorf("%s %+v", diff, again)
	}
	for _, bad := range []string{`{}`, `[]`, `{"id": "x", "prompt": null}`, `{"id": "x", "prompt": "", "tools": [1]}`, `{"id": "x", "prompt": "", "tools": {"a": 1}}`, `{"id": "x", "prompt": "", "diagnostics": 1}`} {
		if err := json.Unmarshal([]byte(bad), &again); err == nil {
			t.Errorf("%s is no plan", bad)
		}
	}
	if empty, _ := json.Marshal(plan.Plan{ID: "x"}); string(empty) != `{"id":"x","prompt":"","systemPrompt":null,"tools":null,"variables":[],"permissions":[],"diagnostics":[]}` {
		t.Errorf("%s", empty)
	}
}

// TestDiagnosticsOfAPlanThatWasRead: those that were read are written as they
// stood there, and those that came or went since are not lost or kept.
func TestDiagnosticsOfAPlanThatWasRead(t *testing.T) {
	const one = `{"severity":"warning","code":"template.missing_value","message":"one; do it","hint":"do it","strategy":"user.x","file":"/s/x.strategy.md","line":4,"column":5,"path":"clipboard.text","durationMs":1.5,"new":true}`
	const two = `{"severity":"info","code":"x.y","message":"two"}`
	const three = `{"severity":"error","code":"a.b","message":"three"}`
	read := func() plan.Plan {
		var p plan.Plan
		if err := json.Unmarshal([]byte(`{"id":"x","prompt":"","diagnostics":[`+one+`,`+two+`]}`), &p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	more := diag.Diagnostic{Severity: diag.Error, Code: "a.b", Message: "three", Span: diag.NoSpan}
	for name, test := range map[string]struct {
		change func(*plan.Plan)
		want   string
	}{
		"nothing":  {func(*plan.Plan) {}, one + "," + two},
		"more":     {func(p *plan.Plan) { p.Diagnostics.Add(more) }, one + "," + two + "," + three},
		"fewer":    {func(p *plan.Plan) { p.Diagnostics = p.Diagnostics[1:] }, two},
		"none":     {func(p *plan.Plan) { p.Diagnostics = nil }, ""},
		"another":  {func(p *plan.Plan) { p.Diagnostics[1] = more }, one + "," + three},
		"reworded": {func(p *plan.Plan) { p.Diagnostics[1].Message = "2" }, one + "," + strings.Replace(two, "two", "2", 1)},
	} {
		p := read()
		test.change(&p)
		data, err := json.Marshal(p)
		if want := `"diagnostics":[` + test.want + `]}`; err != nil || !strings.HasSuffix(string(data), want) {
			t.Errorf("%s: %v\n%s\nwant %s", name, err, data, want)
		}
	}
	for name, change := range map[string]func(*diag.Diagnostic){
		"severity": func(d *diag.Diagnostic) { d.Severity = diag.Error },
		"code":     func(d *diag.Diagnostic) { d.Code = "c.d" },
		"hint":     func(d *diag.Diagnostic) { d.Hint = "do that" },
		"source":   func(d *diag.Diagnostic) { d.Source = diag.NewSource("/other.md", "text") },
		"strategy": func(d *diag.Diagnostic) { d.Strategy = "user.y" },
		"path":     func(d *diag.Diagnostic) { d.Path = "environment.date" },
		"provider": func(d *diag.Diagnostic) { d.Provider = "p" },
		"duration": func(d *diag.Diagnostic) { d.Duration = time.Second },
		"related":  func(d *diag.Diagnostic) { *d = d.WithRelated(diag.NewSource("/other.md", ""), diag.NoSpan, "here") },
	} {
		p := read()
		change(&p.Diagnostics[0])
		if data, err := json.Marshal(p); err != nil || strings.Contains(string(data), one) {
			t.Errorf("another %s: %v\n%s", name, err, data)
		}
	}
	if d := read().Diagnostics[0]; d.Message != "one" || d.Hint != "do it" || d.File() != "/s/x.strategy.md" || d.Duration != 1500*time.Microsecond {
		t.Errorf("%+v", d)
	}
}

// TestFormatNumbers: a number is shown as it was written, and zero has no sign.
func TestFormatNumbers(t *testing.T) {
	for text, want := range map[string]string{"12345678901234567890": "12345678901234567890", "10485760": "10485760", "1.50": "1.5", "-0": "0"} {
		s := snapshot(t, `{"extra": {"file_manager": {"selection": {"items": [{"size": `+text+`}]}}}}`)
		p, _ := build(t, plan.NewRegistry(), plan.Execution{Strategy: strategyOf("{extra.file_manager.selection.items[].size}"), Snapshot: s}, plan.Options{})
		if p.Prompt != "- "+want {
			t.Errorf("%s is shown as %q", text, p.Prompt)
		}
	}
}
