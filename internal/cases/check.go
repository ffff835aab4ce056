package cases

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/strategy"
)

// checkResult compares the condition's result with the one that was asked for.
func (f *File) checkResult(c *testCase, s *strategy.Strategy, m match) *failure {
	if !s.Valid && c.fails == "" {
		told := codes(s.Diagnostics)
		if !slices.ContainsFunc(c.diagnostics, func(code string) bool { return slices.Contains(told, code) }) {
			return fail(c.line, "%s", mistakes(s))
		}
	}
	if c.result == nil {
		return nil
	}
	want := cond.Null
	if value, ok := c.result.Bool(); ok {
		want = cond.False
		if value {
			want = cond.True
		}
	}
	if m.result == want {
		return nil
	}
	bad := fail(f.line(c.result), "the condition is %s, not %s", m.result, want)
	switch {
	case !s.Enabled:
		bad.message += ": the strategy is disabled"
	case m.result == cond.Null:
		for _, d := range m.more() {
			if d.Code == diag.ConditionPathMissing || d.Code == diag.VisualUnavailable {
				bad.message += ": " + d.Message
				break
			}
		}
	}
	return bad
}

// checkRun compares what running came to with what was asked for; nil: it is that, or the budget is used up.
func (f *File) checkRun(c *testCase, m match, r execution, budget *Budget) *failure {
	if c.fails != "" {
		switch errors := codes(withSeverity(r.told, diag.Error)); {
		case r.plan != nil:
			return fail(f.line(c.failsAt), "there is a prompt, and it should fail with `%s`", c.fails)
		case !slices.Contains(errors, c.fails):
			return fail(f.line(c.failsAt), "it fails with %s, not `%s`: %s", quoted(errors), c.fails, r.reason)
		}
	}
	if c.wantsPrompt {
		if r.plan == nil {
			return fail(c.line, "there is no prompt: %s", r.reason)
		}
		if bad := c.prompt.check("prompt", r.plan.Prompt, budget); bad != nil {
			return bad
		}
		if bad := c.systemPrompt.check("system prompt", r.plan.SystemPrompt, budget); bad != nil {
			return bad
		}
	}
	if !c.hasCodes {
		return nil
	}
	if len(c.diagnostics) > 0 {
		all := codes(m.told, m.more(), r.told)
		for _, code := range c.diagnostics {
			if !slices.Contains(all, code) {
				return fail(f.line(c.diagnosticsAt), "`%s` is not told; %s is", code, quoted(all))
			}
		}
		return nil
	}
	told := m.told
	if c.wantsPrompt || c.fails != "" || c.result == nil || m.result == cond.True { // what is not recommended is not run
		told = append(slices.Clone(told), r.told...)
	}
	if c.fails != "" {
		told = slices.DeleteFunc(slices.Clone(told), func(d diag.Diagnostic) bool { return string(d.Code) == c.fails })
	}
	if len(told) > 0 {
		return fail(f.line(c.diagnosticsAt), "%s is told: %s", quoted(codes(told)), told[0].Message)
	}
	return nil
}

func withSeverity(list diag.List, severity diag.Severity) diag.List {
	return slices.DeleteFunc(slices.Clone(list), func(d diag.Diagnostic) bool { return d.Severity != severity })
}

// check compares a text with what it must be; what names it. Each time that the text is looked through counts.
func (x *expectation) check(what, text string, budget *Budget) *failure {
	if x == nil {
		return nil
	}
	for _, l := range x.contains {
		if !budget.Spend(len(text)) {
			return nil
		}
		if !strings.Contains(text, l.text) {
			return fail(l.line, "the %s does not contain `%s`", what, diag.Short(l.text))
		}
	}
	for _, l := range x.lacks {
		if !budget.Spend(len(text)) {
			return nil
		}
		if strings.Contains(text, l.text) {
			return fail(l.line, "the %s contains `%s`", what, diag.Short(l.text))
		}
	}
	if x.equals == nil {
		return nil
	}
	want, got := strings.TrimRight(x.equals.text, "\n"), strings.TrimRight(text, "\n") // a block of YAML ends with a line break
	if want == got {
		return nil
	}
	wanted, lines := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(wanted), len(lines)) {
		if wanted[i] != lines[i] {
			return fail(x.equals.line, "line %d of the %s is `%s`, not `%s`", i+1, what, diag.Short(lines[i]), diag.Short(wanted[i]))
		}
	}
	return fail(x.equals.line, "the %s has another number of lines: %d, not %d", what, len(lines), len(wanted))
}
