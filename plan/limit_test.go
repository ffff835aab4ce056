package plan_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/plan"
)

// TestPromptsHaveALimit: neither many placeholders, nor a preprocessor, nor the
// user's input makes a prompt larger than it may be.
func TestPromptsHaveALimit(t *testing.T) {
	mega := strings.Repeat("x", 1<<20)
	nothing := facts.NewSnapshot(facts.Parts{Values: facts.Fields()})
	selected := nothing.With("attachments.selection.text", facts.Text(mega))
	files := make([]facts.Value, 300_000)
	for i := range files {
		files[i] = facts.Fields(facts.Field{Name: "path", Value: facts.Text("/some/folder/with/a/file")})
	}
	listed := nothing.With("attachments.files", facts.List(files...))
	registry := plan.NewRegistry(gives("v", plan.Variable{Name: "preprocess.v", Value: facts.Text(mega)}))
	eight := strings.Repeat("{attachments.selection.text}", 8)
	for name, test := range map[string]struct {
		in   plan.Execution
		want int    // bytes of the prompt; 0: there is none
		path string // that is told of
		at   string // the placeholder that is told of
	}{
		"input just fits":     {plan.Execution{Strategy: strategyOf("x"), Snapshot: nothing, Input: strings.Repeat(mega, 8)[len("x\n\n<UserRequestStart>\n"):]}, 8 << 20, "", ""},
		"just fits":           {plan.Execution{Strategy: strategyOf(eight), Snapshot: selected}, 8 << 20, "", ""},
		"one byte too many":   {plan.Execution{Strategy: strategyOf(eight + "."), Snapshot: selected}, 0, "", ""},
		"many placeholders":   {plan.Execution{Strategy: strategyOf(strings.Repeat("{attachments.selection.text}", 100_000)), Snapshot: selected}, 0, "attachments.selection.text", "{attachments.selection.text}"},
		"a preprocessor":      {plan.Execution{Strategy: strategyOf(strings.Repeat("{preprocess.v}", 9), "v"), Snapshot: nothing}, 0, "preprocess.v", "{preprocess.v}"},
		"a list":              {plan.Execution{Strategy: strategyOf("{attachments.files[].path}{attachments.files}"), Snapshot: listed}, 0, "attachments.files", "{attachments.files}"},
		"input in its place":  {plan.Execution{Strategy: strategyOf(strings.Repeat("{Argument}", 9)), Snapshot: nothing, Input: mega}, 0, "", "{Argument}"},
		"input that is added": {plan.Execution{Strategy: strategyOf("x"), Snapshot: nothing, Input: strings.Repeat(mega, 8)}, 0, "", ""},
	} {
		p, list := build(t, registry, test.in, plan.Options{})
		if test.want > 0 {
			if p == nil || len(p.Prompt) != test.want {
				t.Errorf("%s: %v", name, list)
			}
			continue
		}
		if p != nil || len(list) == 0 {
			t.Errorf("%s: there is a prompt of %d bytes", name, len(p.Prompt))
			continue
		}
		d := list[len(list)-1]
		text := ""
		if d.Span.IsValid() {
			text = d.Source.Text()[d.Span.Start:d.Span.End]
		}
		if d.Message != "the prompt would have more than 8 MiB" || d.Hint != "give it less text, or name long values once" || text != test.at {
			t.Errorf("%s: %q is told at %q; %q", name, d.Message, text, d.Hint)
		}
		if d.Code != diag.TemplateTooLarge || d.Severity != diag.Error || d.Path != test.path || d.Strategy != "user.x" || strings.Contains(d.Message+d.Hint, "xxx") {
			t.Errorf("%s: %+v", name, d)
		}
	}
	system := strategyOf("x")
	system.SystemPrompt = eight + "{attachments.selection.text}"
	if p, list := build(t, registry, plan.Execution{Strategy: system, Snapshot: selected}, plan.Options{}); p != nil || len(list) != 1 || !strings.Contains(list[0].Message, "system prompt") {
		t.Errorf("a system prompt: %v", list)
	}
}

// TestValuesAreWordedOnce: a placeholder that stands in a template again costs
// nothing but its text.
func TestValuesAreWordedOnce(t *testing.T) {
	items := make([]facts.Value, 100_000) // absent ones, which come to no text
	s := facts.NewSnapshot(facts.Parts{Values: facts.Fields()}).With("attachments.files", facts.List(items...))
	in := plan.Execution{Strategy: strategyOf(strings.Repeat("{attachments.files[].path}", 1000)), Snapshot: s}
	allocated := func(in plan.Execution) float64 {
		return testing.AllocsPerRun(1, func() { build(t, plan.NewRegistry(), in, plan.Options{}) })
	}
	one := in
	one.Strategy = strategyOf("{attachments.files[].path}")
	if a, b := allocated(one), allocated(in); b > a+1000 {
		t.Errorf("%v allocations for one placeholder, %v for a thousand", a, b)
	}
}

// TestPlaceholdersLookAtSoMuch: what many slices of a long list look at has a bound of its own, since what is absent comes to
// no text; it is one for both templates, and nothing else counts.
func TestPlaceholdersLookAtSoMuch(t *testing.T) {
	nothing := facts.NewSnapshot(facts.Parts{Values: facts.Fields()})
	empty := make([]facts.Value, 20_000)
	for i := range empty {
		empty[i] = facts.Fields()
	}
	absent := make([]facts.Value, 20_000)
	snapshot := nothing.With("attachments.files", facts.List(empty...)).With("assistant.model.modalities", facts.List(absent...))
	slices := func(form string, count int) string {
		var b strings.Builder
		for i := range count {
			fmt.Fprintf(&b, form, i)
		}
		return b.String()
	}
	for name, test := range map[string]struct {
		system, body string
		at           string // the placeholder that is told of; empty: there is a prompt
	}{
		"fields of slices":         {"", slices("{attachments.files[%d..].path}", 1000), "{attachments.files[816..].path}"},
		"to the end":               {"", slices("{attachments.files[..^%d].path}", 1000), "{attachments.files[..^816].path}"},
		"of each of a slice":       {"", slices("{attachments.files[%d..][].path}", 1000), "{attachments.files[816..][].path}"},
		"a slice of a slice":       {"", slices("{attachments.files[%d..][0..].path}", 1000), "{attachments.files[816..][0..].path}"},
		"absent items":             {"", slices("{assistant.model.modalities[%d..]}", 1000), "{assistant.model.modalities[816..]}"},
		"both templates":           {slices("{attachments.files[%d..].path}", 500), slices("{attachments.files[..^%d].path}", 500), "{attachments.files[..^308].path}"},
		"exactly as much":          {"", slices("{attachments.files[%d..].path}", 816) + "{attachments.files[7480..].path}", ""},
		"and what is not picked":   {"", slices("{attachments.files[%d..].path}", 816) + "{attachments.files[7480..].path}{attachments.files[].path}", ""},
		"one more":                 {"", slices("{attachments.files[%d..].path}", 816) + "{attachments.files[7480..].path}{attachments.files[^1..].path}", "{attachments.files[^1..].path}"},
		"half of it":               {"", slices("{attachments.files[%d..].path}", 500), ""},
		"short slices":             {"", slices("{attachments.files[%[1]d..%[1]d].path}{attachments.files[^2..].path}", 5000), ""},
		"single items":             {"", slices("{attachments.files[%d].path}", 5000), ""},
		"one slice again":          {"", strings.Repeat("{attachments.files[1..].path}", 5000), ""},
		"what is not there at all": {"", slices("{extra.file_manager.selection.items[%d..].path}", 5000), ""},
	} {
		s := strategyOf(test.body)
		s.SystemPrompt = test.system
		p, list := build(t, plan.NewRegistry(), plan.Execution{Strategy: s, Snapshot: snapshot}, plan.Options{})
		var told diag.List
		for _, d := range list {
			if d.Code == diag.TemplateTooLarge {
				told = append(told, d)
			}
		}
		if test.at == "" {
			if p == nil || len(told) > 0 {
				t.Errorf("%s: %v", name, told)
			}
			continue
		}
		if p != nil || len(told) != 1 {
			t.Errorf("%s: there is a prompt: %v", name, told)
			continue
		}
		d := told[0]
		if d.Message != "the placeholders of the prompt would look at more than 16 million items of lists" || d.Hint != "pick from fewer items, or from long lists once" || "{"+d.Path+"}" != test.at {
			t.Errorf("%s: %q is told of %q; %q", name, d.Message, d.Path, d.Hint)
		}
	}
}

// TestRenderingIsCancelled: who is gone is not waited for.
func TestRenderingIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	last := scripted{"v", func(context.Context) ([]plan.Variable, error) { return nil, nil }}
	items := make([]facts.Value, 10_000)
	for i := range items {
		items[i] = facts.Text("x")
	}
	snapshot := facts.NewSnapshot(facts.Parts{Values: facts.Fields()}).With("assistant.model.modalities", facts.List(items...))
	in := plan.Execution{Strategy: strategyOf("{assistant.model.modalities}"), Snapshot: snapshot}
	registry := plan.NewRegistry(last)
	cancel()
	if p, _, err := plan.Build(ctx, registry, in, plan.Options{}); p != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", p, err)
	}
}

// TestManyPlaceholdersWithoutAValue: they are told of up to a number.
func TestManyPlaceholdersWithoutAValue(t *testing.T) {
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "{extra.nothing%d}", i)
	}
	_, list := build(t, plan.NewRegistry(), plan.Execution{Strategy: strategyOf(b.String())}, plan.Options{})
	if len(list) != 100 {
		t.Errorf("%d diagnostics", len(list))
	}
}
