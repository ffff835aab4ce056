package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

func (a *app) trustCommand() *cobra.Command {
	var revoke, list bool
	cmd := &cobra.Command{
		Use:   "trust [DIR]",
		Short: "Let a workspace's own strategies be recommended and run",
		Long: `A workspace comes from strangers: until you trust its folder, the strategies in
its .pertain/strategies are checked and listed, but never recommended or run,
and git is not started in it.

DIR is a folder in the workspace; without it, the working directory is taken.
What is trusted is kept in your settings folder, and trusting a folder says
nothing about other workspaces inside it. It is this very folder: one that was
moved away and made anew, or now belongs to somebody else, is not trusted, and
--list says so.`,
		Example: `  pertain trust
  pertain trust --revoke ~/src/project
  pertain trust --list`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			store := settings.Trust{Path: a.paths().Trust}
			if store.Path == "" {
				return usage("trust: there is no settings folder; set HOME to an absolute path")
			}
			if list {
				if len(args) > 0 || revoke {
					return usage("trust: --list goes alone")
				}
				return a.listTrust(store)
			}
			dir := a.dir()
			if len(args) == 1 {
				dir = a.abs(args[0])
			}
			return a.changeTrust(cmd.Context(), store, dir, revoke)
		},
	}
	cmd.Flags().BoolVar(&revoke, "revoke", false, "trust the workspace no longer")
	cmd.Flags().BoolVar(&list, "list", false, "list the trusted workspaces")
	a.jsonFlag(cmd)
	return cmd
}

func (a *app) listTrust(store settings.Trust) error {
	entries, err := store.List()
	if err != nil {
		return usage("%s", err)
	}
	answer := struct {
		Trusted []string              `json:"trusted"`
		Lapsed  []settings.TrustEntry `json:"lapsed"`
	}{[]string{}, []settings.TrustEntry{}}
	var text strings.Builder
	for _, entry := range entries {
		if entry.Lapsed == "" {
			answer.Trusted = append(answer.Trusted, entry.Path)
			text.WriteString(clean(entry.Path) + "\n")
			continue
		}
		answer.Lapsed = append(answer.Lapsed, entry)
		text.WriteString(clean(entry.Path) + "\tno longer trusted: " + entry.Lapsed + "\n")
	}
	if a.json {
		return a.writeJSON(answer)
	}
	_, err = fmt.Fprint(a.call.Stdout, text.String())
	return err
}

func (a *app) changeTrust(ctx context.Context, store settings.Trust, dir string, revoke bool) error {
	root := dir
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		if found, ok := settings.WorkspaceRoot(files.OS(), dir); ok {
			root = found
		}
	} else if !revoke { // a folder that is gone can still be revoked, by its own name
		return usage("trust %s: there is no such folder", a.shortName(dir))
	}
	change, done := store.Add, "trusted"
	if revoke {
		change, done = store.Revoke, "revoked"
	}
	root, changed, err := change(ctx, root)
	if err != nil {
		return usage("trust: %s", err)
	}
	if revoke && !changed {
		return negative("%s was not trusted; `pertain trust --list` shows what is", root)
	}
	if a.json {
		return a.writeJSON(map[string]string{done: root})
	}
	_, err = fmt.Fprintf(a.call.Stdout, "%s %s\n", done, clean(root))
	return err
}
