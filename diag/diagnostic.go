package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Severity orders diagnostics by how bad they are; the zero value is Error.
type Severity uint8

const (
	Error   Severity = iota // the file or strategy cannot be used
	Warning                 // it can, but probably does not do what its author wants
	Info                    // worth knowing
)

// String returns the word used in every output format.
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	default:
		return "info"
	}
}

// Diagnostic is one thing to say. Absent parts have their zero value.
type Diagnostic struct {
	Severity Severity
	Code     Code
	Message  string // what is wrong, without a full stop
	Hint     string // what would be right, or what to run

	Source *Source // nil: the diagnostic has no file
	Span   Span    // NoSpan: the whole file

	Strategy string        // id of the strategy concerned
	Path     string        // context path, such as clipboard.text
	Provider string        // id of the provider or collector concerned
	Duration time.Duration // how long it took, for what was slow

	Related []Related

	rest     int  // how many others it stands for; see Limit
	anywhere bool // those are of any file
}

// Related is another location that contributed, such as the file that `from` names.
type Related struct {
	Source  *Source
	Span    Span
	Message string
}

// At makes a diagnostic of the code's usual severity at a location.
func At(source *Source, span Span, code Code, format string, args ...any) Diagnostic {
	return Diagnostic{
		Severity: code.Severity(),
		Code:     code,
		Message:  Sentence(format, args...),
		Source:   source,
		Span:     span,
	}
}

// WithHint returns the diagnostic with its remedy.
func (d Diagnostic) WithHint(format string, args ...any) Diagnostic {
	d.Hint = Sentence(format, args...)
	return d
}

// Sentence words a message in one line. Arguments are what others wrote: a very
// long one is cut as [Short] does it.
func Sentence(format string, args ...any) string {
	return singleLine(fmt.Sprintf(format, shortened(args)...))
}

// singleLine keeps what an author wrote from breaking a message: keys, tags and
// names may hold line breaks.
func singleLine(s string) string {
	if !strings.ContainsAny(s, "\n\r") {
		return s
	}
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(s)
}

// WithRelated returns the diagnostic with one more contributing location.
func (d Diagnostic) WithRelated(source *Source, span Span, message string) Diagnostic {
	d.Related = append(slices.Clip(d.Related), Related{Source: source, Span: span, Message: message})
	return d
}

// Sentence is message and hint in one line, for outputs that have one field.
func (d Diagnostic) Sentence() string {
	if d.Hint == "" {
		return d.Message
	}
	return d.Message + "; " + d.Hint
}

// File is the name of the source, or empty.
func (d Diagnostic) File() string {
	if d.Source == nil {
		return ""
	}
	return d.Source.Name()
}

// Position is where the diagnostic begins; ok is false when it has no file, or
// concerns a whole one.
func (d Diagnostic) Position() (p Position, ok bool) {
	if d.Source == nil || !d.Span.IsValid() {
		return Position{}, false
	}
	return d.Source.Position(d.Span.Start), true
}

// List is what was found while reading something, in the order it was found.
type List []Diagnostic

// Add appends a diagnostic. A list that grows long is limited on the way, so that
// a file with any number of mistakes takes little memory.
func (l *List) Add(d Diagnostic) {
	if n := len(*l); n > 0 && n%addLimit == 0 {
		*l = l.Limit()
	}
	*l = append(*l, d)
}

// addLimit is how many diagnostics are added before a list is limited.
const addLimit = 10 * MaxPerFile

// HasErrors tells whether something cannot be used.
func (l List) HasErrors() bool { return l.Count(Error) > 0 }

// Count returns how many diagnostics have the severity.
func (l List) Count(s Severity) int {
	n := 0
	for i := range l {
		if l[i].Severity == s {
			n++
		}
	}
	return n
}

// ForStrategy sets the strategy's id on every diagnostic that has none.
func (l List) ForStrategy(id string) {
	for i := range l {
		if l[i].Strategy == "" {
			l[i].Strategy = id
		}
	}
}

// Sort orders by file, then position, then severity and code; what has no file
// comes last. The order of equals is kept.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(boolRank(a.Source == nil), boolRank(b.Source == nil)),
			cmp.Compare(a.File(), b.File()),
			cmp.Compare(a.Span.Start, b.Span.Start),
			cmp.Compare(a.Severity, b.Severity),
			cmp.Compare(a.Code, b.Code),
		)
	})
}

func boolRank(b bool) int {
	if b {
		return 1
	}
	return 0
}
