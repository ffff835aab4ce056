package pertain

import (
	"context"
	"hash/maphash"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/strategy"
)

// loadedFile is a strategy file as it was last read.
type loadedFile struct {
	entry    strategy.Entry
	hash     uint64
	strategy *strategy.Strategy // as its file says, before ids are compared
	includes []string           // names of the files it was made from
	lost     []string           // names of those it was made from before its source vanished, to see it come back
	derived  bool               // it has a `from`
}

var hashSeed = maphash.MakeSeed()

// load builds the next catalog. With keepGood, a file that was valid and is now
// missing or invalid keeps its last good form, a new one that is not valid is
// left out, and both are returned as pending: an editor may be in the middle of
// saving them.
func (e *Engine) load(ctx context.Context, paths []string, keepGood bool) (next *Catalog, pending []string, err error) {
	previous := e.catalog.Load()
	known := 0
	if previous != nil {
		known = len(previous.files)
	}
	next = &Catalog{files: make(map[string]*loadedFile, known), providers: e.providers(previous, paths)}
	var work []fileTask
	for i, p := range next.providers {
		entries, err := entries(ctx, p, i, previous, paths)
		if err != nil {
			return nil, nil, err
		}
		keys := make([]string, 0, len(entries))
		for _, entry := range entries {
			key := p.ID() + "\x00" + entry.Name
			keys = append(keys, key)
			task := fileTask{provider: p, index: i, entry: entry, key: key}
			if previous != nil {
				task.previous = previous.files[key]
			}
			if task.previous != nil && len(paths) > 0 && !task.previous.concerns(paths) {
				next.files[key] = task.previous
				continue
			}
			work = append(work, task)
		}
		next.lists = append(next.lists, keys)
	}
	results, err := e.readAll(ctx, work)
	if err != nil {
		return nil, nil, err
	}
	for i, task := range work {
		file := results[i]
		if keepGood && !file.strategy.Valid && task.previous == nil && previous != nil { // not shown before it is written
			pending = append(pending, task.entry.Name)
			next.lists[task.index] = slices.DeleteFunc(next.lists[task.index], func(key string) bool { return key == task.key })
			continue
		}
		if keepGood && task.previous != nil && task.previous.strategy.Valid && !file.strategy.Valid {
			pending = append(pending, task.entry.Name)
			file = task.previous
		}
		next.files[task.key] = file
	}
	if keepGood && previous != nil {
		pending = append(pending, next.keepMissing(previous)...)
	}
	next.assemble(e.options)
	return next, pending, nil
}

// providers are those to load from. Only who looks at everything finds new ones.
func (e *Engine) providers(previous *Catalog, paths []string) []strategy.Provider {
	switch {
	case previous == nil:
		return e.options.Providers
	case len(paths) == 0 && e.options.Find != nil:
		return e.options.Find()
	}
	return previous.providers
}

// entries lists a provider's files: all of them, or those of last time with the
// given paths looked at again. The provider is the one of last time then.
func entries(ctx context.Context, p strategy.Provider, index int, previous *Catalog, paths []string) ([]strategy.Entry, error) {
	if previous == nil || len(paths) == 0 {
		return p.List(ctx)
	}
	entries := make([]strategy.Entry, 0, len(previous.lists[index])+len(paths))
	for _, key := range previous.lists[index] {
		entry := previous.files[key].entry
		if slices.Contains(paths, entry.Name) {
			continue // found again below, if it is still there
		}
		entries = append(entries, entry)
	}
	for _, path := range paths {
		if entry, ok := p.Find(path); ok {
			at, _ := slices.BinarySearchFunc(entries, entry, strategy.Entry.Compare)
			entries = slices.Insert(entries, at, entry)
		}
	}
	return entries, nil
}

// readAll reads and normalizes files on all cores, in the order of the work.
func (e *Engine) readAll(ctx context.Context, work []fileTask) ([]*loadedFile, error) {
	results := make([]*loadedFile, len(work))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(work)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(work) {
					return
				}
				results[i] = e.read(ctx, work[i])
			}
		})
	}
	wg.Wait()
	return results, ctx.Err()
}

type fileTask struct {
	provider strategy.Provider
	index    int // of the provider
	entry    strategy.Entry
	key      string
	previous *loadedFile // nil: not seen before
}

func (e *Engine) read(ctx context.Context, task fileTask) *loadedFile {
	file := &loadedFile{entry: task.entry}
	if task.entry.Problem != "" {
		if old := task.previous; old != nil && old.entry == task.entry {
			return old
		}
		file.strategy = strategy.Unreadable(task.entry.Name, task.entry.Problem, task.entry.Origin)
		return file
	}
	data, err := task.provider.Read(ctx, task.entry)
	if err != nil {
		file.strategy = strategy.Unreadable(task.entry.Name, discover.Reason(err), task.entry.Origin)
		return file
	}
	file.hash = maphash.Bytes(hashSeed, data)
	if old := task.previous; old != nil && old.hash == file.hash && !old.derived && old.entry == task.entry {
		return old
	}
	s := e.normalizer.Normalize(ctx, task.entry.Name, data, task.entry.Origin)
	if old := task.previous; old != nil && old.hash == file.hash && old.entry == task.entry && sameSources(old.strategy, s) {
		return old
	}
	file.strategy = s
	file.derived = s.Derived
	for _, source := range s.Includes {
		file.includes = append(file.includes, source.Name())
	}
	if old := task.previous; old != nil && s.Derived && len(file.includes) == 0 {
		file.lost = slices.Concat(old.includes, old.lost)
	}
	return file
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
	if slices.Contains(paths, f.entry.Name) || f.derived && len(f.includes) == 0 {
		return true
	}
	return slices.ContainsFunc(f.includes, func(name string) bool { return slices.Contains(paths, name) })
}

// keepMissing takes over files that were valid and are not listed any more,
// except those of providers that are gone.
func (c *Catalog) keepMissing(previous *Catalog) (pending []string) {
	for old, keys := range previous.lists {
		i := slices.IndexFunc(c.providers, func(p strategy.Provider) bool { return p.ID() == previous.providers[old].ID() })
		if i < 0 {
			continue
		}
		for at, key := range keys {
			old := previous.files[key]
			if c.files[key] != nil || !old.strategy.Valid {
				continue
			}
			c.files[key] = old
			c.lists[i] = slices.Insert(c.lists[i], min(at, len(c.lists[i])), key)
			pending = append(pending, old.entry.Name)
		}
	}
	return pending
}

// assemble compares ids, applies the settings and collects what there is to say.
func (c *Catalog) assemble(options Options) {
	disabled := map[string]bool{}
	for _, id := range options.Disabled {
		disabled[strategy.Key(id)] = true
	}
	c.byID = make(map[string]*strategy.Strategy, len(c.files))
	c.order = make(map[string]int, len(c.providers))
	c.diagnostics = slices.Clone(options.Diagnostics)
	c.strategies = make([]*strategy.Strategy, 0, len(c.files))
	c.members = make([]cond.Member, 0, len(c.files))
	c.member = make([]int, 0, len(c.files))
	for i, p := range c.providers {
		c.order[p.ID()] = i
		first := make(map[string]*strategy.Strategy, len(c.lists[i]))
		for _, key := range c.lists[i] {
			s := c.files[key].strategy
			if key := s.OwnKey(); key != "" {
				if other := first[key]; other != nil {
					s = s.Duplicate(other)
				} else {
					first[key] = s
				}
			}
			if disabled[strategy.Key(s.ID)] && s.Enabled {
				off := *s
				off.Enabled = false
				s = &off
			}
			c.add(s)
		}
	}
}

func (c *Catalog) add(s *strategy.Strategy) {
	c.strategies = append(c.strategies, s)
	c.diagnostics = append(c.diagnostics, s.Diagnostics...)
	if !s.Trusted {
		c.untrusted.Add(untrustedStrategy(s))
	}
	id := strategy.Key(s.ID)
	if old := c.byID[id]; old == nil || !old.Valid && s.Valid {
		c.byID[id] = s
	}
	if active(s) {
		c.needs.Merge(s.Needs)
		c.members = append(c.members, cond.Member{Program: s.Program, Limits: s.Limits})
		c.member = append(c.member, len(c.strategies)-1)
	}
}

// Sources are the files that strategies were made from beside their own, for
// watching.
func (c *Catalog) Sources() []string {
	var names []string
	for _, f := range c.files {
		names = append(names, f.includes...)
		names = append(names, f.lost...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
