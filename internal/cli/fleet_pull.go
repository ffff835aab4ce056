package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/fleet"
	"github.com/pertain-dev/pertain/internal/revision"
	"github.com/pertain-dev/pertain/internal/writing"
)

type pullFlags struct {
	out, revision string
	force         bool
}

func (a *app) fleetPullCommand() *cobra.Command {
	var flags pullFlags
	cmd := &cobra.Command{
		Use:   "pull",
		Short: "Take the fleet's revision in force, or write its files into a folder",
		Long: `Take the fleet's revision in force onto this machine, as commands that run for
long (gateway, with, serve, mcp, service run, match --watch) do by themselves. Other commands and the
hooks of agents never wait for a network: they use the copy that is here.

With --out, the files are written into a folder, to be changed and pushed again. A
folder that was written so before is brought up to date; files in it that you have
changed are not touched: then nothing is written, unless --force.`,
		Example: `  pertain fleet pull
  pertain fleet pull --out team-rules
  pertain fleet pull --revision 6 --out old`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.out == "" && (flags.revision != "" || flags.force || cmd.Flags().Changed("out")) {
				return usage("name a folder with --out DIR")
			}
			return a.withFleet(cmd.Context(), func(ctx context.Context, c *fleetCall) error { return a.fleetPull(ctx, c, flags) })
		},
	}
	cmd.Flags().StringVar(&flags.out, "out", "", "write the files into this `DIR`")
	cmd.Flags().StringVar(&flags.revision, "revision", "", "an earlier `REVISION`, for --out")
	cmd.Flags().BoolVar(&flags.force, "force", false, "with --out: write over files that were changed")
	a.jsonFlag(cmd)
	return cmd
}

type pullReport struct {
	Namespace string         `json:"namespace"`
	Revision  revisionReport `json:"revision"`
	Changed   bool           `json:"changed"` // the copy of this machine is another now
	Out       *string        `json:"out"`
	Written   []string       `json:"written"`
	Removed   []string       `json:"removed"`
}

func (a *app) fleetPull(ctx context.Context, c *fleetCall, flags pullFlags) error {
	report := pullReport{Namespace: c.values.Namespace, Written: []string{}, Removed: []string{}}
	var sealed *fleet.Sealed
	var err error
	if flags.revision != "" {
		sealed, err = findRevision(ctx, c, flags.revision)
	} else {
		sealed, report.Changed, err = c.book.Take(ctx, c.store)
	}
	if err != nil {
		return err
	}
	report.Revision = reportRevision(sealed.Checked)
	if flags.out != "" {
		dir := a.abs(flags.out)
		report.Out = &dir
		contents, err := c.book.Contents(ctx, sealed, nil)
		if err != nil {
			return err
		}
		if err := a.writePulled(dir, c.values.Namespace, sealed, contents, flags.force, &report); err != nil {
			return err
		}
	}
	if a.json {
		return a.writeJSON(report)
	}
	out := a.painted(a.call.Stdout)
	if flags.out != "" {
		fmt.Fprintf(out, "%s written, %d removed in %s\n", plural(len(report.Written), "file"), len(report.Removed), clean(a.shortName(*report.Out)))
	}
	_, err = fmt.Fprintf(out, "%s\n", revisionLine(sealed.Checked, time.Now()))
	return err
}

// pullMark says what a folder was written from. It is in the folder, and not pushed.
type pullMark struct {
	Namespace string          `json:"namespace"`
	Revision  int64           `json:"revision"`
	Manifest  string          `json:"manifest"`
	Files     []revision.File `json:"files"`
}

const pullMarkName = ".pertain-fleet.json"

// readPullMark reads it; ok is false if there is none that can be read.
func readPullMark(dir string) (mark pullMark, ok bool) {
	data, err := files.OS().ReadFile(filepath.Join(dir, pullMarkName), revision.MaxManifest)
	if err != nil || json.Unmarshal(data, &mark) != nil || !revision.IsSum(mark.Manifest) {
		return pullMark{}, false
	}
	for _, f := range mark.Files {
		if revision.CheckPath(f.Path) != nil { // whoever wrote it, it names nothing outside
			return pullMark{}, false
		}
	}
	return mark, true
}

func writePullMark(dir, cwd, namespace string, r *revision.Checked) error {
	data, err := json.Marshal(pullMark{Namespace: namespace, Revision: r.Revision, Manifest: r.Sum, Files: r.Files})
	if err != nil {
		return err
	}
	target, err := writing.NamedTarget(filepath.Join(dir, pullMarkName), cwd)
	if err != nil {
		return err
	}
	if err := target.MakeFolder(0o777); err != nil {
		return err
	}
	return target.Put(append(data, '\n'), 0o666)
}

// writePulled writes the files of a revision into a folder, all of them or, where one was changed, none.
func (a *app) writePulled(dir, namespace string, sealed *fleet.Sealed, contents map[string][]byte, force bool, report *pullReport) error {
	mark, marked := readPullMark(dir)
	base := map[string]string{}
	for _, f := range mark.Files {
		base[f.Path] = f.Sum
	}
	state := func(path string) (sum string, there bool) {
		data, err := files.OS().ReadFile(filepath.Join(dir, filepath.FromSlash(path)), revision.MaxFile)
		return revision.Sum(data), err == nil
	}
	var mine []string
	wanted := map[string]bool{}
	targets := map[string]writing.Target{}
	for _, f := range sealed.Files {
		wanted[f.Path] = true
		target, err := writing.NamedTarget(filepath.Join(dir, filepath.FromSlash(f.Path)), a.dir())
		if err == nil {
			err = target.Check()
		}
		if err != nil {
			return usage("%s: %s", f.Path, err)
		}
		sum, there := state(f.Path)
		switch {
		case there && sum == f.Sum:
			continue
		case there && sum != base[f.Path], !there && marked && base[f.Path] == f.Sum:
			mine = append(mine, f.Path) // changed or removed since
		}
		targets[f.Path] = target
		report.Written = append(report.Written, f.Path)
	}
	for _, f := range mark.Files {
		if sum, there := state(f.Path); !wanted[f.Path] && there {
			if sum != f.Sum {
				mine = append(mine, f.Path)
			}
			report.Removed = append(report.Removed, f.Path)
		}
	}
	if len(mine) > 0 && !force {
		return negative("nothing was written, since you have changed %s; push that first, use another folder, or --force", strings.Join(mine[:min(len(mine), 5)], ", "))
	}
	for _, f := range sealed.Files {
		target, ok := targets[f.Path]
		if !ok {
			continue
		}
		if err := errors.Join(target.MakeFolder(0o777), target.Put(contents[f.Sum], 0o666)); err != nil {
			return err
		}
	}
	for _, path := range report.Removed {
		target, err := writing.NamedTarget(filepath.Join(dir, filepath.FromSlash(path)), a.dir())
		if err == nil {
			err = target.Remove()
		}
		if err != nil {
			return err
		}
	}
	return writePullMark(dir, a.dir(), namespace, sealed.Checked)
}
