package strategy

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/glob"
)

// ToolRule allows or forbids the tools that a pattern matches (docs/reference/tools.md).
type ToolRule struct {
	Pattern string
	Allow   bool
}

func (c *checker) tools(node *document.Node) []ToolRule {
	rules, problems := parseTools(node)
	c.addFrom(problems)
	return slices.Clip(rules) // strategies may share it
}

// parseTools reads the flat form; everything else is reported.
func parseTools(node *document.Node) ([]ToolRule, diag.List) {
	var list diag.List
	if node == nil || node.Kind == document.Null {
		return nil, nil
	}
	if node.Kind != document.Mapping {
		list.Add(diag.At(node.Source(), node.Span(), diag.StrategyInvalidTools, "`tools` must be a map, not %s", node.Kind).
			WithHint("write `tools:` and below it lines such as `builtin.web.*: true`"))
		return nil, list
	}
	rules := make([]ToolRule, 0, len(node.Entries))
	for _, e := range node.Entries {
		allow, ok := e.Value.Bool()
		switch {
		case len(e.Value.Entries) > 0:
			list.Add(diag.At(node.Source(), e.Value.Span(), diag.StrategyInvalidTools, "`tools` is a flat map; `%s` holds another map", e.Key.Text).
				WithHint("write `%s.%s: true`", e.Key.Text, e.Value.Entries[0].Key.Text))
			continue
		case !ok:
			at := e.Value
			if e.Value.Kind == document.Null {
				at = e.Key
			}
			list.Add(diag.At(node.Source(), at.Span(), diag.StrategyInvalidTools, "`%s` must be true or false, not %s", e.Key.Text, e.Value.Kind).
				WithHint("write `%s: true`", e.Key.Text))
			continue
		case strings.TrimSpace(e.Key.Text) == "":
			list.Add(diag.At(node.Source(), e.Key.Span(), diag.StrategyInvalidTools, "a tool pattern is empty").
				WithHint("name a tool, such as `builtin.web.*`"))
			continue
		}
		if _, bad := glob.Compile(e.Key.Text, true); bad != nil {
			list.Add(diag.At(node.Source(), e.Key.SpanOf(bad.Offset, bad.Offset+1), diag.StrategyInvalidTools, "the tool pattern is not a glob: %s", bad.Message).
				WithHint("%s", bad.Hint))
			continue
		}
		rules = append(rules, ToolRule{Pattern: e.Key.Text, Allow: allow})
	}
	return rules, list
}
