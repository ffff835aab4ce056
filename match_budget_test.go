package pertain_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/files"
)

// TestMatchBudget: what a match has no time left for is unknown and told of, what
// cannot be slow is decided all the same, and the order is always the same.
func TestMatchBudget(t *testing.T) {
	dir := t.TempDir()
	for i := range 15 {
		for name, when := range map[string]string{
			"quick": "clipboard.text: {contains: a}",
			"slow":  fmt.Sprintf("clipboard.text: {regex: 'a|%d'}", i),
			"other": "clipboard.text: {contains: b}",
		} {
			path := filepath.Join(dir, fmt.Sprintf("%s%d.strategy.md", name, i))
			if err := os.WriteFile(path, []byte("---\nname: "+name+"\nwhen: {"+when+"}\n---\nx\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	engine := open(t, pertain.Options{
		Providers:   strategyfile.Providers(files.OS(), strategyfile.Roots{User: []string{dir}}),
		MatchBudget: 1, // a nanosecond: it is over before it begins
	})
	snapshot := facts.NewSnapshot(facts.Parts{}).With("clipboard.text", facts.Text("aaa"))
	var before []string
	for _, all := range []bool{false, true, false, true} { // from the second on there is an index
		m, err := engine.Match(t.Context(), snapshot, pertain.MatchOptions{All: all})
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Notices) != 1 || m.Notices[0].Code != "strategies.slow" {
			t.Errorf("notices: %v", m.Notices)
		}
		counts := map[string]int{}
		for _, c := range m.Candidates {
			counts[c.Strategy.Name+" "+c.Result.String()]++
			late := slices.ContainsFunc(c.Diagnostics, func(d diag.Diagnostic) bool { return d.Code == diag.MatchBudget })
			if late != (c.Strategy.Name == "slow") {
				t.Errorf("all %v, %s: %v", all, c.Strategy.ID, c.Diagnostics)
			}
		}
		if counts["quick "+cond.True.String()] != 15 || all && (counts["slow "+cond.Null.String()] != 15 || counts["other "+cond.False.String()] != 15) {
			t.Errorf("all %v: %v", all, counts)
		}
		var told []string
		for _, d := range m.Diagnostics {
			told = append(told, string(d.Code)+" "+d.Strategy)
		}
		if len(told) != 15 || before != nil && !slices.Equal(before, told) {
			t.Errorf("all %v: %v", all, told)
		}
		before = told
	}
}

// TestExplainBudget: an explanation has no more time than a whole match, whatever a strategy asks for, and says what was not enough.
func TestExplainBudget(t *testing.T) {
	dir := t.TempDir()
	text := "---\nname: S\noptions: {matchingTimeout: 100000s, conditionTimeout: 100000s, regexTimeout: 100000s}\n" +
		"when: {clipboard.text: {regex: '(?=(a|aa)+b)(?<!x)(a*)*c'}}\n---\nx\n"
	if err := os.WriteFile(filepath.Join(dir, "s.strategy.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	engine := open(t, pertain.Options{
		Providers:   strategyfile.Providers(files.OS(), strategyfile.Roots{User: []string{dir}}),
		MatchBudget: 50 * time.Millisecond,
	})
	snapshot := facts.NewSnapshot(facts.Parts{}).With("clipboard.text", facts.Text(strings.Repeat("a", 4000)+"xbcz"))
	x, ok := engine.Explain("user.s", snapshot, pertain.ExplainOptions{})
	if !ok || x.Result != cond.Null {
		t.Fatalf("%v: %v", ok, x.Result)
	}
	var codes []diag.Code
	for _, d := range x.Diagnostics {
		codes = append(codes, d.Code)
	}
	if !slices.Equal(codes, []diag.Code{diag.MatchBudget}) {
		t.Error(x.Diagnostics)
	}
}
