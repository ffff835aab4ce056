package cli

import (
	"context"
	"errors"
	"io"

	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/writing"
	"github.com/pertain-dev/pertain/stream"
)

// guardInto runs a guard and leaves the block for the model in a file, if one is
// named. The file is emptied first: who cannot write it is told before the model
// has spoken, and what an earlier call left there is not taken for this one's.
func (a *app) guardInto(ctx context.Context, g *guard, inject string) (fired bool, err error) {
	if inject == "" {
		return g.run(ctx, a.call.Stdin)
	}
	failed := func(err error) error {
		return usage("--inject %s: the file cannot be written: %s", inject, fileerror.Reason(err))
	}
	leave, done, err := a.injection(a.abs(inject))
	if err != nil {
		return false, failed(err)
	}
	defer done()
	fired, err = g.run(ctx, a.call.Stdin)
	if block := stream.Injection(g.fired...); block != "" {
		if unwritten := leave(block + "\n"); unwritten != nil {
			err = errors.Join(err, failed(unwritten))
		}
	}
	return fired, err
}

// injection empties a file, and gives what writes to it and what is called in the
// end.
func (a *app) injection(path string) (leave func(text string) error, done func(), err error) {
	if writing.IsDescriptor(path) {
		f, err := writing.OpenDescriptor(path)
		if err != nil {
			return nil, nil, err
		}
		return func(text string) error { _, err := io.WriteString(f, text); return err }, func() { f.Close() }, nil
	}
	target, err := writing.NamedTarget(path, a.dir())
	if err != nil {
		return nil, nil, err
	}
	leave = func(text string) error { return target.Put([]byte(text), 0o600) }
	return leave, func() {}, leave("")
}
