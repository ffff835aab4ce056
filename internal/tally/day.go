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
	r := packed.NewReader(string(data))
	if r.Number(dayVersion) != dayVersion {
		return nil, ErrDay
	}
	d.Mark = Mark{Number: uint64(r.Number(math.MaxInt64)), Entry: r.Text(), After: r.Number(maxCount)}
	texts := r.List()
	text := func() string {
		if i := r.Number(max(len(texts)-1, 0)); i < len(texts) {
			return texts[i]
		}
		return ""
	}
	for range r.Count() {
		name := Name{Rule: text(), Agent: text(), Repository: text()}
		c := &Counts{}
		for _, field := range c.fields() {
			*field = r.Number(maxCount)
		}
		d.Rows[name] = c
	}
	for i := range d.Hours {
		d.Hours[i] = Hour{r.Number(maxCount), r.Number(maxCount), r.Number(maxCount)}
	}
	if !r.Done() {
		return nil, ErrDay
	}
	return d, nil
}

// DayForm is how a day is named.
const DayForm = "20060102"

// DayOf is the name of the day of a time.
func DayOf(at time.Time) string { return at.UTC().Format(DayForm) }
