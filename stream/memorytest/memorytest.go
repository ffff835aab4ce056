// Package memorytest checks implementations of [stream.Memory].
//
// Use [Run] first, in a test of the package that has the implementation; [Check] does
// the same without a [testing.T].
//
// What cannot be checked from here is what happens when the machine stops in the
// middle of a Save: whoever loads then has to find the last record or the one before.
// A backend that keeps records on a disk writes the new one beside the old one,
// flushes it, and puts it in its place.
package memorytest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// Run runs each check as a subtest. open gives the memory of one conversation, in
// which nothing was saved before. It is called often, and gives the same conversation
// each time, as the next process would find it. t is that of the subtest.
func Run(t *testing.T, open func(t *testing.T) stream.Memory) {
	t.Helper()
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			err := c.run(t.Context(), func() (stream.Memory, error) { return open(t), nil })
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// Check runs all checks and gives what is wrong, nil if nothing is. For open see
// [Run].
func Check(ctx context.Context, open func() (stream.Memory, error)) error {
	var wrong []error
	for _, c := range checks {
		if err := c.run(ctx, open); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", c.name, err))
		}
	}
	return errors.Join(wrong...)
}

type opener func() (stream.Memory, error)

// checks are run in this order, on one conversation: the first finds it empty.
var checks = []struct {
	name string
	run  func(context.Context, opener) error
}{
	{"empty", empty},
	{"keeps everything", keeps},
	{"keeps many rules", keepsMany},
	{"replaces the whole record", replaces},
	{"goes back to nothing", clears},
	{"does not keep the map", ownsNothing},
	{"does not lend its map", lendsNothing},
	{"never shows a part", wholly},
	{"is used at once", together},
	{"ends when cancelled", cancelled},
	{"lets a watcher go on", watched},
}
