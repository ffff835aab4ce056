package diag_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
)

// closedList is the list of codes that other programs rely on.
const closedList = `
strategy.invalid_yaml strategy.invalid_from strategy.unknown_preprocessor condition.path_missing condition.type_mismatch
condition.timeout regex.invalid regex.timeout visual.query_invalid visual.query_timeout extra.provider_unavailable
extra.provider_timeout extra.permission_unavailable

strategy.invalid_id strategy.reserved_id strategy.duplicate_id
strategy.invalid_when strategy.unknown_operator strategy.invalid_duration strategy.invalid_tools
strategy.invalid_field strategy.unknown_field strategy.unsupported_schema strategy.missing_name
strategy.missing_frontmatter strategy.invalid_encoding strategy.unknown_icon strategy.timeout strategy.untrusted
condition.unknown_path visual.unavailable extra.provider_failed preprocessor.not_found preprocessor.timeout
preprocessor.permission_unavailable preprocessor.context_missing preprocessor.failed preprocessor.duplicate_variable
template.missing_value regex.truncated skill.invalid rule.invalid_yaml rule.invalid_trigger rule.invalid_field rule.empty
rule.shadowed rule.unknown_field rule.wrong_key
rule.dead_glob rule.unreachable rule.conflicting_activation rule.too_large rule.example_failed
rule.outside_workspace rule.disabled context.unknown_type
strategy.too_large match.budget template.too_large
condition.never template.unknown_placeholder rule.near_name rule.unsupported_field
`

func TestCodesAreTheClosedList(t *testing.T) {
	want := strings.Fields(closedList)
	var got []string
	for _, info := range diag.Codes() {
		got = append(got, string(info.Code))
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the codes are not the contract's list:\n%s", diff)
	}
}

func TestCodesHaveSentences(t *testing.T) {
	for _, info := range diag.Codes() {
		if !strings.HasSuffix(info.Sentence, ".") || strings.ContainsAny(info.Sentence, "|\n") {
			t.Errorf("%s: %q is not one sentence for a table", info.Code, info.Sentence)
		}
		if found, ok := info.Code.Info(); !ok || found != info || info.Code.Severity() != info.Severity {
			t.Errorf("%s is not found by its code", info.Code)
		}
	}
	if _, ok := diag.Code("strategy.nonsense").Info(); ok {
		t.Error("a code outside of the list has a row")
	}
	codes := diag.Codes()
	codes[0].Sentence = "changed"
	if diag.Codes()[0].Sentence == "changed" {
		t.Error("the list can be changed from outside")
	}
}

func TestListOrder(t *testing.T) {
	a, b := diag.NewSource("a", "0123"), diag.NewSource("b", "0123")
	at := func(s *diag.Source, start int, code diag.Code) diag.Diagnostic {
		return diag.At(s, diag.Span{Start: start, End: start}, code, "%s", string(code))
	}
	list := diag.List{
		{Code: diag.VisualUnavailable, Severity: diag.Info},
		at(b, 0, diag.StrategyInvalidID),
		at(a, 3, diag.StrategyInvalidID),
		at(a, 1, diag.StrategyUnknownIcon),
		at(a, 1, diag.StrategyInvalidWhen),
		at(a, 1, diag.StrategyInvalidTools),
		diag.At(a, diag.NoSpan, diag.StrategyInvalidEncoding, "whole"),
	}
	list.Sort()
	var got []diag.Code
	for _, d := range list {
		got = append(got, d.Code)
	}
	want := []diag.Code{
		diag.StrategyInvalidEncoding, diag.StrategyInvalidTools, diag.StrategyInvalidWhen, diag.StrategyUnknownIcon, // position, then severity, then code
		diag.StrategyInvalidID, diag.StrategyInvalidID, diag.VisualUnavailable, // what has no file comes last
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !list.HasErrors() || list.Count(diag.Error) != 5 || list.Count(diag.Warning) != 1 || list.Count(diag.Info) != 1 {
		t.Errorf("counts: %d, %d, %d", list.Count(diag.Error), list.Count(diag.Warning), list.Count(diag.Info))
	}
	list[0].Strategy = "user.own"
	list.ForStrategy("user.x")
	if list[0].Strategy != "user.own" || list[1].Strategy != "user.x" {
		t.Errorf("ForStrategy: %q, %q", list[0].Strategy, list[1].Strategy)
	}
}

func TestRelatedIsNotShared(t *testing.T) {
	base := mark("x", "x").WithRelated(nil, diag.NoSpan, "first")
	one, two := base.WithRelated(nil, diag.NoSpan, "one"), base.WithRelated(nil, diag.NoSpan, "two")
	if len(base.Related) != 1 || one.Related[1].Message != "one" || two.Related[1].Message != "two" {
		t.Errorf("%v %v %v", base.Related, one.Related, two.Related)
	}
}
