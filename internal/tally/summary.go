package tally

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// Report is what rules did in a fleet, in whole days of UTC.
type Report struct {
	Since    string  `json:"since"` // the first day, such as 2026-11-16
	Until    string  `json:"until"` // the last day
	Machines int     `json:"machines"`
	Total    Totals  `json:"total"`
	Days     []When  `json:"days"`  // all of them, in order
	Hours    []When  `json:"hours"` // the last 48
	Rules    []Rule  `json:"rules"` // those that fired most first
	Agents   []Group `json:"agents"`
	// Repositories are named where entries are shared, and else told from one another.
	Repositories []Group  `json:"repositories"`
	Never        []string `json:"never"` // rules that were asked for and did nothing, in order of their names
}

// Totals are counts with what follows from them.
type Totals struct {
	Fired int `json:"fired"`
	Counts
	Share *float64 `json:"heededShare"` // of what is known to be heeded or not; nil: nothing is
}

func totals(c Counts) Totals {
	t := Totals{Fired: c.Fired(), Counts: c}
	if known := c.Heeded + c.Unheeded; known > 0 {
		share := float64(c.Heeded) / float64(known)
		t.Share = &share
	}
	return t
}

// When is what happened in a day or an hour.
type When struct {
	From     string `json:"from"` // such as 2026-11-16, or 2026-11-16T09:00Z
	Fired    int    `json:"fired"`
	Heeded   int    `json:"heeded"`
	Unheeded int    `json:"unheeded"`
}

// Rule is what one rule did.
type Rule struct {
	Name string `json:"rule"`
	Totals
	Agents       []string `json:"agents"`
	Repositories int      `json:"repositories"`
	Last         string   `json:"last"` // the last day on which it did anything
	Days         []int    `json:"days"` // how often it fired, by the days of the report
}

// Group is what happened at an agent, or in a repository.
type Group struct {
	Name string `json:"name"` // empty: not known
	Totals
}

// Summary adds days up.
type Summary struct {
	first        time.Time // of the days
	days         []When
	hours        map[time.Time]*When
	now          time.Time
	machines     map[string]bool
	total        Counts
	rules        map[string]*ruleSum
	agents       map[string]*Counts
	repositories map[string]*Counts
	read         encodedDay // the last one that was added
}

type ruleSum struct {
	counts               Counts
	agents, repositories map[string]bool
	days                 []int
	last                 int // index of the last day
}

// maxDays is how many days are asked for at most: more than any fleet keeps.
const maxDays = 400

// shownHours is how many hours are told apart.
const shownHours = 48

// NewSummary is for the days from since to now.
func NewSummary(since, now time.Time) *Summary {
	now = now.UTC()
	first, last := midnight(since.UTC()), midnight(now)
	if earliest := last.AddDate(0, 0, 1-maxDays); first.Before(earliest) {
		first = earliest
	}
	if first.After(last) {
		first = last
	}
	s := &Summary{
		first: first, now: now, hours: map[time.Time]*When{}, machines: map[string]bool{},
		rules: map[string]*ruleSum{}, agents: map[string]*Counts{}, repositories: map[string]*Counts{},
	}
	for day := first; !day.After(last); day = day.AddDate(0, 0, 1) {
		s.days = append(s.days, When{From: day.Format(time.DateOnly)})
	}
	return s
}

// Reset makes the summary what it was when it was new.
func (s *Summary) Reset() { *s = *NewSummary(s.first, s.now) }

func midnight(at time.Time) time.Time {
	return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
}

// Days are the names of the days that are wanted, in order.
func (s *Summary) Days() []string {
	out := make([]string, len(s.days))
	for i := range s.days {
		out[i] = s.first.AddDate(0, 0, i).Format(DayForm)
	}
	return out
}

// Add adds what a machine counted on a day, as [Day.Encode] wrote it. A day that is not wanted does nothing.
func (s *Summary) Add(machine, day string, data []byte) error {
	at, err := time.Parse(DayForm, day)
	index := int(at.Sub(s.first) / (24 * time.Hour))
	if err != nil || at.Before(s.first) || index >= len(s.days) {
		return nil //nolint:nilerr // a name that is no day is none that is wanted
	}
	if !s.read.read(data) {
		return ErrDay
	}
	s.machines[machine] = true
	s.addRows(index)
	for i, h := range s.read.hours {
		from := at.Add(time.Duration(i) * time.Hour)
		if h == (Hour{}) || s.now.Sub(from) > shownHours*time.Hour {
			continue
		}
		if s.hours[from] == nil {
			s.hours[from] = &When{}
		}
		w := s.hours[from]
		w.Fired, w.Heeded, w.Unheeded = w.Fired+h.Fired, w.Heeded+h.Heeded, w.Unheeded+h.Unheeded
	}
	return nil
}

// addRows adds the rows of the day that was read. Names are looked up once a day, not once a row: there are millions of rows.
func (s *Summary) addRows(day int) {
	count := max(len(s.read.texts), 1)
	rules, agents, repositories := make([]*ruleSum, count), make([]*Counts, count), make([]*Counts, count)
	w := &s.days[day]
	for i := range s.read.rows {
		row := &s.read.rows[i]
		c := &row.counts
		s.total.add(c)
		w.Fired, w.Heeded, w.Unheeded = w.Fired+c.Fired(), w.Heeded+c.Heeded, w.Unheeded+c.Unheeded
		r := rules[row.rule]
		if r == nil {
			r = s.rule(s.read.text(row.rule))
			rules[row.rule] = r
		}
		r.counts.add(c)
		r.days[day] += c.Fired()
		r.last = max(r.last, day)
		if agents[row.agent] == nil {
			agents[row.agent] = group(s.agents, s.read.text(row.agent))
		}
		agents[row.agent].add(c)
		if repositories[row.repository] == nil {
			repositories[row.repository] = group(s.repositories, s.read.text(row.repository))
		}
		repositories[row.repository].add(c)
		if name := s.read.text(row.agent); name != "" {
			r.agents[name] = true
		}
		if name := s.read.text(row.repository); name != "" {
			r.repositories[name] = true
		}
	}
}

// rule is the sum of a rule. Texts are copied: they are parts of a message.
func (s *Summary) rule(name string) *ruleSum {
	r := s.rules[name]
	if r == nil {
		r = &ruleSum{agents: map[string]bool{}, repositories: map[string]bool{}, days: make([]int, len(s.days))}
		s.rules[strings.Clone(name)] = r
	}
	return r
}

func group(in map[string]*Counts, name string) *Counts {
	c := in[name]
	if c == nil {
		c = &Counts{}
		in[strings.Clone(name)] = c
	}
	return c
}

// Report gives what was added up. asked are the rules of which those are told that did nothing.
func (s *Summary) Report(asked []string) Report {
	r := Report{
		Since: s.days[0].From, Until: s.days[len(s.days)-1].From, Machines: len(s.machines), Total: totals(s.total),
		Days: s.days, Hours: []When{}, Rules: []Rule{}, Agents: groups(s.agents), Repositories: groups(s.repositories), Never: []string{},
	}
	for from := s.now.Truncate(time.Hour).Add(-(shownHours - 1) * time.Hour); !from.After(s.now); from = from.Add(time.Hour) {
		if from.Before(s.first) {
			continue
		}
		w := When{}
		if known := s.hours[from]; known != nil {
			w = *known
		}
		w.From = from.Format("2006-01-02T15:04Z")
		r.Hours = append(r.Hours, w)
	}
	for name, sum := range s.rules {
		r.Rules = append(r.Rules, Rule{
			Name: name, Totals: totals(sum.counts), Agents: slices.Sorted(maps.Keys(sum.agents)), Repositories: len(sum.repositories),
			Last: s.days[sum.last].From, Days: sum.days,
		})
	}
	slices.SortFunc(r.Rules, func(a, b Rule) int {
		return cmp.Or(cmp.Compare(b.Fired, a.Fired), cmp.Compare(b.Given, a.Given), cmp.Compare(a.Name, b.Name))
	})
	for i := range r.Rules {
		if r.Rules[i].Agents == nil {
			r.Rules[i].Agents = []string{}
		}
	}
	for _, name := range asked {
		if s.rules[name] == nil {
			r.Never = append(r.Never, name)
		}
	}
	slices.Sort(r.Never)
	r.Never = slices.Compact(r.Never)
	return r
}

func groups(of map[string]*Counts) []Group {
	out := []Group{}
	for name, c := range of {
		out = append(out, Group{name, totals(*c)})
	}
	slices.SortFunc(out, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Fired, a.Fired), cmp.Compare(b.Given, a.Given), cmp.Compare(a.Name, b.Name))
	})
	return out
}
