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
		return diag.GitHub(out, append(scanDiagnostics(report), scanAnnotations(report)...), a.shortName)
	}
	var b strings.Builder
	more := report.NotListed.Files
	for i, f := range report.Findings {
		fmt.Fprintf(&b, "%s:%d:%d: %s\n", clean(a.shortName(f.File)), f.Line, f.Column, clean(f.Rule))
		if line := f.text(); line != "" {
			b.WriteString("    " + clean(shorten(line, maxShown)) + "\n")
		}
		if last := i == len(report.Findings)-1 || report.Findings[i+1].in != f.in; last && len(more) > 0 && more[0].File == f.File {
			fmt.Fprintf(&b, "%s: %s\n", clean(a.shortName(f.File)), notListed(more[0].Findings, ""))
			more = more[1:]
		}
	}
	fmt.Fprintf(&b, "%s in %s", plural(len(report.Findings)+report.NotListed.Findings, "finding"), plural(report.Files, "file"))
	if n := report.NotListed.Findings; n > 0 {
		fmt.Fprintf(&b, "; %d of them not listed: mend what is, or name fewer files", n)
	}
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
	if f.in.source == nil || f.start > len(f.in.source.Text()) {
		return ""
	}
	text := f.in.source.Text()
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
	a.tellSome(lines, 0)
	lines = nil
	for _, u := range report.Undecided {
		lines = append(lines, fmt.Sprintf("rule %s may have missed a match in %s: %s; %s", u.Rule, a.shortName(u.File), u.Message, u.Hint))
	}
	a.tellSome(lines, report.NotListed.Undecided)
}

// tellSome tells some lines of these, beside which there are more.
func (a *app) tellSome(lines []string, more int) {
	for i, line := range lines {
		if i == maxTold {
			fmt.Fprintf(a.call.Stderr, "pertain: and %d more like this; --json lists them\n", len(lines)-i+more)
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
			Source:   f.in.source,
			Span:     diag.Span{Start: f.start, End: f.start + f.Length},
		})
	}
	return list
}

// notListed says how many findings were over the limit.
func notListed(n int, of string) string {
	if n == 1 {
		return "1 more finding" + of + " is not listed"
	}
	return fmt.Sprintf("%d more findings%s are not listed", n, of)
}

// elsewhere is how many findings are not listed of files of which none is.
func (n *scanNotListed) elsewhere() int {
	out := n.Findings
	for _, m := range n.Files {
		out -= m.Findings
	}
	return out
}

// scanAnnotations say on GitHub what is not listed.
func scanAnnotations(report scanReport) diag.List {
	var list diag.List
	add := func(source *diag.Source, message string) {
		list.Add(diag.Diagnostic{Severity: diag.Info, Code: "rules scan", Message: message, Source: source, Span: diag.NoSpan})
	}
	for _, m := range report.NotListed.Files {
		add(m.source, notListed(m.Findings, " of this file"))
	}
	if n := report.NotListed.elsewhere(); n > 0 {
		add(nil, notListed(n, " of other files"))
	}
	return list
}

// scanNotices say in SARIF what tellLeftOut says on stderr, and what is not listed.
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
	if n := report.NotListed.Undecided; n > 0 {
		list = append(list, diag.SARIFNotice{Severity: diag.Error, Message: fmt.Sprintf("%d more like this are not listed: rules that may have missed a match", n)})
	}
	for _, m := range report.NotListed.Files {
		list = append(list, diag.SARIFNotice{Severity: diag.Error, File: m.File, Message: notListed(m.Findings, " of this file")})
	}
	if n := report.NotListed.elsewhere(); n > 0 {
		list = append(list, diag.SARIFNotice{Severity: diag.Error, Message: notListed(n, " of other files")})
	}
	return list
}
