package strategy_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/strategy"
)

var ownFile = strategy.Origin{Provider: "user", Path: "x.strategy.md", Trusted: true}

// one reads a single strategy file, with others around it.
func one(t *testing.T, text string, others map[string]string) *strategy.Strategy {
	t.Helper()
	contents := map[string]string{"/u/x.strategy.md": text}
	for path, other := range others {
		contents[path] = other
	}
	tree, n := world(files.Unix, contents)
	return read(t, tree, n, "/u/x.strategy.md", ownFile)
}

// TestNameBeforeHeading: the heading of a skill without a name counts only where the file gives no name.
func TestNameBeforeHeading(t *testing.T) {
	skill := map[string]string{"/u/SKILL.md": "# Heading\n\ntext\n"}
	if s := one(t, "---\nname: Own\nfrom: ./SKILL.md\n---\n", skill); s.Name != "Own" {
		t.Errorf("the name is %q", s.Name)
	}
	if s := one(t, "---\nfrom: ./SKILL.md\n---\n", skill); s.Name != "Heading" {
		t.Errorf("without one it is %q", s.Name)
	}
}

// TestMissingNameIsTold: also where another field is wrong, but not where the name itself is.
func TestMissingNameIsTold(t *testing.T) {
	for text, want := range map[string]bool{"description: [x]\n": true, "description: x\n": true, "priority: ~\n": true, "name: ~\n": false, "name: [x]\n": false} {
		s := one(t, "---\n"+text+"---\nbody\n", nil)
		told := false
		for _, d := range s.Diagnostics {
			told = told || d.Code == diag.StrategyMissingName
		}
		if told != want || s.Valid {
			t.Errorf("%q: missing name told %v, valid %v: %v", text, told, s.Valid, s.Diagnostics)
		}
	}
}

// TestClaim: what is found later in an included file points at the line that includes it.
func TestClaim(t *testing.T) {
	s := one(t, "---\nname: X\nfrom: ./base.strategy.md\n---\n", map[string]string{"/u/base.strategy.md": "---\nname: Base\nwhen: {clipboard.text: {contains: a}}\n---\nbody\n"})
	included := diag.NewSource("/u/base.strategy.md", "")
	list := diag.List{
		diag.At(included, diag.NoSpan, diag.RegexTimeout, "elsewhere"),
		diag.At(s.Source, diag.NoSpan, diag.RegexTimeout, "here"),
		diag.At(nil, diag.NoSpan, diag.RegexTimeout, "nowhere"),
	}
	s.Claim(list)
	if len(list[0].Related) != 1 || list[0].Related[0].Message != "included from here" || len(list[1].Related)+len(list[2].Related) != 0 || list[2].Strategy != s.ID {
		t.Errorf("%+v", list)
	}
	s.Claim(list)
	if len(list[0].Related) != 1 {
		t.Error("what was claimed twice is told twice")
	}
	alone := one(t, "---\nname: X\n---\nbody\n", nil)
	other := diag.List{diag.At(included, diag.NoSpan, diag.RegexTimeout, "elsewhere")}
	alone.Claim(other)
	if len(other[0].Related) != 0 || other[0].Strategy != alone.ID {
		t.Errorf("%+v", other)
	}
}

// TestToolsThatCount: each wrong entry is told once and left out, the others count.
func TestToolsThatCount(t *testing.T) {
	s := one(t, "---\nname: X\ntools:\n  a: {b: true}\n  c: yes please\n  ' ': true\n  '[x': true\n  d: false\n---\nbody\n", nil)
	if n := len(s.Diagnostics); n != 4 || s.Valid {
		t.Errorf("%d mistakes: %v", n, s.Diagnostics)
	}
	var patterns []string
	for _, rule := range s.Tools {
		patterns = append(patterns, rule.Pattern)
	}
	if got := strings.Join(patterns, " "); got != "d" {
		t.Errorf("tools are %q", got)
	}
}

// TestIDOfNothing: a file that is only an ending has no name to make an id of.
func TestIDOfNothing(t *testing.T) {
	tree, n := world(files.Unix, map[string]string{"/u/.strategy.md": "---\nname: X\n---\nbody\n"})
	s := read(t, tree, n, "/u/.strategy.md", strategy.Origin{Provider: "user", Path: ".strategy.md", Trusted: true})
	if len(s.Diagnostics) != 1 || s.Diagnostics[0].Code != diag.StrategyInvalidID || s.Diagnostics[0].Hint != "add `id: user.my-strategy`" {
		t.Errorf("%+v", s.Diagnostics)
	}
}
