package cond

import (
	"context"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/internal/visual"
)

// Evaluation evaluates programs against one snapshot and keeps what they share:
// folded texts and what queries found out about the tree. It is for one
// goroutine at a time.
type Evaluation struct {
	snapshot *facts.Snapshot
	folded   []foldedText      // by path index
	loose    map[string]string // folded texts that stand at no path of their own
	index    *visual.Index
	within   context.Context         // of whoever waits for the answer; nil: nobody goes away
	shared   map[string]sharedResult // nil: nothing is shared
	budget   time.Duration           // of the whole match; 0: none
	deadline time.Time               // when it is over; zero: never
	lateness time.Duration           // by which first turns ended late, together

	// of the program that runs now
	limits    Limits
	diagnosed *diag.List // nil: problems are not wanted
	matching  time.Time  // when the program must end; zero until something is slow
	condition time.Time  // when the current condition must end; zero until something is slow
	expired   bool       // the matching limit was reached
	overdue   bool       // the limit of the current condition was reached

	charged time.Duration    // what results took that others had come to
	aside   bool             // explain is at something that matching does not come to
	spare   time.Duration    // what is left for that
	clock   stopwatch        // nil: the real one
	arrays  int              // of the snapshot: 1: all are short, 2: one is long; 0: not looked at yet
	steps   int              // taken since the last look at the clock, in a long array
	said    map[problem]bool // what diagnosed holds, when that is much
}

type foldedText struct {
	text  string
	done  bool
	runes int // one more than the text has, before it is folded; 0 until they are counted
}

// NewEvaluation prepares for evaluating programs against a snapshot.
func NewEvaluation(snapshot *facts.Snapshot) *Evaluation {
	return &Evaluation{snapshot: snapshot, folded: make([]foldedText, pathCount())}
}

// begin prepares for another program.
func (ev *Evaluation) begin(limits Limits, list *diag.List) {
	ev.start(limits.Or(DefaultLimits()), list)
}

// start is begin with limits that are all set.
func (ev *Evaluation) start(limits Limits, list *diag.List) {
	ev.limits = limits
	ev.diagnosed = list
	ev.said = nil
	ev.matching, ev.condition = time.Time{}, time.Time{}
	ev.expired, ev.overdue = false, false
	ev.charged, ev.aside, ev.spare = 0, false, 0
}

// fold returns a path's text folded, once for all programs.
func (ev *Evaluation) fold(p *facts.Path, text string) string {
	f := &ev.folded[p.Index()]
	if !f.done {
		f.text, f.done = glob.Fold(text), true
	}
	return f.text
}

// length returns the number of code points of a path's text, counted once for
// all programs. at is nil for a text that stands at no path of its own.
func (ev *Evaluation) length(at *facts.Path, text string) int {
	if at == nil {
		return utf8.RuneCountInString(text)
	}
	f := &ev.folded[at.Index()]
	if f.runes == 0 {
		f.runes = utf8.RuneCountInString(text) + 1
	}
	return f.runes - 1
}

// foldItem returns the text of an array's item or of an element folded, once
// for all programs that compare it.
func (ev *Evaluation) foldItem(text string) string {
	for i := 0; ; i++ {
		if i == len(text) {
			return text
		}
		if c := text[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			break
		}
	}
	folded, known := ev.loose[text]
	if !known {
		if ev.loose == nil {
			ev.loose = map[string]string{}
		}
		folded = glob.Fold(text)
		ev.loose[text] = folded
	}
	return folded
}

// tree returns the index of the snapshot's elements, or nil.
func (ev *Evaluation) tree() *visual.Index {
	if ev.index == nil && ev.snapshot.Tree() != nil {
		primary, ok := ev.snapshot.Primary()
		ev.index = visual.NewIndex(ev.snapshot.Tree(), primary, ok)
	}
	return ev.index
}

// add reports a problem of the program, if they are wanted.
func (ev *Evaluation) add(d diag.Diagnostic) {
	if ev.diagnosed == nil {
		return
	}
	if len(*ev.diagnosed) < fewProblems { // once is enough, however many items there are
		for _, said := range *ev.diagnosed {
			if said.Code == d.Code && said.Span == d.Span && said.Source == d.Source {
				return
			}
		}
		ev.diagnosed.Add(d)
		return
	}
	if ev.said == nil {
		ev.said = make(map[problem]bool, 2*fewProblems)
		for _, said := range *ev.diagnosed {
			ev.said[problem{said.Code, said.Source, said.Span}] = true
		}
	}
	if key := (problem{d.Code, d.Source, d.Span}); !ev.said[key] {
		ev.said[key] = true
		ev.diagnosed.Add(d)
	}
}

// problem is what makes a diagnostic the same as another one.
type problem struct {
	code   diag.Code
	source *diag.Source
	span   diag.Span
}

// fewProblems is up to where looking at each is faster than a hash.
const fewProblems = 32

// pathCount is how many paths there are; the schema never changes.
var pathCount = sync.OnceValue(func() int { return len(facts.Paths()) })
