package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/rule"
)

func (a *app) readCommand() *cobra.Command {
	var options pertain.RuleOptions
	cmd := &cobra.Command{
		Use:   "read URI",
		Short: "Print what rule://NAME or skill://ID stands for",
		Long: `Print the text behind an address: of rule://NAME the rule's text without its
frontmatter, nothing added. The name is matched exactly, percent-decoded.`,
		Example: `  pertain read rule://house-style
  pertain read skill://claude.pdf/references/forms.md`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.HasPrefix(args[0], "skill://") {
				text, err := a.readSkill(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				_, err = io.WriteString(a.call.Stdout, text)
				return err
			}
			name, ok := strings.CutPrefix(args[0], rule.Scheme)
			if !ok {
				return usage("read %s: not an address that can be read; write rule://NAME or skill://ID", args[0])
			}
			return a.showRule(cmd.Context(), name, options)
		},
	}
	a.documentedFlag(cmd, &options)
	a.jsonFlag(cmd)
	return cmd
}
