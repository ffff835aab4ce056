package pertain

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/strategy"
)

// load builds the next catalog. While a file waits, one that was valid and is now
// missing or invalid keeps its last good form, a new one that is not valid is
// left out, and both are returned as pending: an editor may be in the middle of
// saving them. With a nil function none waits.
func (e *Engine) load(ctx context.Context, paths []string, waits func(name string) bool) (next *Catalog, pending []string, err error) {
	if waits == nil {
		waits = func(string) bool { return false }
	}
	previous := e.catalog.Load()
	paths = spellings(paths)
	known := 0
	if previous != nil {
		known = len(previous.files)
	}
	next = &Catalog{files: make(map[string]*loadedFile, known), providers: e.providers(ctx, previous, paths)}
	var work []fileTask
	kept := make([]fileLoad, len(next.providers)) // of what is not read again
	for i, p := range next.providers {
		entries, err := entries(ctx, p, i, previous, paths)
		if err != nil {
			return nil, nil, err
		}
		keys := make([]string, 0, len(entries))
		seen := make(map[string]bool, len(entries))
		for _, entry := range entries {
			key := p.ID() + "\x00" + entry.Name
			if seen[key] {
				continue // one of a provider's folders lies in another: the first counts
			}
			seen[key] = true
			keys = append(keys, key)
			task := fileTask{provider: p, index: i, entry: entry, key: key}
			if previous != nil {
				task.previous = previous.files[key]
			}
			if task.previous != nil && len(paths) > 0 && !task.previous.concerns(paths) {
				next.files[key] = task.previous
				kept[i] = kept[i].plus(task.previous.load)
				continue
			}
			task.before = kept[i]
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
		if !file.strategy.Valid && task.previous == nil && previous != nil && waits(task.entry.Name) { // not shown before it is written
			pending = append(pending, task.entry.Name)
			next.lists[task.index] = slices.DeleteFunc(next.lists[task.index], func(key string) bool { return key == task.key })
			continue
		}
		if task.previous != nil && task.previous.strategy.Valid && !file.strategy.Valid && waits(task.entry.Name) {
			pending = append(pending, task.entry.Name)
			file = task.previous
		}
		next.files[task.key] = file
	}
	if previous != nil {
		pending = append(pending, next.keepMissing(previous, waits)...)
	}
	next.leaveOut()
	follow.Note(ctx, next.sources()...) // for resolvers that do not note what they read
	next.budget = e.options.MatchBudget
	next.assemble(e.options, e.registry)
	return next, pending, nil
}

// spellings are paths, each once, as given and as providers write them.
func spellings(paths []string) []string {
	out := slices.Clone(paths)
	for _, path := range paths {
		out = append(out, filepath.Clean(path))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// providers are those to load from. Only who looks at everything finds new ones.
func (e *Engine) providers(ctx context.Context, previous *Catalog, paths []string) []strategy.Provider {
	switch {
	case previous == nil:
		return e.options.Providers
	case len(paths) == 0 && e.options.find != nil:
		noteFolders(ctx, e.options.findIn)
		return e.options.find()
	}
	return previous.providers
}

// entries lists a provider's files: all of them, or those of last time with the
// given paths looked at again. The provider is the one of last time then.
func entries(ctx context.Context, p strategy.Provider, index int, previous *Catalog, paths []string) ([]strategy.Entry, error) {
	if previous == nil || len(paths) == 0 {
		entries, err := p.List(ctx)
		noteProvider(ctx, p, entries)
		return entries, err
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
		entry, ok := p.Find(path)
		if ok && !slices.ContainsFunc(entries, func(known strategy.Entry) bool { return known.Name == entry.Name }) {
			at, _ := slices.BinarySearchFunc(entries, entry, strategy.Entry.Compare)
			entries = slices.Insert(entries, at, entry)
		}
	}
	return entries, nil
}

// readAll reads and normalizes files on all cores, in the order of the work.
func (e *Engine) readAll(ctx context.Context, work []fileTask) ([]*loadedFile, error) {
	if len(work) == 0 {
		return nil, ctx.Err()
	}
	results := make([]*loadedFile, len(work))
	var next atomic.Int64
	var wg sync.WaitGroup
	var turns files.Turns
	normalizer := e.normalizer.Together()
	sums := map[int]*providerSum{}
	for _, task := range work {
		if sums[task.index] == nil {
			sums[task.index] = &providerSum{}
		}
	}
	for range min(runtime.GOMAXPROCS(0), len(work)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(work) {
					return
				}
				sum := sums[work[i].index]
				var file *loadedFile
				if !sum.full.Load() {
					file = e.read(ctx, work[i], normalizer)
				}
				turns.Take(i, func() { results[i] = sum.add(work[i], file) })
			}
		})
	}
	wg.Wait()
	return results, ctx.Err()
}

// What the strategies of one provider may have in all, with the sources that they start from. A workspace comes from strangers,
// and one blob under many names costs a repository nothing; fields cost far more than text, and those that need mending most.
const (
	maxProvider = 64 << 20 // bytes
	maxEffort   = 6 << 20  // bytes of frontmatter, as often as they are read, where the workspace is not trusted
)

// fileLoad is what reading a file took, or several.
type fileLoad struct{ bytes, effort int }

func (l fileLoad) plus(more fileLoad) fileLoad {
	return fileLoad{l.bytes + more.bytes, l.effort + more.effort}
}

// excess says which limit it is beyond; empty: none.
func (l fileLoad) excess() string {
	switch {
	case l.bytes > maxProvider:
		return fmt.Sprintf("the %d MiB that are read of one provider", maxProvider>>20)
	case l.effort > maxEffort:
		return fmt.Sprintf("the %d MiB of frontmatter that are read of a workspace that is not trusted, counted as often as it must be read to be mended, and with what aliases stand for", maxEffort>>20)
	}
	return ""
}

// providerSum is what was read of a provider.
type providerSum struct {
	load fileLoad
	full atomic.Bool // what follows is not loaded
	what string      // the limit
}

// add counts a file, in the order of the provider's list; nil was not read.
func (s *providerSum) add(task fileTask, file *loadedFile) *loadedFile {
	if file != nil && !s.full.Load() {
		sum := s.load.plus(file.load)
		if s.what = task.before.plus(sum).excess(); s.what == "" {
			s.load = sum
			return file
		}
	}
	s.full.Store(true)
	return leftOut(task.entry, task.previous, s.what)
}

// leftOut is a file that is over the limit, the same one each time.
func leftOut(entry strategy.Entry, previous *loadedFile, limit string) *loadedFile {
	if previous != nil && previous.left == limit && previous.entry == entry {
		return previous
	}
	problem := "with the files before it, it has more than " + limit
	return &loadedFile{entry: entry, left: limit, strategy: strategy.TooLarge(entry.Name, problem, entry.Origin)}
}

// leaveOut leaves out what is over the limit after files have grown.
func (c *Catalog) leaveOut() {
	for _, keys := range c.lists {
		var sum fileLoad
		limit := ""
		for _, key := range keys {
			file := c.files[key]
			sum = sum.plus(file.load)
			if limit = cmp.Or(limit, file.left, sum.excess()); limit != "" && file.left == "" {
				c.files[key] = leftOut(file.entry, file, limit)
			}
		}
	}
}

// keepMissing takes over files that were valid and are not listed any more,
// except those of providers that are gone.
func (c *Catalog) keepMissing(previous *Catalog, waits func(name string) bool) (pending []string) {
	for old, keys := range previous.lists {
		i := slices.IndexFunc(c.providers, func(p strategy.Provider) bool { return p.ID() == previous.providers[old].ID() })
		if i < 0 {
			continue
		}
		for at, key := range keys {
			old := previous.files[key]
			if c.files[key] != nil || !old.strategy.Valid || !waits(old.entry.Name) {
				continue
			}
			c.files[key] = old
			c.lists[i] = slices.Insert(c.lists[i], min(at, len(c.lists[i])), key)
			pending = append(pending, old.entry.Name)
		}
	}
	return pending
}
