package cond_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/goldentest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// patient are limits that are never reached.
var patient = cond.Limits{Matching: time.Hour, Condition: time.Hour, Regex: time.Hour, VisualQuery: time.Hour}

// spelled writes diagnostics, each with the text that it is about.
func spelled(mark string, list diag.List) string {
	var b strings.Builder
	for _, d := range list {
		at := "-"
		if d.Source != nil && d.Span.IsValid() {
			at = fmt.Sprintf("%d %q", d.Span.Start, d.Source.Text()[d.Span.Start:d.Span.End])
		}
		fmt.Fprintf(&b, "%s %s %s at %s: %s", mark, d.Severity, d.Code, at, d.Message)
		for _, more := range []string{d.Hint, d.Path} {
			if more != "" {
				b.WriteString(" | " + more)
			}
		}
		if d.Duration != 0 {
			fmt.Fprintf(&b, " | %s", d.Duration)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// drawn writes a trace with everything but its durations.
func drawn(t *cond.Trace, indent string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s %s: %s", indent, t.Result, t.Kind, t.Label)
	if t.Reason != "" {
		b.WriteString(" (" + t.Reason + ")")
	}
	if t.Source != nil {
		fmt.Fprintf(&b, " @%d-%d", t.Span.Start, t.Span.End)
	}
	if !t.Value.IsAbsent() {
		data, _ := t.Value.MarshalJSON()
		b.WriteString(" = " + string(data))
	}
	b.WriteByte('\n')
	for i, c := range t.Children {
		if len(t.Children) > 20 && i == 3 {
			fmt.Fprintf(&b, "%s  ... %d in all\n", indent, len(t.Children))
			break
		}
		b.WriteString(drawn(c, indent+"  "))
	}
	return b.String()
}

// TestLanguageAsWritten holds what the language makes of conditions, right and
// wrong ones: what is told of each, how it is understood, what it needs, and how it is
// decided, part by part.
func TestLanguageAsWritten(t *testing.T) {
	full, none := fullSnapshot(), empty()
	goldentest.Questions(t, "testdata/language.golden", *update, func(when string) string {
		expr, program, list := compile(t, when)
		out := spelled("!", list)
		if expr == nil {
			return out
		}
		out += "= " + expr.Form() + "\n" + spelled("~", cond.Check(expr)) // of what could be read
		if list.HasErrors() {
			return out
		}
		needs := expr.Needs()
		if names := needs.Names(); len(names) > 0 {
			out += "< " + strings.Join(names, ", ") + "\n"
		}
		for _, snapshot := range []*facts.Snapshot{full, none} {
			var matched, explained diag.List
			result := program.Eval(cond.NewEvaluation(snapshot), patient, &matched)
			again, trace := program.Explain(cond.NewEvaluation(snapshot), patient, &explained, true)
			if result != again || trace.Result != again || len(matched) > 0 && !explained.HasErrors() && len(explained) == 0 {
				t.Errorf("%s: matching says %s, explain %s, its tree %s", when, result, again, trace.Result)
			}
			if snapshot == full {
				out += drawn(trace, "  ") + spelled("  *", explained)
			} else {
				out += fmt.Sprintf("  without a context: %s, %d told\n", result, len(explained))
			}
		}
		return out
	})
}

// fullSnapshot has a value of every kind, right and wrong ones.
func fullSnapshot() *facts.Snapshot {
	elements := []facts.Element{
		{ID: "w", Type: facts.ScreenType, Name: "Main", HasName: true, Parent: -1},
		{ID: "b", Type: 4, Name: "Save", HasName: true, Parent: 0, Process: "code", HasBounds: true, Bounds: facts.Bounds{Width: 30}},
		{ID: "c", Type: 4, Name: "Open", HasName: true, Parent: 0},
	}
	tree := facts.NewTreeWithTexts(elements, make([]facts.ElementText, len(elements)))
	size, _ := facts.ParseNumber("1200")
	sized := facts.Fields(append(file("path", "/w/A.PDF", "extension", ".PDF", "kind", "file", "displayName", "A").Fields(), facts.Field{Name: "size", Value: size})...)
	return facts.NewSnapshot(facts.Parts{Values: facts.Fields(), Tree: tree}).
		With("clipboard.text", facts.Text("Hello World")).With("clipboard.hasText", facts.Flag(true)).With("attachments.text", facts.Text("")).
		With("attachments.selection.text", facts.Texts("not", "a text")).With("attachments.visual.primary", facts.Text("b")).With("attachments.visual.items", facts.List(facts.Text("b"), facts.Value{})).
		With("attachments.files", facts.List(file("path", "/w/a.pdf", "extension", ".pdf"), file("path", "/w/B.TXT", "extension", ".TXT"), file("extension", ".go"))).
		With("extra.file_manager.selection.items", facts.List(sized, file("path", "/w/b", "kind", "folder"))).
		With("assistant.model.modalities", facts.Texts("text", "Image")).With("clipboard.files", facts.List()).
		With("environment.os", facts.Text("linux")).With("activeProcess.id", facts.Num(42)).With("assistant.name", facts.Num(5))
}
