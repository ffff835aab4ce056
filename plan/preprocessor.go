package plan

import (
	"context"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/strategy"
)

// Preprocessor extracts variables from the context when a strategy is run
// (docs/reference/preprocessors.md). Variables are all it can give: tools, models and attachments
// are out of its reach. It must be safe for concurrent use and must not panic.
type Preprocessor interface {
	// Info describes the preprocessor and never changes.
	Info() Info

	// Process returns the variables. ctx ends at the time limit. An error should
	// be a [*Failure]; of any other error nothing is shown, since its text may
	// hold what is on the screen or in a file.
	Process(ctx context.Context, in Execution) ([]Variable, error)
}

// Info describes a preprocessor for people, and says what it works on.
type Info struct {
	ID          string
	Name        string
	Description string
	Permission  string   // what a user is told that it reads
	Variables   []string // what it sets
	Needs       []string // what has to be collected for it, such as clipboard.text
}

// Execution is what a strategy is run with.
type Execution struct {
	Strategy *strategy.Strategy
	Snapshot *facts.Snapshot
	Input    string // what the user typed; may be empty
}

// Uses tells whether the strategy's templates name a path, or an object that
// holds it.
func (x Execution) Uses(path string) bool {
	for _, text := range []string{x.Strategy.Body, x.Strategy.SystemPrompt} {
		if slices.ContainsFunc(parseTemplate(text).paths(), func(p string) bool {
			return p == path || strings.HasPrefix(path, p+".")
		}) {
			return true
		}
	}
	return false
}

// TakesInput tells whether the strategy's templates place the user's input. Input
// that they do not place is appended to the prompt.
func (x Execution) TakesInput() bool {
	return parseTemplate(x.Strategy.Body).takesInput() || parseTemplate(x.Strategy.SystemPrompt).takesInput()
}

// Variable is a value that templates can name, such as
// preprocess.selection.text.
type Variable struct {
	Name  string // begins with preprocess.
	Value facts.Value
}

// Failure says why a preprocessor has no variables.
type Failure struct {
	Code   diag.Code // one of preprocessor.…; anything else is preprocessor.failed
	Path   string    // context path concerned; may be empty
	Reason string    // one sentence for people; never text from the context
	Remedy string    // what the user can do; may be empty
	Err    error     // the cause, for errors.Is; it is never shown
}

// Error is the reason alone.
func (f *Failure) Error() string {
	if f.Reason == "" {
		return "it failed"
	}
	return f.Reason
}

// Unwrap is the cause.
func (f *Failure) Unwrap() error { return f.Err }

// Lacking is the failure for a context path that has no value. If collecting
// the value was tried and failed, it says why.
func Lacking(snapshot *facts.Snapshot, path, what string) *Failure {
	var why facts.Absence
	if snapshot != nil {
		why = snapshot.WhyAbsent(path)
	}
	f := &Failure{Code: diag.PreprocessorContextMissing, Path: path, Reason: what}
	if why.Reason != "" {
		f.Reason += ": " + why.Reason
	}
	if why.Code == diag.ExtraPermissionUnavailable {
		f.Code = diag.PreprocessorPermissionUnavailable
	}
	return f
}

// textAt is the text of a path, or the failure that says it is not there.
func textAt(in Execution, path, what string) (facts.Value, error) {
	row, ok := facts.Lookup(path)
	if !ok {
		return facts.Value{}, &Failure{Path: path, Reason: "there is no such path"}
	}
	switch v := in.Snapshot.At(row); v.Kind() {
	case facts.String:
		return v, nil
	case facts.Absent:
		return v, Lacking(in.Snapshot, path, what)
	default:
		return v, &Failure{Path: path, Reason: "`" + path + "` is " + v.Kind().String() + ", not a string"}
	}
}
