package diag

import (
	"fmt"
	"unicode/utf8"
)

// MaxPerFile is how many diagnostics of one file are kept: nobody mends more in one
// go, and a file that a program made could have any number.
const MaxPerFile = 100

// MaxListed is how many diagnostics of all files are kept, since files too could be
// any number.
const MaxListed = 10_000

// Limit keeps at most [MaxPerFile] diagnostics of each file and [MaxListed] of all,
// errors before warnings, in their order. The last of a file, and the last of all, then
// says how many others there are, with the worst severity among those. A list within
// the limits comes back as it is.
func (l List) Limit() List { return l.limitFiles().limitAll(MaxListed) }

// limitAll keeps at most so many diagnostics, the last of which stands for the others.
func (l List) limitAll(most int) List {
	standing := 0 // those that stand for others of all files
	for i := range l {
		if l[i].anywhere {
			standing++
		}
	}
	if len(l) <= most && (standing == 0 || standing == 1 && l[len(l)-1].anywhere) {
		return l
	}
	left := most - 1
	keep := make([]bool, len(l))
	for severity := Error; severity <= Info; severity++ {
		for i := range l {
			if left > 0 && l[i].Severity == severity && !l[i].anywhere {
				keep[i] = true
				left--
			}
		}
	}
	out := make(List, 0, min(len(l), most))
	rest := Diagnostic{Severity: Info + 1, anywhere: true}
	for i := range l {
		if keep[i] {
			out = append(out, l[i])
			continue
		}
		rest.rest += max(l[i].rest, 1)
		if l[i].Severity < rest.Severity {
			rest.Severity, rest.Code = l[i].Severity, l[i].Code
		}
	}
	rest.Message = fmt.Sprintf("%d more problems are not listed", rest.rest)
	if rest.rest == 1 {
		rest.Message = "1 more problem is not listed"
	}
	rest.Span = NoSpan
	return append(out, rest)
}

// LimitTogether limits lists that are shown together, as [List.Limit] limits one:
// each list has what those before it leave of [MaxListed], and one that no longer
// fits becomes a single diagnostic.
func LimitTogether(lists []*List) {
	sum := 0
	for _, l := range lists {
		sum += len(*l)
	}
	if sum <= MaxListed {
		return
	}
	left := MaxListed
	for _, l := range lists {
		*l = l.limitFiles().limitAll(max(left, 1))
		left -= len(*l)
	}
}

// limitFiles keeps at most [MaxPerFile] diagnostics of each file.
func (l List) limitFiles() List {
	if len(l) < 2 {
		return l
	}
	counts := map[string]int{}
	over := false
	for i := range l {
		if l[i].Source != nil {
			counts[l[i].Source.name]++
			over = over || counts[l[i].Source.name] > MaxPerFile || l[i].rest > 0 && counts[l[i].Source.name] > 1
		}
	}
	if !over {
		return l
	}
	left := map[string]int{} // of each file that has too many
	for name, n := range counts {
		if n > MaxPerFile {
			left[name] = MaxPerFile - 1
		}
	}
	keep := make([]bool, len(l))
	for severity := Error; severity <= Info; severity++ {
		for i := range l {
			if l[i].Severity != severity || l[i].rest > 0 {
				continue
			}
			name := l[i].File()
			n, limited := left[name]
			if keep[i] = l[i].Source == nil || !limited || n > 0; keep[i] && limited {
				left[name]--
			}
		}
	}
	rests := map[string]*Diagnostic{}
	var order []string
	out := make(List, 0, min(len(l), len(counts)*MaxPerFile))
	for i := range l {
		if keep[i] {
			out = append(out, l[i])
			continue
		}
		name := l[i].File()
		rest := rests[name]
		if rest == nil {
			rest = &Diagnostic{}
			*rest = l[i]
			rest.rest = max(l[i].rest, 1)
			rests[name] = rest
			order = append(order, name)
			continue
		}
		n := rest.rest + max(l[i].rest, 1)
		if l[i].Severity < rest.Severity {
			*rest = l[i]
		}
		rest.rest = n
	}
	for _, name := range order {
		out = append(out, rests[name].others())
	}
	return out
}

// others says how many diagnostics one stands for.
func (d *Diagnostic) others() Diagnostic {
	noun := "problems of this file are not listed"
	if d.rest == 1 {
		noun = "problem of this file is not listed"
	}
	return Diagnostic{
		Severity: d.Severity, Code: d.Code, Message: fmt.Sprintf("%d more %s", d.rest, noun),
		Source: d.Source, Span: d.Span, Strategy: d.Strategy, Provider: d.Provider, rest: d.rest,
	}
}

// Standing makes a diagnostic stand for so many others like it, which were
// never made: one that says that a key occurs twice may stand for a thousand
// such keys.
func (d Diagnostic) Standing(others int) Diagnostic {
	if others <= 0 {
		return d
	}
	d.rest = others
	return d.others()
}

// maxQuoted is how many characters of a name, a path or another text of somebody
// else's are repeated in a message.
const maxQuoted = 300

// Short is a text as messages repeat it: a very long one is cut to its beginning
// and its end.
func Short(s string) string {
	if len(s) <= maxQuoted || len(s) <= maxQuoted*utf8.UTFMax && utf8.RuneCountInString(s) <= maxQuoted {
		return s
	}
	const head, tail = maxQuoted * 3 / 4, maxQuoted/4 - 1
	start, end := 0, len(s)
	for range head {
		_, size := utf8.DecodeRuneInString(s[start:])
		start += size
	}
	for range tail {
		_, size := utf8.DecodeLastRuneInString(s[:end])
		end -= size
	}
	return s[:start] + "…" + s[end:]
}

// shortened are the arguments of a message, none of them longer than [Short] leaves it.
func shortened(args []any) []any {
	for i, arg := range args {
		var short any
		switch arg := arg.(type) {
		case string:
			if s := Short(arg); len(s) < len(arg) {
				short = s
			}
		case error:
			if s := arg.Error(); len(s) > maxQuoted && len(Short(s)) < len(s) {
				short = Short(s)
			}
		}
		if short != nil {
			args = append([]any(nil), args...)
			args[i] = short
		}
	}
	return args
}
