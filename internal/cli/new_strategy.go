package cli

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/cases"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/strategy"
)

// strategyTemplate is the commented example that `new strategy` writes.
//
//go:embed templates/strategy.md
var strategyTemplate string

// casesTemplate are its cases, which `new strategy --test` writes beside it.
//
//go:embed templates/strategy.test.yaml
var casesTemplate string

func (a *app) newStrategyCommand() *cobra.Command {
	var dir string
	var workspace, stdout, force, test bool
	cmd := &cobra.Command{
		Use:   "strategy NAME",
		Short: "Write a commented, valid strategy",
		Long: `Write a strategy file with a comment on every field, ready to be changed.

NAME is what people will see. The file goes into your own strategies folder, so
that it is found at once; --workspace puts it into the workspace's, --dir
anywhere. A NAME that ends in .strategy.md is the path of the file itself.

With --test, cases for it are written beside it, which ` + "`pertain test`" + ` runs.`,
		Example: `  pertain new strategy "Review a contract"
  pertain new strategy --workspace --test explain-module
  pertain new strategy --stdout demo`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			name, file := strategyName(args[0])
			if name == "" {
				return usage("new strategy: NAME must hold a letter or digit")
			}
			text := strings.ReplaceAll(strategyTemplate, "NAME", strconv.Quote(name))
			if stdout {
				if test {
					return usage("new strategy: --stdout prints one file; leave out --test")
				}
				_, err := fmt.Fprint(a.call.Stdout, text)
				return err
			}
			path, own := a.newStrategyPath(args[0], file, dir, workspace)
			if path == "" {
				return usage("new strategy: there is no settings folder; set HOME to an absolute path, or name a folder with --dir")
			}
			written := map[string]string{"path": path}
			if test {
				written["test"] = cases.Beside(path)
				if _, err := os.Lstat(written["test"]); err == nil && !force { // neither is written where one is there
					return negative("%s exists already; choose another name, or replace it with --force", written["test"])
				}
			}
			if err := a.writeNewStrategy(path, text, own, force); err != nil {
				return err
			}
			if test {
				if err := a.writeNewStrategy(written["test"], casesTemplate, own, force); err != nil {
					return err
				}
			}
			if a.json {
				return a.writeJSON(written)
			}
			if _, err := fmt.Fprintf(a.call.Stdout, "%s\n", path); err != nil || !test {
				return err
			}
			_, err := fmt.Fprintf(a.call.Stdout, "%s\n", written["test"])
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write into this `DIR`")
	cmd.Flags().BoolVar(&workspace, "workspace", false, "write into the workspace's .pertain/strategies")
	cmd.Flags().BoolVar(&test, "test", false, "also write cases for it, beside it")
	cmd.Flags().BoolVar(&stdout, "stdout", false, "print the file instead of writing it")
	cmd.Flags().BoolVar(&force, "force", false, "replace a file that exists")
	a.jsonFlag(cmd)
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}

// writeNewStrategy writes a file that must not exist yet, unless forced, and words what
// goes wrong.
func (a *app) writeNewStrategy(path, text string, own, force bool) error {
	err := a.writeNew(path, text, own, force)
	if errors.Is(err, fs.ErrExist) {
		return negative("%s exists already; choose another name, or replace it with --force", path)
	}
	if err != nil {
		return usage("new strategy: %s: %s", path, fileerror.Reason(err))
	}
	return nil
}

// strategyName makes a display name and a file name of what the user wrote.
func strategyName(arg string) (name, file string) {
	name = arg
	if strings.HasSuffix(arg, strategy.Suffix) {
		name = strings.TrimSuffix(filepath.Base(arg), strategy.Suffix)
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		return "", ""
	}
	return strings.Join(strings.Fields(name), " "), strings.ToLower(strings.Join(words, "-")) + strategy.Suffix
}

// newStrategyPath is where the file goes, or "" if the user has no folder for it.
// own says that it is the user's own strategies folder.
func (a *app) newStrategyPath(arg, file, dir string, workspace bool) (path string, own bool) {
	switch {
	case strings.HasSuffix(arg, strategy.Suffix):
		return a.abs(arg), false
	case dir != "":
		return filepath.Join(a.abs(dir), file), false
	case workspace:
		root, ok := settings.WorkspaceRoot(files.OS(), a.dir())
		if !ok {
			root = a.dir()
		}
		return filepath.Join(root, ".pertain", "strategies", file), false
	}
	if folder := a.paths().UserStrategies; folder != "" {
		return filepath.Join(folder, file), true
	}
	return "", true
}
