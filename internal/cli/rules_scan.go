package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
)

// scanReport is the JSON form of `rules scan`.
type scanReport struct {
	Files    int           `json:"files"`
	Bytes    int64         `json:"bytes"`
	Skipped  int           `json:"skipped"`
	Findings []scanFinding `json:"findings"`
}

type scanFinding struct {
	Rule   string `json:"rule"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"` // in code points
	Offset int    `json:"offset"` // in bytes
	Length int    `json:"length"` // in bytes

	source *diag.Source
}

var scanFormats = []string{"text", "json", "sarif", "github"}

func (a *app) rulesScanCommand() *cobra.Command {
	var options pertain.RuleOptions
	format := "text"
	cmd := &cobra.Command{
		Use:   "scan PATH...",
		Short: "Find where triggers would have fired in existing files",
		Long: `Run the triggers of all rules over files and tell every line in which one would
have fired: what a rule is worth, before it is live.

Folders are searched for files; what .gitignore names and binary files are left
out. The globs and the scope of a rule count, as if a tool had written the file.
The exit code is 1 when something is found.`,
		Example: `  pertain rules scan src
  pertain rules scan --format sarif . > triggers.sarif`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.json {
				format = "json"
			}
			if !slices.Contains(scanFormats, format) {
				return usage("--format %s: there is no such format; use one of %s", format, strings.Join(scanFormats, ", "))
			}
			report, err := a.scan(cmd.Context(), args, options)
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

// maxScanFile is how large a file may be, in bytes. Larger ones are data.
const maxScanFile = 64 << 20

// scanner goes over files on all cores.
type scanner struct {
	app  *app
	book *pertain.Rulebook
	set  *stream.Set

	read, bytes, skipped atomic.Int64
	mu                   sync.Mutex
	findings             []scanFinding
}

func (a *app) scan(ctx context.Context, args []string, options pertain.RuleOptions) (scanReport, error) {
	options.Files = a.absAll(args)
	book, err := a.rulebook(ctx, options)
	if err != nil {
		return scanReport{}, err
	}
	triggers := a.bookTriggers(book)
	set, _ := stream.Compile(triggers, stream.Options{Documented: options.Documented})
	s := &scanner{app: a, book: book, set: set}
	stop := s.progress(ctx)
	err = s.run(ctx, options.Files)
	stop()
	if err != nil {
		return scanReport{}, err
	}
	slices.SortFunc(s.findings, func(x, y scanFinding) int {
		if c := strings.Compare(x.File, y.File); c != 0 {
			return c
		}
		if x.Offset != y.Offset {
			return x.Offset - y.Offset
		}
		return strings.Compare(x.Rule, y.Rule)
	})
	report := scanReport{Files: int(s.read.Load()), Bytes: s.bytes.Load(), Skipped: int(s.skipped.Load()), Findings: s.findings}
	if report.Findings == nil {
		report.Findings = []scanFinding{}
	}
	return report, nil
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
	err := s.walk(ctx, roots, paths)
	close(paths)
	workers.Wait()
	return errors.Join(err, ctx.Err())
}

// scanBatch is how many files are handed over at once.
const scanBatch = 32

func (s *scanner) walk(ctx context.Context, roots []string, paths chan<- []string) error {
	tree := files.OS()
	var batch []string
	send := func() error {
		if len(batch) == 0 {
			return nil
		}
		select {
		case paths <- batch:
			batch = nil
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	seen := map[string]bool{} // one file may be named several times, or be in a folder that is
	for _, root := range roots {
		info, err := os.Stat(root)
		if err != nil {
			return usage("%s: %s", s.app.shortName(root), discover.Reason(err))
		}
		if !info.IsDir() {
			if !info.Mode().IsRegular() {
				return usage("%s: it is a special file; name a file or a folder", s.app.shortName(root))
			}
			if !seen[root] {
				seen[root] = true
				batch = append(batch, root)
			}
			continue
		}
		// The whole project's .gitignore files count, so the walk starts at its
		// root and goes straight to the folder.
		top := discover.ProjectRoot(tree, root)
		err = discover.WalkProject(ctx, tree, top, func(step files.Step) error {
			inside := step.Path == root || tree.Flavor().Inside(root, step.Path)
			if step.Info.Kind == files.Folder && !step.Link {
				if !inside && !tree.Flavor().Inside(step.Path, root) {
					return files.ErrSkipFolder
				}
				return nil
			}
			if !inside || step.Info.Kind != files.File || step.Link || seen[step.Path] {
				return nil
			}
			if len(roots) > 1 {
				seen[step.Path] = true
			}
			if batch = append(batch, step.Path); len(batch) == scanBatch {
				return send()
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return send()
}

// scanWorker goes over one file after the other.
type scanWorker struct {
	*scanner
	stream *stream.Scanner
	buffer []byte
}

func (w *scanWorker) file(path string) {
	text, ok := w.load(path)
	if !ok {
		w.skipped.Add(1)
		return
	}
	w.read.Add(1)
	w.bytes.Add(int64(len(text)))
	matches := w.stream.Scan(text)
	if len(matches) == 0 {
		return
	}
	applies := w.applies(path)
	source := diag.NewSource(path, strings.Clone(text)) // the buffer is used again
	var found []scanFinding
	for _, m := range matches {
		if !applies[m.Trigger] {
			continue
		}
		p := source.Position(m.Start)
		found = append(found, scanFinding{
			Rule: w.set.Trigger(m.Trigger).Name, File: path, Line: p.Line, Column: p.Column, Offset: m.Start, Length: m.End - m.Start, source: source,
		})
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.findings = append(w.findings, found...)
}

// load reads a file into the worker's buffer, which is the text until the next call;
// ok is false for what is no text.
func (w *scanWorker) load(path string) (text string, ok bool) {
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxScanFile {
		return "", false
	}
	if size := int(info.Size()) + 1; cap(w.buffer) < size {
		w.buffer = make([]byte, max(size, 2*cap(w.buffer)))
	}
	n := 0
	for {
		more, err := f.Read(w.buffer[n:cap(w.buffer)])
		if n += more; errors.Is(err, io.EOF) || n == cap(w.buffer) {
			break
		}
		if err != nil {
			return "", false
		}
	}
	data := w.buffer[:n]
	if bytes.IndexByte(data[:min(n, 8<<10)], 0) >= 0 {
		return "", false
	}
	return unsafe.String(unsafe.SliceData(data), n), true
}

// applies says which triggers count in a file: those whose rule applies to it and
// that watch anything but what a model thinks.
func (w *scanWorker) applies(path string) []bool {
	out := make([]bool, w.set.Len())
	in := map[string]bool{}
	for _, v := range w.book.ForPaths([]string{path}, false)[0] {
		in[v.Rule.Name] = v.Why == rule.ByTrigger
	}
	for i := range out {
		t := w.set.Trigger(i)
		out[i] = in[t.Name] && (w.set.Watches(i, stream.Source{Kind: stream.Text}) || watchesTool(t))
	}
	return out
}

// watchesTool says whether a scope names a tool.
func watchesTool(t *stream.Trigger) bool {
	return t.Scope == nil || slices.ContainsFunc(t.Scope, func(s string) bool { return strings.HasPrefix(strings.TrimSpace(s), "tool") })
}

// progress shows on a terminal how far the scan is, until the function it gives is
// called.
func (s *scanner) progress(ctx context.Context) (stop func()) {
	out := s.app.call.Stderr
	if !s.app.color(out) {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				fmt.Fprint(out, "\r\x1b[K")
				return
			case <-tick.C:
				fmt.Fprintf(out, "\r\x1b[K%s, %d MB", plural(int(s.read.Load()), "file"), s.bytes.Load()>>20)
			}
		}
	})
	return func() { cancel(); done.Wait() }
}

func (a *app) printScan(report scanReport, format string) error {
	out := a.call.Stdout
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
	fmt.Fprintf(&b, "%s in %s\n", plural(len(report.Findings), "finding"), plural(report.Files, "file"))
	_, err := fmt.Fprint(out, b.String())
	return err
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
