package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/strategy"
)

// fixRules mends rule files that are named on the command line: values that need
// quotes, misspelt keys. Only the bytes of that value or key change. With
// dryRun nothing is written and the change is shown as a diff.
func (a *app) fixRules(ctx context.Context, paths []string, dryRun bool) error {
	if len(paths) == 0 {
		return usage("--fix changes only files that you name; write them after it")
	}
	for _, arg := range paths {
		path := a.abs(arg)
		info, err := os.Lstat(path)
		switch {
		case err != nil:
			return usage("%s: %s", arg, discover.Reason(err))
		case info.Mode()&os.ModeSymlink != 0:
			return usage("%s: is a link; name the file that it leads to", arg)
		case info.IsDir():
			return usage("%s: is a folder; --fix changes only files that you name", arg)
		case !info.Mode().IsRegular():
			return usage("%s: is not a regular file", arg)
		case strategy.IsFile(path):
			continue // strategies have no fixes that are surely right
		}
		before, after, fixes, err := a.fixed(ctx, path)
		if err != nil {
			return err
		}
		if len(fixes) == 0 {
			continue
		}
		if dryRun {
			fmt.Fprint(a.call.Stdout, unifiedDiff(a.shortName(path), string(before), string(after)))
			continue
		}
		if err := a.replace(path, after, info.Mode().Perm()); err != nil {
			return usage("%s: %s", arg, discover.Reason(err))
		}
		for _, fix := range fixes {
			fmt.Fprintf(a.call.Stderr, "fixed %s: %s\n", clean(a.shortName(path)), clean(fix.Why))
		}
	}
	return nil
}

// replace writes a file that the user named.
func (a *app) replace(path string, text []byte, perm fs.FileMode) error {
	target, err := files.NamedTarget(path, a.dir())
	if err != nil {
		return err
	}
	return target.Write(text, perm)
}

// fixed applies a rule's fixes to the bytes of its file. A file in another
// encoding than UTF-8 is left alone.
func (a *app) fixed(ctx context.Context, path string) (before, after []byte, fixes []rule.Fix, err error) {
	before, err = files.OS().ReadFile(path, 0)
	if err != nil {
		return nil, nil, nil, usage("%s: %s", a.shortName(path), discover.Reason(err))
	}
	rules, _, _, err := discover.NamedRules(ctx, files.OS(), a.ruleRoots(), []string{path})
	if err != nil || len(rules) == 0 {
		return nil, nil, nil, err
	}
	text := rules[0].Source.Text()
	mark := len(before) - len(text) // of a byte order mark
	if mark < 0 || !bytes.HasSuffix(before, []byte(text)) {
		return nil, nil, nil, nil
	}
	fixes = slices.Clone(rules[0].Fixes)
	slices.SortFunc(fixes, func(x, y rule.Fix) int { return cmp.Compare(x.Span.Start, y.Span.Start) })
	at := 0
	for _, fix := range fixes {
		after = append(after, before[at:mark+fix.Span.Start]...)
		after = append(after, fix.Text...)
		at = mark + fix.Span.End
	}
	return before, append(after, before[at:]...), fixes, nil
}

// unifiedDiff shows the lines that differ between two texts with the same
// number of lines, with three lines around them.
func unifiedDiff(name, before, after string) string {
	const around = 3
	old, updated := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", name, name)
	for i := 0; i < min(len(old), len(updated)); i++ {
		if old[i] == updated[i] {
			continue
		}
		start, end := max(0, i-around), i
		for k := i; k < min(len(old), len(updated)) && k <= end+2*around; k++ {
			if old[k] != updated[k] {
				end = k
			}
		}
		stop := min(len(old), end+around+1)
		if stop == len(old) && old[stop-1] == "" {
			stop-- // what follows the last line break is no line
		}
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", start+1, stop-start, start+1, stop-start)
		for k := start; k < stop; {
			if old[k] == updated[k] {
				writeLine(&b, " ", old[k])
				k++
				continue
			}
			run := k
			for run < stop && old[run] != updated[run] {
				run++
			}
			for _, l := range old[k:run] {
				writeLine(&b, "-", l)
			}
			for _, l := range updated[k:run] {
				writeLine(&b, "+", l)
			}
			k = run
		}
		i = stop
	}
	return b.String()
}

func writeLine(b *strings.Builder, sign, line string) {
	b.WriteString(sign + line)
	if !strings.HasSuffix(line, "\n") {
		b.WriteString("\n\\ No newline at end of file\n")
	}
}
