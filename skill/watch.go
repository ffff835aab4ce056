package skill

import (
	"context"
	"hash/maphash"
	"slices"
	"strconv"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
)

const (
	// retryTime is how long a watch waits before it loads again what could not be
	// loaded, such as choices that somebody is just writing.
	retryTime = time.Second
	// maxFollowed is how many files and folders beside SKILL.md are followed, of all
	// skills together.
	maxFollowed = 5000
)

// Watch loads the skills again when files change, and calls changed with each
// new registry, until ctx ends. What cannot be loaded at the time is tried again.
// It works on the real disk.
func (l Library) Watch(ctx context.Context, changed func(*Registry)) error {
	before, err := l.Load(ctx)
	known := err == nil // else the first that can be loaded is new
	var seen uint64     // of the other files; 0: none were seen yet
	return follow.Changes(ctx, follow.Options{}, func(ctx context.Context) (again time.Duration, err error) {
		registry, err := l.Load(ctx)
		if err != nil {
			return retryTime, nil //nolint:nilerr // it is tried again
		}
		others := l.others(ctx, registry)
		same := known && before.same(registry) && (seen == 0 || seen == others)
		before, known, seen = registry, true, others
		if !same {
			changed(registry)
		}
		return 0, nil
	})
}

// same tells whether the skills of two registries are the same ones.
func (r *Registry) same(other *Registry) bool {
	return slices.EqualFunc(r.skills, other.skills, func(a, b *Skill) bool {
		return a.Location == b.Location && a.Source.Text() == b.Source.Text() && a.Enabled == b.Enabled && a.Valid == b.Valid
	}) && slices.EqualFunc(r.diagnostics, other.diagnostics, func(a, b diag.Diagnostic) bool {
		return a.File() == b.File() && a.Message == b.Message
	})
}

var othersSeed = maphash.MakeSeed()

// others looks at what skills have beside their SKILL.md, without reading it. The
// number is another one when any of it is.
func (l Library) others(ctx context.Context, registry *Registry) uint64 {
	tree := l.noted(ctx).tree()
	var hash maphash.Hash
	hash.SetSeed(othersSeed)
	left := maxFollowed
	for _, s := range registry.skills {
		if s.problem != "" || s.real == "" || left <= 0 {
			continue
		}
		_ = files.Walk(ctx, tree, s.real, files.WalkOptions{MaxEntries: left}, func(step files.Step) error {
			left--
			if name := tree.Flavor().Base(step.Path); step.Info.Kind == files.Folder && (name == ".git" || name == "node_modules") {
				return files.ErrSkipFolder
			}
			_, _ = hash.WriteString(step.Path + "\x00")
			if info, err := tree.Stat(step.Path); err == nil && info.Kind == files.File {
				_, _ = hash.WriteString(strconv.FormatInt(info.Size, 36) + " " + strconv.FormatInt(info.ModTime.UnixNano(), 36) + "\x00")
			}
			return nil
		}) // what cannot be walked cannot be read either
	}
	return hash.Sum64() | 1
}
