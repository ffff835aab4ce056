package cli

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/rule"
)

// forReport is the JSON form of `rules for`.
type forReport struct {
	Files []forFile `json:"files"`
}

type forFile struct {
	Path  string    `json:"path"`
	Rules []forRule `json:"rules"`
}

type forRule struct {
	Name     string   `json:"name"`
	Provider string   `json:"provider"`
	Applies  bool     `json:"applies"`
	Why      rule.Why `json:"why"`
	Glob     string   `json:"glob,omitempty"`
	Note     string   `json:"note,omitempty"`
}

func (a *app) rulesForCommand() *cobra.Command {
	var all bool
	var options pertain.RuleOptions
	cmd := &cobra.Command{
		Use:   "for FILE...",
		Short: "Tell which rules apply to files, and why",
		Long: `Tell for each file which rules apply and why: because a glob matches, because
the rule always applies, because its description is offered to the model, or
because its trigger waits. With --all also why the others do not apply.

Rules in the folders on the way to a file count. The files need not exist. With
a single - the paths are read from standard input, one on a line.`,
		Example: `  pertain rules for src/api/user.ts
  pertain rules for --all src/api/user.ts
  git ls-files | pertain rules for --json -`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "-" {
				var err error
				if args, err = a.readPaths(); err != nil {
					return err
				}
			}
			paths := a.absAll(args)
			options.Files = paths
			book, err := a.rulebook(cmd.Context(), options)
			if err != nil {
				return err
			}
			verdicts := book.ForPaths(paths, all)
			if a.json {
				return a.writeJSON(forJSON(args, verdicts))
			}
			if err := a.printFor(args, verdicts); err != nil {
				return err
			}
			return a.warnRules(book, options)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "also list the rules that do not apply, and why not")
	a.documentedFlag(cmd, &options)
	a.jsonFlag(cmd)
	return cmd
}

// readPaths reads one path a line from standard input.
func (a *app) readPaths() ([]string, error) {
	var out []string
	lines := bufio.NewScanner(a.call.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if line := strings.TrimSuffix(lines.Text(), "\r"); line != "" {
			out = append(out, line)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, usage("standard input cannot be read: %s", err)
	}
	return out, nil
}

func (a *app) absAll(args []string) []string {
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = a.abs(arg)
	}
	return out
}

func forJSON(args []string, verdicts [][]rule.Verdict) forReport {
	report := forReport{Files: make([]forFile, len(args))}
	for i, path := range args {
		rules := make([]forRule, len(verdicts[i]))
		for k, v := range verdicts[i] {
			rules[k] = forRule{Name: v.Rule.Name, Provider: v.Rule.Provider, Applies: v.Applies, Why: v.Why, Glob: v.Glob, Note: v.Note}
		}
		report.Files[i] = forFile{Path: path, Rules: rules}
	}
	return report
}

// printFor shows each file with its rules in columns.
func (a *app) printFor(args []string, verdicts [][]rule.Verdict) error {
	out := bufio.NewWriterSize(a.call.Stdout, 64<<10)
	paint := a.painter(a.call.Stdout)
	for i, path := range args {
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(paint.bold(clean(path)) + "\n")
		if len(verdicts[i]) == 0 {
			out.WriteString("  " + paint.dim("no rule applies") + "\n")
		}
		name, provider := columns(verdicts[i])
		for _, v := range verdicts[i] {
			fmt.Fprintf(out, "  %s  %s  %s  %s\n", yesNo(paint, v.Applies), pad(clean(v.Rule.Name), name), pad(v.Rule.Provider, provider), reasonOf(v))
			if v.Note != "" {
				out.WriteString("     " + paint.dim(clean(v.Note)) + "\n")
			}
		}
	}
	return out.Flush()
}

func columns(verdicts []rule.Verdict) (name, provider int) {
	for _, v := range verdicts {
		name = max(name, min(len([]rune(v.Rule.Name)), 40))
		provider = max(provider, len(v.Rule.Provider))
	}
	return name, provider
}

func yesNo(paint painter, applies bool) string {
	if applies {
		return paint.style("32", "✓")
	}
	return paint.style("31", "✗")
}

// reasonOf words why a rule applies or not.
func reasonOf(v rule.Verdict) string {
	switch v.Why {
	case rule.ByGlob:
		return "matches " + clean(v.Glob)
	case rule.ByAlways:
		return "always applies"
	case rule.ByDescription:
		return "offered: read " + clean(v.Rule.URI()) + " when relevant"
	case rule.ByTrigger:
		return "waits for its trigger"
	case rule.NoGlobMatch:
		return "does not match"
	case rule.IsManual:
		return "only when asked for"
	case rule.IsShadowed:
		return "hidden"
	case rule.IsInvalid:
		return "its globs cannot be read"
	}
	return "switched off"
}
