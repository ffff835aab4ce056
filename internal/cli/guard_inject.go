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
// has spoken, and what an earlier call left there is not taken for this one's. A
// block that cannot be written takes nothing from the trigger's exit code, and the
// file goes: an empty one says that no rule fired.
func (a *app) guardInto(ctx context.Context, g *guard, inject string) (fired bool, err error) {
	if inject == "" {
		return g.run(ctx, a.call.Stdin)
	}
	failed := func(err error) error {
		return usage("--inject %s: the file cannot be written: %s", inject, fileerror.Reason(err))
	}
	into, err := a.injection(a.abs(inject))
	if err != nil {
		return false, failed(err)
	}
	defer into.done()
	fired, err = g.run(ctx, a.call.Stdin)
	if block := stream.Injection(g.fired...); block != "" {
		if unwritten := into.leave(block + "\n"); unwritten != nil {
			into.discard()
			unwritten = failed(unwritten)
			if err != nil {
				return fired, errors.Join(err, unwritten)
			}
			return fired, &exit{exitTrigger, unwritten.Error()}
		}
	}
	return fired, err
}

// injection is a file that the block for the model goes into.
type injection struct {
	leave   func(text string) error
	discard func() // what is in it is not the block
	done    func() // called in the end
}

// injection empties a file for a block.
func (a *app) injection(path string) (*injection, error) {
	nothing := func() {}
	if writing.IsDescriptor(path) {
		f, err := writing.OpenDescriptor(path)
		if err != nil {
			return nil, err
		}
		return &injection{func(text string) error { _, err := io.WriteString(f, text); return err }, nothing, func() { f.Close() }}, nil
	}
	target, err := writing.NamedTarget(path, a.dir())
	if err != nil {
		return nil, err
	}
	if err := ownBlock(path, target.Path()); err != nil {
		return nil, err
	}
	leave := func(text string) error { return target.Put([]byte(text), 0o600) }
	return &injection{leave, func() { _ = target.Remove() }, nothing}, leave("")
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
