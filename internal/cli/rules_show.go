package cli

import (
	"context"
	"io"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/surface"
	"github.com/pertain-dev/pertain/internal/visible"
	"github.com/pertain-dev/pertain/rule"
)

func (a *app) rulesShowCommand() *cobra.Command {
	var options pertain.RuleOptions
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Print a rule's text",
		Long: `Print the text of one rule without its frontmatter, nothing added. Rules of
nested folders are named by their folder: packages/api/AGENTS.

Characters that no reader can see are shown on a terminal and left out of a
pipe, since a model may read it; --json has the text with them, escaped.`,
		Example: `  pertain rules show house-style
  pertain rules show packages/api/AGENTS`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.showRule(cmd.Context(), args[0], options)
		},
		ValidArgsFunction: a.completeRules,
	}
	a.documentedFlag(cmd, &options)
	a.jsonFlag(cmd)
	return cmd
}

// findRule finds the rule of a name. If it is not known from here, the folders of
// the project that it may name are looked at.
func (a *app) findRule(ctx context.Context, name string, options pertain.RuleOptions) (*pertain.Rulebook, *rule.Rule, error) {
	r, book, unknown, err := surface.FindRule(ctx, name, func(ctx context.Context, nested bool) (*pertain.Rulebook, error) {
		options.Nested = options.Nested || nested && !options.Documented // which does not look there
		return a.rulebook(ctx, options)
	})
	if err != nil {
		return nil, nil, err
	}
	if unknown != nil {
		return nil, nil, negative("%s", unknown)
	}
	return book, r, nil
}

// showRule prints the text of a rule.
func (a *app) showRule(ctx context.Context, name string, options pertain.RuleOptions) error {
	options.Named = surface.RuleNames(name)
	_, r, err := a.findRule(ctx, name, options)
	if err != nil {
		return err
	}
	if err := a.tellUnseen(document.Unseen(r.Source), options); err != nil {
		return err
	}
	if a.json {
		return a.writeJSON(surface.NewRuleText(r, r.Content))
	}
	_, err = io.WriteString(a.call.Stdout, a.passedOn(r.Content, options))
	return err
}

// passedOn is a text of a file as it is printed for its own sake. A terminal shows what no reader can see; whoever reads a
// pipe may be a model, which was told to ask for the text, and gets it without. Escape sequences stay what they are there.
func (a *app) passedOn(text string, options pertain.RuleOptions) string {
	if options.Documented || onTerminal(a.call.Stdout) || !utf8.ValidString(text) {
		return text
	}
	return visible.StripUnseen(text)
}
