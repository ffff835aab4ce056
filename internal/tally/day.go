package tally

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/pertain-dev/pertain/internal/journal"
	"github.com/pertain-dev/pertain/internal/packed"
)

// Counts is how often something happened.
type Counts struct {
	Denied      int `json:"denied"`
	Interrupted int `json:"interrupted"`
	Reminded    int `json:"reminded"`
	Given       int `json:"given"`
	Passed      int `json:"passed"`
	Heeded      int `json:"heeded"`
	Unheeded    int `json:"unheeded"`
}

// Fired is how often something broke a rule, whatever became of it.
func (c *Counts) Fired() int { return c.Denied + c.Interrupted + c.Reminded + c.Passed }

func (c *Counts) fields() [7]*int {
	return [...]*int{&c.Denied, &c.Interrupted, &c.Reminded, &c.Given, &c.Passed, &c.Heeded, &c.Unheeded}
}

func (c *Counts) add(other *Counts) {
	more := other.fields()
	for i, field := range c.fields() {
		*field += *more[i]
	}
}

// count is what one action of a rule counts as.
func count(action journal.Action) (c Counts, known bool) {
	switch action {
	case journal.Denied:
		c.Denied = 1
	case journal.Interrupted:
		c.Interrupted = 1
	case journal.Reminded:
		c.Reminded = 1
	case journal.Given:
		c.Given = 1
	case journal.Passed:
		c.Passed = 1
	default:
		return c, false
	}
	return c, true
}

// Name is what something is counted by.
type Name struct {
	Rule, Agent, Repository string // empty: not known
}

func compareNames(a, b Name) int {
	return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Repository, b.Repository))
}

// Hour is what happened in an hour of a day.
type Hour struct{ Fired, Heeded, Unheeded int }

// Mark says up to where a machine's journal was counted: how many of its lines, and how to find the last of them in what is left of it.
type Mark struct {
	Number uint64 `json:"number"`
	Entry  string `json:"entry"` // id of the last entry; empty: there was none
	After  int    `json:"after"` // lines after that one which say what became of entries, or nothing
}

// Day is what rules did on one machine on one day, in UTC.
type Day struct {
	Mark  Mark
	Rows  map[Name]*Counts
	Hours [24]Hour
}

// dayVersion is the first number of an encoded day.
const dayVersion = 1

// ErrDay is for bytes that are no day, or one of a later version.
var ErrDay = errors.New("these are no counts of a day that this version reads")

// Encode writes a day.
func (d *Day) Encode() []byte {
	var w packed.Writer
	w.Count(dayVersion)
	w.Count(int(min(d.Mark.Number, math.MaxInt64)))
	w.Text(d.Mark.Entry)
	w.Count(max(d.Mark.After, 0))
	names := slices.SortedFunc(maps.Keys(d.Rows), compareNames)
	index, texts := map[string]int{}, []string{}
	refer := func(text string) {
		if _, known := index[text]; !known {
			index[text] = len(texts)
			texts = append(texts, text)
		}
	}
	for _, n := range names {
		refer(n.Rule)
		refer(n.Agent)
		refer(n.Repository)
	}
	w.List(texts)
	w.Count(len(names))
	for _, n := range names {
		w.Count(index[n.Rule])
		w.Count(index[n.Agent])
		w.Count(index[n.Repository])
		for _, field := range d.Rows[n].fields() {
			w.Count(max(*field, 0))
		}
	}
	for _, h := range d.Hours {
		w.Count(max(h.Fired, 0))
		w.Count(max(h.Heeded, 0))
		w.Count(max(h.Unheeded, 0))
	}
	return w.Bytes()
}

// maxCount bounds a count that somebody else sent, so that sums of many stay numbers.
const maxCount = 1 << 40

// DecodeDay reads a day. No bytes are an empty one.
func DecodeDay(data []byte) (*Day, error) {
	d := &Day{Rows: map[Name]*Counts{}}
	if len(data) == 0 {
		return d, nil
	}
	var e encodedDay
	if !e.read(data) {
		return nil, ErrDay
	}
	d.Mark, d.Hours = e.mark, e.hours
	for _, row := range e.rows {
		counts := row.counts
		d.Rows[Name{Rule: e.text(row.rule), Agent: e.text(row.agent), Repository: e.text(row.repository)}] = &counts
	}
	return d, nil
}

// encodedDay is a day as it is written: rows in their order, with names by their numbers. One is used for many, since days are many.
type encodedDay struct {
	mark  Mark
	texts []string
	rows  []encodedRow
	hours [24]Hour
}

type encodedRow struct {
	rule, agent, repository int // in texts
	counts                  Counts
}

func (e *encodedDay) text(i int) string {
	if i < len(e.texts) {
		return e.texts[i]
	}
	return ""
}

// read tells whether the bytes are a day.
func (e *encodedDay) read(data []byte) bool {
	r := packed.NewReader(string(data))
	if r.Number(dayVersion) != dayVersion {
		return false
	}
	e.mark = Mark{Number: uint64(r.Number(math.MaxInt64)), Entry: r.Text(), After: r.Number(maxCount)}
	e.texts = r.List()
	most := max(len(e.texts)-1, 0)
	e.rows = e.rows[:0]
	for range r.Count() {
		row := encodedRow{rule: r.Number(most), agent: r.Number(most), repository: r.Number(most)}
		for _, field := range row.counts.fields() {
			*field = r.Number(maxCount)
		}
		e.rows = append(e.rows, row)
	}
	for i := range e.hours {
		e.hours[i] = Hour{r.Number(maxCount), r.Number(maxCount), r.Number(maxCount)}
	}
	return r.Done()
}

// DayForm is how a day is named.
const DayForm = "20060102"

// DayOf is the name of the day of a time.
func DayOf(at time.Time) string { return at.UTC().Format(DayForm) }
