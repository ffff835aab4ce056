package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
)

// testReport is the JSON form of `rules test` with a text.
type testReport struct {
	Fired  []testFired  `json:"fired"`
	Silent []testSilent `json:"silent"`
}

type testFired struct {
	Rule   string `json:"rule"`
	Offset int64  `json:"offset"` // bytes up to the end of the match
	Line   int    `json:"line"`   // of the match's last character
	Column int    `json:"column"`
}

type testSilent struct {
	Rule string `json:"rule"`
	Why  string `json:"why"`
}

// examplesReport is the JSON form of `rules test` without a text.
type examplesReport struct {
	Rules       int       `json:"rules"` // that have examples
	Examples    int       `json:"examples"`
	Failed      int       `json:"failed"`
	Diagnostics diag.List `json:"diagnostics"`
}

func (a *app) rulesTestCommand() *cobra.Command {
	t := &triggerTest{app: a}
	cmd := &cobra.Command{
		Use:   "test [TEXT|FILE|-]",
		Short: "Tell which triggers fire in a text, where, and why others do not",
		Long: `Feed a text to the triggers of the rules here, as a model's output would be, and
tell which fire and where. The text is the argument itself, the file that it
names, or standard input for -.

Without a text, the examples that rules carry in their frontmatter are run:

  examples:
    match: ["x.unwrap()"]
    no_match: ["x.unwrap_or(0)"]

The exit code is then 1 if one of them fails.`,
		Example: `  pertain rules test 'let y = x.unwrap();'
  pertain rules test --rule .omp/rules/no-unwrap.md --source tool --tool edit --path src/a.rs main.rs
  pertain rules test`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return t.run(cmd.Context(), args)
		},
	}
	cmd.Flags().StringArrayVar(&t.files, "rule", nil, "only the rule in this `FILE`, wherever it is (repeatable)")
	cmd.Flags().StringVar(&t.source, "source", "text", "what the text is: text, thinking or tool")
	cmd.Flags().StringVar(&t.tool, "tool", "", "the `NAME` of the tool whose arguments the text is")
	cmd.Flags().StringArrayVar(&t.paths, "path", nil, "a file that the tool touches (repeatable)")
	_ = cmd.RegisterFlagCompletionFunc("source", cobra.FixedCompletions([]string{"text", "thinking", "tool"}, cobra.ShellCompDirectiveNoFileComp))
	a.documentedFlag(cmd, &t.options)
	a.jsonFlag(cmd)
	return cmd
}

// triggerTest is one call of `rules test`.
type triggerTest struct {
	app     *app
	files   []string
	source  string
	tool    string
	paths   []string
	options pertain.RuleOptions
}

func (t *triggerTest) run(ctx context.Context, args []string) error {
	source, err := t.where()
	if err != nil {
		return err
	}
	rules, root, err := t.rules(ctx)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return t.examples(rules)
	}
	text, err := t.text(args[0])
	if err != nil {
		return err
	}
	for _, path := range t.paths {
		if rel, err := filepath.Rel(root, t.app.abs(path)); err == nil {
			path = rel
		}
		source.Paths = append(source.Paths, filepath.ToSlash(path))
	}
	return t.fire(rules, root, source, text)
}

func (t *triggerTest) where() (stream.Source, error) {
	switch {
	case t.source == "tool", t.source == "text" && (t.tool != "" || len(t.paths) > 0):
		return stream.Source{Kind: stream.Tool, Tool: t.tool}, nil
	case t.source == "text":
		return stream.Source{Kind: stream.Text}, nil
	case t.source == "thinking":
		return stream.Source{Kind: stream.Thinking}, nil
	default:
		return stream.Source{}, usage("--source %s: there is no such source; use text, thinking or tool", t.source)
	}
}

// rules are those that are named, or all that are in force here.
func (t *triggerTest) rules(ctx context.Context) (rules []*rule.Rule, root string, err error) {
	tree := files.OS()
	if len(t.files) == 0 {
		book, err := t.app.rulebook(ctx, t.options)
		if err != nil {
			return nil, "", err
		}
		return book.Rules(), book.Root, nil
	}
	rules, list, _, err := discover.NamedRules(ctx, tree, t.app.rulePlaces(), t.app.absAll(t.files))
	if err != nil {
		return nil, "", usage("%s", err)
	}
	if err := diag.Text(t.app.call.Stderr, list, t.app.textOptions(t.app.call.Stderr)); err != nil {
		return nil, "", err
	}
	return rules, discover.ProjectRoot(tree, t.app.dir()), nil
}

// maxTestText is how much text is taken, in bytes.
const maxTestText = 64 << 20

// text gives the text that an argument means.
func (t *triggerTest) text(arg string) (string, error) {
	if arg == "-" {
		data, err := io.ReadAll(io.LimitReader(t.app.call.Stdin, maxTestText))
		return string(data), err
	}
	path := t.app.abs(arg)
	if !isFile(path) {
		return arg, nil // it is the text itself
	}
	data, err := files.OS().ReadFile(path, maxTestText)
	var large *files.TooLargeError
	switch {
	case errors.As(err, &large):
		return "", usage("%s: the file is larger than 64 MiB", arg)
	case err != nil:
		return "", usage("%s: %s", arg, discover.Reason(err))
	}
	return string(data), nil
}

// fire feeds the text to all triggers, and tells why those are silent that were
// asked for by name.
func (t *triggerTest) fire(rules []*rule.Rule, root string, source stream.Source, text string) error {
	triggers := stream.FromRules(rules, filepath.ToSlash(root))
	set, problems := stream.Compile(triggers, stream.Options{Documented: t.options.Documented})
	st := set.Stream()
	found := append([]stream.Firing(nil), st.Feed(text)...)
	found = append(found, st.End()...)

	shown := diag.NewSource("text", text)
	report := testReport{Fired: []testFired{}, Silent: []testSilent{}}
	matched := map[int]bool{}
	var ends []int64
	for _, f := range found {
		matched[f.Trigger] = true
		if !set.Applies(f.Trigger, source) {
			continue
		}
		_, size := utf8.DecodeLastRuneInString(text[:f.Offset])
		p := shown.Position(int(f.Offset) - size)
		report.Fired = append(report.Fired, testFired{set.Trigger(f.Trigger).Name, f.Offset, p.Line, p.Column})
		ends = append(ends, f.Offset)
	}
	for i := range triggers {
		if why := silence(set, i, source, matched[i], problems); why != "" {
			report.Silent = append(report.Silent, testSilent{triggers[i].Name, why})
		}
	}
	for _, r := range rules {
		if r.Bucket != rule.TTSR {
			report.Silent = append(report.Silent, testSilent{r.Name, "the rule has no trigger that can be used"})
		}
	}
	if t.app.json {
		return t.app.writeJSON(report)
	}
	return t.print(report, ends, text, set.Scanner())
}

// silence says why a trigger did not fire; "" if it did.
func silence(set *stream.Set, i int, source stream.Source, matched bool, problems []stream.Problem) string {
	for _, p := range problems {
		if p.Trigger == i && !matched {
			return p.String()
		}
	}
	switch {
	case !matched:
		return "no expression of its trigger matches the text"
	case set.Applies(i, source):
		return ""
	case !set.Watches(i, source):
		return fmt.Sprintf("it matches, but its scope leaves out %s", sourceName(source))
	case len(source.Paths) == 0:
		return "it matches, but its globs need a file; name one with --path"
	default:
		return "it matches, but its globs leave out the files"
	}
}

func sourceName(source stream.Source) string {
	if source.Kind == stream.Tool && source.Tool != "" {
		return "the tool " + source.Tool
	}
	return "the source " + source.Kind.String()
}

func (t *triggerTest) print(report testReport, ends []int64, text string, scanner *stream.Scanner) error {
	var b strings.Builder
	paint := t.app.painter(t.app.call.Stdout)
	starts := map[int64]int{}
	if len(ends) > 0 {
		for _, m := range scanner.Scan(text) {
			starts[int64(m.End)] = m.Start
		}
	}
	for i, f := range report.Fired {
		start, ok := starts[ends[i]]
		if !ok {
			start = int(ends[i])
		}
		fmt.Fprintf(&b, "%s fires at line %d, column %d (byte %d)\n", paint.bold(clean(f.Rule)), f.Line, f.Column, f.Offset)
		b.WriteString(caret(text, start, int(f.Offset)))
	}
	if len(report.Fired) == 0 {
		b.WriteString("no trigger fires\n")
	}
	for _, s := range report.Silent {
		// Of all rules only those are told that matched and are held back; a rule
		// that was named is told in any case.
		if len(t.files) > 0 || strings.HasPrefix(s.Why, "it matches") {
			fmt.Fprintf(&b, "%s is silent: %s\n", paint.bold(clean(s.Rule)), clean(s.Why))
		}
	}
	_, err := fmt.Fprint(t.app.call.Stdout, b.String())
	return err
}

// caret shows the line in which a match ends, and marks it.
func caret(text string, start, end int) string {
	from := strings.LastIndexByte(text[:max(end-1, 0)], '\n') + 1
	to := len(text)
	if i := strings.IndexByte(text[min(end, len(text)):], '\n'); i >= 0 {
		to = end + i
	}
	start = max(start, from)
	const margin = 60
	prefix, suffix := "", ""
	for end-from > 2*margin && start-from > margin {
		from, prefix = start-margin, "…"
	}
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	if to-end > margin {
		to, suffix = end+margin, "…"
		for to < len(text) && !utf8.RuneStart(text[to]) {
			to++
		}
	}
	line := prefix + text[from:to] + suffix
	before := utf8.RuneCountInString(prefix + text[from:start])
	marks := max(utf8.RuneCountInString(text[start:end]), 1)
	return "  | " + clean(strings.ReplaceAll(line, "\t", " ")) + "\n  | " + strings.Repeat(" ", before) + strings.Repeat("^", marks) + "\n"
}

// examples runs the examples of rules.
func (t *triggerTest) examples(rules []*rule.Rule) error {
	report := examplesReport{Diagnostics: exampleProblems(rules, t.options.Documented)}
	for _, r := range rules {
		if n := len(r.Examples.Match) + len(r.Examples.NoMatch); n > 0 {
			report.Rules++
			report.Examples += n
		}
	}
	report.Failed = len(report.Diagnostics)
	if t.app.json {
		if err := t.app.writeJSON(report); err != nil {
			return err
		}
	} else {
		out := t.app.call.Stdout
		if err := diag.Text(out, report.Diagnostics, t.app.textOptions(out)); err != nil {
			return err
		}
		if report.Failed > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "%s of %s, %d failed\n", plural(report.Examples, "example"), plural(report.Rules, "rule"), report.Failed)
	}
	if report.Failed > 0 {
		return negative("")
	}
	return nil
}

// exampleProblems are the examples of rules that do not do what they say.
func exampleProblems(rules []*rule.Rule, documented bool) diag.List {
	var list diag.List
	for _, r := range rules {
		if len(r.Examples.Match)+len(r.Examples.NoMatch) == 0 {
			continue
		}
		set, _ := stream.Compile([]stream.Trigger{{Name: r.Name, Patterns: r.Triggers}}, stream.Options{Documented: documented})
		check := func(key string, texts []string, want bool, format string) {
			for i, text := range texts {
				st := set.Stream()
				if fires := len(st.Feed(text))+len(st.End()) > 0; fires == want {
					continue
				}
				list.Add(diag.At(r.Source, exampleSpan(r, key, i), diag.RuleExampleFailed, format, r.Name))
			}
		}
		check("match", r.Examples.Match, true, "no trigger of `%s` matches this example")
		check("no_match", r.Examples.NoMatch, false, "a trigger of `%s` matches this example, which it should not")
	}
	return list
}

// exampleSpan is where an example is written.
func exampleSpan(r *rule.Rule, key string, index int) diag.Span {
	n := r.Frontmatter.Get("examples").Get(key)
	switch {
	case n == nil:
		return diag.NoSpan
	case index < len(n.Items):
		return n.Items[index].Span()
	default:
		return n.Span()
	}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
