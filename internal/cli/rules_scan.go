package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/stream"
)

// scanReport is the JSON form of `rules scan`.
type scanReport struct {
	Files      int             `json:"files"`
	Bytes      int64           `json:"bytes"`
	Skipped    int             `json:"skipped"`    // binary, or too large
	Unreadable []scanProblem   `json:"unreadable"` // files and folders
	Undecided  []scanUndecided `json:"undecided"`
	Findings   []scanFinding   `json:"findings"`
}

type scanFinding struct {
	Rule   string `json:"rule"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"` // in code points
	Offset int    `json:"offset"` // in bytes
	Length int    `json:"length"` // in bytes

	source *diag.Source // nil unless the scanner keeps texts
}

// scanProblem is a path that could not be looked at, and why.
type scanProblem struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// scanUndecided is a part of a file in which an expression was not tried to the end.
type scanUndecided struct {
	File string `json:"file"`
	testUndecided
}

var scanFormats = []string{"text", "json", "sarif", "github"}

func (a *app) rulesScanCommand() *cobra.Command {
	var options pertain.RuleOptions
	format := "text"
	cmd := &cobra.Command{
		Use:   "scan PATH...",
		Short: "Find where triggers would have fired in existing files",
		Long: `Run the triggers of all rules over files and tell every line in which one would
have fired: what a rule is worth, before it is live. The globs and the scope of a
rule count, as if a tool had written the file: one whose scope names no tool is
left out. The exit code is 1 when something is found.

Folders are searched for files, 32 levels deep. Left out are .git and
node_modules, links, binary files, files of more than 64 MiB, file systems that
the kernel makes up, such as /proc and /sys, and what git ignores: by the
.gitignore files from the root of the repository down and by .git/info/exclude.
Without a repository, .gitignore files count from the working directory down or,
for a folder elsewhere, from that folder down. Your own ignore file for all
repositories does not count: the answer is the same on every machine. What is
named on the command line is looked at even if git ignores it, it is a link, or
the kernel makes it up; binary and too large files are left out nevertheless.`,
		Example: `  pertain rules scan src
  pertain rules scan --format sarif . > triggers.sarif`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.json {
				if cmd.Flags().Changed("format") && format != "json" {
					return usage("--json and --format %s exclude each other; use one of them", format)
				}
				format = "json"
			}
			if !slices.Contains(scanFormats, format) {
				return usage("--format %s: there is no such format; use one of %s", format, strings.Join(scanFormats, ", "))
			}
			report, err := a.scan(cmd.Context(), args, options, format == "sarif" || format == "github")
			if err != nil {
				return err
			}
			if err := a.printScan(report, format); err != nil {
				return err
			}
			if len(report.Findings) > 0 {
				return negative("")
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", format, "how to print: text, json, sarif or github")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(scanFormats, cobra.ShellCompDirectiveNoFileComp))
	a.documentedFlag(cmd, &options)
	a.jsonFlag(cmd)
	return cmd
}

// scanner goes over files on all cores.
type scanner struct {
	app  *app
	book *pertain.Rulebook
	set  *stream.Set
	// keepTexts keeps the texts of files with findings, of which SARIF's and GitHub's
	// positions are made.
	keepTexts bool

	read, bytes, skipped atomic.Int64
	mu                   sync.Mutex
	findings             []scanFinding
	undecided            []scanUndecided
	unreadable           []scanProblem
}

func (a *app) scan(ctx context.Context, args []string, options pertain.RuleOptions, keepTexts bool) (scanReport, error) {
	options.Files = a.absAll(args)
	book, err := a.rulebook(ctx, options)
	if err != nil {
		return scanReport{}, err
	}
	if err := a.tellBroken(book, options); err != nil {
		return scanReport{}, err
	}
	triggers := a.bookTriggers(book)
	for i := range triggers {
		triggers[i].Globs = nil // the book knows where a rule applies
	}
	set, problems := stream.Compile(triggers, stream.Options{Documented: options.Documented})
	a.tellFull(set, problems)
	s := &scanner{app: a, book: book, set: set, keepTexts: keepTexts}
	stop := s.progress(ctx)
	err = s.run(ctx, options.Files)
	stop()
	if err != nil {
		return scanReport{}, err
	}
	return s.report(), nil
}

// report puts in order what the workers found.
func (s *scanner) report() scanReport {
	slices.SortFunc(s.findings, func(x, y scanFinding) int {
		return cmp.Or(strings.Compare(x.File, y.File), x.Offset-y.Offset, strings.Compare(x.Rule, y.Rule))
	})
	slices.SortStableFunc(s.undecided, func(x, y scanUndecided) int { return strings.Compare(x.File, y.File) })
	slices.SortFunc(s.unreadable, func(x, y scanProblem) int { return strings.Compare(x.Path, y.Path) })
	return scanReport{
		Files: int(s.read.Load()), Bytes: s.bytes.Load(), Skipped: int(s.skipped.Load()),
		Unreadable: append([]scanProblem{}, slices.Compact(s.unreadable)...),
		Undecided:  append([]scanUndecided{}, s.undecided...),
		Findings:   append([]scanFinding{}, s.findings...),
	}
}

// run hands the files to workers.
func (s *scanner) run(ctx context.Context, roots []string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	paths := make(chan []string, 64)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			w := &scanWorker{scanner: s, stream: s.set.Scanner()}
			for batch := range paths {
				for _, path := range batch {
					if ctx.Err() != nil {
						return
					}
					w.file(path)
				}
			}
		})
	}
	done := make(chan error, 1)
	go func() {
		err := s.walk(ctx, roots, paths)
		close(paths)
		workers.Wait()
		done <- err
	}()
	select {
	case err := <-done:
		return errors.Join(err, ctx.Err())
	case <-ctx.Done(): // a file on a disk that does not answer must not hold up the end
		return ctx.Err()
	}
}

func (a *app) printScan(report scanReport, format string) error {
	out := a.call.Stdout
	if format != "json" {
		a.tellLeftOut(report)
	}
	switch format {
	case "json":
		return a.writeJSON(report)
	case "sarif":
		return diag.SARIF(out, scanDiagnostics(report), diag.SARIFOptions{Version: Version(), Root: a.dir()})
	case "github":
		return diag.GitHub(out, scanDiagnostics(report), a.shortName)
	}
	var b strings.Builder
	for _, f := range report.Findings {
		fmt.Fprintf(&b, "%s:%d:%d: %s\n", clean(a.shortName(f.File)), f.Line, f.Column, clean(f.Rule))
	}
	fmt.Fprintf(&b, "%s in %s", plural(len(report.Findings), "finding"), plural(report.Files, "file"))
	if report.Skipped > 0 {
		fmt.Fprintf(&b, "; %s left out, binary or larger than 64 MiB", plural(report.Skipped, "file"))
	}
	b.WriteByte('\n')
	_, err := fmt.Fprint(out, b.String())
	return err
}

// maxTold is how many lines are said about each kind of thing that was left out.
const maxTold = 20

// tellLeftOut says on stderr what could not be looked at, or not to the end: that
// nothing was found there means nothing.
func (a *app) tellLeftOut(report scanReport) {
	var lines []string
	for _, p := range report.Unreadable {
		lines = append(lines, fmt.Sprintf("%s is not looked at: %s", a.shortName(p.Path), p.Reason))
	}
	a.tellSome(lines)
	lines = nil
	for _, u := range report.Undecided {
		lines = append(lines, fmt.Sprintf("rule %s may have missed a match in %s: %s; %s", u.Rule, a.shortName(u.File), u.Message, u.Hint))
	}
	a.tellSome(lines)
}

func (a *app) tellSome(lines []string) {
	for i, line := range lines {
		if i == maxTold {
			fmt.Fprintf(a.call.Stderr, "pertain: and %d more like this; --json lists them\n", len(lines)-i)
			return
		}
		fmt.Fprintln(a.call.Stderr, "pertain: "+clean(line))
	}
}

// scanDiagnostics are the findings as diagnostics, each with its rule's name as the
// code.
func scanDiagnostics(report scanReport) diag.List {
	var list diag.List
	for _, f := range report.Findings {
		list.Add(diag.Diagnostic{
			Severity: diag.Warning,
			Code:     diag.Code(f.Rule),
			Message:  "the trigger of the rule `" + f.Rule + "` matches here",
			Source:   f.source,
			Span:     diag.Span{Start: f.Offset, End: f.Offset + f.Length},
		})
	}
	return list
}
