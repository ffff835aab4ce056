package atspi

import (
	"context"

	"github.com/pertain-dev/pertain/facts"
)

// Behind finds a window that need not be active: the one at a node, or with none the
// only one of a process. family is as that of Active.
func (a *Bus) Behind(ctx context.Context, at Node, pid int) (found Toplevel, family []string, err error) {
	apps, err := a.applications(ctx)
	if err != nil {
		return Toplevel{}, nil, err
	}
	patience, cancel := context.WithTimeout(ctx, 2*strayTime)
	defer cancel()
	var own []application
	for _, app := range apps {
		if at.None() && app.pid == pid || !at.None() && app.root.Name == at.Name {
			own = append(own, app)
		}
	}
	tops, failed := a.toplevels(patience, own)
	var all []Toplevel
	for _, t := range tops {
		if at.None() || t.Node == at {
			all = append(all, t)
		}
	}
	switch {
	case len(all) == 1:
		return all[0], a.family(patience, all[0], tops), nil
	case failed != nil:
		return Toplevel{}, nil, Unanswered(patience, failed)
	case len(all) > 1:
		return Toplevel{}, nil, facts.Unavailable("the program has several windows", "leave --context-from out, with the window in front")
	}
	return Toplevel{}, nil, facts.Unavailable("no such window is on the accessibility bus", "leave --context-from out, with the window in front")
}
