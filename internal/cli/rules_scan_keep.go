package cli

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/stream"
)

// Rules and lines may both be a stranger's, and any number of each: what a scan holds and prints must not grow as one times the other. As much
// is listed as of other diagnostics, the rest is counted. What is listed does not depend on which worker was faster, and of the user's own rules
// nothing is left out for those of others.
const (
	maxScanFileFindings = diag.MaxPerFile
	maxScanFindings     = diag.MaxListed
	maxScanUndecided    = diag.MaxListed
)

// scanNotListed counts what was over the limit.
type scanNotListed struct {
	Findings  int        `json:"findings"`
	Undecided int        `json:"undecided"`
	Files     []scanMore `json:"files"` // of those with findings that are listed
}

// scanMore is a file with more findings than those that are listed.
type scanMore struct {
	File     string `json:"file"`
	Findings int    `json:"findings"`

	source *diag.Source
}

// scannedFile is a file with findings.
type scannedFile struct {
	found  int          // findings
	source *diag.Source // nil unless the scanner keeps texts
}

// firstOf keeps the first so many of any number of values, by an order that tells any two apart, in whatever order they come.
type firstOf[T any] struct {
	most  int
	order func(x, y T) int
	list  []T
	all   int // how many there were
}

func (f *firstOf[T]) add(x T) {
	f.all++
	if f.list = append(f.list, x); len(f.list) >= 2*f.most {
		f.sorted()
	}
}

// sorted gives those that are kept, in order.
func (f *firstOf[T]) sorted() []T {
	slices.SortFunc(f.list, f.order)
	f.list = slices.Delete(f.list, min(f.most, len(f.list)), len(f.list))
	return f.list
}

// rankedMatch is a match in a file, and which one it is of its rule.
type rankedMatch struct {
	stream.Match
	own bool
	nth int
}

// rankMatches puts the user's own rules first, and each rule's first match before the second one of any: so every broken rule is seen,
// up to the limit.
func rankMatches(x, y rankedMatch) int {
	return cmp.Or(ownFirst(x.own, y.own), cmp.Compare(x.nth, y.nth), cmp.Compare(x.Start, y.Start), cmp.Compare(x.Trigger, y.Trigger))
}

// rankFindings is the same for those of all files.
func rankFindings(x, y scanFinding) int {
	return cmp.Or(ownFirst(x.own, y.own), cmp.Compare(x.nth, y.nth), inOrder(x, y))
}

// inOrder is the order in which findings are listed.
func inOrder(x, y scanFinding) int {
	return cmp.Or(strings.Compare(x.File, y.File), cmp.Compare(x.Offset, y.Offset), strings.Compare(x.Rule, y.Rule))
}

// rankUndecided puts the user's own rules first.
func rankUndecided(x, y scanUndecided) int {
	return cmp.Or(ownFirst(x.own, y.own), inFiles(x, y))
}

// inFiles is the order in which those that may have been missed are listed.
func inFiles(x, y scanUndecided) int {
	return cmp.Or(strings.Compare(x.File, y.File), cmp.Compare(x.trigger, y.trigger), cmp.Compare(x.Pattern, y.Pattern), strings.Compare(string(x.Reason), string(y.Reason)))
}

func ownFirst(x, y bool) int {
	switch {
	case x == y:
		return 0
	case x:
		return -1
	}
	return 1
}

// listed gives the matches in a file that are listed, of those whose triggers apply to it, and how many there are in all.
func (w *scanWorker) listed(matches []stream.Match, applies []bool) (list []rankedMatch, found int) {
	first := firstOf[rankedMatch]{most: maxScanFileFindings, order: rankMatches}
	nth := make([]int, len(applies))
	for _, m := range matches {
		if applies[m.Trigger] {
			first.add(rankedMatch{m, w.set.Trigger(m.Trigger).Own, nth[m.Trigger]})
			nth[m.Trigger]++
		}
	}
	found = first.all
	for i, n := range nth {
		if n > 0 {
			found += w.stream.More(i)
		}
	}
	return first.sorted(), found
}

// notListed counts what the report leaves out.
func (s *scanner) notListed(findings []scanFinding) scanNotListed {
	out := scanNotListed{Findings: s.found - len(findings), Undecided: s.undecided.all - len(s.undecided.list), Files: []scanMore{}}
	for len(findings) > 0 {
		f := findings[0]
		n := slices.IndexFunc(findings, func(other scanFinding) bool { return other.in != f.in })
		if n < 0 {
			n = len(findings)
		}
		if f.in.found > n {
			out.Files = append(out.Files, scanMore{f.File, f.in.found - n, f.in.source})
		}
		findings = findings[n:]
	}
	return out
}
