package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
)

// newRule is what the author of a new rule says about it.
type newRule struct {
	tool, description, trigger string
	globs                      []string
	always                     bool
}

// ruleTools are the tools that a rule can be written for: the folder, the end of the
// file's name, and the field for globs.
var ruleTools = []struct{ name, folder, end, globs string }{
	{"pertain", ".pertain/rules", ".md", "globs"},
	{"omp", ".omp/rules", ".md", "globs"},
	{"claude", ".claude/rules", ".md", "paths"},
	{"cline", ".clinerules", ".md", "paths"},
	{"copilot", ".github/instructions", ".instructions.md", "applyTo"},
	{"cursor", ".cursor/rules", ".mdc", "globs"},
	{"windsurf", ".windsurf/rules", ".md", "globs"},
}

func (a *app) newRuleCommand() *cobra.Command {
	n := newRule{tool: "pertain"}
	var stdout, force bool
	tools := toolNames()
	cmd := &cobra.Command{
		Use:   "rule [NAME]",
		Short: "Write a commented, valid rule",
		Long: `Write a rule file with comments, ready to be changed, into the folder of a tool at
the root of the project: .pertain/rules, or with --tool that of another.

When the rule applies is up to --always, --globs and --description; --trigger stops
a model that is about to break it. Without any of these the rule always applies.

On a terminal it asks for what the call leaves open: the name, and if nothing is
said about it, the tool and when the rule applies.`,
		Example: `  pertain new rule
  pertain new rule api-errors --globs 'src/api/**/*.ts' --description 'How to report errors'
  pertain new rule house-style --tool cursor --always
  pertain new rule no-unwrap --trigger '\.unwrap\(\)' --globs '**/*.rs'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := strings.Join(args, "")
			said := slices.ContainsFunc([]string{"globs", "description", "trigger", "always"}, cmd.Flags().Changed)
			if err := a.askRule(&n, &name, said, said || cmd.Flags().Changed("tool")); err != nil {
				return err
			}
			if n.toolAt() < 0 {
				return usage("new rule: --tool %s: there is no such tool; use one of %s", n.tool, strings.Join(tools, ", "))
			}
			_, file := strategyName(name)
			if file == "" {
				return usage("new rule: NAME must hold a letter or digit")
			}
			if problem := a.problemOf(&n); problem != "" {
				return usage("new rule: %s", problem)
			}
			path, text := a.newRulePath(&n, strings.TrimSuffix(file, ".strategy.md")), n.text()
			if stdout {
				_, err := fmt.Fprint(a.call.Stdout, text)
				return err
			}
			err := a.writeNew(path, text, false, force)
			if errors.Is(err, fs.ErrExist) {
				return negative("%s exists already; choose another name, or replace it with --force", path)
			}
			if err != nil {
				return usage("new rule: %s: %s", path, fileerror.Reason(err))
			}
			if a.json {
				return a.writeJSON(map[string]string{"path": path})
			}
			_, err = fmt.Fprintf(a.call.Stdout, "%s\n", path)
			return err
		},
	}
	cmd.Flags().StringVar(&n.tool, "tool", n.tool, "whose rule it is: `TOOL` is "+strings.Join(tools, ", "))
	cmd.Flags().StringArrayVar(&n.globs, "globs", nil, "a `GLOB` of files that it is for (repeatable)")
	cmd.Flags().StringVar(&n.description, "description", "", "what it is about, for the model to decide by")
	cmd.Flags().StringVar(&n.trigger, "trigger", "", "an `EXPRESSION` that matches what breaks it")
	cmd.Flags().BoolVar(&n.always, "always", false, "it applies whatever is worked on")
	cmd.Flags().BoolVar(&stdout, "stdout", false, "print the file instead of writing it")
	cmd.Flags().BoolVar(&force, "force", false, "replace a file that exists")
	_ = cmd.RegisterFlagCompletionFunc("tool", cobra.FixedCompletions(tools, cobra.ShellCompDirectiveNoFileComp))
	a.jsonFlag(cmd)
	return cmd
}

func toolNames() []string {
	var names []string
	for _, t := range ruleTools {
		names = append(names, t.name)
	}
	return names
}

// toolAt is the tool's place in the table, or -1.
func (n *newRule) toolAt() int { return slices.Index(toolNames(), n.tool) }

// newRulePath is where the file goes.
func (a *app) newRulePath(n *newRule, name string) string {
	t := ruleTools[n.toolAt()]
	return filepath.Join(discover.ProjectRoot(files.OS(), a.dir()), filepath.FromSlash(t.folder), name+t.end)
}

// problemOf says what of the author's words cannot be meant, such as an expression
// with a mistake; empty if nothing.
func (a *app) problemOf(n *newRule) string {
	_, list := discover.RuleText(files.OS(), a.ruleRoots(), a.newRulePath(n, "new"), []byte(n.text()))
	if len(list) == 0 {
		return ""
	}
	return list[0].Sentence()
}

// text is the file, in the fields of the tool.
func (n *newRule) text() string {
	globsKey := ruleTools[n.toolAt()].globs
	always := n.always || n.description == "" && n.trigger == "" && len(n.globs) == 0
	var b strings.Builder
	b.WriteString("---\n")
	field := func(comment, line string) { b.WriteString("# " + comment + "\n" + line + "\n") }
	if n.description != "" {
		field("What it is about: a model reads the rule when this concerns its task.", "description: "+strconv.Quote(n.description))
	}
	switch quoted := n.quotedGlobs(); {
	case len(quoted) == 0 && always && globsKey == "applyTo":
		field("The files that it is for: all.", `applyTo: "**"`)
	case len(quoted) == 0:
	case globsKey == "applyTo" || n.tool == "cursor" || n.tool == "windsurf":
		field("The files that it is for, with commas between the globs.", globsKey+": "+strconv.Quote(strings.Join(n.globs, ",")))
	default:
		field("The files that it is for.", globsKey+": ["+strings.Join(quoted, ", ")+"]")
	}
	switch {
	case n.tool == "windsurf":
		mode := "glob"
		if always {
			mode = "always_on"
		} else if len(n.globs) == 0 {
			mode = "model_decision"
		}
		field("When it applies: always_on, glob, model_decision or manual.", "trigger: "+mode)
	case n.tool == "claude" || n.tool == "copilot" || n.tool == "cline":
	case n.trigger == "":
		field("Whether it applies whatever is worked on.", fmt.Sprintf("alwaysApply: %t", always))
	}
	if n.trigger != "" {
		field("A model whose output matches is stopped and shown the rule.", "condition: "+strconv.Quote(n.trigger))
	}
	b.WriteString("---\n\nWrite here what the model should do, and why.\n")
	return b.String()
}

func (n *newRule) quotedGlobs() []string {
	var out []string
	for _, g := range n.globs {
		out = append(out, strconv.Quote(g))
	}
	return out
}
