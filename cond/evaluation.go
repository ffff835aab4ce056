package cond

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/internal/visual"
)

// Evaluation evaluates programs against one snapshot and keeps what they share:
// folded texts and what queries found out about the tree. It is for one
// goroutine at a time.
type Evaluation struct {
	snapshot *facts.Snapshot
	texts    *texts // what is known of them; nil: nothing yet
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

	charged time.Duration        // what results took that others had come to
	aside   bool                 // explain is at something that matching does not come to
	spare   time.Duration        // what is left for that
	clock   stopwatch            // nil: the real one
	arrays  int                  // of the snapshot: 1: all are short, 2: one is long; 0: not looked at yet
	steps   int                  // taken since the last look at the clock, in a long array
	said    map[problem]bool     // what diagnosed holds, when that is much
	passed  int                  // bytes that operators went through since the last look at the context
	gone    bool                 // whoever waited no longer does
	room    func(bytes int) bool // asked before a trace grows; nil: there is room
}

// NewEvaluation prepares for evaluating programs against a snapshot.
func NewEvaluation(snapshot *facts.Snapshot) *Evaluation {
	return &Evaluation{snapshot: snapshot}
}

// SetContext names the context of whoever waits for the answer. When it is over, what
// is slow ends, also in the middle of an expression: everything that was not decided by
// then is unknown, and says nothing about the strategy.
func (ev *Evaluation) SetContext(ctx context.Context) { ev.within = ctx }

// SetRoom names who is asked, now and then, before the tree of [Program.Explain] takes so many more bytes of memory; a small
// tree is made without asking. Where there is no room, evaluation ends as if nobody waited any longer.
func (ev *Evaluation) SetRoom(room func(bytes int) bool) { ev.room = room }

// begin prepares for another program, which has no more time than is left of the
// budget.
func (ev *Evaluation) begin(limits Limits, list *diag.List) {
	limits = limits.Or(DefaultLimits())
	if left := ev.Left(); left < limits.Matching {
		if left > time.Millisecond {
			left = left.Round(time.Millisecond) // it is told to people
		}
		limits.Matching = max(left, 1)
	}
	ev.start(limits, list)
}

// start is begin with limits that are all set.
func (ev *Evaluation) start(limits Limits, list *diag.List) {
	ev.limits = limits
	ev.diagnosed = list
	ev.said = nil
	ev.matching, ev.condition = time.Time{}, time.Time{}
	ev.expired, ev.overdue, ev.gone = false, false, false
	ev.charged, ev.aside, ev.spare = 0, false, 0
}

// tree returns the index of the snapshot's elements, or nil.
func (ev *Evaluation) tree() *visual.Index {
	if ev.index == nil && ev.snapshot.Tree() != nil {
		primary, ok := ev.snapshot.Primary()
		ev.index = visual.NewIndex(ev.snapshot.Tree(), primary, ok)
	}
	return ev.index
}

// add reports a problem of the program, if they are wanted; once is enough, however many items there are.
func (ev *Evaluation) add(d diag.Diagnostic) {
	key := problem{d.Code, d.Source, d.Span}
	if ev.diagnosed == nil || ev.reported(key) {
		return
	}
	ev.diagnosed.Add(d)
	if ev.said != nil {
		ev.said[key] = true
	}
}

// told tells whether a problem need not be reported, before anything is made of it.
func (ev *Evaluation) told(code diag.Code, at *document.Node) bool {
	return ev.diagnosed == nil || ev.reported(problem{code, at.Source(), at.Span()})
}

// reported tells whether a problem was reported.
func (ev *Evaluation) reported(key problem) bool {
	if len(*ev.diagnosed) < fewProblems {
		return slices.ContainsFunc(*ev.diagnosed, func(d diag.Diagnostic) bool {
			return d.Code == key.code && d.Span == key.span && d.Source == key.source
		})
	}
	if ev.said == nil {
		ev.said = make(map[problem]bool, 2*fewProblems)
		for _, d := range *ev.diagnosed {
			ev.said[problem{d.Code, d.Source, d.Span}] = true
		}
	}
	return ev.said[key]
}

// problem is what makes a diagnostic the same as another one.
type problem struct {
	code   diag.Code
	source *diag.Source
	span   diag.Span
}

// fewProblems is up to where looking at each is faster than a hash.
const fewProblems = 32

// texts keeps what programs share about the texts of one snapshot. A match against
// a set lends its own, so that most matches allocate none.
type texts struct {
	slots  []uint16          // by path index: which of atPath is its own, plus 1; 0: none yet
	atPath []pathText        // of the paths that programs compare, few of all
	loose  map[string]string // folded texts that stand at no path of their own
}

// pathText is what is known of the text at a path.
type pathText struct {
	folded   string
	done     bool // it is folded
	searches int  // that were made before it was; fewSearches: no more are to be made
	runes    int  // one more than the text has, before it is folded; 0 until they are counted
}

func newTexts() *texts { return &texts{slots: make([]uint16, pathCount()), loose: map[string]string{}} }

// forget makes ready for another snapshot; nothing of this one is kept.
func (t *texts) forget() {
	clear(t.slots)
	clear(t.atPath)
	t.atPath = t.atPath[:0]
	if len(t.loose) > manyLoose { // clearing takes as long as there is room
		t.loose = map[string]string{}
	}
	clear(t.loose)
}

// manyLoose is from where on a table is not worth keeping.
const manyLoose = 64

// pathCount is how many paths there are; the schema never changes.
var pathCount = sync.OnceValue(func() int { return len(facts.Paths()) })

// known is what is known of the snapshot's texts.
func (ev *Evaluation) known() *texts {
	if ev.texts == nil {
		ev.texts = newTexts()
	}
	return ev.texts
}

// at is what is known of the text at a path. It is valid until the next call.
func (t *texts) at(p *facts.Path) *pathText {
	slot := &t.slots[p.Index()]
	if *slot == 0 {
		t.atPath = append(t.atPath, pathText{})
		*slot = uint16(len(t.atPath))
	}
	return &t.atPath[*slot-1]
}

// fold returns a path's text folded, once for all programs.
func (ev *Evaluation) fold(p *facts.Path, text string) string {
	t := ev.known().at(p)
	if !t.done {
		t.folded, t.done = glob.Fold(text), true
	}
	return t.folded
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
	loose := ev.known().loose
	folded, known := loose[text]
	if !known {
		folded = glob.Fold(text)
		loose[text] = folded
	}
	return folded
}

// holds tells whether a path's text, folded, contains a part. Folding a long text
// takes longer than looking for some parts in it as it is.
func (ev *Evaluation) holds(p *facts.Path, text, part string) bool {
	if t := ev.known().at(p); !t.done && t.searches < fewSearches && len(text) >= longText {
		if t.searches == 0 && !glob.Plain(text) {
			t.searches = fewSearches
		} else {
			t.searches++
			return glob.ContainsFolded(text, part, true)
		}
	}
	return strings.Contains(ev.fold(p, text), part)
}

const (
	fewSearches = 6   // up to where a text is not worth folding for them
	longText    = 128 // bytes; below that, folding takes next to nothing
)

// length tells whether a text has as many code points as a range asks for. They
// are counted, once for all programs, only where the number of bytes leaves it open.
// at is nil for a text that stands at no path of its own.
func (ev *Evaluation) length(at *facts.Path, text string, wanted *numberRange) bool {
	least, most := float64((len(text)+utf8.UTFMax-1)/utf8.UTFMax), float64(len(text))
	switch {
	case wanted.misses(least, most):
		return false
	case wanted.covers(least, most):
		return true
	case at == nil:
		return wanted.contains(float64(utf8.RuneCountInString(text)))
	}
	t := ev.known().at(at)
	if t.runes == 0 {
		t.runes = utf8.RuneCountInString(text) + 1
	}
	return wanted.contains(float64(t.runes - 1))
}
