package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// failed says that nothing was found, but that this means nothing: something could
// not be looked at.
func (r *scanReport) failed() bool { return len(r.Findings) == 0 && len(r.unread()) > 0 }

// unread are the files and folders that should have been looked at and could not.
func (r *scanReport) unread() []scanProblem {
	return slices.DeleteFunc(slices.Clone(r.Unreadable), func(p scanProblem) bool { return p.leftOut })
}

// unreadError says of a scan that failed why it did, in the one line that there is for
// that.
func (a *app) unreadError(report scanReport) error {
	list := report.unread()
	more := ""
	if len(list) > 1 {
		more = fmt.Sprintf(", and %d more could not; --json lists them", len(list)-1)
	}
	return usage("nothing is found, but %s could not be looked at: %s%s; make it readable, or name other paths", clean(a.shortName(list[0].Path)), list[0].Reason, more)
}

func (a *app) printScan(report scanReport, format string) error {
	out := a.painted(a.call.Stdout)
	if format != "json" && !report.failed() {
		a.tellLeftOut(report)
	}
	switch format {
	case "json":
		return a.writeJSON(report)
	case "sarif":
		return diag.SARIF(out, scanDiagnostics(report), diag.SARIFOptions{Version: Version(), Root: a.dir(), Notices: scanNotices(report), Failed: report.failed()})
	case "github":
		return diag.GitHub(out, scanDiagnostics(report), a.shortName)
	}
	var b strings.Builder
	for _, f := range report.Findings {
		fmt.Fprintf(&b, "%s:%d:%d: %s\n", clean(a.shortName(f.File)), f.Line, f.Column, clean(f.Rule))
		if line := f.text(); line != "" {
			b.WriteString("    " + clean(shorten(line, maxShown)) + "\n")
		}
	}
	fmt.Fprintf(&b, "%s in %s", plural(len(report.Findings), "finding"), plural(report.Files, "file"))
	if report.Skipped > 0 {
		fmt.Fprintf(&b, "; %s left out, binary or larger than 64 MiB", plural(report.Skipped, "file"))
	}
	b.WriteByte('\n')
	_, err := fmt.Fprint(out, b.String())
	return err
}

// maxShown is how much of a line is shown, in characters.
const maxShown = 120

// text is the line in which a match starts, without blanks around it; empty if it is
// not known.
func (f *scanFinding) text() string {
	if f.source == nil || f.start > len(f.source.Text()) {
		return ""
	}
	text := f.source.Text()
	begin := strings.LastIndexByte(text[:f.start], '\n') + 1
	line, _, _ := strings.Cut(text[begin:], "\n")
	return strings.TrimSpace(line)
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
			Span:     diag.Span{Start: f.start, End: f.start + f.Length},
		})
	}
	return list
}

// scanNotices say in SARIF what tellLeftOut says on stderr.
func scanNotices(report scanReport) []diag.SARIFNotice {
	var list []diag.SARIFNotice
	for _, p := range report.Unreadable {
		severity := diag.Error
		if p.leftOut {
			severity = diag.Info
		}
		list = append(list, diag.SARIFNotice{Severity: severity, Message: "it is not looked at: " + p.Reason, File: p.Path})
	}
	for _, u := range report.Undecided {
		list = append(list, diag.SARIFNotice{
			Severity: diag.Error, File: u.File,
			Message: fmt.Sprintf("the rule `%s` may have missed a match: %s; %s", u.Rule, u.Message, u.Hint),
		})
	}
	return list
}
