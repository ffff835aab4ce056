package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/export"
)

// importReport is the JSON form of `import`.
type importReport struct {
	Files []*export.Imported `json:"files"`
}

func (a *app) importCommand() *cobra.Command {
	var from []string
	var to string
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "import --from AGENT|all",
		Short: "Take the rules of other agents over as native ones",
		Long: `Write the rules of one agent, or of all that are found here, as native rules: a file
each in .pertain/rules, with their texts, scopes and activations. Rules with one text
become one. Of rules with one name and different texts the first is taken, and the
difference is shown. Nothing that is there is changed or removed.
Rules of a repository inside of this folder are left out unless you trust it by
itself, or --from names it or a path in it.

Afterwards remove the files that were taken over, and let ` + "`pertain export`" + ` write them.`,
		Example: `  pertain import --from cursor
  pertain import --from all --dry-run
  pertain import --from claude --to .pertain/rules/claude`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			source := export.Source{From: trimmed(from), Dir: a.dir(), TrustsInner: a.trusts}
			if len(source.From) == 0 {
				return usage("name an agent, such as `--from cursor`, or `--from all`")
			}
			if slices.Contains(source.From, "all") {
				source.From, source.All = nil, true
			}
			folders := a.exportFolders()
			source.Trusted = a.trusts(folders.Root)
			dir := filepath.Join(folders.Root, ".pertain", "rules")
			if to != "" {
				dir = a.abs(to)
			}
			list, warnings, err := export.Import(cmd.Context(), folders, source, dir, dryRun)
			if unknown := (*export.UnknownSourceError)(nil); errors.As(err, &unknown) {
				return usage("--from: %s", err)
			}
			if none := (*export.NoRulesError)(nil); errors.As(err, &none) {
				return negative("--from: %s", err)
			}
			if err != nil {
				return err
			}
			if err := a.printImport(list, dryRun); err != nil {
				return err
			}
			if err := a.warnList(warnings); err != nil {
				return err
			}
			if slices.ContainsFunc(list, func(f *export.Imported) bool { return f.Change == export.Refused }) {
				return negative("")
			}
			return nil
		},
	}
	cmd.Flags().StringSliceVar(&from, "from", nil, "the `AGENT` whose rules are meant, or all")
	cmd.Flags().StringVar(&to, "to", "", "the `DIR` to write into (default .pertain/rules)")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "write nothing, and print what would be written as a diff")
	a.jsonFlag(cmd)
	_ = cmd.RegisterFlagCompletionFunc("from", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return append([]string{"all"}, pertain.AgentNames()...), cobra.ShellCompDirectiveNoFileComp
	})
	return cmd
}

// printImport tells what became of the rules.
func (a *app) printImport(list []*export.Imported, dryRun bool) error {
	if a.json {
		if list == nil {
			list = []*export.Imported{}
		}
		return a.writeJSON(importReport{list})
	}
	if len(list) == 0 {
		fmt.Fprintln(a.call.Stderr, "no rules of that kind are found here")
	}
	var b strings.Builder
	if dryRun {
		for _, f := range list {
			b.WriteString(f.Diff)
			if f.Why != "" {
				fmt.Fprintf(a.call.Stderr, "%s: %s: %s\n", f.Change, clean(a.homeName(f.Path)), clean(f.Why))
			}
		}
		_, err := io.WriteString(a.call.Stdout, b.String())
		return err
	}
	paint := a.painter(a.call.Stdout)
	for _, f := range list {
		fmt.Fprintf(&b, "%-9s  %s\n", f.Change, paint.bold(clean(a.homeName(f.Path))))
		var names []string
		for _, path := range f.From {
			names = append(names, clean(a.homeName(path)))
		}
		b.WriteString("           " + paint.dim("from "+strings.Join(names, ", ")) + "\n")
		if f.Why != "" {
			b.WriteString("           " + clean(f.Why) + "\n")
		}
		for _, loss := range f.Losses {
			b.WriteString("           " + paint.dim(clean(loss)) + "\n")
		}
		if f.Change == export.Refused || f.Change == export.Skipped {
			for line := range strings.Lines(f.Diff) {
				b.WriteString("           " + clean(strings.TrimRight(line, "\r\n")) + "\n")
			}
		}
	}
	_, err := io.WriteString(a.painted(a.call.Stdout), b.String())
	return err
}
