package cond_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// draw writes a trace without its durations.
func draw(t *cond.Trace, indent string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s %s: %s", indent, t.Result, t.Kind, t.Label)
	if t.Reason != "" {
		b.WriteString(" (" + t.Reason + ")")
	}
	if t.Source != nil {
		fmt.Fprintf(&b, " @%d", t.Source.Position(t.Span.Start).Line)
	}
	if !t.Value.IsAbsent() {
		data, _ := t.Value.MarshalJSON()
		b.WriteString(" = " + string(data))
	}
	b.WriteByte('\n')
	for _, c := range t.Children {
		b.WriteString(draw(c, indent+"  "))
	}
	return b.String()
}

const traced = `
  all:
    - true
    - clipboard.text: { contains: "a", length: { min: 1, max: 9 }, regex: 'x+' }
    - any:
        - clipboard.hasText: { equals: "yes" }
        - extra.browser.active_tab.url: { startsWith: "https://" }
    - attachments.files:
        any:
          extension: { in: [.pdf, .txt] }
          path: { glob: "/w/*" }
    - none:
        - assistant.model.modalities: { all: { equals: text } }
        - visual.exists: { query: "//Button" }
    - clipboard.txt: { equals: x }
    - visual.count: { query: "//Button", min: 1 }
`

func tracedSnapshot() *facts.Snapshot {
	return empty().With("clipboard.text", facts.Text("abc")).With("clipboard.hasText", facts.Flag(true)).
		With("attachments.files", facts.List(file("extension", ".pdf"), file("extension", ".PDF", "path", "/w/a.pdf"))).
		With("assistant.model.modalities", facts.List())
}

// TestTrace shows the tree that explain draws: every node, also those that matching would have skipped.
func TestTrace(t *testing.T) {
	result, trace, list := decide(t, traced, tracedSnapshot())
	want := `false all: all @2
  true const: true @3
  false path: clipboard.text @4
    true operator: contains "a" @4
    true operator: length min 1, max 9 @4
    false operator: regex "x+" @4
  null any: any @5
    false path: clipboard.hasText @6
      false operator: equals "yes" (` + "`equals` cannot be applied to a boolean" + `) @6
    null path: extra.browser.active_tab.url (not in the context) @7
      null operator: startsWith "https://" (there is no value) @7
  true path: attachments.files @8
    true operator: any @9
      null item: item 1
        true path: extension @10
          true operator: in [".pdf", ".txt"] @10
        null path: path (the item has no value here) @11
          null operator: glob "/w/*" (there is no value) @11
      true item: item 2
        true path: extension @10
          true operator: in [".pdf", ".txt"] @10
        true path: path @11
          true operator: glob "/w/*" @11
  null none: none @12
    false path: assistant.model.modalities @13
      false operator: all (the array is empty) @13
    null visual: visual.exists //Button (no visible elements are in the context) @14
  null path: clipboard.txt (no value has this path) @15
    null operator: equals "x" (there is no value) @15
  null visual: visual.count //Button (no visible elements are in the context) @16
    null operator: min 1 (there is no value) @16
`
	if diff := cmp.Diff(want, draw(trace, "")); diff != "" {
		t.Error(diff)
	}
	if result != cond.False {
		t.Errorf("result = %s", result)
	}
	var codes []string
	for _, d := range list {
		p, _ := d.Position()
		codes = append(codes, fmt.Sprintf("%d %s %s", p.Line, d.Code, d.Path))
	}
	wantCodes := []string{
		"6 condition.type_mismatch clipboard.hasText", "7 condition.path_missing extra.browser.active_tab.url",
		"11 condition.path_missing path", "14 visual.unavailable visual", "15 condition.path_missing clipboard.txt", "16 visual.unavailable visual",
	}
	if diff := cmp.Diff(wantCodes, codes); diff != "" {
		t.Error(diff)
	}
}

// TestTraceValues proves that what was compared is in the trace only when asked for.
func TestTraceValues(t *testing.T) {
	_, program, _ := compile(t, traced)
	for _, values := range []bool{false, true} {
		var list diag.List
		_, trace := program.Explain(cond.NewEvaluation(tracedSnapshot()), cond.Limits{}, &list, values)
		if got := strings.Contains(draw(trace, ""), `= "abc"`); got != values {
			t.Errorf("values %v: the value is there: %v", values, got)
		}
	}
}

// TestWhyAbsent proves that an unknown knows its reason.
func TestWhyAbsent(t *testing.T) {
	s := facts.NewSnapshot(facts.Parts{Values: facts.Fields(), Absent: map[string]facts.Absence{
		"extra.browser": {Code: diag.ExtraProviderTimeout, Provider: "linux.firefox", Reason: "linux.firefox took longer than 200ms"},
	}})
	_, trace, list := decide(t, "{extra.browser.active_tab.url: {contains: a}}", s)
	if trace.Reason != "linux.firefox took longer than 200ms" || len(list) != 1 || !strings.Contains(list[0].Message, "linux.firefox took longer than 200ms") {
		t.Errorf("%q, %v", trace.Reason, list)
	}
}

func TestLongOperandsAreShortened(t *testing.T) {
	_, trace, _ := decide(t, "{clipboard.text: {contains: \""+strings.Repeat("é", 500)+"\"}}", tracedSnapshot())
	if label := trace.Children[0].Label; len([]rune(label)) > 60 || !strings.HasSuffix(label, "…") {
		t.Errorf("label = %q", label)
	}
}
