package skill

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
)

// FileName is the file that makes a folder a skill.
const FileName = "SKILL.md"

// Root is a folder whose folders may be skills.
type Root struct {
	Source    string // first segment of ids, such as claude
	Dir       string // absolute; it need not exist
	Enabled   bool   // whether its skills are enabled unless the user says otherwise
	Workspace string // workspace that it belongs to, which its skills must not leave; empty: the user's own
	Trusted   bool   // whether the user trusts that workspace
}

// untrusted tells whether the skills come from a stranger.
func (r Root) untrusted() bool { return r.Workspace != "" && !r.Trusted }

// Library finds skills below its roots. Nothing is kept: each call looks again.
// The zero value has no skills; that of the usual folders is pertain.Skills.
type Library struct {
	Tree  files.Tree // nil: the real disk; others are for tests of this module
	Roots []Root     // in the order of their skills; a workspace's folder that is one of those before is left out
	State State      // what the user enabled and disabled; nil: nothing, and nothing can be

	// Moving finds roots that are not always in one folder, such as the revision of a fleet: they come after the first of Roots. nil: there are none.
	Moving func(ctx context.Context) []Root
}

// roots are all of them as they are now.
func (l Library) roots(ctx context.Context) []Root {
	if l.Moving == nil {
		return l.Roots
	}
	return slices.Insert(slices.Clone(l.Roots), min(1, len(l.Roots)), l.Moving(ctx)...)
}

func (l Library) tree() files.Tree {
	if l.Tree == nil {
		return files.OS()
	}
	return l.Tree
}

// noted is the library with its reads noted, for whoever follows them.
func (l Library) noted(ctx context.Context) Library {
	l.Tree = follow.Noted(ctx, l.tree())
	return l
}

// Location is where a skill is.
type Location struct {
	ID     string // <source>.<folder> in lower case
	Folder string // name of the folder as written
	Dir    string // the folder, absolute, as found below its root
	Root   Root

	file    string // the SKILL.md
	real    string // Dir without links
	problem string // not empty: why it must not be read
	outside bool   // the problem is that it lies outside of the workspace
}

// File is the path of the skill's SKILL.md.
func (p Location) File() string {
	if p.file == "" && p.Dir != "" { // made by hand
		return files.Native().Join(p.Dir, FileName)
	}
	return p.file
}

// locations lists all skills in order, without reading them. unreadable are the
// roots that are there but cannot be listed.
func (l Library) locations(ctx context.Context) (found []Location, unreadable map[string]error, err error) {
	known := map[string]bool{}
	for _, root := range l.roots(ctx) {
		key := l.tree().Flavor().Key(root.Dir)
		if real, err := l.tree().RealPath(root.Dir); err == nil {
			key = l.tree().Flavor().Key(real)
		}
		if known[key] && root.Workspace != "" { // a home that is a workspace too has its skills once
			continue
		}
		known[key] = true
		entries, err := files.ListWithin(l.tree(), root.Dir, l.within(root))
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				if unreadable == nil {
					unreadable = map[string]error{}
				}
				unreadable[root.Dir] = err
			}
			continue
		}
		for _, e := range entries {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			if e.Kind != files.Folder && e.Kind != files.Link {
				continue
			}
			if location, ok := l.location(root, e.Name); ok {
				found = append(found, location)
			}
		}
	}
	return found, unreadable, nil
}

// within is where the skills of a root must be.
func (l Library) within(root Root) files.Bounds {
	if root.Workspace == "" {
		return files.Anywhere()
	}
	return files.Below(l.tree(), root.Workspace)
}

// location looks at one folder; ok is false if it holds no SKILL.md.
func (l Library) location(root Root, folder string) (p Location, ok bool) {
	p = Location{ID: strings.ToLower(root.Source + "." + folder), Folder: folder, Dir: l.tree().Flavor().Join(root.Dir, folder), Root: root}
	p.file = l.tree().Flavor().Join(p.Dir, FileName)
	info, real, err := files.StatWithin(l.tree(), p.Dir, l.within(root))
	var outside *files.OutsideError
	switch {
	case errors.As(err, &outside): // not looked at, so it may be a skill
		p.problem, p.outside = outside.Reason(), true
		return p, true
	case errors.Is(err, fs.ErrPermission):
		p.problem = "its folder cannot be found"
		return p, true
	case err != nil || info.Kind != files.Folder:
		return p, false
	}
	p.real = real
	info, _, err = files.StatWithin(l.tree(), l.tree().Flavor().Join(real, FileName), files.BelowReal(real))
	switch {
	case errors.As(err, &outside), errors.Is(err, fs.ErrPermission):
		return p, true // reading it tells
	case err != nil || info.Kind == files.Folder:
		return p, false
	}
	return p, true
}

// Locate finds a skill by its id, or by its folder's name if only one skill has
// that. The error is an [*UnknownError] or an [*AmbiguousError], or ctx's.
func (l Library) Locate(ctx context.Context, name string) (Location, error) {
	l = l.noted(ctx)
	found, _, err := l.locations(ctx)
	if err != nil {
		return Location{}, err
	}
	return choose(found, name)
}

func choose(locations []Location, name string) (Location, error) {
	key := strings.ToLower(name)
	var sameFolder []Location
	for _, p := range locations {
		if p.ID == key {
			return p, nil
		}
		if strings.ToLower(p.Folder) == key && !sameSkill(sameFolder, p) {
			sameFolder = append(sameFolder, p)
		}
	}
	switch len(sameFolder) {
	case 1:
		return sameFolder[0], nil
	case 0:
		return Location{}, &UnknownError{Name: name, Available: ids(locations)}
	}
	return Location{}, &AmbiguousError{Name: name, IDs: ids(sameFolder)}
}

// sameSkill tells whether a folder is among those found already, under another
// root that is a link.
func sameSkill(locations []Location, p Location) bool {
	for _, other := range locations {
		if p.real != "" && p.real == other.real {
			return true
		}
	}
	return false
}

func ids(locations []Location) []string {
	out := make([]string, len(locations))
	for i, p := range locations {
		out[i] = p.ID
	}
	return out
}
