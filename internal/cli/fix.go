package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/lint"
	"github.com/pertain-dev/pertain/internal/patch"
	"github.com/pertain-dev/pertain/internal/writing"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/strategy"
)

// fixOptions say how files are mended.
type fixOptions struct {
	dryRun bool // nothing is written, and the change is shown as a diff
	yes    bool // the files of folders need no consent
}

// mending is a file with what is to be changed about it.
type mending struct {
	path          string
	before, after []byte
	fixes         []rule.Fix
	searched      bool // it was found in a folder; nobody named it
}

// fixRules mends rule files that are named on the command line, and with consent those
// in folders: values that need quotes, misspelt keys. Only the bytes of that value or key change.
func (a *app) fixRules(ctx context.Context, paths []string, options fixOptions) error {
	if len(paths) == 0 {
		return usage("--fix changes only files and folders that you name; write them after it")
	}
	list, err := a.mendings(ctx, paths)
	if err != nil {
		return err
	}
	if options.dryRun {
		for _, m := range list {
			fmt.Fprint(a.call.Stdout, unifiedDiff(a.shortName(m.path), string(m.before), string(m.after)))
		}
		if len(list) == 0 {
			fmt.Fprintln(a.call.Stderr, "pertain: there is nothing that --fix would change; `pertain lint` shows what is wrong")
		}
		return nil
	}
	if list, err = a.consented(list, options.yes); err != nil {
		return err
	}
	left := 0
	for _, m := range list {
		err := a.replace(m.path, m.before, m.after)
		if errors.Is(err, writing.ErrChanged) {
			left++
			fmt.Fprintf(a.call.Stderr, "pertain: %s: %s; it stays as it is\n", clean(a.shortName(m.path)), err)
			continue
		}
		if err != nil {
			return usage("%s: %s", a.shortName(m.path), fileerror.Reason(err))
		}
		for _, fix := range m.fixes {
			fmt.Fprintf(a.call.Stderr, "fixed %s: %s\n", clean(a.shortName(m.path)), clean(fix.Why))
		}
	}
	if left > 0 {
		return negative("%d of %s changed meanwhile; call it again", left, plural(len(list), "file"))
	}
	return nil
}

// mendings are the files that have something to mend, each once.
func (a *app) mendings(ctx context.Context, paths []string) ([]mending, error) {
	var list []mending
	seen := map[string]bool{}
	add := func(path string, searched bool) error {
		if seen[path] || strategy.IsFile(path) && !discover.ReadsAsRule(files.OS(), a.ruleRoots(), path) {
			return nil // strategies have no fixes that are surely right
		}
		seen[path] = true
		before, after, fixes, err := a.fixed(ctx, path)
		if err == nil && len(fixes) > 0 {
			list = append(list, mending{path, before, after, fixes, searched})
		}
		return err
	}
	for _, arg := range paths {
		path := a.abs(arg)
		info, err := os.Lstat(path)
		switch {
		case err != nil:
			return nil, usage("%s: %s", arg, fileerror.Reason(err))
		case info.Mode()&os.ModeSymlink != 0:
			return nil, usage("%s: is a link; name what it leads to", arg)
		case info.IsDir():
			err = a.eachRule(ctx, path, add)
		case !info.Mode().IsRegular():
			return nil, usage("%s: is not a regular file", arg)
		default:
			err = add(path, false)
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// eachRule gives the rule files below a folder, links left out: what they lead to has
// a name of its own.
func (a *app) eachRule(ctx context.Context, folder string, add func(path string, searched bool) error) error {
	rules, _, _, err := discover.NamedRules(ctx, files.OS(), a.ruleRoots(), []string{folder})
	if err != nil {
		if ctx.Err() == nil {
			err = usage("%s", err)
		}
		return err
	}
	for _, r := range rules {
		info, err := os.Lstat(r.Path)
		if err != nil || !info.Mode().IsRegular() || r.Real != "" && r.Real != r.Path && !files.OS().Flavor().Inside(realFolder(folder), r.Real) {
			continue
		}
		if err := add(r.Path, true); err != nil {
			return err
		}
	}
	return nil
}

// consented are the files that may be written: those that were named, and those of
// folders if the user says so.
func (a *app) consented(list []mending, yes bool) ([]mending, error) {
	found := slices.DeleteFunc(slices.Clone(list), func(m mending) bool { return !m.searched })
	if yes || len(found) == 0 {
		return list, nil
	}
	person := a.person()
	if person == nil {
		return nil, usage("--fix would change %s in folders; say --yes to that, or see it with --dry-run", plural(len(found), "file"))
	}
	for _, m := range found {
		for _, fix := range m.fixes {
			fmt.Fprintf(a.call.Stderr, "%s: %s\n", clean(a.shortName(m.path)), clean(fix.Why))
		}
	}
	if !person.agrees("Mend " + plural(len(found), "file") + "?") {
		return nil, negative("nothing was changed")
	}
	return list, nil
}

// replace writes a file that the user named, unless it is not any more what it was when it was read.
func (a *app) replace(path string, before, after []byte) error {
	target, err := writing.NamedTarget(path, a.dir())
	if err != nil {
		return err
	}
	return target.Replace(before, after)
}

// fixed applies a rule's fixes to the bytes of its file. A file in another
// encoding than UTF-8 is left alone.
func (a *app) fixed(ctx context.Context, path string) (before, after []byte, fixes []rule.Fix, err error) {
	before, err = files.OS().ReadFile(path, 0)
	if err != nil {
		return nil, nil, nil, usage("%s: %s", a.shortName(path), fileerror.Reason(err))
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
	mended, fixes := lint.Fixed(rules[0])
	return before, append(slices.Clone(before[:mark]), mended...), fixes, nil
}

// unifiedDiff shows the lines that differ between two texts with the same
// number of lines, with three lines around them.
func unifiedDiff(name, before, after string) string {
	const around = 3
	old, updated := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	var b strings.Builder
	b.WriteString(patch.Header(name, name))
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
