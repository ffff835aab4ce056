package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
)

// maxKeptRules is how many rulebooks a server keeps. The globs of a stranger's repository may make one of some ten megabytes.
const maxKeptRules = 4

// keptRules are the rulebooks of a server that were asked for last: reading the rules and compiling their globs takes longer than
// any question about them, and each question would have a copy of its own. A rulebook is given again as long as all that was
// looked at to make it is as it was.
type keptRules struct {
	mu    sync.Mutex
	books []*keptBook // the one that was asked for last is the first
}

// keptBook is one rulebook and what it was made of. Who has its turn may read and change what follows it.
type keptBook struct {
	key  string
	turn chan struct{} // holds one: questions at the same time read the rules once

	book  *pertain.Rulebook // nil: none that can be kept
	looks []follow.Look
	sum   string
	above string // names in the folders above
}

// open gives the rules of a folder as they are on disk now; load reads them.
func (k *keptRules) open(ctx context.Context, dir string, options pertain.RuleOptions, load func(context.Context) (*pertain.Rulebook, error)) (*pertain.Rulebook, error) {
	if options.Nested { // made of a whole tree, which takes as long to look at again
		return load(ctx)
	}
	kept := k.of(rulesKey(dir, options))
	select {
	case kept.turn <- struct{}{}:
		defer func() { <-kept.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	above := follow.NamesAbove(dir, discover.MayHoldRules)
	if kept.book != nil && above == kept.above && follow.Unchanged(kept.looks, kept.sum) {
		return kept.book, nil
	}
	kept.book = nil // before the next one is made: both need not be in memory
	recorded, notes := follow.Recording(ctx)
	book, err := load(recorded)
	if err != nil {
		return nil, err
	}
	looks, sum, sure := notes.Saved(book.Root, nil)
	if sure && above != "" && above == follow.NamesAbove(dir, discover.MayHoldRules) {
		kept.book, kept.looks, kept.sum, kept.above = book, looks, sum, above
	}
	return book, nil
}

// of is the place for a rulebook. The one that nobody has asked for longest makes room; who uses it still has it.
func (k *keptRules) of(key string) *keptBook {
	k.mu.Lock()
	defer k.mu.Unlock()
	at := slices.IndexFunc(k.books, func(b *keptBook) bool { return b.key == key })
	if at < 0 {
		at = len(k.books)
		k.books = append(k.books, &keptBook{key: key, turn: make(chan struct{}, 1)})
	}
	found := k.books[at]
	copy(k.books[1:], k.books[:at])
	k.books[0] = found
	if len(k.books) > maxKeptRules {
		k.books[maxKeptRules] = nil
		k.books = k.books[:maxKeptRules]
	}
	return found
}

// rulesKey is all that decides which rules are asked for. Of files that is what is there of their folders: two new files of one
// folder have the same rules. A file that is a link is one of its own.
func rulesKey(dir string, options pertain.RuleOptions) string {
	key := []string{dir, options.Agent}
	for _, flag := range []bool{options.Agents, options.Documented, options.Own} {
		if flag {
			key = append(key, "+")
		} else {
			key = append(key, "-")
		}
	}
	var folders []string
	for _, path := range options.Files {
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
			folders = append(folders, path)
		}
		folders = append(folders, files.PresentFolder(files.OS(), filepath.Dir(path)))
	}
	slices.Sort(folders)
	return strings.Join(append(key, slices.Compact(folders)...), "\x00")
}
