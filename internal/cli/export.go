package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/export"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// exportFlags are the flags of export.
type exportFlags struct {
	to, from                           []string
	dryRun, check, prune, strict, user bool
}

// exportReport is the JSON form of `export`.
type exportReport struct {
	Files []*export.File `json:"files"`
}

func (a *app) exportCommand() *cobra.Command {
	var flags exportFlags
	cmd := &cobra.Command{
		Use:   "export --to AGENT[,AGENT...]",
		Short: "Write rules as the files that other agents read",
		Long: `Write the rules of .pertain/rules and .omp/rules, or of what --from names, as the
files that agents read: with their scope, activation, description and text wherever
an agent can say that. Where it cannot, the nearest weaker form is taken, and told
as a loss. docs/agents.md has the table of what each agent can say.

Each file has a mark with a hash. A file without one, or that was edited since, is
never overwritten or removed: it is refused, and the others are written. AGENTS.md,
GEMINI.md, CLAUDE.md and the like may be hand-written and have the lines
` + "`<!-- pertain export -->` and `<!-- /pertain export -->`" + `: rules go between them
(where an agent has a folder of rules, those that always apply). A rule that is asked
for by its description becomes a skill where an agent lists no rules but has skills.
What was exported is never read as a rule of its own again, unless --from names it
or its agent and the rule that it was made from is gone. --prune removes nothing of
what --from names.

--from takes the name of a provider or agent (cursor, agents-md), a file, or a folder:
one that a tool keeps its rules in is read as that tool reads it, any other as native
rules, whose subfolders are part of their names. Rules of a repository inside of this
folder are left out unless you trust it by itself, or --from names it or a path in it. A path without rules is exit 1, one
that does not exist exit 2. Several stand with commas, or --from is given again.

Exit 1: a file was refused, or all have more than 256 MiB of text; with --check something would change; with --strict an
agent cannot say everything. Notes (` + "`twice`" + `) tell that one of the agents reads the
file of another as well as its own; they are no losses.

The project can say in ` + export.SettingsName + ` what is meant without flags:

  export:
    to: [claude, cursor, copilot]
    from: .pertain/rules

Agents: ` + strings.Join(pertain.AgentNames(), " ") + `.`,
		Example: `  pertain export --to claude,cursor,copilot
  pertain export --to codex --dry-run
  pertain export --from cursor --to claude,kiro
  pertain export --check
  pertain export --to claude --prune --strict`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.export(cmd, flags) },
	}
	cmd.Flags().StringSliceVar(&flags.to, "to", nil, "the `AGENTS` to write for")
	cmd.Flags().StringSliceVar(&flags.from, "from", nil, "where rules are taken from: a `PATH`, a provider or an agent")
	cmd.Flags().BoolVar(&flags.dryRun, "dry-run", false, "write nothing, and print what would change as a diff")
	cmd.Flags().BoolVar(&flags.check, "check", false, "write nothing; exit with 1 if something would change")
	cmd.Flags().BoolVar(&flags.prune, "prune", false, "remove files that were exported and that no rule becomes any longer")
	cmd.Flags().BoolVar(&flags.strict, "strict", false, "write nothing and exit with 1 if an agent cannot say something")
	cmd.Flags().BoolVar(&flags.user, "user", false, "your own rules, into your own folders")
	a.jsonFlag(cmd)
	_ = cmd.RegisterFlagCompletionFunc("to", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return pertain.AgentNames(), cobra.ShellCompDirectiveNoFileComp
	})
	return cmd
}

// exportFolders is where rules are read and written.
func (a *app) exportFolders() export.Folders {
	paths := a.paths()
	root := discover.ProjectRoot(files.OS(), a.dir())
	if _, _, ok := files.FindUp(files.OS(), a.dir(), ".git"); !ok {
		root = a.workspace()
	}
	folders := export.Folders{Root: root, Home: paths.Home, State: paths.State, Lookup: func(name string) (string, bool) {
		v := a.call.Env(name)
		return v, v != ""
	}}
	if paths.ConfigDir != "" {
		folders.Config = files.OS().Flavor().Dir(paths.ConfigDir)
	}
	return folders
}

// trusts tells whether the user trusts a folder; what cannot be read trusts nobody.
func (a *app) trusts(folder string) bool {
	trusted, err := settings.Trust{Path: a.paths().Trust}.Trusted(folder)
	return err == nil && trusted
}

func (a *app) export(cmd *cobra.Command, flags exportFlags) error {
	folders := a.exportFolders()
	source := export.Source{From: trimmed(flags.from), Dir: a.dir(), User: flags.user, Trusted: a.trusts(folders.Root), TrustsInner: a.trusts}
	to := trimmed(flags.to)
	if !flags.user { // what a stranger's project says is not for the user's own folders
		said, err := export.ReadSettings(folders.Root)
		if err != nil {
			return usage("%s", err)
		}
		if !cmd.Flags().Changed("to") {
			to = said.To
		}
		if !cmd.Flags().Changed("from") && len(said.From) > 0 {
			source.From, source.Confine, source.Dir = said.From, true, folders.Root
		}
	}
	switch {
	case len(to) == 0:
		return usage("name the agents to write for, such as `--to claude,cursor`, or write them into %s", export.SettingsName)
	case flags.user && folders.Home == "":
		return usage("there is no home folder; set HOME to an absolute path")
	}
	forms, err := export.CheckTargets(to, flags.user)
	if err != nil {
		return usage("%s", err)
	}
	rules, warnings, err := export.Load(cmd.Context(), folders, source)
	if unknown := (*export.UnknownSourceError)(nil); errors.As(err, &unknown) {
		return usage("--from: %s", err)
	}
	if none := (*export.NoRulesError)(nil); errors.As(err, &none) {
		return negative("--from: %s", err)
	}
	if err != nil {
		return err
	}
	plan, err := export.NewPlan(cmd.Context(), folders, rules, forms, flags.user)
	if large := (*export.TooLargeError)(nil); errors.As(err, &large) {
		return negative("%s", large)
	}
	if err != nil {
		return err
	}
	lossy := flags.strict && len(plan.Losses()) > 0
	if err := plan.Do(cmd.Context(), export.Run{DryRun: flags.dryRun || flags.check || lossy, Prune: flags.prune, Source: source}); err != nil {
		if foreign := (*export.ManifestError)(nil); errors.As(err, &foreign) {
			return negative("%s", foreign)
		}
		return err
	}
	if err := a.printExport(plan, flags, len(rules)); err != nil {
		return err
	}
	if err := a.warnList(warnings); err != nil {
		return err
	}
	changes, refusals := plan.Changes()
	switch {
	case lossy:
		return negative("--strict: agents cannot say everything, so nothing was written")
	case refusals, flags.check && changes:
		return negative("")
	}
	return nil
}

// warnList shows on stderr what was found while rules were read.
func (a *app) warnList(list diag.List) error {
	list = slices.DeleteFunc(slices.Clone(list), func(d diag.Diagnostic) bool { return d.Severity == diag.Info })
	return diag.Lines(a.painted(a.call.Stderr), list, a.textOptions(a.call.Stderr))
}

// printExport tells what became of the files, and what could not be said.
func (a *app) printExport(plan *export.Plan, flags exportFlags, count int) error {
	if a.json {
		list := plan.Files
		if list == nil {
			list = []*export.File{}
		}
		return a.writeJSON(exportReport{list})
	}
	if count == 0 {
		fmt.Fprintln(a.call.Stderr, "no rules to export are found here; `pertain new rule NAME` makes one, and --from takes those of another agent")
	}
	var b strings.Builder
	if flags.dryRun {
		for _, f := range plan.Files {
			b.WriteString(f.Diff)
			if f.Change == export.Refused {
				fmt.Fprintf(a.call.Stderr, "refused: %s: %s\n", clean(a.homeName(f.Path)), clean(f.Why))
			}
		}
		_, err := io.WriteString(a.call.Stdout, b.String())
		return err
	}
	paint := a.painter(a.call.Stdout)
	width := 0
	for _, f := range plan.Files {
		width = max(width, len(f.Agent))
	}
	for _, f := range plan.Files {
		name := clean(a.homeName(f.Path))
		if f.Change == export.Skipped && len(f.Rules) > 0 {
			name = "the rule " + clean(strings.Join(f.Rules, ", "))
		}
		fmt.Fprintf(&b, "%s  %-9s  %s\n", paint.bold(pad(f.Agent, width)), f.Change, name)
		indent := strings.Repeat(" ", width+2)
		if len(f.Shared) > 1 {
			b.WriteString(indent + paint.dim("shared by "+strings.Join(f.Shared, ", ")) + "\n")
		}
		if f.Why != "" {
			b.WriteString(indent + clean(f.Why) + "\n")
		}
		for _, loss := range f.Losses {
			b.WriteString(indent + paint.dim(clean(loss)) + "\n")
		}
		for _, note := range f.Notes {
			b.WriteString(indent + paint.dim(clean(note)) + "\n")
		}
	}
	b.WriteString(lossTable(plan))
	_, err := io.WriteString(a.painted(a.call.Stdout), b.String())
	return err
}

// lossTable is how many losses of each kind each agent has.
func lossTable(plan *export.Plan) string {
	var kinds, agents []string
	count := map[[2]string]int{}
	for _, f := range plan.Files {
		for _, loss := range f.Losses {
			kind, _, _ := strings.Cut(loss, ": ")
			if !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
			if !slices.Contains(agents, f.Agent) {
				agents = append(agents, f.Agent)
			}
			count[[2]string{kind, f.Agent}]++
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	slices.Sort(kinds)
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-12s", "losses")
	for _, agent := range agents {
		fmt.Fprintf(&b, "  %8s", agent)
	}
	b.WriteByte('\n')
	for _, kind := range kinds {
		fmt.Fprintf(&b, "%-12s", kind)
		for _, agent := range agents {
			cell := "-"
			if n := count[[2]string{kind, agent}]; n > 0 {
				cell = fmt.Sprint(n)
			}
			fmt.Fprintf(&b, "  %*s", max(8, len(agent)), cell)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// trimmed are words without the blanks around them; empty ones are left out.
func trimmed(list []string) []string {
	var out []string
	for _, word := range list {
		if word = strings.TrimSpace(word); word != "" {
			out = append(out, word)
		}
	}
	return out
}
