package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/visible"
	"github.com/pertain-dev/pertain/rule"
)

// forFile is one of the `files` in the JSON form of `rules for`.
type forFile struct {
	Path  string         `json:"path"`
	Rules []rule.Verdict `json:"rules"`
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
a single - the paths are read from standard input, one on a line. One answer names
rules 500,000 times; files that would go beyond that are left out, which is told and
exit 1.`,
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
			out := bufio.NewWriterSize(a.painted(a.call.Stdout), 64<<10)
			print := a.printFor
			if a.json {
				print = a.printForJSON
			}
			left, err := print(out, args, book, paths, all)
			if err != nil {
				return err
			}
			if err := out.Flush(); err != nil {
				return err
			}
			if !a.json {
				if err := a.warnRules(book, options); err != nil {
					return err
				}
			}
			if left > 0 {
				return negative("%s", leftOutFiles(left))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "also list the rules that do not apply, and why not")
	a.documentedFlag(cmd, &options)
	a.agentFlag(cmd, &options)
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

// chunk is how many files are answered for at once: a whole repository with
// --all would not fit into memory.
const chunk = 500

// maxVerdicts is how often one answer names rules: a repository may have any number of rules that are for all of its files.
const maxVerdicts = 500_000

// leftOutFiles tells of files that there was no room for.
func leftOutFiles(count int) string {
	return fmt.Sprintf("the answer names rules %d times by then, and %s left out; ask for fewer files at a time", maxVerdicts, areFiles(count))
}

func areFiles(count int) string {
	if count == 1 {
		return "1 file is"
	}
	return plural(count, "file") + " are"
}

// eachFile answers for files in their order; left is how many of the last there was no room for.
func eachFile(book *pertain.Rulebook, paths []string, all bool, visit func(i int, verdicts []rule.Verdict) error) (left int, err error) {
	files := book.Files(paths)
	room := maxVerdicts
	for start := 0; start < len(files); start += chunk {
		for i, verdicts := range book.For(files[start:min(start+chunk, len(files))], all) {
			if room -= len(verdicts); room < 0 && start+i > 0 {
				return len(files) - start - i, nil
			}
			if err := visit(start+i, verdicts); err != nil {
				return 0, err
			}
		}
	}
	return 0, nil
}

// printForJSON writes one document, file by file.
func (a *app) printForJSON(out *bufio.Writer, args []string, book *pertain.Rulebook, paths []string, all bool) (left int, err error) {
	fmt.Fprint(out, "{\n  \"files\": [")
	enc := json.NewEncoder(visible.JSONWriter(out))
	enc.SetEscapeHTML(false)
	enc.SetIndent("    ", "  ")
	left, err = eachFile(book, paths, all, func(i int, verdicts []rule.Verdict) error {
		if i > 0 {
			fmt.Fprint(out, ",")
		}
		fmt.Fprint(out, "\n    ")
		if verdicts == nil {
			verdicts = []rule.Verdict{}
		}
		return enc.Encode(forFile{Path: args[i], Rules: verdicts})
	})
	if err != nil {
		return left, err
	}
	fmt.Fprint(out, "  ],\n  \"warnings\": ") // what could not be read may be what was asked for
	enc.SetIndent("  ", "  ")
	list := append(diag.List{}, book.Warnings()...)
	if left > 0 {
		list.Add(diag.At(diag.NewSource(paths[len(paths)-left], ""), diag.NoSpan, diag.RuleTooLarge, "%s", leftOutFiles(left)))
	}
	if err := enc.Encode(list); err != nil {
		return left, err
	}
	fmt.Fprint(out, "}\n")
	return left, nil
}

// printFor shows each file with its rules in columns.
func (a *app) printFor(out *bufio.Writer, args []string, book *pertain.Rulebook, paths []string, all bool) (left int, err error) {
	paint := a.painter(a.call.Stdout)
	return eachFile(book, paths, all, func(i int, verdicts []rule.Verdict) error {
		var b strings.Builder
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(paint.bold(clean(args[i])) + "\n")
		if len(verdicts) == 0 {
			b.WriteString("  " + paint.dim("no rule applies") + "\n")
		}
		name, provider := columns(verdicts)
		for _, v := range verdicts {
			b.WriteString("  " + yesNo(paint, v.Applies) + "  " + pad(clean(v.Rule.Name), name) + "  " + pad(v.Rule.Provider, provider) + "  " + reasonOf(v) + "\n")
			if v.Note != "" {
				b.WriteString("     " + paint.dim(clean(v.Note)) + "\n")
			}
		}
		_, err := out.WriteString(b.String())
		return err
	})
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
	if v.Rule.When == rule.NotAtAll && !v.Rule.Disabled {
		return "never loaded"
	}
	return "switched off"
}
