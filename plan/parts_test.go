package plan_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// TestBuiltinInfo: Pertain's own preprocessors are described, others are not.
func TestBuiltinInfo(t *testing.T) {
	for _, id := range plan.Preprocessors().IDs() {
		if info, ok := plan.BuiltinInfo(id); !ok || info.ID != id || info.Name == "" || info.Description == "" || info.Permission == "" || len(info.Variables) == 0 || len(info.Needs) == 0 {
			t.Errorf("%s: %+v, %v", id, info, ok)
		}
	}
	if info, ok := plan.BuiltinInfo("other"); ok || info.ID != "" {
		t.Errorf("%+v", info)
	}
}

// TestNoSource: a strategy that is in no file is run all the same, and what is missing has no place.
func TestNoSource(t *testing.T) {
	s := &strategy.Strategy{ID: "user.x", Body: "a {clipboard.text}", SystemPrompt: "b {clipboard.hasText}"}
	p, list := build(t, nil, plan.Execution{Strategy: s}, plan.Options{})
	if p == nil || p.Prompt != "a " || p.SystemPrompt != "b " || len(list) != 2 || list[0].Source != nil || list[0].Span.IsValid() {
		t.Errorf("%+v, %v", p, list)
	}
}

// TestNoProgram: one of Pertain's own strategies without a condition asks for nothing.
func TestNoProgram(t *testing.T) {
	s := &strategy.Strategy{ID: "builtin.x", Provider: "builtin", Body: "Say."}
	if p, list := build(t, nil, plan.Execution{Strategy: s}, plan.Options{}); p == nil || p.Prompt != "Say." {
		t.Errorf("%+v, %v", p, list)
	}
}

// TestRegistryReplaces: a preprocessor takes the place of the one with its id.
func TestRegistryReplaces(t *testing.T) {
	registry := plan.NewRegistry(gives("a"), gives("b"), gives("c")).With(scripted{id: "a"}, gives("d"), gives("c"))
	if ids := registry.IDs(); !slices.Equal(ids, []string{"a", "b", "c", "d"}) || !registry.Has("c") || registry.Has("e") {
		t.Error(ids)
	}
	if info, ok := registry.Info("a"); !ok || info.ID != "a" {
		t.Errorf("%+v", info)
	}
	if info, ok := registry.Info("e"); ok || info.ID != "" {
		t.Errorf("%+v", info)
	}
}

// TestPlansThatAreNone: what lacks a part of a plan, or has one of another form, is no plan; what may be left out may.
func TestPlansThatAreNone(t *testing.T) {
	for text, valid := range map[string]bool{
		`{"id": "a", "prompt": ""}`: true, `{"id": "a", "prompt": "p", "tools": null, "diagnostics": null}`: true, `{"id": "a", "prompt": "p", "tools": {}, "diagnostics": [], "more": 1}`: true,
		`{"id": "a"}`: false, `{"prompt": "p"}`: false, `{"id": "", "prompt": "p"}`: false, `{"id": "a", "prompt": null}`: false, `{"id": 1, "prompt": "p"}`: false, `[]`: false,
		`{"id": "a", "prompt": "p", "tools": []}`: false, `{"id": "a", "prompt": "p", "tools": true}`: false, `{"id": "a", "prompt": "p", "tools": {"x": 1}}`: false,
		`{"id": "a", "prompt": "p", "tools": {"x": true, "y": "z"}}`: false, `{"id": "a", "prompt": "p", "diagnostics": {}}`: false, `{"id": "a", "prompt": "p", "diagnostics": [1]}`: false,
	} {
		var p plan.Plan
		if err := json.Unmarshal([]byte(text), &p); (err == nil) != valid {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestStoredDiagnostics: a diagnostic is read as it was told, and written as it stood there unless something of it was changed.
func TestStoredDiagnostics(t *testing.T) {
	read := func(form string) (p plan.Plan) {
		t.Helper()
		if err := json.Unmarshal([]byte(`{"id": "a", "prompt": "p", "diagnostics": [`+form+`]}`), &p); err != nil || len(p.Diagnostics) != 1 {
			t.Fatal(p.Diagnostics, err)
		}
		return p
	}
	for form, want := range map[string]diag.Diagnostic{
		`{"severity": "error", "code": "c", "message": "m; h", "hint": "h"}`:                     {Severity: diag.Error, Code: "c", Message: "m", Hint: "h"},
		`{"severity": "warning", "message": "m", "hint": "h"}`:                                   {Severity: diag.Warning, Message: "m"},
		`{"severity": "info", "message": "m; "}`:                                                 {Severity: diag.Info, Message: "m; "},
		`{"severity": "else", "durationMs": 1.5, "strategy": "s", "path": "p", "provider": "v"}`: {Severity: diag.Info, Strategy: "s", Path: "p", Provider: "v", Duration: 1500 * time.Microsecond},
	} {
		got := read(form).Diagnostics[0]
		if got.Severity != want.Severity || got.Code != want.Code || got.Message != want.Message || got.Hint != want.Hint || got.Source != nil || got.Span != diag.NoSpan ||
			got.Strategy != want.Strategy || got.Path != want.Path || got.Provider != want.Provider || got.Duration != want.Duration {
			t.Errorf("%s is read as %+v", form, got)
		}
	}
	const form = `{"severity":"error","code":"c","message":"m; h","hint":"h","file":"/f","more":"kept"}`
	p := read(form)
	if source := p.Diagnostics[0].Source; source == nil || source.Name() != "/f" {
		t.Errorf("its file is %v", source)
	}
	kept := func(p plan.Plan) bool {
		data, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(string(data), `"diagnostics":[`+form+`]`)
	}
	if !kept(p) {
		t.Error("it is not written as it stood there")
	}
	for name, change := range map[string]func(*diag.Diagnostic){
		"severity": func(d *diag.Diagnostic) { d.Severity = diag.Info }, "code": func(d *diag.Diagnostic) { d.Code = "x" }, "message": func(d *diag.Diagnostic) { d.Message = "x" },
		"hint": func(d *diag.Diagnostic) { d.Hint = "x" }, "source": func(d *diag.Diagnostic) { d.Source = nil }, "span": func(d *diag.Diagnostic) { d.Span = diag.Span{} },
		"strategy": func(d *diag.Diagnostic) { d.Strategy = "x" }, "path": func(d *diag.Diagnostic) { d.Path = "x" }, "provider": func(d *diag.Diagnostic) { d.Provider = "x" },
		"duration": func(d *diag.Diagnostic) { d.Duration = 1 }, "related": func(d *diag.Diagnostic) { *d = d.WithRelated(nil, diag.NoSpan, "x") },
	} {
		changed := read(form)
		change(&changed.Diagnostics[0])
		if kept(changed) {
			t.Errorf("its %s was changed, and it is written as before", name)
		}
	}
	two := plan.Plan{ID: "a", Diagnostics: diag.List{p.Diagnostics[0], p.Diagnostics[0]}}
	if data, err := json.Marshal(two); err != nil || !json.Valid(data) {
		t.Errorf("%s, %v", data, err)
	}
}
