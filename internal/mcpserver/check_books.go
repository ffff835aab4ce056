package mcpserver

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
	"github.com/pertain-dev/pertain/toolcall"
)

// rulebooks are the rules that were read for one tool call, which may add any number of files.
type rulebooks struct {
	read    map[ruleKey]*readRules
	namers  map[string]*files.Namer // by root
	present map[string]string       // what is there of folders
	passed  int                     // parts of the call whose folder was one too many
}

// maxRuleFolders is in how many folders the files of one call may be that rules are looked for in.
const maxRuleFolders = 50

func newRulebooks() *rulebooks {
	return &rulebooks{read: map[ruleKey]*readRules{}, namers: map[string]*files.Namer{}, present: map[string]string{}}
}

// namer names files in the project of a root.
func (b *rulebooks) namer(root string) *files.Namer {
	namer := b.namers[root]
	if namer == nil {
		namer = files.NewNamer(root)
		b.namers[root] = namer
	}
	return namer
}

// ruleKey is what decides which rules there are for a file: what is there of its folder, or the file itself where it may be a link
// to anywhere.
type ruleKey struct {
	space Workspace
	path  string
}

// key is that of a file; an empty path: of none.
func (b *rulebooks) key(w Workspace, path string) ruleKey {
	if path == "" {
		return ruleKey{space: w}
	}
	folder := filepath.Dir(path)
	there, known := b.present[folder]
	if !known {
		there = files.PresentFolder(files.OS(), folder)
		b.present[folder] = there
	}
	if there == folder {
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
			there = path
		}
	}
	return ruleKey{w, there}
}

// readRules are the rules for a file, and what their triggers found in a text.
type readRules struct {
	set       *stream.Set
	rules     []*rule.Rule   // by trigger
	narrowed  []bool         // by trigger: it is for some files
	broken    []*brokenFiles // by trigger; nil: nowhere yet
	unread    int            // files and folders of rules that were left out
	unwatched int            // patterns that did not fit

	stream    *stream.Stream
	text      *string // that it has seen; nil: none
	fired     []stream.Firing
	undecided []stream.Undecided

	does  toolcall.Kind // that plain is about
	loose bool          // likewise: the folder is not known
	plain []int8        // by trigger that is for any file: whether it applies; 0: not known
}

// open gives the rules of a workspace for a file, or for none.
func (b *rulebooks) open(ctx context.Context, w Workspace, path string) (*readRules, error) {
	key := b.key(w, path)
	if known := b.read[key]; known != nil {
		return known, nil
	}
	var paths []string
	if path != "" {
		paths = []string{path}
		if len(b.read) >= maxRuleFolders {
			b.passed++
			if key, paths = (ruleKey{space: w}), nil; b.read[key] != nil {
				return b.read[key], nil
			}
		}
	}
	book, err := w.Rules(ctx, pertain.RuleOptions{Files: paths})
	if err != nil {
		return nil, err
	}
	b.read[key] = newReadRules(book)
	return b.read[key], nil
}

func newReadRules(book *pertain.Rulebook) *readRules {
	set, problems := stream.Compile(stream.FromRules(book.Rules(), filepath.ToSlash(book.Root)), stream.Options{}) // a pattern that cannot be read never fires; lint tells
	r := &readRules{set: set, unread: len(book.LeftOut()), stream: set.Stream()}
	for _, p := range problems {
		if p.Full {
			r.unwatched++
		}
	}
	named := map[string]*rule.Rule{}
	for _, one := range book.Bucket(rule.TTSR) {
		named[one.Name] = one
	}
	for i := range set.Len() {
		t := set.Trigger(i)
		r.rules = append(r.rules, named[t.Name])
		r.narrowed = append(r.narrowed, t.Globs != nil || slices.ContainsFunc(t.Scope, func(word string) bool { return strings.Contains(word, "(") }))
	}
	r.broken, r.plain = make([]*brokenFiles, set.Len()), make([]int8, set.Len())
	return r
}

// feed has the triggers look at a text, unless they just did: one text may be meant for many files.
func (r *readRules) feed(ctx context.Context, text string) error {
	if r.text != nil && *r.text == text {
		return nil
	}
	r.stream.Reset()
	r.text, r.fired = nil, r.fired[:0]
	for rest := text; rest != ""; {
		if err := ctx.Err(); err != nil {
			return err
		}
		piece := rest[:min(judgedPiece, len(rest))]
		rest = rest[len(piece):]
		r.fired = append(r.fired, r.stream.Feed(piece)...)
	}
	r.fired = append(r.fired, r.stream.End()...)
	r.fired = slices.DeleteFunc(r.fired, func(f stream.Firing) bool { return r.rules[f.Trigger] == nil })
	slices.SortFunc(r.fired, func(a, b stream.Firing) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Trigger, b.Trigger))
	})
	r.undecided, r.text = r.stream.Undecided(), &text
	return nil
}

// anywhere tells whether a trigger that is for any file is for a call.
func (r *readRules) anywhere(trigger int, source *stream.Source) bool {
	if r.does != source.Does || r.loose != source.Anywhere {
		clear(r.plain)
		r.does, r.loose = source.Does, source.Anywhere
	}
	if r.plain[trigger] == 0 {
		r.plain[trigger] = -1
		if r.set.Applies(trigger, *source) {
			r.plain[trigger] = 1
		}
	}
	return r.plain[trigger] > 0
}
