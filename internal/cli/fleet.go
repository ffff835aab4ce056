package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/fleet"
	"github.com/pertain-dev/pertain/internal/revision"
	"github.com/pertain-dev/pertain/internal/settings"
)

func (a *app) fleetCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fleet",
		Short: "Share rules, memory and journal with other machines by NATS",
		Long: `Share rules, strategies and skills with other machines, what conversations
remember, and what rules did, by servers of NATS JetStream that the setting
fleet.url names. docs/fleet.md tells how to run them.

A push makes one revision, which is signed, never changes, and is in force on
every machine within a second: machines take it only if one of the keys in their
setting fleet.keys signed it. A machine keeps a copy, checked at every use, and
works with it where there is no network.`,
		Example: `  pertain fleet keygen ~/.config/pertain/fleet.key
  pertain fleet push team-rules --dry-run
  pertain fleet status`,
		Args: knownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.fleetPushCommand(), a.fleetListCommand(), a.fleetPullCommand(), a.fleetRollbackCommand(), a.fleetStatusCommand(), a.fleetStatsCommand(), a.fleetSyncCommand(), a.fleetKeygenCommand())
	return cmd
}

// fleetCall is what the subcommands share.
type fleetCall struct {
	values settings.Fleet
	paths  settings.Paths
	trust  revision.Trust
	store  revision.Store
	fleet  *fleet.Fleet
	book   *fleet.Book
}

// openFleet reads the settings. Nothing is dialled yet. The caller closes the fleet.
func (a *app) openFleet() (*fleetCall, error) {
	c := &fleetCall{paths: a.paths()}
	values, problems, err := c.paths.Load(files.OS())
	if err != nil {
		return nil, usage("the settings cannot be read: %s", err)
	}
	if err := mistakenFleet(problems); err != nil {
		return nil, err
	}
	return c, c.open(values.Fleet)
}

// mistakenFleet tells of settings of a fleet that cannot be meant; nil: there are none. What stands in their place is another fleet: a namespace
// that is none would be `main`.
func mistakenFleet(problems []diag.Diagnostic) error {
	for _, d := range problems {
		if strings.Contains(d.Message, "`fleet.") && d.Code != diag.StrategyUntrusted { // which was told: the user's own fleet counts
			return usage("%s; %s", d.Message, d.Hint)
		}
	}
	return nil
}

func (c *fleetCall) open(values settings.Fleet) error {
	c.values = values
	config, err := fleet.Of(&c.values, c.paths.Home)
	if err != nil {
		return usage("%s", err)
	}
	if c.paths.State == "" {
		return usage("there is no folder to keep a copy in; set HOME to an absolute path")
	}
	var problems []error
	c.trust, problems = revision.NewTrust(values.Namespace, values.Keys)
	if len(problems) > 0 {
		return usage("%s", problems[0])
	}
	c.store = revision.In(c.paths.State, values.Namespace)
	c.fleet = fleet.New(config)
	c.book = c.fleet.Book(c.trust)
	return nil
}

// fleetTime bounds a command that speaks to the servers.
const fleetTime = 30 * time.Second

// withFleet runs a command that needs the servers, within its time.
func (a *app) withFleet(ctx context.Context, do func(context.Context, *fleetCall) error) error {
	c, err := a.openFleet()
	if err != nil {
		return err
	}
	defer c.fleet.Close()
	bounded, cancel := context.WithTimeout(ctx, fleetTime)
	defer cancel()
	err = do(bounded, c)
	switch {
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return negative("the fleet's servers did not answer in time; `pertain fleet status` tells what this machine has")
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	}
	var worded *exit
	if err != nil && !errors.As(err, &worded) {
		return negative("%s", err)
	}
	return err
}

// revisionReport is the JSON form of a revision.
type revisionReport struct {
	Revision int64     `json:"revision"`
	Manifest string    `json:"manifest"`
	Rollback *int64    `json:"rollback"`
	Author   string    `json:"author"`
	Time     time.Time `json:"time"`
	Message  *string   `json:"message"`
	Key      string    `json:"key"`
	Files    int       `json:"files"`
}

func reportRevision(r *revision.Checked) revisionReport {
	out := revisionReport{Revision: r.Revision, Manifest: r.Sum, Author: r.Author, Time: r.Time, Key: r.KeyID, Files: len(r.Files)}
	if r.Rollback > 0 {
		out.Rollback = &r.Rollback
	}
	if r.Message != "" {
		out.Message = &r.Message
	}
	return out
}

// revisionLine is a revision for people.
func revisionLine(r *revision.Checked, now time.Time) string {
	line := fmt.Sprintf("revision %d, %s, by %s %s", r.Revision, plural(len(r.Files), "file"), clean(r.Author), ageOf(r.Time, now))
	if r.Rollback > 0 {
		line += fmt.Sprintf(", back to %d", r.Rollback)
	}
	return line
}

// ageOf tells how long ago something was.
func ageOf(then, now time.Time) string {
	d := now.Sub(then)
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return plural(int(d/time.Minute), "minute") + " ago"
	case d < 48*time.Hour:
		return plural(int(d/time.Hour), "hour") + " ago"
	}
	return plural(int(d/(24*time.Hour)), "day") + " ago"
}
