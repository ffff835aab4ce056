package rule

import (
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// interruptModes are where a trigger may interrupt; the settings have the same.
var interruptModes = []string{"always", "prose-only", "tool-only", "never"}

// interruptMode reads where the rule's triggers interrupt, however its name and its
// value are spelt; "" if the rule does not say.
func (f *Fields) interruptMode() string {
	for _, key := range append([]string{"interruptMode"}, otherSpellings...) {
		n := f.node.Get(key)
		if n == nil || n.Kind == document.Null {
			continue
		}
		for _, mode := range interruptModes {
			if n.Kind == document.String && plainWord(n.Text) == plainWord(mode) {
				return mode
			}
		}
		if mode := f.Word(key, interruptModes...); mode != "" {
			return mode
		}
	}
	return ""
}

// plainWord is a word without case, dashes and underscores: prose-only, proseOnly and
// prose_only are one.
func plainWord(s string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(strings.TrimSpace(s)))
}

// disable switches the rule off if it says `enabled: false`.
func (f *Fields) disable() {
	if enabled := f.Flag("enabled"); enabled == nil || *enabled {
		return
	}
	f.rule.Disabled, f.rule.Activation = true, Never
	d := diag.At(f.rule.Source, f.node.Get("enabled").Span(), diag.RuleDisabled, "the rule is switched off by `enabled: false`, and never used")
	f.list.Add(d.WithHint("remove the field to use the rule"))
}
