package skill

import (
	"context"
	"errors"
)

// Key names a skill in a [State]. Skills of different workspaces may have the
// same id, and what the user said of one says nothing of another.
type Key struct {
	Workspace string // real path of the workspace; empty: one of the user's own skills
	ID        string
}

// Choices are what the user decided against the default: true for enabled.
type Choices map[Key]bool

func (c Choices) enabled(p Location) bool {
	if choice, ok := c[p.key()]; ok {
		return choice
	}
	return p.Root.Enabled
}

// key is what a [State] knows the skill by.
func (p Location) key() Key { return Key{Workspace: p.Root.Workspace, ID: p.ID} }

// State keeps choices between runs.
type State interface {
	// Choices returns all that are kept.
	Choices() (Choices, error)
	// Set keeps a choice; nil forgets it, so that the default holds.
	Set(ctx context.Context, key Key, choice *bool) error
}

var errStateless = errors.New("there is nowhere to keep which skills are enabled")

// Enable switches a skill on or off. Only what differs from the default is kept.
// Without a State nothing can be.
func (l Library) Enable(ctx context.Context, name string, enabled bool) (Location, error) {
	location, err := l.Locate(ctx, name)
	if err != nil {
		return Location{}, err
	}
	if l.State == nil {
		return Location{}, errStateless
	}
	choice := &enabled
	if enabled == location.Root.Enabled {
		choice = nil
	}
	return location, l.State.Set(ctx, location.key(), choice)
}
