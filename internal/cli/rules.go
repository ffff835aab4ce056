package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/lint"
	"github.com/pertain-dev/pertain/rule"
)

// rulesReport is the JSON form of `rules`.
type rulesReport struct {
	Rules    []ruleRow `json:"rules"`
	Warnings diag.List `json:"warnings"`
	Tokens   *tokenSum `json:"tokens,omitempty"`
}

func (a *app) rulesCommand() *cobra.Command {
	var all, withStats, withTokens bool
	var options pertain.RuleOptions
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List the rules that agents see here, and where each comes from",
		Long: `List the rules of all agents that are found here, in order of precedence: where
each comes from and how it reaches a model. Of several rules with one name the
first wins; --all shows the hidden ones too, and those that are switched off by
enabled: false.

  always     its whole text is in every prompt
  rulebook   its description is in the prompt, its text behind rule://NAME
  ttsr       it waits until the model is about to break it
  none       it applies by the file that is worked on, or when asked for

With --agent, only what one agent loads by itself, in its own order, and when: at
the start, on touching a file, listed by its description, waiting for its trigger,
or never. docs/agents.md says how this is known. --json also tells for each rule
which agents load its file.

Folders such as .cursor/rules are looked for in the working directory and every
folder above it in the project; --nested looks in all folders below, too.

` + tokenHelp,
		Example: `  pertain rules
  pertain rules --all --json
  pertain rules --agent claude
  pertain rules --stats
  pertain rules --tokens
  pertain rules for src/api/user.ts
  pertain rules show house-style`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			options.Agents = a.json
			book, err := a.rulebook(cmd.Context(), options)
			if err != nil {
				return err
			}
			list := book.Rules()
			if all {
				list = book.All()
			}
			rows, err := a.ruleRows(cmd.Context(), list, withStats)
			if err != nil {
				return err
			}
			report := rulesReport{Rules: rows, Warnings: book.Warnings()}
			if withTokens {
				if report.Tokens, err = a.countTokens(rows, book); err != nil {
					return err
				}
			}
			if a.json {
				return a.writeJSON(report)
			}
			if err := a.printRules(rows, book); err != nil {
				return err
			}
			if report.Tokens != nil {
				fmt.Fprintln(a.painted(a.call.Stdout), report.Tokens)
			}
			return a.warnRules(book, options)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "also list the rules that another one hides, and those that are disabled")
	cmd.Flags().BoolVar(&options.Nested, "nested", false, "look in all folders of the project, what .gitignore names left out")
	cmd.Flags().BoolVar(&withTokens, "tokens", false, "count the tokens of each rule's text, and of all that is in every prompt")
	cmd.Flags().BoolVar(&withStats, "stats", false, "tell what each rule did here in the last 30 days, by the journal")
	a.documentedFlag(cmd, &options)
	a.agentFlag(cmd, &options)
	a.jsonFlag(cmd)
	cmd.AddCommand(a.rulesShowCommand(), a.rulesForCommand(), a.rulesFilesCommand(), a.rulesTestCommand(), a.rulesScanCommand())
	for _, sub := range cmd.Commands() {
		wordArguments(sub)
	}
	return cmd
}

func (a *app) documentedFlag(cmd *cobra.Command, options *pertain.RuleOptions) {
	cmd.Flags().BoolVar(&options.Documented, "documented", false, "exactly what the rulebook describes, its known gaps included")
}

func (a *app) rulebook(ctx context.Context, options pertain.RuleOptions) (*pertain.Rulebook, error) {
	return pertain.OpenRules(ctx, a.environment(), options)
}

// tellUnseen says on stderr that a text which is printed holds what no reader can
// see.
func (a *app) tellUnseen(list diag.List, options pertain.RuleOptions) error {
	if options.Documented || len(list) == 0 {
		return nil
	}
	return diag.Lines(a.painted(a.call.Stderr), list.Limit(), a.textOptions(a.call.Stderr))
}

// warnRules shows on stderr what was found while loading; what is documented
// does not (docs/reference/json.md).
func (a *app) warnRules(book *pertain.Rulebook, options pertain.RuleOptions) error {
	if options.Documented || len(book.Warnings()) == 0 {
		return nil
	}
	list := slices.Clone(book.Warnings())
	list = slices.DeleteFunc(list, func(d diag.Diagnostic) bool { return d.Severity == diag.Info }) // it is as its author wants it
	return a.tellRuleFiles(list)
}

// maxRuleWarnings is how many mistakes in rule files are told of by a command that
// was not asked about them.
const maxRuleWarnings = 8

// tellRuleFiles says on stderr what is wrong with rule files, each once, a line each. Of many
// it tells the first: whoever mends them calls lint.
func (a *app) tellRuleFiles(list diag.List) error {
	seen := map[string]bool{}
	list = slices.DeleteFunc(slices.Clone(list), func(d diag.Diagnostic) bool {
		key := fmt.Sprint(d.File(), d.Span, d.Code, d.Message)
		told := seen[key]
		seen[key] = true
		return told
	})
	rest := len(list) - maxRuleWarnings
	if rest > 1 { // one more would take the line that says so
		list = list[:maxRuleWarnings]
	}
	if err := diag.Lines(a.painted(a.call.Stderr), list, a.textOptions(a.call.Stderr)); err != nil || rest <= 1 {
		return err
	}
	_, err := fmt.Fprintf(a.call.Stderr, "pertain: %d more warnings about rule files; `pertain lint` shows them\n", rest)
	return err
}

func (a *app) printRules(list []ruleRow, book *pertain.Rulebook) error {
	var b strings.Builder
	hidden, disabled, exported := 0, 0, 0
	for _, r := range book.All() {
		switch {
		case r.Shadowed && r.Export != nil:
			exported++
		case r.Shadowed:
			hidden++
		case r.Disabled:
			disabled++
		}
	}
	paint := a.painter(a.call.Stdout)
	name, provider := 0, 0
	for _, r := range list {
		name = max(name, min(utf8.RuneCountInString(r.Name), 40))
		provider = max(provider, len(r.Provider))
	}
	linked := map[*rule.Rule]bool{}
	for _, r := range lint.Linked(files.OS(), a.workspace(), book.All()) {
		linked[r] = true
	}
	count := map[rule.Bucket]int{}
	for _, r := range list {
		bucket := string(r.Bucket)
		switch {
		case r.Shadowed && r.Export != nil:
			bucket = "exported"
		case r.Shadowed:
			bucket = "hidden"
		case r.Disabled:
			bucket = "disabled"
		default:
			count[r.Bucket]++
			if r.When != "" { // the view of one agent
				bucket = string(r.When)
			}
		}
		path := a.homeName(r.Path)
		if linked[r.Rule] {
			path += " → " + a.homeName(r.Real)
		}
		fmt.Fprintf(&b, "%s  %-8s  %s  %s\n", paint.bold(pad(clean(r.Name), name)), bucket, pad(r.Provider, provider), clean(path))
		if detail := ruleDetail(r.Rule); detail != "" {
			b.WriteString(strings.Repeat(" ", name+2) + paint.dim(clean(detail)) + "\n")
		}
		if r.tokens != nil {
			b.WriteString(strings.Repeat(" ", name+2) + paint.dim(plural(*r.tokens, "token")) + "\n")
		}
		if r.stats != nil {
			b.WriteString(strings.Repeat(" ", name+2) + paint.dim(statsLine(*r.stats)) + "\n")
		}
		switch {
		case r.Shadowed && r.Export != nil:
			b.WriteString(strings.Repeat(" ", name+2) + paint.dim("exported from "+clean(a.homeName(r.ShadowedBy.Path))) + "\n")
		case r.Shadowed:
			b.WriteString(strings.Repeat(" ", name+2) + paint.dim("hidden by "+clean(a.homeName(r.ShadowedBy.Path))) + "\n")
		}
	}
	if len(list) == 0 {
		b.WriteString("no rules are found here\n")
	} else {
		b.WriteString("\n" + plural(count[rule.Always]+count[rule.Rulebook]+count[rule.TTSR]+count[rule.None], "rule"))
		for _, bucket := range []rule.Bucket{rule.Always, rule.Rulebook, rule.TTSR, rule.None} {
			if count[bucket] > 0 {
				fmt.Fprintf(&b, ", %d %s", count[bucket], bucket)
			}
		}
		if hidden > 0 {
			fmt.Fprintf(&b, "; %d hidden", hidden)
		}
		if disabled > 0 {
			fmt.Fprintf(&b, "; %d disabled", disabled)
		}
		if exported > 0 {
			fmt.Fprintf(&b, "; %d exported", exported)
		}
		b.WriteByte('\n')
	}
	_, err := fmt.Fprint(a.painted(a.call.Stdout), b.String())
	return err
}

// ruleDetail is a rule's description and globs in one line.
func ruleDetail(r *rule.Rule) string {
	var parts []string
	if r.Description != nil {
		parts = append(parts, shorten(strings.Join(strings.Fields(*r.Description), " "), 90))
	}
	if len(r.Globs) > 0 {
		parts = append(parts, shorten(strings.Join(r.Globs, ", "), 60))
	}
	return strings.Join(parts, " · ")
}

// homeName shows a file relative to the working directory or the home.
func (a *app) homeName(file string) string {
	short := a.shortName(file)
	if home := a.paths().Home; home != "" && strings.HasPrefix(file, home+"/") {
		if tilde := "~" + file[len(home):]; len(tilde) < len(short) {
			return tilde
		}
	}
	if strings.HasPrefix(short, "~/") { // a folder of this name is not the home
		return "./" + short
	}
	return short
}
