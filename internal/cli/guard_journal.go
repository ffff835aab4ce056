package cli

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/journal"
	"github.com/pertain-dev/pertain/internal/quota"
	"github.com/pertain-dev/pertain/stream"
)

// action is what a firing comes to, in the words of the journal.
func (g *guard) action(t *stream.Trigger, stops bool) journal.Action {
	affordable := g.policy
	affordable.Budget = 1
	switch {
	case stops:
		return journal.Interrupted
	case g.reminds && !affordable.Interrupts(t, stream.Text):
		return journal.Reminded
	default: // the budget is used up, or the caller wants everything copied
		return journal.Passed
	}
}

// note takes note of what a firing came to. Rules that are not the user's own have a quota of entries.
func (g *guard) note(t *stream.Trigger, stops bool) {
	if !t.Own {
		if g.others >= quota.Others {
			return
		}
		g.others++
	}
	g.did = append(g.did, journal.Entry{Source: journal.Guard, Rule: t.Name, Action: g.action(t, stops)})
}

// keepGuard writes what a guard did into the journal. Calls that share a memory are one conversation. A journal that cannot be
// written does not change the answer.
func (a *app) keepGuard(ctx context.Context, g *guard, memory string) {
	if len(g.did) == 0 {
		return
	}
	id := strconv.Itoa(os.Getpid()) + " " + strconv.FormatInt(time.Now().UnixNano(), 10)
	if memory != "" {
		id = a.abs(memory)
	}
	for i := range g.did {
		g.did[i].Workspace, g.did[i].Conversation = journal.Text(a.workspace()), journal.Conversation("", id)
	}
	if _, err := a.journal().Add(context.WithoutCancel(ctx), g.did...); err != nil {
		fmt.Fprintln(a.call.Stderr, "pertain: the journal cannot be written: "+oneLine(fileerror.Reason(err)))
	}
}
