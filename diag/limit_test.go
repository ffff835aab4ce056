package diag_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
)

func TestLimit(t *testing.T) {
	a, b := diag.NewSource("/w/a.md", ""), diag.NewSource("/w/b.md", "")
	var list diag.List
	for i := range 40_000 {
		list.Add(diag.At(a, diag.Span{Start: i, End: i}, diag.RuleUnknownField, "mistake %d", i))
		if len(list) > 2000 {
			t.Fatal("the list grows without bound")
		}
	}
	list.Add(diag.At(b, diag.NoSpan, diag.RuleEmpty, "empty"))
	list.Add(diag.At(nil, diag.NoSpan, diag.RuleEmpty, "no file"))
	list.Add(diag.At(a, diag.NoSpan, diag.StrategyInvalidYAML, "an error at the end"))
	got := list.Limit()
	if len(got) != diag.MaxPerFile+2 {
		t.Fatalf("%d are kept", len(got))
	}
	last := got[len(got)-1]
	if last.Message != "39902 more problems of this file are not listed" || last.File() != "/w/a.md" || last.Severity != diag.Warning {
		t.Errorf("the last is %v", last)
	}
	if got[0].Message != "mistake 0" || !got.HasErrors() {
		t.Errorf("first %q, errors %v", got[0].Message, got.HasErrors())
	}
	again := append(append(diag.List(nil), got...), diag.At(a, diag.NoSpan, diag.RuleDeadGlob, "one more")).Limit()
	if len(again) != len(got) || !strings.HasPrefix(again[len(again)-1].Message, "39903 more") {
		t.Errorf("with one more: %d, %s", len(again), again[len(again)-1].Message)
	}
	few := diag.List{got[0], got[1]}
	if same := few.Limit(); len(same) != 2 || &same[0] != &few[0] {
		t.Error("a short list was copied")
	}
}

// TestLimitKeepsErrors: what is left out never makes a file look better than it is.
func TestLimitKeepsErrors(t *testing.T) {
	source := diag.NewSource("/w/a.md", "")
	var list diag.List
	for i := range 300 {
		code := diag.RuleUnknownField
		if i >= 100 {
			code = diag.StrategyInvalidYAML
		}
		list = append(list, diag.At(source, diag.NoSpan, code, "%d", i))
	}
	got := list.Limit()
	if n := got.Count(diag.Error); n != diag.MaxPerFile || got[len(got)-1].Code != diag.StrategyInvalidYAML {
		t.Errorf("%d errors are kept, the last is %v", n, got[len(got)-1])
	}
}

func TestMessagesRepeatLittle(t *testing.T) {
	long := strings.Repeat("ä", 100_000)
	d := diag.At(nil, diag.NoSpan, diag.StrategyInvalidID, "`%s` is no id: %v", long, fmt.Errorf("about %s", long)).WithHint("not `%s`", long)
	text, err := json.Marshal(d)
	if err != nil || len(text) > 4000 || !utf8.Valid(text) {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if short := diag.Short(long); utf8.RuneCountInString(short) != 300 || !strings.Contains(short, "…") {
		t.Errorf("%d characters", utf8.RuneCountInString(short))
	}
	if diag.Short("as it is") != "as it is" {
		t.Error("a short text was changed")
	}
	if got := diag.Short(strings.Repeat("\xff", 1000)); len(got) > 400 {
		t.Errorf("%d bytes", len(got))
	}
}
