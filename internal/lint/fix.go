package lint

import (
	"cmp"
	"slices"

	"github.com/pertain-dev/pertain/rule"
)

// Fixed is the text of a rule's file with its fixes applied, which are in their
// order in the file.
func Fixed(r *rule.Rule) (text string, fixes []rule.Fix) {
	fixes = slices.Clone(r.Fixes)
	slices.SortFunc(fixes, func(x, y rule.Fix) int { return cmp.Compare(x.Span.Start, y.Span.Start) })
	before := r.Source.Text()
	var after []byte
	at := 0
	for _, fix := range fixes {
		after = append(after, before[at:fix.Span.Start]...)
		after = append(after, fix.Text...)
		at = fix.Span.End
	}
	return string(append(after, before[at:]...)), fixes
}
