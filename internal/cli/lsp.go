package cli

import (
	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/lsp"
	"github.com/pertain-dev/pertain/internal/settings"
)

func (a *app) lspCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Serve an editor what it needs to know about strategies and rules (Language Server Protocol)",
		Long: `Talk to an editor over standard input and output: what lint tells while you type,
completion, the reference where the pointer is, definitions, fixes, symbols,
renaming of ids, formatting, and whether a strategy holds in a context file.

Strategy files, their tests (NAME.strategy.test.yaml), rule files of all tools, the
settings file and context files (NAME.context.json, NAME.context.yaml) are known by
their paths; other files are left alone. What an editor holds counts, whatever is on the disk. No file is
written, no program is started and no connection is opened.

Editors start it themselves; docs/editors.md says how.`,
		Example: `  pertain lsp
  nvim --cmd 'lua vim.lsp.config.pertain = {cmd = {"pertain", "lsp"}, filetypes = {"markdown"}}' \
    -c 'lua vim.lsp.enable("pertain")' .pertain/strategies/review.strategy.md`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := a.locate(); err != nil { // a wrong call is told before the editor is answered
				return err
			}
			code, err := lsp.Serve(cmd.Context(), a.call.Stdin, a.call.Stdout, lsp.Options{
				Version: Version(),
				Open:    a.editorFolder,
				Logger:  serverLogger(a.call.Stderr, false),
			})
			switch {
			case err != nil:
				return negative("%s", err)
			case code != 0:
				return negative("")
			}
			return nil
		},
	}
	cmd.Flags().Bool("stdio", true, "talk on standard input and output: the only way, which some editors name all the same")
	_ = cmd.Flags().MarkHidden("stdio")
	a.strategyFlags(cmd)
	return cmd
}

// editorFolder is what counts in a folder that an editor has open.
func (a *app) editorFolder(dir string) (lsp.Folder, error) {
	there := *a
	there.cwd = settings.WorkingDir(files.OS(), dir)
	workspace, err := there.lintWorkspace()
	return lsp.Folder{Lint: workspace, Paths: there.paths(), Skills: there.library()}, err
}
