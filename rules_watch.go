package pertain

import (
	"context"
	"slices"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/rule"
)

const (
	// rulesAgain is when rules are opened again that could not be.
	rulesAgain = time.Second
	// maxNestedNotes is how many files and folders of a project are followed for the
	// rules in all its folders: all of them are looked at with every change.
	maxNestedNotes = 20_000
)

// WatchRules opens the rules of an environment, as [OpenRules] does, and again whenever files that decide about them
// change, or the user begins or ceases to trust the workspace. It calls changed with the first ones and with all that
// differ, until ctx ends. Rules behind links, what they import, and folders that are not there yet are all followed. In a
// project of more than 20,000 files and folders, Nested is left out.
//
// unwatched, which may be nil, is told why the system does not watch a part; that
// part is looked at now and then. It is also told when Nested is left out.
func WatchRules(ctx context.Context, env Environment, options RuleOptions, changed func(*Rulebook), unwatched func(error)) error {
	var before *Rulebook
	return follow.Changes(ctx, follow.Options{Unwatched: unwatched}, func(ctx context.Context) (again time.Duration, err error) {
		book, err := OpenRules(ctx, env, options)
		if err != nil {
			return rulesAgain, nil //nolint:nilerr // it is tried again
		}
		if n := follow.CountNotes(ctx); options.Nested && n > maxNestedNotes {
			options.Nested = false
			if unwatched != nil {
				unwatched(&files.LimitError{Path: book.Root, What: "entries", Max: maxNestedNotes})
			}
			return time.Millisecond, nil // the notes are too many to be kept
		}
		if before == nil || !before.same(book) {
			changed(book)
		}
		before = book
		return 0, nil
	})
}

// same tells whether two rulebooks say the same, and bind the model in the same way.
func (b *Rulebook) same(other *Rulebook) bool {
	return b.Root == other.Root && b.roots.Trusted == other.roots.Trusted && slices.Equal(b.trusted, other.trusted) && slices.EqualFunc(b.All(), other.All(), func(x, y *rule.Rule) bool {
		return x.Path == y.Path && x.Real == y.Real && x.Content == y.Content && x.Source.Text() == y.Source.Text() && x.Shadowed == y.Shadowed
	}) && slices.EqualFunc(b.Warnings(), other.Warnings(), sameDiagnostic)
}
