package cli

import (
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/writing"
)

func (a *app) newCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new",
		Short: "Write a new file to start from",
		Args:  knownCommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.newStrategyCommand(), a.newRuleCommand())
	return cmd
}

// writeNew writes a file that must not exist yet, unless forced. What is the user's
// own is nobody else's to read; elsewhere the umask decides.
func (a *app) writeNew(path, text string, own, force bool) error {
	target, err := writing.NamedTarget(path, a.dir())
	folderMode, fileMode := fs.FileMode(0o755), fs.FileMode(0o644)
	if own {
		target, err = writing.OwnTarget(path)
		folderMode, fileMode = 0o700, 0o600
	}
	if err != nil {
		return err
	}
	if err := target.MakeFolder(folderMode); err != nil {
		return err
	}
	if force {
		return target.Put([]byte(text), fileMode)
	}
	return target.Create([]byte(text), fileMode)
}
