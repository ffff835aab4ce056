package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/fleet"
	"github.com/pertain-dev/pertain/internal/revision"
)

func (a *app) fleetStatusCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Tell which revision this machine has, how old it is, and whether the fleet answers",
		Long: `Tell which revision of the fleet this machine uses, when it was made and taken,
whether the servers answer, and which revision is in force there. Nothing is changed.

The exit code is 1 where nothing of the fleet can be used.`,
		Example: `  pertain fleet status
  pertain fleet status --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withFleet(cmd.Context(), func(ctx context.Context, c *fleetCall) error {
				status := c.status(ctx, time.Now())
				if err := a.printFleetStatus(status); err != nil {
					return err
				}
				if status.Copy == nil {
					return negative("")
				}
				return nil
			})
		},
	}
	a.jsonFlag(cmd)
	return cmd
}

// fleetStatus is the JSON form of `fleet status`.
type fleetStatus struct {
	Namespace string   `json:"namespace"`
	Keys      []string `json:"keys"` // ids of those in fleet.keys

	Copy        *copyReport `json:"copy"`        // what this machine uses; nil: nothing
	CopyProblem *string     `json:"copyProblem"` // why what is on disk is not used

	Reachable    bool            `json:"reachable"`
	Server       *string         `json:"server"`
	Problem      *string         `json:"problem"` // why the servers cannot be reached, or why what they show is not taken
	Head         *revisionReport `json:"head"`    // in force on the servers; nil: not known, or nothing was pushed
	UpToDate     *bool           `json:"upToDate"`
	LastAnswered *time.Time      `json:"lastAnswered"`
}

type copyReport struct {
	revisionReport
	Taken time.Time `json:"taken"`
	Path  string    `json:"path"`
}

// status asks the disk and the servers.
func (c *fleetCall) status(ctx context.Context, now time.Time) fleetStatus {
	s := fleetStatus{Namespace: c.values.Namespace, Keys: []string{}}
	for _, key := range c.trust.Keys {
		s.Keys = append(s.Keys, key.ID())
	}
	told := func(err error) *string { text := err.Error(); return &text }
	have, err := c.store.Open(ctx, files.OS(), c.trust)
	switch {
	case err == nil:
		s.Copy = &copyReport{revisionReport: reportRevision(have.Checked), Taken: have.Taken, Path: have.Dir}
	case len(c.trust.Keys) == 0:
		s.CopyProblem = told(revision.ErrNoKeys)
	case !errors.Is(err, fs.ErrNotExist):
		s.CopyProblem = told(err)
	}
	if at, _ := c.store.LastChecked(); !at.IsZero() {
		s.LastAnswered = &at
	}
	head, err := c.book.Head(ctx)
	if s.Reachable = c.fleet.Connected(); s.Reachable {
		server := c.fleet.Server()
		s.Server, s.LastAnswered = &server, &now
	}
	switch {
	case err == nil:
		report := reportRevision(head.Checked)
		same := s.Copy != nil && s.Copy.Manifest == head.Sum
		s.Head, s.UpToDate = &report, &same
		if _, err := c.store.Wants(c.trust, head.Checked); err != nil {
			s.Problem = told(err)
		}
	case !errors.Is(err, fleet.ErrEmpty):
		s.Problem = told(err)
	}
	return s
}

func (a *app) printFleetStatus(s fleetStatus) error {
	if a.json {
		return a.writeJSON(s)
	}
	out := a.painted(a.call.Stdout)
	now := time.Now()
	fmt.Fprintf(out, "namespace  %s\n", s.Namespace)
	switch {
	case s.Copy != nil:
		fmt.Fprintf(out, "here       %s, taken %s\n", reportLine(s.Copy.revisionReport, now), ageOf(s.Copy.Taken, now))
	case s.CopyProblem != nil:
		fmt.Fprintf(out, "here       nothing is used: %s\n", clean(*s.CopyProblem))
	default:
		fmt.Fprintln(out, "here       nothing was taken yet; run `pertain fleet pull`")
	}
	switch {
	case s.Head != nil:
		fmt.Fprintf(out, "fleet      %s\n", reportLine(*s.Head, now))
	case s.Reachable && s.Problem == nil:
		fmt.Fprintln(out, "fleet      nothing was pushed yet")
	case s.Reachable:
		fmt.Fprintln(out, "fleet      what is in force there cannot be used")
	}
	if s.Problem != nil {
		fmt.Fprintf(out, "problem    %s\n", clean(*s.Problem))
	}
	var err error
	switch {
	case s.Reachable:
		_, err = fmt.Fprintf(out, "server     %s\n", clean(*s.Server))
	case s.LastAnswered != nil:
		_, err = fmt.Fprintf(out, "server     none answers; the last answer was %s\n", ageOf(*s.LastAnswered, now))
	default:
		_, err = fmt.Fprintln(out, "server     none answers, and none ever did")
	}
	return err
}

// reportLine is a revision for people.
func reportLine(r revisionReport, now time.Time) string {
	line := fmt.Sprintf("revision %d, %s, by %s %s, key %s", r.Revision, plural(r.Files, "file"), clean(r.Author), ageOf(r.Time, now), r.Key)
	if r.Rollback != nil {
		line += fmt.Sprintf(", back to %d", *r.Rollback)
	}
	return line
}

// checkFleet tells doctor how it stands with the fleet.
func (a *app) checkFleet(ctx context.Context, r *doctorReport) {
	values, _, err := a.paths().Load(files.OS())
	if err != nil || !values.Fleet.Enabled() {
		return // a machine that has no fleet hears nothing of one
	}
	c, err := a.openFleet()
	if err != nil {
		r.add("fleet", isFailed, oneLine(err.Error()), "mend the settings of `fleet`; docs/fleet.md explains them")
		return
	}
	defer c.fleet.Close()
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	s := c.status(ctx, time.Now())
	switch {
	case len(c.trust.Keys) == 0:
		r.add("fleet", isFailed, "`fleet.keys` names no key: nothing of the fleet is used", "ask whoever pushes for their public key, and put it into `fleet.keys`")
	case s.CopyProblem != nil:
		r.add("fleet", isFailed, "nothing of the fleet is used: "+oneLine(*s.CopyProblem), "run `pertain fleet pull`; `pertain fleet status` tells more")
	case s.Reachable && s.Problem != nil:
		r.add("fleet", isFailed, "what the fleet shows is not taken: "+oneLine(*s.Problem), "ask who pushed it; `pertain fleet list` shows what is signed")
	case !s.Reachable && s.Copy == nil:
		r.add("fleet", isFailed, "the fleet cannot be reached, and nothing of it is here: "+oneLine(deref(s.Problem)), "check `fleet.url` and `fleet.credentials`")
	case !s.Reachable:
		r.add("fleet", isWarning, fmt.Sprintf("the fleet cannot be reached; %s is in force here", reportLine(s.Copy.revisionReport, time.Now())), "check the network, `fleet.url` and `fleet.credentials`")
	case s.Copy == nil && s.Head == nil:
		r.add("fleet", isFine, "the fleet answers; nothing was pushed to it yet", "")
	case s.UpToDate != nil && !*s.UpToDate:
		r.add("fleet", isWarning, fmt.Sprintf("the fleet has revision %d, and this machine another", s.Head.Revision), "run `pertain fleet pull`, or keep `pertain gateway` or `pertain serve` running")
	default:
		r.add("fleet", isFine, reportLine(s.Copy.revisionReport, time.Now()), "")
	}
}

func deref(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
