package plan

import (
	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/strategy"
)

// Allows answers whether a tool may be used: of the rules whose pattern matches
// its name, without case, the one with the longest literal beginning decides,
// the later one on a tie. nil means that no rule is about the tool; a nil plan
// has no rules.
func (p *Plan) Allows(tool string) *bool {
	if p == nil {
		return nil
	}
	return allowed(p.Tools, tool)
}

// allowed is [Plan.Allows] for rules alone.
func allowed(rules []strategy.ToolRule, tool string) *bool {
	var answer *bool
	longest := -1
	for _, rule := range rules {
		n := literalPrefix(rule.Pattern)
		if n < longest {
			continue
		}
		pattern, bad := glob.Compile(rule.Pattern, true)
		if bad != nil || !pattern.Match(tool) {
			continue // a pattern that is wrong was reported when the strategy was read
		}
		allow := rule.Allow
		longest, answer = n, &allow
	}
	return answer
}

// literalPrefix counts the characters before the first one that stands for
// others.
func literalPrefix(pattern string) int {
	n, escaped := 0, false
	for _, r := range pattern {
		if !escaped {
			switch r {
			case '\\':
				escaped = true
				continue
			case '*', '?', '[', '{':
				return n
			}
		}
		n++
		escaped = false
	}
	return n
}
