package pertain

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// Candidate is a strategy with the result of matching it.
type Candidate struct {
	Strategy    *strategy.Strategy
	Result      cond.Tri
	Duration    time.Duration
	Permissions []string  // in plain sentences
	Diagnostics diag.List // of loading and of matching
}

func (c *Catalog) candidate(s *strategy.Strategy, result cond.Tri, took time.Duration, list diag.List) Candidate {
	out := Candidate{Strategy: s, Result: result, Duration: took, Permissions: plan.Permissions(s, nil)}
	out.Diagnostics = append(slices.Clone(s.Diagnostics), list...)
	if !s.Trusted {
		out.Diagnostics = append(out.Diagnostics, untrustedStrategy(s))
	}
	return out
}

// candidateJSON is the documented form (CONTRACT §4).
type candidateJSON struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Description *string   `json:"description"`
	Icon        *string   `json:"icon"`
	Priority    int       `json:"priority"`
	Provider    string    `json:"provider"`
	Source      string    `json:"source"`
	Includes    []string  `json:"includes"`
	Enabled     bool      `json:"enabled"`
	Valid       bool      `json:"valid"`
	Trusted     bool      `json:"trusted"`
	Result      cond.Tri  `json:"result"`
	DurationMS  float64   `json:"durationMs"`
	Reads       []string  `json:"reads"`
	Permissions []string  `json:"permissions"`
	Diagnostics diag.List `json:"diagnostics"`
}

func (c Candidate) wire() candidateJSON {
	s := c.Strategy
	w := candidateJSON{
		ID: s.ID, Name: s.Name, Priority: s.Priority, Provider: s.Provider, Source: s.Source.Name(), Includes: []string{},
		Enabled: s.Enabled, Valid: s.Valid, Trusted: s.Trusted, Result: c.Result, DurationMS: milliseconds(c.Duration),
		Reads: orEmpty(s.Needs.Names()), Permissions: orEmpty(c.Permissions), Diagnostics: c.Diagnostics,
	}
	if s.Description != "" {
		w.Description = &s.Description
	}
	if s.Icon != "" {
		w.Icon = &s.Icon
	}
	for _, include := range s.Includes {
		w.Includes = append(w.Includes, include.Name())
	}
	return w
}

// MarshalJSON writes the documented form.
func (c Candidate) MarshalJSON() ([]byte, error) { return json.Marshal(c.wire()) }

// MarshalJSON writes the documented form.
func (m Match) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Candidates  []Candidate `json:"candidates"`
		Diagnostics diag.List   `json:"diagnostics"`
		Notices     []Notice    `json:"notices"`
	}{orEmpty(m.Candidates), m.Diagnostics, orEmpty(m.Notices)})
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
