package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/rule"
)

// promptReport is the JSON form of `prompt`.
type promptReport struct {
	Prompt string   `json:"prompt"`
	Tokens tokenSum `json:"tokens"`
}

func (a *app) promptCommand() *cobra.Command {
	var about []string
	var skills, withTokens bool
	var options pertain.RuleOptions
	cmd := &cobra.Command{
		Use:   "prompt [--for FILE...]",
		Short: "Print the rules as a block for a system prompt",
		Long: `Print the block that tells a model about the rules: the whole text of those that
always apply, then name, description and globs of those it can read by
rule://NAME when it needs them. Nothing is printed if there is nothing to say.

With --for, rules whose globs match one of the files are placed whole, for an
agent that is about to edit them.

` + tokenHelp,
		Example: `  pertain prompt
  pertain prompt --for src/api/user.ts src/api/order.ts`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && len(about) == 0 {
				return usage("prompt: name files with --for; see `pertain prompt --help`")
			}
			paths := a.absAll(append(about, args...))
			if len(paths) > 0 && options.Documented {
				return usage("--for: the rulebook as documented does not look at files; leave out --documented")
			}
			options.Files = paths
			book, err := a.rulebook(cmd.Context(), options)
			if err != nil {
				return err
			}
			block := book.Prompt(rule.PromptOptions{Files: book.Files(paths)})
			if skills {
				index, err := a.skillsIndex(cmd.Context())
				if err != nil {
					return err
				}
				if block != "" && index != "" {
					block += "\n"
				}
				block += index
			}
			var sum *tokenSum
			if withTokens || a.json {
				c, err := newTokenCounter()
				if err != nil {
					return err
				}
				counted := c.prompt(book.Cost(rule.PromptOptions{Files: book.Files(paths)}))
				sum = &counted
				c.tell(a.call.Stderr)
			}
			if a.json {
				return a.writeJSON(promptReport{block, *sum})
			}
			if _, err := fmt.Fprint(a.call.Stdout, block); err != nil {
				return err
			}
			if sum != nil {
				fmt.Fprintln(a.call.Stderr, sum)
			}
			return a.warnRules(book, options)
		},
	}
	cmd.Flags().BoolVar(&skills, "skills", false, "also list the enabled skills")
	cmd.Flags().StringArrayVar(&about, "for", nil, "a `FILE` that is about to be edited (repeatable; more may follow)")
	cmd.Flags().BoolVar(&withTokens, "tokens", false, "tell on standard error how many tokens the rules take")
	a.jsonFlag(cmd)
	a.documentedFlag(cmd, &options)
	a.agentFlag(cmd, &options)
	return cmd
}
