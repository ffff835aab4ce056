package facts

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
)

// Gathering is what [Gatherer.Gather] found.
type Gathering struct {
	Snapshot    *Snapshot
	Parts       []PartReport // one for each need, sorted by path
	Diagnostics diag.List    // those of all parts
}

// PartReport tells how one need was met, without what was found.
type PartReport struct {
	Path        string        // the need: clipboard.text, extra.browser, visual
	Provider    string        // id of the collector that answered, or else of the one that says why there is none; empty: nobody was asked
	Duration    time.Duration // how long that collector took
	Available   bool
	Summary     string // how much was found, such as "3 items"; empty when not available
	Diagnostics diag.List
}

// attempt is how asking one collector for one need ended without a value.
type attempt struct {
	provider string
	code     diag.Code // empty: it has nothing to say about this need
	reason   string
	remedy   string
	took     time.Duration // for diagnostics
	spent    time.Duration // of this gathering
}

// weight orders attempts by how much they explain: first what the user can
// change, last that there was nothing.
func (a attempt) weight() int {
	switch a.code {
	case diag.ExtraPermissionUnavailable:
		return 4
	case diag.ExtraProviderTimeout:
		return 3
	case diag.ExtraProviderFailed:
		return 2
	case diag.ExtraProviderUnavailable:
		return 1
	default:
		return 0
	}
}

func (a attempt) diagnostic(need string) diag.Diagnostic {
	d := diag.Diagnostic{Severity: a.code.Severity(), Code: a.code, Hint: a.remedy, Span: diag.NoSpan, Path: need, Provider: a.provider, Duration: a.took}
	if a.provider == "" {
		d.Message = fmt.Sprintf("`%s` is unknown: %s", need, a.reason)
	} else {
		d.Message = fmt.Sprintf("%s could not collect `%s`: %s", a.provider, need, a.reason)
	}
	return d
}

// nobody is the attempt of a need that no collector serves or wants to serve.
var nobody = attempt{code: diag.ExtraProviderUnavailable, reason: "nothing on this machine can collect it now"}

// want is one need on its way through the collectors.
type want struct {
	need     string
	segments []string
	parts    []string  // costly paths below it that are wanted
	next     int       // the collector to ask next
	attempts []attempt // in the order they were made
	settled  bool      // somebody answered, if only that there is none
	provider string
	took     time.Duration
	value    Value // absent: there certainly is none
	tree     *Tree
	summary  string
	lacks    []Lack
}

func (w *want) available() bool { return w.tree != nil || !w.value.IsAbsent() }

// why is the attempt that explains best that there is no value: of those with
// the most weight, the first.
func (w *want) why() attempt {
	best, weight := nobody, -1
	for _, a := range w.attempts {
		if a.weight() > weight {
			best, weight = a, a.weight()
		}
	}
	if best.code == "" {
		best.code, best.reason = diag.ExtraProviderUnavailable, "it found nothing"
	}
	return best
}

// absence is the reason for the snapshot; none for a null that the caller gave.
func (w *want) absence() (Absence, bool) {
	if w.settled {
		return Absence{Provider: w.provider, Reason: "there is none now"}, w.provider != ""
	}
	why := w.why()
	return Absence{Code: why.code, Provider: why.provider, Reason: why.reason}, true
}

// report tells how the need was met.
func (w *want) report() PartReport {
	r := PartReport{Path: w.need, Provider: w.provider, Duration: w.took, Available: w.available()}
	if r.Available {
		r.Summary = w.summary
		if r.Summary == "" {
			r.Summary = w.summarize()
		}
		if what := w.leftOut(); what != "" {
			r.Summary += "; " + what
		}
	}
	if w.settled {
		if what := w.leftOut(); what != "" {
			r.Diagnostics.Add(diag.Diagnostic{
				Severity: diag.VisualUnavailable.Severity(), Code: diag.VisualUnavailable, Span: diag.NoSpan, Path: w.need, Provider: w.provider, Duration: w.took,
				Message: fmt.Sprintf("%s did not collect all of `%s`: %s", w.provider, w.need, what),
			})
		}
		for _, l := range w.lacks {
			r.Diagnostics.Add(attempt{provider: w.provider, code: l.code(), reason: l.Reason, remedy: l.Remedy, took: w.took}.diagnostic(l.Path))
		}
		for _, a := range w.attempts { // somebody else knew: no harm was done
			if a.weight() > 1 {
				d := a.diagnostic(w.need)
				d.Severity = diag.Info
				r.Diagnostics.Add(d)
			}
		}
		return r
	}
	best := w.why()
	r.Provider, r.Duration = best.provider, best.spent
	for _, a := range w.attempts {
		if a.code != "" {
			r.Diagnostics.Add(a.diagnostic(w.need))
		}
	}
	if len(r.Diagnostics) == 0 {
		r.Diagnostics.Add(best.diagnostic(w.need))
	}
	return r
}

// leftOut is what a collector left out of a tree, in a few words.
func (w *want) leftOut() string {
	if w.tree == nil || w.provider == "" {
		return ""
	}
	return w.tree.Partial()
}

// summarize says how much there is, never what: a boolean's truth is content,
// a list's length is not.
func (w *want) summarize() string {
	if w.tree != nil {
		return counted(w.tree.Len(), "element")
	}
	switch v := w.value; v.Kind() {
	case String:
		return counted(utf8.RuneCountInString(v.text), "character")
	case Array:
		return counted(len(v.Items()), "item")
	case Object:
		return w.summarizeObject()
	default:
		return v.Kind().String()
	}
}

func (w *want) summarizeObject() string {
	known, all := 0, 0
	for _, p := range theSchema.paths {
		if p.Kind == Object || p.base != nil || !strings.HasPrefix(p.Name, w.need+".") {
			continue
		}
		all++
		if !descend(w.value, p.segments[len(w.segments):]).IsAbsent() {
			known++
		}
	}
	if all == 0 {
		return counted(len(w.value.Fields()), "value")
	}
	return fmt.Sprintf("%d of %s", known, counted(all, "value"))
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// find walks along names and tells whether something is said about the path:
// a value, or a null there or on the way.
func find(v Value, names []string) (Value, bool) {
	if v.Kind() == Absent {
		return Value{}, false
	}
	for _, name := range names {
		if v.Kind() != Object {
			return Value{}, true
		}
		at := slices.IndexFunc(v.Fields(), func(f Field) bool { return f.Name == name })
		if at < 0 {
			return Value{}, false
		}
		v = v.Fields()[at].Value
	}
	return v, true
}
