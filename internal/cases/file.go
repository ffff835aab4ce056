package cases

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// File is a test file.
type File struct {
	Path     string
	Strategy string // id; empty: the strategy file beside it

	context  *document.Node // nil: none
	cases    []*testCase
	problems []Result       // of the file itself
	idNode   *document.Node // of Strategy
	source   *diag.Source
	effort   int
	unread   bool // it is no YAML
}

// Effort is how many bytes were read, as [document.Document.Effort] says it: what stands in many cases by an alias counts in each.
func (f *File) Effort() int { return f.effort }

// testCase is one case as it was written.
type testCase struct {
	name string
	node *document.Node
	line int

	context               *document.Node
	selection, text       *string
	attach                []string
	input                 string
	result                *document.Node // nil: not asked
	prompt, systemPrompt  *expectation
	diagnostics           []string
	diagnosticsAt         *document.Node // nil: not asked
	fails                 string
	failsAt               *document.Node
	mistake               string // what is wrong with the case; it then fails
	mistakeAt             int    // line
	wantsPrompt, hasCodes bool
}

// expectation is what a prompt must be.
type expectation struct {
	contains, lacks []literal
	equals          *literal
}

type literal struct {
	text string
	line int
}

var (
	fileKeys   = []string{"strategy", "context", "cases"}
	caseKeys   = []string{"name", "context", "selection", "text", "attach", "input", "result", "prompt", "systemPrompt", "diagnostics", "fails"}
	promptKeys = []string{"contains", "lacks", "equals"}
)

// Read reads a test file. What is wrong with it are failed cases, which [File.Run] tells.
func Read(path string, data []byte) *File {
	f := &File{Path: path, source: diag.NewSource(path, strings.TrimPrefix(string(data), "\ufeff")), effort: len(data)}
	switch {
	case len(data) > MaxBytes:
		f.problem(1, "the file has more than 1 MiB")
		return f
	case !utf8.Valid(data):
		f.problem(1, "the file is not valid UTF-8")
		return f
	}
	root, problems, effort := document.ParseYAMLCounted(f.source)
	f.effort = effort
	for _, p := range problems {
		f.problem(f.source.LineAt(p.Span.Start), "the file is not valid YAML: "+p.Message)
	}
	if len(problems) > 0 {
		f.unread = true
		return f
	}
	if root == nil || root.Kind != document.Mapping {
		f.problem(1, "a test file is a map with `cases`")
		return f
	}
	for _, e := range root.Entries {
		switch e.Key.Text {
		case "strategy":
			if e.Value.Kind != document.String || e.Value.Text == "" {
				f.problem(f.line(e.Key), "`strategy` must be the id of a strategy")
				continue
			}
			f.Strategy, f.idNode = e.Value.Text, e.Value
		case "context":
			if e.Value.Kind != document.Mapping && e.Value.Kind != document.String && e.Value.Kind != document.Null {
				f.problem(f.line(e.Key), "`context` must be a context, or the path of one")
				continue
			}
			f.context = e.Value
		case "cases":
			f.readCases(e)
		default:
			f.problem(f.line(e.Key), unknownKey(e.Key.Text, fileKeys))
		}
	}
	if root.Get("cases") == nil {
		f.problem(1, "there is no `cases`, a list of cases")
	}
	return f
}

// Mistakes is what is wrong with the file as it is written, each where it stands; nothing is run.
func (f *File) Mistakes() diag.List {
	var list diag.List
	add := func(code diag.Code, line int, message string) {
		text := f.source.Line(line)
		start := f.source.Offset(diag.Position{Line: line, Column: 1}) + len(text) - len(strings.TrimLeft(text, " "))
		list.Add(diag.At(f.source, diag.Span{Start: start, End: start + len(strings.TrimLeft(text, " "))}, code, "%s", message))
	}
	for _, p := range f.problems {
		code := diag.StrategyInvalidField
		if f.unread {
			code = diag.StrategyInvalidYAML
		}
		add(code, p.Line, p.Message)
	}
	for _, c := range f.cases {
		if c.mistake != "" {
			add(diag.StrategyInvalidField, c.mistakeAt, c.mistake)
		}
	}
	return list
}

func (f *File) line(n *document.Node) int { return f.source.LineAt(n.Span().Start) }

// problem notes what is wrong with the file itself.
func (f *File) problem(line int, message string) {
	f.problems = append(f.problems, Result{File: f.Path, Line: line, Message: message})
}

func unknownKey(key string, known []string) string {
	text := "there is no key `" + diag.Short(key) + "`"
	if near := diag.Nearest(key, known); near != "" {
		return text + "; did you mean `" + near + "`?"
	}
	return text + "; there are " + strings.Join(known, ", ")
}

func (f *File) readCases(e document.Entry) {
	switch {
	case e.Value.Kind != document.Sequence:
		f.problem(f.line(e.Key), "`cases` must be a list of cases")
		return
	case len(e.Value.Items) == 0:
		f.problem(f.line(e.Key), "`cases` is empty")
		return
	case len(e.Value.Items) > maxCases:
		f.problem(f.line(e.Key), "there are more than "+strconv.Itoa(maxCases)+" cases")
		return
	}
	names := map[string]bool{}
	for i, item := range e.Value.Items {
		c := f.readCase(item)
		switch {
		case c.name == "":
			c.name = "case " + strconv.Itoa(i+1)
			c.wrong(c.line, "the case has no name")
		case names[c.name]:
			c.wrong(c.line, "another case of the file has this name")
		}
		names[c.name] = true
		f.cases = append(f.cases, c)
	}
}

// wrong notes the first mistake of a case.
func (c *testCase) wrong(line int, message string) {
	if c.mistake == "" {
		c.mistake, c.mistakeAt = message, line
	}
}
