package cli

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/writing"
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
			made := date() // the same pages from the same program
			header := &doc.GenManHeader{Section: "1", Source: "pertain " + Version(), Manual: "Pertain", Date: &made}
			if err := a.writePages(root, *header, a.abs(dir)); err != nil {
				return usage("--dir %s: %s", dir, fileerror.Reason(err))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "the `DIR` to write into")
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}

// page is a manual page that is to be written.
type page struct {
	target writing.Target
	text   []byte
}

// writePages writes the page of a command and those of its subcommands: all of them, or
// none where one is refused.
func (a *app) writePages(cmd *cobra.Command, header doc.GenManHeader, dir string) error {
	pages, err := a.pages(cmd, header, dir)
	if err != nil {
		return err
	}
	for _, p := range pages {
		if err := p.target.MakeFolder(0o755); err != nil {
			return err
		}
		if err := p.target.Put(p.text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// pages are those of a command's subcommands and its own.
func (a *app) pages(cmd *cobra.Command, header doc.GenManHeader, dir string) (pages []page, err error) {
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && !sub.IsAdditionalHelpTopicCommand() {
			more, err := a.pages(sub, header, dir)
			if err != nil {
				return nil, err
			}
			pages = append(pages, more...)
		}
	}
	var text bytes.Buffer
	if err := doc.GenMan(cmd, &header, &text); err != nil { // its own copy: it fills in the title
		return nil, err
	}
	target, err := writing.NamedTarget(filepath.Join(dir, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+"."+header.Section), a.dir())
	if err != nil {
		return nil, err
	}
	return append(pages, page{target, text.Bytes()}), target.Check()
}
