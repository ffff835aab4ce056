// Package stream measures how long a piece of a model's output takes to be watched
// by many triggers.
package stream

import (
	"fmt"

	"github.com/pertain-dev/pertain/internal/regex/regextest"
	"github.com/pertain-dev/pertain/stream"
)

// Corpus is triggers, and texts to watch.
type Corpus struct{ *regextest.Corpus }

// NewCorpus gives n triggers of the kinds that rules have.
func NewCorpus(n int) *Corpus { return &Corpus{regextest.NewCorpus(n)} }

// Triggers are those of the corpus for Pertain.
func (c *Corpus) Triggers() []stream.Trigger {
	var out []stream.Trigger
	for i, p := range c.Patterns {
		out = append(out, stream.Trigger{Name: fmt.Sprintf("rule-%d", i), Patterns: []string{p}})
	}
	return out
}
