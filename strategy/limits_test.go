package strategy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/strategy"
)

// TestUnknownFieldsHaveALimit: of very many fields that there are not, the last diagnostic tells how many more there are.
func TestUnknownFieldsHaveALimit(t *testing.T) {
	for more, want := range map[int]string{-1: "there is no field", 0: "there is no field", 1: "2 more", 2: "3 more", 300: "301 more"} {
		text := "---\nname: x\n"
		for i := range diag.MaxPerFile + more {
			text += fmt.Sprintf("qq%d: 1\n", i)
		}
		s := normalize(text + "---\n")
		last := s.Diagnostics[len(s.Diagnostics)-1]
		if !strings.Contains(last.Message, want) || len(s.Diagnostics) > diag.MaxPerFile || last.Code != diag.StrategyUnknownField {
			t.Errorf("%d more than are told: %d diagnostics, the last is %s %q, want %q", more, len(s.Diagnostics), last.Code, last.Message, want)
		}
	}
}

// TestIDsHaveALimit: an id has at most a thousand bytes as it is written, and as it is derived.
func TestIDsHaveALimit(t *testing.T) {
	for n, valid := range map[int]bool{999: true, 1000: true, 1001: false} {
		s := normalize("---\nname: x\nid: " + strings.Repeat("i", n) + "\n---\n")
		if s.Valid != valid || !valid && s.Diagnostics[0].Message != fmt.Sprintf("the id has %d bytes, more than the 1000 that one may have", n) {
			t.Errorf("an id of %d bytes: %v", n, s.Diagnostics)
		}
		s = normalize("---\nname: x\nid: " + strings.Repeat("i", n-2) + " i\n---\n")
		if long := strings.Contains(s.Diagnostics[0].Message, "more than"); s.Valid || long == valid {
			t.Errorf("a wrong id of %d bytes: %v", n, s.Diagnostics)
		}
		s = normalizeAt(strings.Repeat("i", n-len("user."))+".strategy.md", "---\nname: x\n---\n")
		if s.Valid != valid || s.Valid && len(s.ID) != n {
			t.Errorf("an id of %d bytes that is derived: %v", n, s.Diagnostics)
		}
	}
}

// TestRefused: what must not be read is listed, with the reason, and is no strategy that could be run.
func TestRefused(t *testing.T) {
	entry := strategy.Entry{Name: "/s/a.strategy.md", Problem: "it is a link", Code: diag.RuleOutsideWorkspace, Origin: user("a.strategy.md")}
	for _, s := range []*strategy.Strategy{strategy.Refused(entry), strategy.TooLarge("/s/a.strategy.md", "it is a link", user("a.strategy.md"))} {
		d := s.Diagnostics[0]
		if s.Valid || !s.Enabled || !s.Trusted || s.ID != "user.a" || len(s.Diagnostics) != 1 || d.Severity != diag.Error || d.Message != "the file cannot be read: it is a link" || d.Strategy != "user.a" {
			t.Errorf("%+v", s)
		}
		if d.Code != diag.RuleOutsideWorkspace && d.Code != diag.StrategyTooLarge {
			t.Error(d.Code)
		}
	}
	if code := strategy.TooLarge("/s/a", "p", user("a")).Diagnostics[0].Code; code != diag.StrategyTooLarge {
		t.Error(code)
	}
}
