package connect_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/connect"
)

// TestHostileSettings: settings that are made to hurt are refused, or changed, at once.
func TestHostileSettings(t *testing.T) {
	claude, _ := connect.Named("claude")
	call := `{"type":"command","command":"/x/pertain hook claude"}`
	for name, c := range map[string]struct{ text, why string }{
		"deep":         {`{"hooks":` + strings.Repeat("[", 800_000) + strings.Repeat("]", 800_000) + "}", ""},
		"levels":       {`{"hooks":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}", "nested too deeply"},
		"many hooks":   {`{"hooks":{"PreToolUse":[` + strings.Repeat(`{"hooks":[`+call+`]},`, 2_000) + call + "]}}", "more than 64 times"},
		"nested call":  {`{"hooks":{"PreToolUse":` + strings.Repeat(`[`, 300) + call + strings.Repeat(`]`, 300) + "}}", ""},
		"large":        {`{"x":"` + strings.Repeat("a", 256<<10) + `"}`, "larger than 256 KiB"},
		"full":         {`{"x":"` + strings.Repeat("a", 256<<10-8) + `"}`, "too large"},
		"many members": {`{"x":{` + strings.Repeat(`"y":1,`, 40_000) + `"z":1}}`, "twice"},
	} {
		for _, undo := range []bool{false, true} {
			p := newMachine(t)
			p.write(".claude/settings.json", c.text)
			p.setup.Undo, p.setup.Level = undo, connect.Project
			for _, report := range p.setup.Run(t.Context(), []connect.Agent{claude}) {
				for _, f := range report.Files {
					if f.Path != p.path(".claude/settings.json") {
						continue
					}
					if f.Why != nil && len(*f.Why) > 1000 {
						t.Errorf("%s: %d bytes of why", name, len(*f.Why))
					}
					if c.why != "" && (f.Change != connect.Refused || f.Why == nil || !strings.Contains(*f.Why, c.why)) && !(undo && f.Change == connect.Unchanged) {
						t.Errorf("%s, undo %v: %s %v", name, undo, f.Change, f.Why)
					}
				}
			}
			if c.why != "" && p.read(".claude/settings.json") != c.text {
				t.Errorf("%s: it was written", name)
			}
		}
	}
}
