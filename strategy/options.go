package strategy

import (
	"time"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/settings"
)

// optionsV1 are the keys of `options` (docs/reference/strategies.md).
var optionsV1 = []struct {
	name string
	of   func(*cond.Limits) *time.Duration
}{
	{"matchingTimeout", func(l *cond.Limits) *time.Duration { return &l.Matching }},
	{"conditionTimeout", func(l *cond.Limits) *time.Duration { return &l.Condition }},
	{"regexTimeout", func(l *cond.Limits) *time.Duration { return &l.Regex }},
	{"visualQueryTimeout", func(l *cond.Limits) *time.Duration { return &l.VisualQuery }},
	{"extraTimeout", func(l *cond.Limits) *time.Duration { return &l.Extra }},
}

func optionNames() []string {
	names := make([]string, len(optionsV1))
	for i, o := range optionsV1 {
		names[i] = o.name
	}
	return names
}

func (c *checker) options(node *document.Node) cond.Limits {
	var limits cond.Limits
	if node == nil {
		return limits
	}
	if node.Kind != document.Mapping {
		c.wrongType(node, "options", "a map", "write `options:` and below it lines such as `regexTimeout: 50ms`")
		return limits
	}
next:
	for _, e := range node.Entries {
		for _, o := range optionsV1 {
			if o.name == e.Key.Text {
				*o.of(&limits) = c.duration(e)
				continue next
			}
		}
		d := diag.At(e.Key.Source(), e.Key.Span(), diag.StrategyUnknownField, "there is no option `%s`; it is ignored", e.Key.Text)
		d.Hint = diag.DidYouMean(e.Key.Text, optionNames())
		c.add(d)
	}
	return limits
}

func (c *checker) duration(e document.Entry) time.Duration {
	at := e.Value
	if at.Kind == document.Null {
		at = e.Key
	}
	if !e.Value.IsScalar() {
		c.add(diag.At(at.Source(), at.Span(), diag.StrategyInvalidDuration, "`%s` must be a duration, not %s", e.Key.Text, e.Value.Kind).
			WithHint("write a number followed by ms or s, such as 300ms"))
		return 0
	}
	d, bad := settings.ParseDuration(e.Value.Text)
	if bad != nil {
		c.add(diag.At(at.Source(), at.Span(), diag.StrategyInvalidDuration, "`%s` cannot be `%s`: %s", e.Key.Text, e.Value.Text, bad.Message).
			WithHint("%s", bad.Hint))
	}
	return d
}
