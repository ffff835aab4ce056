package mcpserver

import (
	"context"
	"os"
	"path/filepath"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/stream"
)

// rulebooks are the rules that were read for one tool call, which may add any number of files.
type rulebooks struct {
	read   map[ruleKey]readRules
	namers map[string]*files.Namer // by root
	calls  map[checkedText]watchingCalls
}

// watchingCalls is what was found out about what a call adds to a file; the text does not matter.
type watchingCalls struct {
	rules []watchingRule
	note  string
}

func newRulebooks() *rulebooks {
	return &rulebooks{map[ruleKey]readRules{}, map[string]*files.Namer{}, map[checkedText]watchingCalls{}}
}

// names are those of a file in the project of a root.
func (b *rulebooks) names(root, path string) []string {
	namer := b.namers[root]
	if namer == nil {
		namer = files.NewNamer(root)
		b.namers[root] = namer
	}
	return namer.Names(path)
}

// ruleKey is what decides which rules there are for a file: for one that is not there, what is there of its path.
type ruleKey struct {
	space Workspace
	path  string
	whole bool // the file is there, and may be a link to anywhere
}

type readRules struct {
	book *pertain.Rulebook
	set  *stream.Set
}

// open gives the rules of a workspace for a file, or for none, and their triggers.
func (b *rulebooks) open(ctx context.Context, w Workspace, paths []string) (*pertain.Rulebook, *stream.Set, error) {
	key := ruleKey{space: w}
	if len(paths) > 0 {
		var rest string
		key.path, rest = files.Present(files.Native(), paths[0], func(part string) bool {
			_, err := os.Lstat(part)
			return err == nil
		})
		key.whole = rest == ""
	}
	if known, ok := b.read[key]; ok {
		return known.book, known.set, nil
	}
	book, err := w.Rules(ctx, pertain.RuleOptions{Files: paths})
	if err != nil {
		return nil, nil, err
	}
	set, _ := stream.Compile(stream.FromRules(book.Rules(), filepath.ToSlash(book.Root)), stream.Options{})
	b.read[key] = readRules{book, set}
	return book, set, nil
}
