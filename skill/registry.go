package skill

import (
	"context"
	"errors"
	"fmt"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
)

// Registry is all skills that were found, valid or not.
type Registry struct {
	skills      []*Skill
	diagnostics diag.List
}

// What is read of skills, but for the last one. A workspace comes from strangers.
const (
	maxRoot   = 32 << 20 // bytes in one folder of them
	maxEffort = 6 << 20  // bytes of frontmatter of a workspace that is not trusted, as often as they are read
)

// Load reads all skills. The error is for cancellation, and for a State that
// cannot be read.
func (l Library) Load(ctx context.Context) (*Registry, error) {
	l = l.noted(ctx)
	locations, unreadable, err := l.locations(ctx)
	if err != nil {
		return nil, err
	}
	choices := Choices{}
	if l.State != nil {
		if choices, err = l.State.Choices(); err != nil {
			return nil, err
		}
	}
	r := &Registry{}
	first := map[string]*Skill{}
	sums, efforts := map[string]int{}, map[string]int{} // by root, and by workspace
	for _, location := range locations {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if location.problem == "" && sums[location.Root.Dir] > maxRoot {
			location.problem = fmt.Sprintf("the skills before it in this folder have the %d MiB already that are read", maxRoot>>20)
		}
		if location.problem == "" && location.Root.untrusted() && efforts[location.Root.Workspace] > maxEffort {
			location.problem = fmt.Sprintf("the skills before it have the %d MiB of frontmatter already that are read of a workspace that is not trusted, counted as often as it must be read to be mended, and with what aliases stand for", maxEffort>>20)
		}
		s := l.read(location)
		sums[location.Root.Dir] += len(s.Source.Text())
		efforts[location.Root.Workspace] += s.effort
		s.Enabled = choices.enabled(location)
		if other := first[location.ID]; other != nil {
			s.wrong(diag.NoSpan, "the id `"+location.ID+"` is taken by the folder `"+other.Folder+"`; ids have no case", "rename one of the two")
			s.Enabled = false
		} else {
			first[location.ID] = s
		}
		r.skills = append(r.skills, s)
		r.diagnostics = append(r.diagnostics, s.Diagnostics...)
	}
	for _, root := range l.Roots {
		if err := unreadable[root.Dir]; err != nil {
			delete(unreadable, root.Dir) // it may be a root twice
			code := diag.SkillInvalid
			if outside := (*files.OutsideError)(nil); errors.As(err, &outside) {
				code = diag.RuleOutsideWorkspace
			}
			r.diagnostics.Add(diag.At(diag.NewSource(root.Dir, ""), diag.NoSpan, code, "the skills in this folder cannot be listed: %s", reason(err)))
		}
	}
	return r, nil
}

// Skills are all skills, by root and folder. The slice must not be changed.
func (r *Registry) Skills() []*Skill { return r.skills }

// Diagnostics is everything that was found while loading.
func (r *Registry) Diagnostics() diag.List { return r.diagnostics }

// Find finds a skill by its id, or by its folder's name if only one skill has
// that. The error is an [*UnknownError] or an [*AmbiguousError].
func (r *Registry) Find(name string) (*Skill, error) {
	locations := make([]Location, len(r.skills))
	for i, s := range r.skills {
		locations[i] = s.Location
	}
	location, err := choose(locations, name)
	if err != nil {
		return nil, err
	}
	for _, s := range r.skills {
		if s.Dir == location.Dir {
			return s, nil
		}
	}
	return nil, &UnknownError{Name: name}
}
