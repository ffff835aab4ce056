package pertain

import (
	"context"
	"errors"
	"hash/maphash"
	"slices"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/strategy"
)

// loadedFile is a strategy file as it was last read.
type loadedFile struct {
	entry    strategy.Entry
	hash     uint64
	load     fileLoad           // with that of its sources
	left     string             // the limit beyond which it is; empty: none
	strategy *strategy.Strategy // as its file says, before ids are compared
	includes []string           // names of the files it was made from
	lost     []string           // names of those it was made from before its source vanished, to see it come back
	derived  bool               // it has a `from`
	failure  string             // why it could not be read
	limits   cond.Limits        // that it was compiled with, where it says nothing else

	shown     *strategy.Strategy // as the last catalog had it; nil: as its file says
	shownWith changes            // what made that different
}

var hashSeed = maphash.MakeSeed()

type fileTask struct {
	provider strategy.Provider
	index    int // of the provider
	entry    strategy.Entry
	key      string
	previous *loadedFile // nil: not seen before
	before   fileLoad    // of the provider's files before it that are not read again
}

func (e *Engine) read(ctx context.Context, task fileTask, normalizer *strategy.Normalizer) *loadedFile {
	file := &loadedFile{entry: task.entry, limits: e.options.Limits}
	if task.entry.Problem != "" {
		if old := task.previous; old != nil && old.entry == task.entry {
			return old
		}
		file.strategy = strategy.Refused(task.entry)
		return file
	}
	data, err := task.provider.Read(ctx, task.entry)
	if err != nil {
		file.failure = fileerror.Reason(err)
		if old := task.previous; old != nil && old.entry == task.entry && old.failure == file.failure {
			return old
		}
		refused := task.entry
		refused.Problem, refused.Code = file.failure, strategyfile.ProblemCode(err)
		file.strategy = strategy.Refused(refused)
		if large := (*files.TooLargeError)(nil); errors.As(err, &large) {
			file.strategy = strategy.TooLarge(task.entry.Name, file.failure, task.entry.Origin)
		}
		return file
	}
	file.load.bytes = len(data)
	file.hash = maphash.Bytes(hashSeed, data)
	if old := task.previous; old.readSame(file) && !old.derived {
		return old
	}
	s := normalizer.Normalize(ctx, task.entry.Name, data, task.entry.Origin)
	if old := task.previous; old.readSame(file) && sameSources(old.strategy, s) {
		return old
	}
	file.strategy = s
	file.derived = s.Derived
	if !task.entry.Origin.Trusted {
		file.load.effort = s.Effort
	}
	for _, source := range s.Includes {
		file.includes = append(file.includes, source.Name())
		file.load.bytes += len(source.Text())
	}
	if old := task.previous; old != nil && s.Derived && len(file.includes) == 0 {
		file.lost = slices.Concat(old.includes, old.lost)
	}
	return file
}

// readSame tells whether a file, which may be nil, held the same when it was last
// read.
func (f *loadedFile) readSame(now *loadedFile) bool {
	return f != nil && f.failure == "" && f.hash == now.hash && f.entry == now.entry && f.limits == now.limits
}

// sameSources tells whether two readings of one file came to the same because
// its `from` source has not changed either.
func sameSources(a, b *strategy.Strategy) bool {
	return slices.EqualFunc(a.Includes, b.Includes, func(x, y *diag.Source) bool { return x.Name() == y.Name() && x.Text() == y.Text() }) &&
		slices.EqualFunc(a.Diagnostics, b.Diagnostics, func(x, y diag.Diagnostic) bool { return x.Code == y.Code && x.Message == y.Message })
}

// concerns tells whether a change of these paths may change the strategy. One
// whose source was not found is always tried again.
func (f *loadedFile) concerns(paths []string) bool {
	if slices.Contains(paths, f.entry.Name) || f.derived && len(f.includes) == 0 || f.left != "" {
		return true
	}
	return slices.ContainsFunc(f.includes, func(name string) bool { return slices.Contains(paths, name) })
}
