package cli

import (
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manCommand writes the manual pages; packagers and the release script call it.
func (a *app) manCommand(root *cobra.Command) *cobra.Command {
	dir := ""
	cmd := &cobra.Command{
		Use:   "man",
		Short: "Write the manual pages into a folder",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if dir == "" {
				return usage("man: name a folder with --dir")
			}
			target := a.abs(dir)
			if err := os.MkdirAll(target, 0o755); err != nil {
				return usage("--dir %s: %s", dir, err)
			}
			root.DisableAutoGenTag = true
			date := time.Unix(0, 0).UTC() // the same pages from the same program
			header := &doc.GenManHeader{Section: "1", Source: "pertain " + Version(), Manual: "Pertain", Date: &date}
			if err := doc.GenManTree(root, header, target); err != nil {
				return usage("--dir %s: %s", dir, err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "the `DIR` to write into")
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}
