package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/docs/reference"
)

// helpCommand shows the reference by topic, and how commands are called.
func (a *app) helpCommand() *cobra.Command {
	var topics strings.Builder
	for _, t := range reference.Topics() {
		topics.WriteString("  " + pad(t.Name, 14) + t.About + "\n")
	}
	return &cobra.Command{
		Use:   "help [TOPIC [NAME]|COMMAND]",
		Short: "Explain a topic, or a command",
		Long: `Print a page of the reference, what it says of one name, or how a command is
called. Where a topic and a command have one name, it is the topic; the command's
own help is that of COMMAND --help.

Topics:
` + topics.String(),
		Example: `  pertain help operators
  pertain help operators containsAny
  pertain help topics
  pertain help match`,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return helpWords(cmd.Root(), args), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Root().Help()
			}
			if len(args) == 1 && args[0] == "topics" {
				_, err := fmt.Fprint(a.painted(a.call.Stdout), topics.String())
				return err
			}
			if topic, ok := helpAliases()[args[0]]; ok && len(args) == 1 {
				args = []string{topic}
			}
			found, rest, err := cmd.Root().Find(args)
			_, named := reference.Entry(args[0], args[len(args)-1])
			if page, ok := reference.Page(args[0]); ok && (len(args) == 1 || named || err != nil || len(rest) > 0) {
				return a.helpTopic(args, page)
			}
			if err == nil && len(rest) == 0 {
				found.InitDefaultHelpFlag()
				return found.Help()
			}
			if found != cmd.Root() {
				return knownCommand(found, rest)
			}
			if near := diag.Nearest(args[0], helpWords(cmd.Root(), nil)); near != "" {
				return usage("there is no topic or command `%s`; did you mean `pertain help %s`?", args[0], near)
			}
			return usage("there is no topic or command `%s`; the topics are %s", args[0], wordList(topicNames()))
		},
	}
}

// helpAliases are words that people ask for, with the topic that explains them.
func helpAliases() map[string]string {
	return map[string]string{"from": "skills", "globs": "rules", "scope": "triggers", "when": "conditions"}
}

// helpTopic prints a page, or what it says of a name.
func (a *app) helpTopic(args []string, page string) error {
	if len(args) > 2 {
		return usage("help: name a topic, and one of what it is about; see `pertain help --help`")
	}
	if len(args) == 2 {
		text, ok := reference.Entry(args[0], args[1])
		names := reference.Entries(args[0])
		switch near := diag.Nearest(args[1], names); {
		case ok:
			page = text + "\n"
		case near != "":
			return usage("the topic %s says nothing of `%s`; did you mean `%s`?", args[0], args[1], near)
		default:
			return usage("the topic %s says nothing of `%s`; see `pertain help %s`", args[0], args[1], args[0])
		}
	}
	out := a.painted(a.call.Stdout)
	paint := a.painter(a.call.Stdout)
	if !paint.on {
		_, err := fmt.Fprint(out, page)
		return err
	}
	var b strings.Builder
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "#") {
			line = paint.bold(strings.TrimSuffix(line, "\n")) + "\n"
		}
		b.WriteString(line)
	}
	_, err := fmt.Fprint(out, b.String())
	return err
}

func topicNames() []string {
	var names []string
	for _, t := range reference.Topics() {
		names = append(names, t.Name)
	}
	return names
}

// helpWords are what may follow some words of help.
func helpWords(root *cobra.Command, args []string) []string {
	switch len(args) {
	case 0:
		names := topicNames()
		for _, c := range root.Commands() {
			if c.IsAvailableCommand() {
				names = append(names, c.Name())
			}
		}
		return names
	case 1:
		return reference.Entries(args[0])
	}
	return nil
}

// wordList writes words with commas between them.
func wordList(words []string) string { return strings.Join(words, ", ") }
