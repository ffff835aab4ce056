package pertain

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/strategy"
)

// Candidate is a strategy with the result of matching it.
type Candidate struct {
	Strategy    *strategy.Strategy
	Title       string // in the language of the context; empty: it has none
	Result      cond.Tri
	Duration    time.Duration
	Permissions []string  // in plain sentences
	Diagnostics diag.List // of loading and of matching
	Reasons     []string  // as [Explanation.Reasons]; nil unless [MatchOptions] asks for them

	encoded *encoded // nil: of no catalog
}

// Shown is what people see: the title, or else the name.
func (c Candidate) Shown() string {
	if c.Title != "" || c.Strategy == nil {
		return c.Title
	}
	return c.Strategy.Name
}

// Locale is the language that titles are chosen for in a context; empty: it is not
// known.
func Locale(snapshot *facts.Snapshot) string {
	path, _ := facts.Lookup("environment.locale")
	return snapshot.At(path).Text()
}

func (c *Catalog) candidate(s *strategy.Strategy, snapshot *facts.Snapshot, result cond.Tri, took time.Duration, list diag.List) Candidate {
	p := c.encodingOf(s)
	out := Candidate{Strategy: s, Title: titleFor(s, snapshot), Result: result, Duration: took, Permissions: p.permissions, encoded: p}
	out.Diagnostics = append(slices.Clone(s.Diagnostics), list...)
	if !s.Trusted {
		out.Diagnostics = append(out.Diagnostics, untrustedStrategy(s))
	}
	return out
}

func titleFor(s *strategy.Strategy, snapshot *facts.Snapshot) string {
	if len(s.Titles) == 0 {
		return ""
	}
	return s.TitleFor(Locale(snapshot))
}

// AppendJSON appends the documented form (docs/reference/json.md), for programs that answer
// often: the parts that are the same in every answer are encoded only once.
func (c Candidate) AppendJSON(b []byte) ([]byte, error) {
	p := c.encoded
	if p == nil || p.strategy != c.Strategy || !slices.Equal(p.permissions, c.Permissions) {
		p = encode(c.Strategy, c.Permissions)
	}
	if p.written.Do(p.write); p.failed != nil {
		return b, p.failed
	}
	b = append(b, p.head...)
	b = append(b, c.Result.String()...)
	b = append(b, `,"durationMs":`...)
	b = strconv.AppendFloat(b, milliseconds(c.Duration), 'f', -1, 64)
	b = append(b, `,"title":`...)
	b, err := appendTitle(b, c.Title)
	if err != nil {
		return b, err
	}
	b = append(b, p.tail...)
	b, err = appendDiagnostics(b, c.Diagnostics)
	return append(b, '}'), err
}

func appendTitle(b []byte, title string) ([]byte, error) {
	if title == "" {
		return append(b, "null"...), nil
	}
	text, err := json.Marshal(title)
	return append(b, text...), err
}

func appendDiagnostics(b []byte, list diag.List) ([]byte, error) {
	if len(list) == 0 {
		return append(b, "[]"...), nil
	}
	text, err := json.Marshal(list)
	return append(b, text...), err
}

// MarshalJSON writes the documented form.
func (c Candidate) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// MarshalJSON writes the documented form.
func (m Match) MarshalJSON() ([]byte, error) { return m.AppendJSON(nil) }

// AppendJSON appends the documented form.
func (m Match) AppendJSON(b []byte) ([]byte, error) {
	var err error
	b = append(b, `{"candidates":[`...)
	for i, c := range m.Candidates {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = c.AppendJSON(b); err != nil {
			return b, err
		}
	}
	b = append(b, `],"diagnostics":`...)
	if b, err = appendDiagnostics(b, m.Diagnostics); err != nil {
		return b, err
	}
	notices, err := json.Marshal(orEmpty(m.Notices))
	b = append(b, `,"notices":`...)
	return append(append(b, notices...), '}'), err
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
