package cli

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
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
	NotListed  scanNotListed   `json:"notListed"`
}

type scanFinding struct {
	Rule   string `json:"rule"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"` // in code points
	Offset int    `json:"offset"` // in bytes
	Length int    `json:"length"` // in bytes

	in    *scannedFile
	start int  // in its text, which is without a byte order mark
	own   bool // the rule is one of the user's own
	nth   int  // which one of its rule it is in the file, from 0
}

// scanProblem is a path that could not be looked at, and why.
type scanProblem struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`

	leftOut bool // on purpose, as --help says
}

// scanUndecided is a part of a file in which an expression was not tried to the end.
type scanUndecided struct {
	File string `json:"file"`
	testUndecided

	own     bool
	trigger int
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
left out.

A rule is told once for each line in which a match of it starts. A match that may
as well start in the line in which it ends is told there: \s*foo in the line of
foo. Columns count characters. A byte order mark at the start of a file is no part
of its text, but its bytes count in the offsets of --json.

At most 100 findings of a file and 10,000 of all are listed, those of your own
rules first and then the first one of each rule in each file, and it is told how
many more there are.

The exit code is 1 when something is found, and 2 when nothing is but a file or a
folder could not be read. What could not be read is told on standard error, by
--json and in SARIF.

Folders are searched for files, 32 levels deep. Left out are files of rules, .git and
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
			report, err := a.scan(cmd.Context(), args, options, format != "json")
			if err != nil {
				return err
			}
			if err := a.printScan(report, format); err != nil {
				return err
			}
			switch {
			case len(report.Findings) > 0:
				return negative("")
			case report.failed():
				return a.unreadError(report)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", format, "how to print: text, json, sarif or github")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(scanFormats, cobra.ShellCompDirectiveNoFileComp))
	a.documentedFlag(cmd, &options)
	a.agentFlag(cmd, &options)
	a.jsonFlag(cmd)
	return cmd
}

// scanner goes over files on all cores.
type scanner struct {
	app  *app
	book *pertain.Rulebook
	set  *stream.Set
	// keepTexts keeps the texts of files with findings, of which lines are shown, and
	// SARIF's and GitHub's positions are made.
	keepTexts bool

	read, bytes, skipped atomic.Int64
	mu                   sync.Mutex
	findings             firstOf[scanFinding]
	found                int // findings in all files, also those that were not kept
	undecided            firstOf[scanUndecided]
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
	s := newScanner(a, book, set, keepTexts)
	stop := s.progress(ctx)
	err = s.run(ctx, options.Files)
	stop()
	if err != nil {
		return scanReport{}, err
	}
	return s.report(), nil
}

func newScanner(a *app, book *pertain.Rulebook, set *stream.Set, keepTexts bool) *scanner {
	return &scanner{
		app: a, book: book, set: set, keepTexts: keepTexts,
		findings:  firstOf[scanFinding]{most: maxScanFindings, order: rankFindings},
		undecided: firstOf[scanUndecided]{most: maxScanUndecided, order: rankUndecided},
	}
}

// report puts in order what the workers found.
func (s *scanner) report() scanReport {
	findings, undecided := s.findings.sorted(), s.undecided.sorted()
	slices.SortFunc(findings, inOrder)
	slices.SortFunc(undecided, inFiles)
	slices.SortFunc(s.unreadable, func(x, y scanProblem) int { return strings.Compare(x.Path, y.Path) })
	return scanReport{
		Files: int(s.read.Load()), Bytes: s.bytes.Load(), Skipped: int(s.skipped.Load()),
		Unreadable: append([]scanProblem{}, slices.Compact(s.unreadable)...),
		Undecided:  append([]scanUndecided{}, undecided...),
		Findings:   append([]scanFinding{}, findings...),
		NotListed:  s.notListed(findings),
	}
}

// run hands the files to workers.
func (s *scanner) run(ctx context.Context, roots []string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	paths := make(chan []scanPath, 64)
	work := s.set.ScanWork()
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			w := &scanWorker{scanner: s, stream: work.Scanner(s.set)}
			w.stream.Keep(maxScanFileFindings)
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
