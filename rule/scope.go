package rule

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/glob"
)

// scopeWords are the scopes that name no tool.
var scopeWords = []string{"text", "thinking", "tool"}

const scopeHint = "a scope is text, thinking, tool, tool:NAME or tool:NAME(glob); without any, text and tools are watched"

// ScopeProblems are the scopes of the rule's triggers that name nothing. A rule
// that has no other scope never fires. They are among what [Read] returns.
func (r *Rule) ScopeProblems() diag.List {
	var list diag.List
	if len(r.Triggers) == 0 {
		return nil
	}
	valid := slices.ContainsFunc(r.Scope, func(word string) bool { return scopeProblem(word) == "" })
	for _, word := range r.Scope {
		message := scopeProblem(word)
		if message == "" {
			continue
		}
		effect := "the rule never fires"
		if valid {
			effect = "it watches nothing"
		}
		d := diag.At(r.Source, r.scopeSpan(word), diag.RuleInvalidField, "%s: `%s`; %s", message, strings.TrimSpace(word), effect)
		d.Hint, d.Provider = scopeRemedy(word), r.Provider
		list.Add(d)
	}
	return list
}

// scopeProblem says what is wrong with a scope; "" if nothing is.
func scopeProblem(word string) string {
	word = strings.TrimSpace(word)
	if slices.Contains(scopeWords, word) {
		return ""
	}
	name, ok := strings.CutPrefix(word, "tool:")
	if !ok || name == "" {
		return "there is no such scope"
	}
	open := strings.IndexByte(name, '(')
	if open < 0 {
		return ""
	}
	pattern, closed := strings.CutSuffix(name[open+1:], ")")
	if !closed || open == 0 {
		return "the scope of a tool is not complete"
	}
	if _, bad := glob.CompilePath(pattern); bad != nil {
		return bad.Message
	}
	return ""
}

// scopeRemedy says what to write instead.
func scopeRemedy(word string) string {
	if parts := strings.Split(word, ","); len(parts) > 1 {
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		if !slices.ContainsFunc(parts, func(part string) bool { return scopeProblem(part) != "" }) {
			return "write a list: `scope: [" + strings.Join(parts, ", ") + "]`"
		}
	}
	if near := diag.DidYouMean(strings.TrimSpace(word), scopeWords); near != "" {
		return near
	}
	return scopeHint
}

// scopeSpan is where a scope is written.
func (r *Rule) scopeSpan(word string) diag.Span {
	n := r.Frontmatter.Get("scope")
	if n == nil {
		return diag.NoSpan
	}
	for _, item := range n.Items {
		if item.Text == word {
			return item.Span()
		}
	}
	return n.Span()
}
