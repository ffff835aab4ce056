package pertain

import (
	"fmt"
	"slices"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/visual"
)

// QueryOptions say how a visual query is run.
type QueryOptions struct {
	CaseSensitive bool
	Limits        cond.Limits // zero ones are the usual ones
}

// QueryResult is what a visual query selects.
type QueryResult struct {
	Elements  []int         // indexes into the snapshot's tree, in document order
	Attribute string        // such as @name; empty for a query that selects elements
	Values    []facts.Value // of an attribute query, one for each element
	Missing   string        // what was not read, so that there may be more; empty: nothing
}

// Query runs a visual query. A query that cannot be read is an error in the
// list, at its position in the query; what is odd about the context is told too. A
// nil snapshot is one without elements.
func Query(snapshot *facts.Snapshot, query string, options QueryOptions) (QueryResult, diag.List) {
	source := diag.NewSource("<query>", query)
	parsed, bad := visual.Parse(query, visual.Options{CaseSensitive: options.CaseSensitive})
	if bad != nil {
		d := diag.At(source, diag.Span{Start: bad.Offset, End: bad.Offset + bad.Length}, diag.VisualQueryInvalid, "%s", bad.Message)
		d.Hint = bad.Hint
		return QueryResult{}, diag.List{d}
	}
	var result QueryResult
	if attribute, ok := parsed.SelectsAttribute(); ok {
		result.Attribute = attribute.String()
	}
	if snapshot == nil || snapshot.Tree() == nil {
		reason := "no visible elements are in the context"
		if snapshot != nil && snapshot.WhyAbsent(facts.Visual).Reason != "" {
			reason = snapshot.WhyAbsent(facts.Visual).Reason
		}
		d := diag.At(source, diag.NoSpan, diag.VisualUnavailable, "%s", reason).
			WithHint("give a context that has `visual.roots` with --context")
		return result, diag.List{d}
	}
	result.Missing = missing(snapshot.Tree(), parsed)
	limits := options.Limits.Or(cond.DefaultLimits())
	primary, ok := snapshot.Primary()
	index := visual.NewIndex(snapshot.Tree(), primary, ok)
	outcome := parsed.Visit(index, visual.Limits{Time: limits.VisualQuery, Regex: limits.Regex}, func(element int, value facts.Value) bool {
		result.Elements = append(result.Elements, element)
		if result.Attribute != "" {
			result.Values = append(result.Values, value)
		}
		return true
	})
	if outcome == visual.Done {
		return result, slices.Clone(snapshot.Diagnostics())
	}
	code := diag.VisualQueryTimeout
	switch outcome {
	case visual.NoPrimary:
		code = diag.VisualUnavailable
	case visual.RegexTimedOut:
		code = diag.RegexTimeout
	}
	return QueryResult{Attribute: result.Attribute, Missing: result.Missing}, diag.List{diag.At(source, diag.NoSpan, code, "%s", outcome)}
}

// missing is what a query cannot see of a window, in a few words.
func missing(tree *facts.Tree, query *visual.Query) string {
	if what := tree.Partial(); what != "" {
		return what
	}
	if n := tree.Unread(); n > 0 && query.ReadsTexts() {
		return fmt.Sprintf("%d texts are not known", n)
	}
	return ""
}
