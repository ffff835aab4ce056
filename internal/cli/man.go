package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
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
			root.DisableAutoGenTag = true
			date := time.Unix(0, 0).UTC() // the same pages from the same program
			header := &doc.GenManHeader{Section: "1", Source: "pertain " + Version(), Manual: "Pertain", Date: &date}
			if err := a.writePages(root, *header, a.abs(dir)); err != nil {
				return usage("--dir %s: %s", dir, discover.Reason(err))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "the `DIR` to write into")
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}

// writePages writes the page of a command and those of its subcommands.
func (a *app) writePages(cmd *cobra.Command, header doc.GenManHeader, dir string) error {
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && !sub.IsAdditionalHelpTopicCommand() {
			if err := a.writePages(sub, header, dir); err != nil {
				return err
			}
		}
	}
	var page bytes.Buffer
	if err := doc.GenMan(cmd, &header, &page); err != nil { // its own copy: it fills in the title
		return err
	}
	target, err := files.NamedTarget(filepath.Join(dir, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+"."+header.Section), a.dir())
	if err != nil {
		return err
	}
	if err := target.MakeFolder(0o755); err != nil {
		return err
	}
	return target.Put(page.Bytes(), 0o644)
}
