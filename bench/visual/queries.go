package visual

import "fmt"

// form is one of the four kinds of query.
type form uint8

const (
	byName form = iota
	byState
	byPath
	byText
)

// query is a question, as data: each engine asks it in its own way.
type query struct {
	form    form
	operand string // the name, state, type or expression, folded where case does not count
}

// singles are the queries that are asked alone.
var singles = []query{{byName, "save"}, {byState, "selected"}, {byPath, "Button"}, {byText, "error|warning"}}

// twenty are asked at once: five of each form.
var twenty = []query{
	{byName, "save"},
	{byName, "open"},
	{byName, "send"},
	{byName, "undo"},
	{byName, "missing"},
	{byState, "selected"},
	{byState, "focused"},
	{byState, "disabled"},
	{byState, "readonly"},
	{byState, "offscreen"},
	{byPath, "Button"},
	{byPath, "Label"},
	{byPath, "ListView"},
	{byPath, "TextEdit"},
	{byPath, "Document"},
	{byText, "error|warning"},
	{byText, "fatal|panic"},
	{byText, "todo|fixme"},
	{byText, "deadline|urgent"},
	{byText, "invoice|receipt"},
}

// String is the query in Pertain's language.
func (q query) String() string {
	switch q.form {
	case byName:
		return fmt.Sprintf("//Button[@name='%s']", q.operand)
	case byState:
		return fmt.Sprintf("//TopLevel//ListViewItem[@%s=true]", q.operand)
	case byPath:
		return "/TopLevel/Panel/" + q.operand
	}
	return fmt.Sprintf("//Document[matches(@text,'%s')]", q.operand)
}
