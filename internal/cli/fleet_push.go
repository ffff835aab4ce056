package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/fleet"
	"github.com/pertain-dev/pertain/internal/lint"
	"github.com/pertain-dev/pertain/internal/revision"
)

type pushFlags struct {
	dryRun, force   bool
	author, message string
}

func (f *pushFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.author, "author", "", "who it is by (default: your user name at this machine)")
	cmd.Flags().StringVarP(&f.message, "message", "m", "", "why, in a few words")
}

func (a *app) fleetPushCommand() *cobra.Command {
	var flags pushFlags
	cmd := &cobra.Command{
		Use:   "push DIR",
		Short: "Make the rules, strategies and skills of a folder the fleet's next revision",
		Long: `Make what is in the folders rules, strategies and skills of DIR the fleet's next
revision, signed with the key of the setting fleet.signingKey. Rules are in native
form; strategies get ids of plugin.fleet. What is elsewhere in DIR, and names that
begin with a dot, are left out; links are refused.

It is checked as ` + "`pertain lint`" + ` would first; with errors nothing is pushed, unless
--force, and a rule that does not do what it says is one. Where DIR came from ` + "`fleet pull --out`" + ` and somebody else has pushed since,
nothing is pushed either.`,
		Example: `  pertain fleet push team-rules --dry-run
  pertain fleet push team-rules -m "no unwrap in handlers"`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withFleet(cmd.Context(), func(ctx context.Context, c *fleetCall) error { return a.fleetPush(ctx, c, a.abs(args[0]), flags) })
		},
	}
	cmd.Flags().BoolVar(&flags.dryRun, "dry-run", false, "show what would change, push nothing")
	cmd.Flags().BoolVar(&flags.force, "force", false, "push what does not lint, and what was made from an older revision")
	flags.add(cmd)
	a.jsonFlag(cmd)
	return cmd
}

// pushReport is the JSON form of `fleet push` and `fleet rollback`.
type pushReport struct {
	Namespace string          `json:"namespace"`
	Pushed    bool            `json:"pushed"`
	Revision  *revisionReport `json:"revision"` // that was made; nil: none was
	Added     []string        `json:"added"`
	Changed   []string        `json:"changed"`
	Removed   []string        `json:"removed"`
	Files     int             `json:"files"`
	Bytes     int             `json:"bytes"`
	Lint      *lint.Report    `json:"lint,omitempty"`
}

func (a *app) fleetPush(ctx context.Context, c *fleetCall, dir string, flags pushFlags) error {
	list, contents, err := revision.Read(ctx, files.OS(), dir)
	if err != nil {
		return usage("%s", err)
	}
	if len(list) == 0 {
		return usage("%s: there is nothing in its folders %s", dir, strings.Join(revision.Folders(), ", "))
	}
	checks, err := a.lintFleet(ctx, dir)
	if err != nil {
		return err
	}
	draft := fleet.Draft{Files: list, Contents: contents, Message: flags.message}
	if mark, ok := readPullMark(dir); ok && mark.Namespace == c.values.Namespace && !flags.force {
		draft.Base = mark.Manifest
	}
	report := pushReport{Namespace: c.values.Namespace, Files: len(list), Lint: &checks}
	for _, f := range list {
		report.Bytes += f.Size
	}
	if checks.Errors > 0 && !flags.force {
		if a.json {
			if err := a.writeJSON(report); err != nil {
				return err
			}
			return negative("")
		}
		if err := a.printLint(checks, "text"); err != nil {
			return err
		}
		return negative("nothing was pushed: mend the errors, or push with --force")
	}
	sealed, err := a.fleetMake(ctx, c, draft, flags, &report)
	if err != nil {
		return err
	}
	if sealed != nil {
		if _, ok := readPullMark(dir); ok {
			if err := writePullMark(dir, a.dir(), c.values.Namespace, sealed.Checked); err != nil {
				return err
			}
		}
	}
	return a.printPush(report, flags, checks)
}

// fleetMake makes a revision of a draft, unless nothing would change.
func (a *app) fleetMake(ctx context.Context, c *fleetCall, draft fleet.Draft, flags pushFlags, report *pushReport) (*fleet.Sealed, error) {
	before, err := c.book.Head(ctx)
	report.Added, report.Changed, report.Removed = []string{}, []string{}, []string{}
	var old []revision.File
	switch {
	case err == nil:
		old = before.Files
	case !errors.Is(err, fleet.ErrEmpty) && (fleet.IsAway(err) || !c.fleet.Connected()):
		return nil, err
	case !errors.Is(err, fleet.ErrEmpty) && !errors.Is(err, revision.ErrNoKeys):
		fmt.Fprintf(a.call.Stderr, "pertain: what is in force now cannot be used: %s\n", oneLine(err.Error()))
	}
	report.compare(old, draft.Files)
	same := err == nil && len(report.Added)+len(report.Changed)+len(report.Removed) == 0
	if flags.dryRun || same && !flags.force {
		if draft.Base != "" && before != nil && before.Sum != draft.Base {
			return nil, &fleet.ConflictError{Revision: before.Revision}
		}
		return nil, nil
	}
	signer, err := a.signer(c)
	if err != nil {
		return nil, err
	}
	draft.Author, draft.Time = flags.author, time.Now()
	if draft.Author == "" {
		draft.Author = whoami()
	}
	draft.AtLeast, draft.Last = c.store.Newest(c.trust)
	sealed, err := c.book.Push(ctx, signer, draft)
	if err != nil {
		return nil, err
	}
	made := reportRevision(sealed.Checked)
	report.Pushed, report.Revision = true, &made
	// This machine has it at once; where that fails, it takes it as others do.
	lacks := func(sum string) bool { _, ok := draft.Contents[sum]; return !ok }
	if contents, err := c.book.Contents(ctx, sealed, lacks); err == nil {
		maps.Copy(contents, draft.Contents)
		_ = c.store.Keep(ctx, c.trust, sealed.Sealed, contents, time.Now())
	}
	return sealed, nil
}

func (r *pushReport) compare(old, next []revision.File) {
	sums := map[string]string{}
	for _, f := range old {
		sums[f.Path] = f.Sum
	}
	for _, f := range next {
		switch sum, ok := sums[f.Path]; {
		case !ok:
			r.Added = append(r.Added, f.Path)
		case sum != f.Sum:
			r.Changed = append(r.Changed, f.Path)
		}
		delete(sums, f.Path)
	}
	for path := range sums {
		r.Removed = append(r.Removed, path)
	}
	slices.Sort(r.Removed)
}

func (a *app) printPush(report pushReport, flags pushFlags, checks lint.Report) error {
	if a.json {
		return a.writeJSON(report)
	}
	out := a.painted(a.call.Stdout)
	for _, part := range []struct {
		word  string
		paths []string
	}{{"added", report.Added}, {"changed", report.Changed}, {"removed", report.Removed}} {
		for _, path := range part.paths {
			fmt.Fprintf(out, "%-8s %s\n", part.word, clean(path))
		}
	}
	if len(checks.Diagnostics) > 0 {
		if err := a.printLint(checks, "text"); err != nil {
			return err
		}
	}
	var err error
	switch {
	case report.Pushed:
		_, err = fmt.Fprintf(out, "revision %d of %s is in force: %s, %s\n", report.Revision.Revision, report.Namespace, plural(report.Files, "file"), plural(report.Bytes, "byte"))
	case flags.dryRun:
		_, err = fmt.Fprintln(out, "nothing was pushed: --dry-run")
	default:
		_, err = fmt.Fprintln(out, "nothing was pushed: the fleet has these files already")
	}
	return err
}

// lintFleet checks a folder as it will be on other machines.
func (a *app) lintFleet(ctx context.Context, dir string) (lint.Report, error) {
	workspace, err := a.lintWorkspace()
	if err != nil {
		return lint.Report{}, err
	}
	report, err := workspace.Fleet(ctx, dir)
	if report.Diagnostics == nil {
		report.Diagnostics = diag.List{}
	}
	return report, err
}
