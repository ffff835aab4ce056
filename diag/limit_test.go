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

// TestLimitOfManyFiles: the sum is limited too, errors stay first, and what was left
// out is counted, also when a list is limited again.
func TestLimitOfManyFiles(t *testing.T) {
	var list diag.List
	const files, each = 400, 150
	for i := range files {
		source := diag.NewSource(fmt.Sprintf("/w/%d.md", i), "")
		for range each {
			list = append(list, diag.At(source, diag.NoSpan, diag.RuleUnknownField, "x"))
		}
	}
	list = append(list, diag.At(diag.NewSource("/w/last.md", ""), diag.NoSpan, diag.StrategyInvalidYAML, "an error at the end"))
	check := func(got diag.List, all int) {
		t.Helper()
		if len(got) != diag.MaxListed || got.Count(diag.Error) != 1 {
			t.Fatalf("%d are kept, %d of them errors", len(got), got.Count(diag.Error))
		}
		last := got[len(got)-1]
		listed := len(got) - 1
		for _, d := range got[:len(got)-1] { // files of which some are not listed
			var others int
			if n, _ := fmt.Sscanf(d.Message, "%d more problems of this file", &others); n == 1 {
				listed += others - 1
			}
		}
		if want := fmt.Sprintf("%d more problems are not listed", all-listed); last.Message != want || last.File() != "" || last.Severity != diag.Warning {
			t.Errorf("the last is %v, want %s", last, want)
		}
	}
	got := list.Limit()
	check(got, files*each+1)
	again := append(append(diag.List(nil), got...), diag.At(diag.NewSource("/w/more.md", ""), diag.NoSpan, diag.RuleUnknownField, "x"))
	check(again.Limit(), files*each+2)
	if same := got.Limit(); &same[0] != &got[0] {
		t.Error("a list within the limits was copied")
	}
	text, err := json.Marshal(list)
	var wire []struct{ Message string }
	if err != nil || json.Unmarshal(text, &wire) != nil || len(wire) != diag.MaxListed {
		t.Errorf("%d in the JSON, %v", len(wire), err)
	}
}

// TestLimitTogether: lists that are shown together are limited together, and none of
// them becomes empty.
func TestLimitTogether(t *testing.T) {
	lists := make([]*diag.List, 300)
	for i := range lists {
		var l diag.List
		source := diag.NewSource(fmt.Sprintf("/w/%d.md", i), "")
		for range 90 {
			l = append(l, diag.At(source, diag.NoSpan, diag.RuleUnknownField, "x"))
		}
		lists[i] = &l
	}
	diag.LimitTogether(lists[:50])
	if len(*lists[49]) != 90 {
		t.Errorf("few lists were limited: %d are left", len(*lists[49]))
	}
	diag.LimitTogether(lists)
	sum := 0
	for _, l := range lists {
		if len(*l) == 0 {
			t.Fatal("a list is empty")
		}
		sum += len(*l)
	}
	if last := (*lists[299])[0]; sum > diag.MaxListed+len(lists) || last.Message != "90 more problems are not listed" {
		t.Errorf("%d are left, the last is %q", sum, last.Message)
	}
}
