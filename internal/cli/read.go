package cli

import (
	"context"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/surface"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/skill"
)

func (a *app) readCommand() *cobra.Command {
	var options pertain.RuleOptions
	cmd := &cobra.Command{
		Use:   "read URI",
		Short: "Print what rule://NAME or skill://ID stands for",
		Long: `Print the text behind an address: of rule://NAME the rule's text without its
frontmatter, nothing added. The name is matched exactly, percent-decoded. Of
skill://ID it is the skill's SKILL.md, of skill://ID/PATH a file in its folder.

Characters that no reader can see are shown on a terminal and left out of a
pipe, since a model may read it; --json has the text with them, escaped.`,
		Example: `  pertain read rule://house-style
  pertain read skill://claude.pdf/references/forms.md`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeAddresses,
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, ok := cutScheme(args[0], skill.Scheme); ok {
				return a.showSkill(cmd.Context(), args[0], options)
			}
			name, ok := cutScheme(args[0], rule.Scheme)
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

// showSkill prints a file of a skill.
func (a *app) showSkill(ctx context.Context, uri string, options pertain.RuleOptions) error {
	found, err := a.library().Read(ctx, uri)
	if err != nil {
		return skillError(err)
	}
	if utf8.Valid(found.Data) {
		if err := a.tellUnseen(document.Unseen(diag.NewSource(diag.Short(uri), string(found.Data))), options); err != nil {
			return err
		}
	}
	if a.json {
		return a.writeJSON(surface.NewSkillText(found))
	}
	_, err = io.WriteString(a.call.Stdout, a.passedOn(string(found.Data), options))
	return err
}

// cutScheme is what follows the scheme of an address, which has no case; ok is
// false if it has another one.
func cutScheme(address, scheme string) (rest string, ok bool) {
	if len(address) < len(scheme) || !strings.EqualFold(address[:len(scheme)], scheme) {
		return "", false
	}
	return address[len(scheme):], true
}
