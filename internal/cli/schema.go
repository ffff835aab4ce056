package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/schema"
)

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema " + strings.Join(schema.Names(), "|"),
		Short: "Print the JSON Schema of one of Pertain's files",
		Long: `Print a JSON Schema (2020-12) with descriptions, for editors and validators: of
the frontmatter of strategies and rules, of the settings file, or of a context.

The YAML language server takes it by a line in the file itself,
` + "`# yaml-language-server: $schema=FILE`" + `, or by its setting ` + "`yaml.schemas`" + `.`,
		Example: `  pertain schema strategy > strategy.schema.json
  pertain schema settings > ~/.config/pertain/config.schema.json`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: schema.Names(),
		RunE: func(_ *cobra.Command, args []string) error {
			text, ok := schema.Of(args[0])
			if !ok {
				return usage("schema: there is none for `%s`; write one of %s", args[0], strings.Join(schema.Names(), ", "))
			}
			_, err := a.call.Stdout.Write(text)
			return err
		},
	}
}
