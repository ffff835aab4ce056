package repository

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/pertain-dev/pertain/internal/gitignore"
)

// Limits of one look for changes.
const (
	lookLimit    = 10 * time.Second // where the caller has no shorter one
	maxLooked    = 1_000_000        // files and folders looked at
	maxHashed    = 4 << 30          // bytes of files read
	maxDepth     = 256              // folders in each other
	maxNested    = 4                // repositories in each other
	maxSubmodule = 64               // submodules of one repository
)

// HasChanges tells whether anything is not committed, as `git status` does
// without the settings of the repository: a file is staged, differs from the
// index, is gone, or is neither known nor ignored. The error is an *UnknownError
// where that depends on what is not read here, or that of ctx.
func (r *Repository) HasChanges(ctx context.Context, user User) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	return r.hasChanges(ctx, &look{ctx: ctx, rules: user.rules()}, 0)
}

// look is what all repositories of one look share: what is left of its limits.
type look struct {
	ctx    context.Context
	rules  userRules
	looked int
	hashed int64
}

// more counts a file that is looked at.
func (l *look) more() error {
	if l.looked++; l.looked > maxLooked {
		return unknown("there are too many files")
	}
	return l.ctx.Err()
}

// comparison is that of one repository's files with its index.
type comparison struct {
	*look
	repository *Repository
	index      *index
	depth      int   // repositories around this one
	submodules int   // that were looked into
	unsure     error // the first thing that may be a change or not
}

// doubt notes what may be a change or not: something else may be one for certain.
func (c *comparison) doubt(reason string) {
	if c.unsure == nil {
		c.unsure = unknown(reason)
	}
}

// undecided is the answer for something that may be a change or not, once that is
// noted: the look goes on.
func (c *comparison) undecided(why error) (bool, error) {
	if c.unsure == nil {
		c.unsure = why
	}
	return false, nil
}

func (r *Repository) hasChanges(ctx context.Context, l *look, depth int) (bool, error) {
	if !isFolder(filepath.Join(r.Common, "objects")) || !isFolder(filepath.Join(r.Common, "refs")) {
		return false, unknown("its git folder is not complete") // for git this is none
	}
	commit, err := r.commit()
	var unsure *UnknownError
	if err != nil && !errors.As(err, &unsure) {
		return false, err
	}
	x, err := r.readIndex(len(commit))
	if err != nil {
		return false, err
	}
	c := &comparison{look: l, repository: r, index: x, depth: depth}
	if unsure != nil {
		c.unsure = unsure
	}
	staged, err := c.staged(ctx, commit)
	if staged || err != nil {
		return staged, err
	}
	ignored, whole := gitignore.New(r.Top, l.rules.ignored, filepath.Join(r.Common, "info", "exclude"))
	if !whole {
		c.doubt(reasonIgnored)
	}
	where := folder{path: r.Top, ignored: ignored, conversion: l.rules.conversion | attributesOf(filepath.Join(r.Common, "info", "attributes"))}
	changed, err := c.compare(where, x.entries)
	if changed || err != nil {
		return changed, err
	}
	if !ignored.Decided() {
		c.doubt(reasonIgnored)
	}
	return false, c.unsure
}

// staged tells whether the index differs from the last commit.
func (c *comparison) staged(ctx context.Context, commit []byte) (bool, error) {
	for i := range c.index.entries {
		if e := &c.index.entries[i]; e.stage() != 0 || e.intended() {
			return true, nil
		}
	}
	if c.unsure != nil { // what HEAD leads to is not known
		return c.undecided(c.unsure)
	}
	if commit == nil {
		return len(c.index.entries) > 0, nil
	}
	tree, err := c.repository.treeOf(commit)
	if err != nil {
		return c.undecided(err)
	}
	next, err := c.index.tree(ctx)
	if err != nil && ctx.Err() == nil {
		err = unknown("its index cannot be understood")
	}
	return err == nil && !bytes.Equal(next, tree), err
}
