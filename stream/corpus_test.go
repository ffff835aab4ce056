package stream_test

import (
	"fmt"

	"github.com/pertain-dev/pertain/internal/regex/regextest"
	"github.com/pertain-dev/pertain/stream"
)

// corpus gives n triggers of the kinds that rules have.
func corpus(n int) []stream.Trigger {
	var out []stream.Trigger
	for i, pattern := range regextest.NewCorpus(n).Patterns {
		out = append(out, stream.Trigger{Name: fmt.Sprintf("rule-%d", i), Patterns: []string{pattern}})
	}
	return out
}

// output gives size bytes of what a model says: prose, and code.
func output(size int) string { return regextest.Output(size, 3) }

// tokens cuts a text into pieces of 4 to 20 bytes.
func tokens(text string) []string { return regextest.Pieces(text) }
