package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
)

func (a *app) rulesTestCommand() *cobra.Command {
	t := &triggerTest{app: a}
	cmd := &cobra.Command{
		Use:   "test [TEXT|FILE|-]",
		Short: "Tell which triggers fire in a text, where, and why others do not",
		Long: `Feed a text to the triggers of the rules here, as a model's output would be, and
tell which fire and where. The text is the argument itself, the file that it
names, or standard input for -. With --path it is what a tool call adds to that
file. A byte order mark at the start of a file is no part of the text, but
its bytes count in offsets.

With --tool and --args, or --tool alone and the arguments on standard input, it is
a whole call of a tool, as any agent makes it: triggers see what it adds to which
file, decoded, and never what it takes away.

Without a text, the examples that rules carry in their frontmatter are run:

  examples:
    match: ["x.unwrap()"]
    no_match: ["x.unwrap_or(0)"]

The exit code is then 1 if one of them fails.`,
		Example: `  pertain rules test 'let y = x.unwrap();'
  pertain rules test --rule .omp/rules/no-unwrap.md --tool edit --path src/a.rs main.rs
  pertain rules test --tool Write --args '{"file_path": "src/a.rs", "content": "x.unwrap()"}'
  pertain rules test`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			t.sourceGiven, t.argsGiven = cmd.Flags().Changed("source"), cmd.Flags().Changed("args")
			return t.run(cmd.Context(), args)
		},
	}
	cmd.Flags().StringArrayVar(&t.files, "rule", nil, "only the rule in this `FILE`, wherever it is (repeatable)")
	cmd.Flags().StringVar(&t.source, "source", "text", "what the text is: text, thinking or tool")
	cmd.Flags().StringVar(&t.tool, "tool", "", "the `NAME` of the tool whose arguments the text is")
	cmd.Flags().StringVar(&t.args, "args", "", "the `JSON` of a whole tool call's arguments, or - for standard input")
	cmd.Flags().StringArrayVar(&t.paths, "path", nil, "a file that the tool touches (repeatable)")
	_ = cmd.RegisterFlagCompletionFunc("source", cobra.FixedCompletions([]string{"text", "thinking", "tool"}, cobra.ShellCompDirectiveNoFileComp))
	a.documentedFlag(cmd, &t.options)
	a.jsonFlag(cmd)
	return cmd
}

// triggerTest is one call of `rules test`.
type triggerTest struct {
	app         *app
	files       []string
	source      string
	sourceGiven bool // not the default
	tool        string
	args        string // of the call
	argsGiven   bool
	paths       []string
	options     pertain.RuleOptions
}

func (t *triggerTest) run(ctx context.Context, args []string) error {
	source, err := t.where()
	if err != nil {
		return err
	}
	whole := t.argsGiven || t.tool != "" && len(args) == 0 && len(t.paths) == 0
	switch {
	case t.argsGiven && (t.tool == "" || len(args) > 0 || len(t.paths) > 0):
		return usage("--args are those of a --tool, and say all there is to say: leave the text and --path out")
	case whole && t.sourceGiven && t.source != "tool":
		return usage("--source %s: only a tool call has a --tool; leave --source out", t.source)
	case len(args) == 0 && !whole && (t.sourceGiven || source.Kind == stream.Tool):
		return usage("--source, --tool and --path say what a text is: name a text, or leave them out to run the examples of rules")
	}
	var text testText
	if len(args) > 0 {
		if text, err = t.text(args[0]); err != nil {
			return err
		}
	}
	var call string
	if whole {
		if call, err = t.arguments(); err != nil {
			return err
		}
		if call == "" && !t.argsGiven {
			return usage("--tool %s: what does the call say? Give its arguments with --args or on standard input, or name a text", t.tool)
		}
	}
	var codes []diag.Code
	if len(args) == 0 && !whole { // an example that is not read must not count as one that holds
		codes = []diag.Code{diag.RuleInvalidField, diag.RuleUnknownField}
	}
	rules, root, err := t.rules(ctx, codes)
	if err != nil {
		return err
	}
	if whole {
		return t.call(rules, root, call)
	}
	if len(args) == 0 {
		return t.examples(rules)
	}
	for _, path := range t.paths {
		names, own, known := t.called(files.NewNamer(root), path)
		source.OwnPaths = append(source.OwnPaths, own...)
		source.Paths, source.Anywhere = append(source.Paths, names...), source.Anywhere || !known
	}
	return t.fire(rules, root, source, text)
}

// where says what the text is. A tool or a file alone says that it is a tool call.
func (t *triggerTest) where() (stream.Source, error) {
	source := stream.Source{Tool: t.tool}
	named := t.tool != "" || len(t.paths) > 0
	switch {
	case t.source == "tool", named && !t.sourceGiven:
		source.Kind = stream.Tool
	case t.source == "text":
	case t.source == "thinking":
		source.Kind = stream.Thinking
	default:
		return source, usage("--source %s: there is no such source; use text, thinking or tool", t.source)
	}
	if named && source.Kind != stream.Tool {
		return source, usage("--source %s: only a tool call has a --tool or a --path; leave --source out", t.source)
	}
	return source, nil
}

// rules are those that are named, or all that are in force here. What is wrong with
// them is told: of all rules, what concerns triggers and these codes.
func (t *triggerTest) rules(ctx context.Context, codes []diag.Code) (rules []*rule.Rule, root string, err error) {
	tree := files.OS()
	if len(t.files) == 0 {
		book, err := t.app.rulebook(ctx, t.options)
		if err != nil {
			return nil, "", err
		}
		return book.Rules(), book.Root, t.app.tellBroken(book, t.options, codes...)
	}
	rules, list, _, err := discover.NamedRules(ctx, tree, t.app.ruleRoots(), t.app.absAll(t.files))
	if err != nil {
		return nil, "", usage("%s", err)
	}
	if err := diag.Text(t.app.painted(t.app.call.Stderr), list, t.app.textOptions(t.app.call.Stderr)); err != nil {
		return nil, "", err
	}
	return rules, discover.ProjectRoot(tree, t.app.dir()), nil
}
