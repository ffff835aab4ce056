package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/lint"
	"github.com/pertain-dev/pertain/internal/writing"
	"github.com/pertain-dev/pertain/strategy"
)

// formatFlags are the flags of fmt.
type formatFlags struct {
	check, diff bool
	stdinName   string
}

func (a *app) formatCommand() *cobra.Command {
	var flags formatFlags
	cmd := &cobra.Command{
		Use:   "fmt PATH...|-",
		Short: "Put the frontmatter of strategies and rules into canonical form",
		Long: `Write the frontmatter of strategy and native rule files in canonical form: fields
in the order of the format, double quotes instead of single ones unless the text has
a quote or a backslash (as expressions do). Texts without quotes stay without, and
comments stay with the field below them; line ends, the text after the frontmatter
and what the file means stay as they are. The names of changed files are printed.

PATH is a file, or a folder: then all such files below it, but for links, .git and
node_modules. What cannot be formatted there is told, the others are done, and the
exit code is 1. Folders have room for 6 MiB of frontmatter in one call, counted as
often as it is read, and for 64 MiB of files; what is left out is told in the same way.

- formats standard input to standard output; --stdin-name says which file it is.
With --check and --diff nothing is written, and a link may be named. A rule without
frontmatter is in its form.`,
		Example: `  pertain fmt .pertain/strategies/*.strategy.md
  pertain fmt --check .
  pertain fmt --diff review.strategy.md
  pertain fmt --stdin-name x.strategy.md - < x.strategy.md`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("stdin-name") && (len(args) != 1 || args[0] != "-") {
				return usage("--stdin-name goes with `-`")
			}
			changed, refused := false, false
			var sum formatSum
			for _, arg := range args {
				paths, folder, err := a.formattable(cmd.Context(), arg)
				if err != nil {
					return err
				}
				for i, path := range paths {
					limit := sum.limit()
					if folder && limit != "" {
						refused = true
						fmt.Fprintln(a.call.Stderr, "pertain: "+oneLine(a.notFormatted(paths[i:], limit)))
						break
					}
					if err := cmd.Context().Err(); err != nil {
						return err
					}
					one, load, err := a.format(path, flags)
					if err != nil && !folder {
						return err
					}
					if err != nil {
						refused = true
						fmt.Fprintln(a.call.Stderr, "pertain: "+oneLine(err.Error()))
					}
					if folder {
						sum.add(load)
					}
					changed = changed || one
				}
			}
			if refused || flags.check && changed {
				return negative("")
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&flags.check, "check", false, "write nothing; exit with 1 if something would change")
	cmd.Flags().BoolVar(&flags.diff, "diff", false, "write nothing; show what would change")
	cmd.Flags().StringVar(&flags.stdinName, "stdin-name", "stdin"+strategy.Suffix, "what the `FILE` on standard input is called")
	return cmd
}

// formattable are the files that an argument names: itself, or in a folder those of
// Pertain's own formats.
func (a *app) formattable(ctx context.Context, arg string) (paths []string, folder bool, err error) {
	root := a.abs(arg)
	if arg == "-" || !isFolder(root) {
		return []string{arg}, false, nil // reading it tells what is wrong
	}
	within := files.Below(files.OS(), root)
	err = files.Walk(ctx, files.OS(), root, files.WalkOptions{Within: &within}, func(step files.Step) error {
		if step.Info.Kind == files.Folder && step.Err == nil {
			if name := filepath.Base(step.Path); (name == ".git" || name == "node_modules") && step.Rel != "." {
				return files.ErrSkipFolder
			}
			return nil
		}
		if limit := (*files.LimitError)(nil); errors.As(step.Err, &limit) {
			return usage("%s: %s", arg, fileerror.Reason(step.Err))
		}
		if _, ok := lint.FieldOrder(step.Path); ok && !step.Link && step.Info.Kind == files.File && step.Err == nil {
			paths = append(paths, step.Path)
		}
		return nil
	})
	if err != nil {
		return nil, true, err
	}
	return paths, true, nil
}

// isFolder tells whether a path is a folder itself, and no link to one.
func isFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// format formats one file; changed is true if it is not in its canonical form.
func (a *app) format(arg string, flags formatFlags) (changed bool, load formatSum, err error) {
	before, err := a.readFormatted(arg, flags.check || flags.diff)
	if err != nil {
		return false, load, err
	}
	load.bytes = len(before)
	path := a.abs(arg)
	if arg == "-" {
		path = a.abs(flags.stdinName)
	}
	order, ok := lint.FieldOrder(path)
	if !ok {
		return false, load, usage("%s: is neither a strategy file nor a native rule file", clean(a.shortName(path)))
	}
	after, effort, err := lint.FormattedCounted(before, order)
	load.effort = effort
	if err != nil && lint.IsBare(path, before) {
		after, err = before, nil
	}
	if err != nil {
		return false, load, negative("%s: cannot be formatted: %s", clean(a.shortName(path)), err)
	}
	changed = !bytes.Equal(before, after)
	if flags.diff && changed {
		if _, err := fmt.Fprint(a.call.Stdout, lineDiff(a.shortName(path), string(before), string(after))); err != nil {
			return changed, load, err
		}
	}
	switch {
	case flags.diff:
	case flags.check:
		if changed {
			_, err = fmt.Fprintln(a.call.Stdout, clean(a.shortName(path)))
		}
	case arg == "-":
		_, err = a.call.Stdout.Write(after)
	case changed:
		if err = a.replace(path, before, after); errors.Is(err, writing.ErrChanged) {
			return true, load, negative("%s: %s; it stays as it is", clean(a.shortName(path)), err)
		}
		if err != nil {
			return true, load, usage("%s: %s", arg, fileerror.Reason(err))
		}
		_, err = fmt.Fprintln(a.call.Stdout, clean(a.shortName(path)))
	}
	return changed, load, err
}

// readFormatted reads a file that was named, or standard input. A link is followed where nothing will be written.
func (a *app) readFormatted(arg string, alone bool) ([]byte, error) {
	if arg == "-" {
		data, err := io.ReadAll(io.LimitReader(a.call.Stdin, document.MaxBytes+1))
		switch {
		case err != nil:
			return nil, usage("standard input: %s", fileProblem(err))
		case len(data) > document.MaxBytes:
			return nil, usage("standard input has more than %d bytes", document.MaxBytes)
		}
		return data, nil
	}
	path := a.abs(arg)
	look := os.Lstat
	if alone {
		look = os.Stat
	}
	info, err := look(path)
	switch {
	case err != nil:
		return nil, usage("%s: %s", arg, fileerror.Reason(err))
	case info.Mode()&os.ModeSymlink != 0:
		return nil, usage("%s: is a link; name the file that it leads to", arg)
	case !info.Mode().IsRegular():
		return nil, usage("%s: is not a regular file", arg)
	}
	target, err := writing.NamedTarget(path, a.dir())
	var data []byte
	if err == nil {
		data, err = target.Read(document.MaxBytes)
	}
	if err != nil {
		return nil, usage("%s: %s", arg, fileerror.Reason(err))
	}
	return data, nil
}
