package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
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
	if err := ownBlock(path, target.Path()); err != nil {
		return nil, nil, err
	}
	leave = func(text string) error { return target.Put([]byte(text), 0o600) }
	return leave, func() {}, leave("")
}

// blockBegins is how a block for a model begins.
const blockBegins = "<system-interrupt "

// maxBlock is how much of a file is read for what it begins with, in bytes.
const maxBlock = 1 << 20

// ownBlock refuses a file that a link leads to and that holds something else than an earlier block: a repository can bring a link of the
// name that the user takes, and what is there may be the only copy.
func ownBlock(named, path string) error {
	info, err := os.Lstat(named)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return nil //nolint:nilerr // a new file
	}
	data, err := files.OS().ReadFile(path, maxBlock)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(data) > 0 && !strings.HasPrefix(string(data), blockBegins):
		return fmt.Errorf("it is a link to %s, which holds something else; remove the link, or name another file", path)
	}
	return nil
}
