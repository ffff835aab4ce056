package cond_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// compile reads a condition as it stands after `when:`, in block or flow form.
func compile(t testing.TB, when string) (*cond.Expr, *cond.Program, diag.List) {
	t.Helper()
	source := diag.NewSource("when", "when: "+when+"\n")
	node, problems := document.ParseYAML(source)
	if len(problems) > 0 {
		t.Fatalf("%s: %v", when, problems)
	}
	expr, list := cond.Parse(node.Get("when"))
	program, more := cond.Compile(expr)
	return expr, program, append(list, more...)
}

// TestParseMistakes shows for every mistake its position, what is said and what is proposed.
func TestParseMistakes(t *testing.T) {
	tests := []struct {
		when string
		want string // LINE:COLUMN CODE: MESSAGE; HINT, one a line
	}{
		{"yes please", "1:7 strategy.invalid_when: `when` must be a condition, not a string; write a path with an operator object, such as `clipboard.text: { contains: TODO }`, or `true` or `false`"},
		{"5", "1:7 strategy.invalid_when: `when` must be a condition, not a number; write a path with an operator object, such as `clipboard.text: { contains: TODO }`, or `true` or `false`"},
		{"\"true\"", "1:7 strategy.invalid_when: `when` must be a condition, not a string; write a path with an operator object, such as `clipboard.text: { contains: TODO }`, or `true` or `false`"},
		{"[true]", "1:7 strategy.invalid_when: `when` must be a condition, not a list; put the list under `all:` or `any:`"},
		{"{}", "1:7 strategy.invalid_when: `when` is empty; write a condition, or `true`"},
		{"{all: [{}]}", "1:14 strategy.invalid_when: an item of `all` is empty; write a condition, or `true`"},
		{"{all: true}", "1:13 strategy.invalid_when: `all` takes a list of conditions, not a boolean; write `all:` and below it one `- ` for each condition"},
		{"{none: {clipboard.hasText: {equals: true}}}", "1:14 strategy.invalid_when: `none` takes a list of conditions, not a map; write `none:` and below it one `- ` for each condition"},
		{"{any: [null]}", "1:14 strategy.invalid_when: an item of `any` must be a condition, not null; write a path with an operator object, such as `clipboard.text: { contains: TODO }`, or `true` or `false`"},

		{"{and: []}", "1:8 strategy.unknown_operator: there is no condition `and`; write `all: [ … ]`"},
		{"{or: []}", "1:8 strategy.unknown_operator: there is no condition `or`; write `any: [ … ]`"},
		{"{not: [true]}", "1:13 strategy.invalid_when: `not` takes one condition, not a list; write `none:` with the list, which holds if none of them does, or one condition"},
		{"{not: {}}", "1:13 strategy.invalid_when: `not` is empty; write a condition, or `true`"},
		{"{not: x}", "1:13 strategy.invalid_when: `not` must be a condition, not a string; write a path with an operator object, such as `clipboard.text: { contains: TODO }`, or `true` or `false`"},
		{"{nto: true}", "1:8 strategy.unknown_operator: there is no condition `nto`; did you mean `not`?"},
		{"{not.clipboard.text.equals: x}", "1:8 strategy.invalid_when: `not` is not a root of the context; `not` stands alone, with its conditions below it"},
		{"{clipboard.text: {not: x}}", "1:30 strategy.invalid_when: `not` takes an operator object, not a string; write `not: { equals: \"x\" }`"},
		{"{clipboard.text: {not: [a, b]}}", "1:30 strategy.invalid_when: `not` takes an operator object, not a list; write `not: { in: [ … ] }`"},
		{"{clipboard.text: {not: {}}}", "1:30 strategy.invalid_when: `not` has no operator; add an operator, such as `equals: …`"},
		{"{clipboard.text: {ne: x}}", "1:25 strategy.unknown_operator: there is no operator `ne`; write `not: { equals: … }`"},
		{"{clipboard.text: {notContains: x}}", "1:25 strategy.unknown_operator: there is no operator `notContains`; write `not: { contains: … }`"},
		{"{clipboard.text: {containsAny: x}}", "1:38 strategy.invalid_when: `containsAny` takes a list, not a string; write `containsAny: [\"x\"]`"},
		{"{clipboard.text: {containsAll: [a, {b: c}]}}", "1:42 strategy.invalid_when: an item of `containsAll` cannot be a map; write strings, numbers or booleans"},
		{"{attachments.files: {any: {not: .pdf}}}", "1:39 strategy.invalid_when: `not` on an array takes an object, not a string; write it like `not: { path: { equals: … } }`"},
		{"{clipboard.text.contains: a, clipboard.text: {contains: b}}", "1:53 strategy.invalid_when: `contains` stands here a second time, with another operand; keep one of the two; where both must hold, put each condition under `all:`"},
		{"{clipboard.text.length.min: 1, clipboard: {text: {length: {min: 2}}}}", "1:66 strategy.invalid_when: `min` stands here a second time, with another operand; keep one of the two; where both must hold, put each condition under `all:`"},
		{"{environment: {os: linux}}", "1:26 strategy.invalid_when: `environment.os` takes an operator object, not a string; write `environment.os: { equals: \"linux\" }`"},
		{"{environment: {oss: {equals: linux}}}", "1:22 condition.unknown_path: no value has the path `environment.oss`, so this can only be unknown; did you mean `environment.os`?"},
		{"{environment.os.equls: linux}", "1:23 strategy.unknown_operator: there is no operator `equls`; did you mean `equals`?"},
		{"{clipboard.txt.contains: a}", "1:8 condition.unknown_path: no value has the path `clipboard.txt`, so this can only be unknown; did you mean `clipboard.text`?"},
		{"{clipboard.txt: {contians: {a: b}}}", "1:8 condition.unknown_path: no value has the path `clipboard.txt`, so this can only be unknown; did you mean `clipboard.text`?\n1:24 strategy.unknown_operator: there is no operator `contians`; did you mean `contains`?"},
		{"{\"attachments.file[0].path\": {equals: x}}", "1:8 condition.unknown_path: no value has the path `attachments.file[0].path`, so this can only be unknown; did you mean `attachments.files[0].path`?"},
		{"{\"clipboard.text[0]\": {equals: x}}", "1:8 condition.unknown_path: no value has the path `clipboard.text[0]`, so this can only be unknown; did you mean `clipboard.text`?"},
		{"{attachments.files.path.glob: x}", "1:8 condition.unknown_path: no value has the path `attachments.files.path`, so this can only be unknown; did you mean `attachments.files[].path`?"},
		{"{clipboard: {equals: x}}", "1:8 strategy.unknown_operator: there is no condition `clipboard`; a condition is `all`, `any`, `none`, `not`, or a path such as `clipboard.text`"},
		{"{visual: {exist: {query: //Button}}}", "1:17 strategy.unknown_operator: there is no visual condition `visual.exist`; did you mean `visual.exists`?"},
		{"{visual.match: {query: //Button/@name, not: {count: {min: 1}}}}", "1:52 strategy.unknown_operator: `visual.match` has no `count`; `visual.match` takes equals, in, contains, startsWith, endsWith, regex, glob, min, max, length, containsAny, containsAll, not"},
		{"{nnoe: []}", "1:8 strategy.unknown_operator: there is no condition `nnoe`; did you mean `none`?"},
		{"{contains: x}", "1:8 strategy.unknown_operator: there is no condition `contains`; an operator stands below a path, such as `clipboard.text: { contains: … }`"},
		{"{clipboard: {count: {min: 1}}}", "1:8 strategy.unknown_operator: there is no condition `clipboard`; a condition is `all`, `any`, `none`, `not`, or a path such as `clipboard.text`"},
		{"{visual.roots: {count: {min: 1}}}", "1:8 strategy.unknown_operator: there is no visual condition `visual.roots`; the visual conditions are visual.exists, visual.count, visual.match"},
		{"{visual.exist: {query: //Button}}", "1:8 strategy.unknown_operator: there is no visual condition `visual.exist`; did you mean `visual.exists`?"},

		{"{system.os: {equals: linux}}", "1:8 strategy.invalid_when: `system` is not a root of the context; a path begins with attachments, visual, clipboard, assistant, environment, extra, activeProcess"},
		{"{enviroment.os: {equals: linux}}", "1:8 strategy.invalid_when: `enviroment` is not a root of the context; did you mean `environment.os`?"},
		{"{clipboard.: {equals: x}}", "1:8 strategy.invalid_when: `clipboard.` is not a path; write names joined by dots, `[]`, `[0]` or `[0..2]` after an array, such as `attachments.files[].path`"},
		{"{\"clipboard.a b\": {equals: x}}", "1:8 strategy.invalid_when: `clipboard.a b` is not a path; write names joined by dots, `[]`, `[0]` or `[0..2]` after an array, such as `attachments.files[].path`"},
		{"{\"attachments.files[x].path\": {contains: x}}", "1:8 strategy.invalid_when: `attachments.files[x].path` is not a path; write names joined by dots, `[]`, `[0]` or `[0..2]` after an array, such as `attachments.files[].path`"},
		{"{clipboard.txt: {equals: x}}", "1:8 condition.unknown_path: no value has the path `clipboard.txt`, so this can only be unknown; did you mean `clipboard.text`?"},
		{"{attachments.file.path: {equals: x}}", "1:8 condition.unknown_path: no value has the path `attachments.file.path`, so this can only be unknown; did you mean `attachments.files[].path`?"},
		{"{extra.mail.inbox: {count: {min: 1}}}", "1:8 condition.unknown_path: no value has the path `extra.mail.inbox`, so this can only be unknown"},

		{"{clipboard.text: hello}", "1:24 strategy.invalid_when: `clipboard.text` takes an operator object, not a string; write `clipboard.text: { equals: \"hello\" }`"},
		{"{clipboard.hasText: true}", "1:27 strategy.invalid_when: `clipboard.hasText` takes an operator object, not a boolean; write `clipboard.hasText: { equals: true }`"},
		{"{clipboard.text: [a, b]}", "1:24 strategy.invalid_when: `clipboard.text` takes an operator object, not a list; write `clipboard.text: { in: [ … ] }` for one of several values, or `equals:` for one"},
		{"{clipboard.text: null}", "1:24 strategy.invalid_when: `clipboard.text` takes an operator object, not null; write an operator object, such as `clipboard.text: { equals: value }`"},
		{"\n  clipboard.text:\n", "2:3 strategy.invalid_when: `clipboard.text` takes an operator object, not null; write an operator object, such as `clipboard.text: { equals: value }`"},
		{"{clipboard.text: {}}", "1:24 strategy.invalid_when: `clipboard.text` has no operator; add an operator, such as `equals: …`"},
		{"{clipboard.text: {caseSensitive: true}}", "1:24 strategy.invalid_when: `clipboard.text` has no operator; add an operator, such as `equals: …`"},
		{"{clipboard.text: {caseSensitive: yes, equals: x}}", "1:40 strategy.invalid_when: `caseSensitive` takes true or false, not a string; write `caseSensitive: true`"},

		{"{clipboard.text: {contians: x}}", "1:25 strategy.unknown_operator: there is no operator `contians`; did you mean `contains`?"},
		{"{clipboard.text: {matches: x}}", "1:25 strategy.unknown_operator: there is no operator `matches`; did you mean `regex`?"},
		{"{clipboard.text: {gte: 1}}", "1:25 strategy.unknown_operator: there is no operator `gte`; did you mean `min`?"},
		{"{clipboard.text: {zzzzzz: 1}}", "1:25 strategy.unknown_operator: there is no operator `zzzzzz`; the operators are equals, in, contains, startsWith, endsWith, regex, glob, min, max, length, count, any, all, none, containsAny, containsAll, not, caseSensitive"},
		{"{clipboard.text: {Equals: x}}", "1:25 strategy.unknown_operator: there is no operator `Equals`; did you mean `equals`?"},

		{"{clipboard.text: {equals: [x]}}", "1:33 strategy.invalid_when: `equals` takes a string, number or boolean, not a list; write `in:` with the list, which holds if it equals one of them"},
		{"{clipboard.text: {startsWith: [a, b]}}", "1:37 strategy.invalid_when: `startsWith` takes a string, not a list; write `any:` with one condition for each, or a `regex` with alternatives"},
		{"{clipboard.text: {contains: [a, b]}}", "1:35 strategy.invalid_when: `contains` takes a string, number or boolean, not a list; write `containsAny:` or `containsAll:` with the list"},
		{"{clipboard.text: {exists: true}}", "1:25 strategy.unknown_operator: there is no operator `exists`; write `length: { min: 1 }` for a text and `count: { min: 1 }` for an array; what is not there is unknown"},
		{"{git.branch: {equals: main}}", "1:8 strategy.invalid_when: `git` is not a root of the context; did you mean `extra.workspace.git.branch`?"},
		{"{clipboard.text: {equals: null}}", "1:33 strategy.invalid_when: `equals` takes a string, number or boolean, not null; write it like `equals: value`"},
		{"{clipboard.text: {contains: {a: b}}}", "1:35 strategy.invalid_when: `contains` takes a string, number or boolean, not a map; write it like `contains: value`"},
		{"{clipboard.text: {in: x}}", "1:29 strategy.invalid_when: `in` takes a list, not a string; write `in: [\"x\"]`"},
		{"{clipboard.text: {in: [a, [b], null]}}", "1:33 strategy.invalid_when: an item of `in` cannot be a list; write strings, numbers or booleans\n1:38 strategy.invalid_when: an item of `in` cannot be null; write strings, numbers or booleans"},
		{"{clipboard.text: {startsWith: 5}}", "1:37 strategy.invalid_when: `startsWith` takes a string, not a number; write it like `startsWith: \"https://\"`"},
		{"{clipboard.text: {endsWith: true}}", "1:35 strategy.invalid_when: `endsWith` takes a string, not a boolean; write it like `endsWith: \".pdf\"`"},
		{"{clipboard.text: {regex: [a]}}", "1:32 strategy.invalid_when: `regex` takes a string, not a list; write it like `regex: '\\bword\\b'`"},
		{"{clipboard.text: {glob: 1}}", "1:31 strategy.invalid_when: `glob` takes a string, not a number; write it like `glob: \"*.pdf\"`"},
		{"{clipboard.text: {min: \"1\"}}", "1:30 strategy.invalid_when: `min` takes a number, not a string; texts have no order here; write `length: { min: 1 }` for the number of characters"},
		{"{environment.currentDate: {max: 2026-11-16}}", "1:39 strategy.invalid_when: `max` takes a number, not a string; a date is a text, and texts have no order here; write `startsWith: \"2026-11\"`, or a `regex`"},
		{"{extra.file_manager.selection.items: {any: {size: {max: \"5\"}}}}", "1:63 strategy.invalid_when: `max` takes a number, not a string; leave out the quotes"},
		{"{clipboard.text: {min: 20é-1é-é}}", "1:30 strategy.invalid_when: `min` takes a number, not a string; texts have no order here; write `length: { min: 1 }` for the number of characters"},
		{"{clipboard.text: {any: [a, b]}}", "1:30 strategy.invalid_when: `any` is for arrays, and `clipboard.text` is a text; write `containsAny: [ … ]` for one of several parts of it, `in: [ … ]` for one of several texts"},
		{"{clipboard.text: {all: [a, b]}}", "1:30 strategy.invalid_when: `all` is for arrays, and `clipboard.text` is a text; write `containsAll: [ … ]` for several parts of it"},
		{"{clipboard.text.none: a}", "1:29 strategy.invalid_when: `none` is for arrays, and `clipboard.text` is a text; write `not: { containsAny: [ … ] }` for parts that it must not have"},
		{"{attachments.files: {any: {path: {any: [a]}}}}", "1:46 strategy.invalid_when: `any` is for arrays, and `path` is a text; write `containsAny: [ … ]` for one of several parts of it, `in: [ … ]` for one of several texts"},
		{"{attachments.files: {any: {or: [{path: {equals: a}}]}}}", "1:34 strategy.unknown_operator: `or` cannot stand among the fields of an item; for several values of one field write `in: [ … ]`; else one condition with its own `any:` for each, under the composite `any:`"},
		{"{attachments.files: {none: {any: [{path: {equals: a}}]}}}", "1:35 strategy.unknown_operator: `any` cannot stand among the fields of an item; for several values of one field write `in: [ … ]`; else one condition with its own `none:` for each, under `all:`"},
		{"{attachments.files: {all: {or: [{path: {equals: a}}]}}}", "1:34 strategy.unknown_operator: `or` cannot stand among the fields of an item; for several values of one field write `in: [ … ]`; else `none:` with a `not:` below each field"},
		{"{attachments.files: {any: {not: {or: [{path: {equals: a}}]}}}}", "1:40 strategy.unknown_operator: `or` cannot stand among the fields of an item; for several values of one field write `in: [ … ]`; else a `not:` for each"},
		{"{attachments.files: {any: {and: [{path: {equals: a}}]}}}", "1:34 strategy.unknown_operator: `and` cannot stand among the fields of an item; leave it out: fields of an item that stand side by side must all hold"},
		{"{attachments.files: {any: {none: [{path: {equals: a}}]}}}", "1:34 strategy.unknown_operator: `none` cannot stand among the fields of an item; write `not:` with the fields that must not all hold, or a `not:` below each field"},
		{"{clipboard.text: {max: .inf}}", "1:30 strategy.invalid_when: `max` takes a finite number, not `.inf`; write it like `max: 10`, or leave `max` out: then there is no limit"},
		{"{clipboard.text: {equals: 1e400}}", "1:33 strategy.invalid_when: `equals` takes a finite number, not `1e400`; write it like `equals: value`"},
		{"{clipboard.text: {min: 1e-99999999999999999999}}", "1:30 strategy.invalid_when: `min` takes a finite number, not `1e-99999999999999999999`; write it like `min: 1`, or leave `min` out: then there is no limit"},
		{"{clipboard.text: {equals: .nan, in: [1, -.inf]}}", "1:33 strategy.invalid_when: `equals` takes a finite number, not `.nan`; write it like `equals: value`\n1:47 strategy.invalid_when: an item of `in` cannot be `-.inf`; write strings, numbers or booleans"},
		{"{clipboard.text: {length: 5}}", "1:33 strategy.invalid_when: `length` takes an object with min, max or equals, not a number; write `length: { equals: 5 }`, or `min:` and `max:`"},
		{"{attachments.files: {count: 1}}", "1:35 strategy.invalid_when: `count` takes an object with min, max or equals, not a number; write `count: { equals: 1 }`, or `min:` and `max:`"},
		{"{attachments.files: {count: {}}}", "1:35 strategy.invalid_when: `count` has no range; write it like `count: { min: 1 }`"},
		{"{attachments.files: {count: {mni: 1}}}", "1:36 strategy.unknown_operator: `count` has no `mni`; did you mean `min`?"},
		{"{attachments.files: {count: {min: one}}}", "1:41 strategy.invalid_when: `min` takes a number, not a string; write it like `min: 1`"},

		{"{attachments.files: {any: [{extension: {equals: .pdf}}]}}", "1:33 strategy.invalid_when: `any` on an array takes an object, not a list; conditions on items are one object whose keys must all hold, like `any: { extension: { equals: .pdf } }`; for several values of one field write `in: [ … ]`; else one condition with its own `any:` for each, under the composite `any:`"},
		{"{attachments.files: {any: {}}}", "1:33 strategy.invalid_when: `any` has no condition on the items; write it like `any: { extension: { equals: .pdf } }`"},
		{"{attachments.files: {any: {equals: .pdf}}}", "1:34 strategy.unknown_operator: `equals` is not a field of the items; name a field of the item first, such as `path: { … }`; several fields must all hold"},
		{"{attachments.files: {any: {extention: {equals: .pdf}}}}", "1:34 condition.unknown_path: items of `attachments.files` have no `extention`, so this can only be unknown; did you mean `extension`?"},
		{"{attachments.files: {any: {extension: .pdf}}}", "1:45 strategy.invalid_when: `extension` takes an operator object, not a string; write `extension: { equals: \".pdf\" }`"},
		{"{assistant.model.modalities: {any: {id: {equals: x}}}}", "1:43 strategy.unknown_operator: there is no operator `id`; the operators are equals, in, contains, startsWith, endsWith, regex, glob, min, max, length, count, any, all, none, containsAny, containsAll, not, caseSensitive"},

		{"{visual.exists: //Button}", "1:23 strategy.invalid_when: `visual.exists` takes an object with a `query`, not a string; write `visual.exists: { query: \"//Button\" }`"},
		{"{visual.exists: {}}", "1:8 strategy.invalid_when: `visual.exists` has no `query`; add `query: \"//Button\"`"},
		{"{visual.exists: {query: 5}}", "1:31 strategy.invalid_when: `query` takes a string, not a number; put the query in quotes"},
		{"{visual.exists: {query: //Button, min: 1}}", "1:41 strategy.unknown_operator: `visual.exists` has no `min`; use `visual.count` to compare a number"},
		{"{visual.count: {query: //Button}}", "1:8 strategy.invalid_when: `visual.count` compares with nothing; add `min: …`"},
		{"{visual.count: {query: //Button, equals: one}}", "1:48 strategy.invalid_when: `equals` of a count takes a number, not a string; write it like `equals: 1`"},
		{"{visual.count: {query: //Button, contains: x}}", "1:40 strategy.unknown_operator: `visual.count` has no `contains`; `visual.count` takes query, caseSensitive, min, max, equals"},
		{"{visual.match: {query: //Button/@name}}", "1:8 strategy.invalid_when: `visual.match` compares with nothing; add `equals: …`"},
		{"{visual.match: {query: //Button/@name, count: {min: 1}}}", "1:46 strategy.unknown_operator: `visual.match` has no `count`; `visual.match` takes query, caseSensitive, equals, in, contains, startsWith, endsWith, regex, glob, min, max, length, containsAny, containsAll, not"},
	}
	for _, tt := range tests {
		t.Run(tt.when, func(t *testing.T) {
			_, _, list := compile(t, tt.when)
			var got []string
			for _, d := range list {
				p, _ := d.Position()
				got = append(got, fmt.Sprintf("%d:%d %s: %s", p.Line, p.Column, d.Code, d.Sentence()))
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestCompileMistakes looks at positions inside of a regular expression, glob or query, through quotes and blocks.
func TestCompileMistakes(t *testing.T) {
	for when, want := range map[string]string{
		"{clipboard.text: {regex: 'a(b'}}":                                        "1:34 regex.invalid",
		"{clipboard.text: {regex: \"\\\\d(b\"}}":                                  "1:36 regex.invalid",
		"\n  clipboard.text:\n    regex: |-\n      x(b\n":                         "4:8 regex.invalid",
		"{clipboard.text: {glob: '*.[a'}}":                                        "1:34 strategy.invalid_when",
		"{visual.exists: {query: \"//Buton\"}}":                                   "1:34 visual.query_invalid",
		"{visual.exists: {query: \"//Button[3]\"}}":                               "1:41 visual.query_invalid",
		"{visual.exists: {query: \"//Button/@name\"}}":                            "1:32 visual.query_invalid",
		"{visual.count: {query: \"//Button/@name\", min: 1}}":                     "1:31 visual.query_invalid",
		"{visual.match: {query: \"//Button\", equals: x}}":                        "1:31 visual.query_invalid",
		"{visual.match: {query: \"//Button/@nmae\", equals: x}}":                  "1:40 visual.query_invalid",
		"{attachments.files: {any: {path: {regex: '['}}}}":                        "1:49 regex.invalid",
		"{any: [{clipboard.text: {regex: '('}}, {clipboard.text: {regex: ')'}}]}": "1:40 regex.invalid, 1:72 regex.invalid",
	} {
		_, _, list := compile(t, when)
		var got []string
		for _, d := range list {
			p, _ := d.Position()
			got = append(got, fmt.Sprintf("%d:%d %s", p.Line, p.Column, d.Code))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %v, want %s (%v)", when, got, want, list)
		}
	}
}

// holds is the result where nothing is known of the context.
func holds(t *testing.T, e *cond.Expr) cond.Tri {
	t.Helper()
	program, list := cond.Compile(e)
	if list.HasErrors() {
		t.Fatal(list)
	}
	return program.Eval(cond.NewEvaluation(empty()), cond.DefaultLimits(), &list)
}

// TestReads: what a condition asks for, in itself and in its parts, and what only
// begins alike.
func TestReads(t *testing.T) {
	for when, reads := range map[string][]string{
		"true":                          nil,
		"{clipboard.text: {equals: a}}": {"clipboard.text", "clipboard"},
		"{any: [false, {none: [{clipboard.text: {equals: a}}]}]}": {"clipboard.text", "clipboard"},
		"{\"attachments.files[].path\": {contains: a}}":           {"attachments.files", "attachments"},
		"{attachments.files: {any: {path: {contains: a}}}}":       {"attachments.files", "attachments"},
		"{visual.exists: //Button}":                               {"visual"},
	} {
		expr, _, _ := compile(t, when)
		for _, name := range []string{"clipboard.text", "clipboard", "clipboard.te", "attachments.files", "attachments", "path", "visual"} {
			if got := expr.Reads("environment", name); got != slices.Contains(reads, name) {
				t.Errorf("%s reads %s: %v", when, name, got)
			}
		}
	}
}

func TestParseForms(t *testing.T) {
	if e, list := cond.Parse(nil); len(list) > 0 || holds(t, e) != cond.True {
		t.Error("without when, it holds")
	}
	for _, when := range []string{
		"true", "false", "{all: []}", "{any: []}", "{none: []}", "{all: [true, {any: [false]}]}",
		"{clipboard.text: {equals: a}, environment.os: {in: []}}",
		"{clipboard.text: {equals: 5, in: [true, 1.5, x], contains: true, caseSensitive: false}}",
		"{\"attachments.files[].path\": {any: {glob: '*.pdf'}, count: {equals: 0}}}",
		"{assistant.model.modalities: {contains: image, all: {length: {max: 9}, caseSensitive: true}}}",
		"{extra.file_manager.selection.items: {any: {size: {min: 1, max: 2.5}, kind: {equals: file}}}}",
		"{visual.count: {query: //Button, min: 0, max: 3, equals: 2, caseSensitive: true}}",
		"{visual.match: {query: //Button/@bounds.width, min: 3}}",
		"{attachments.selection: {equals: x}}", // an object on the way to a value: known, though nothing can be compared with it
	} {
		if _, _, list := compile(t, when); len(list) > 0 {
			t.Errorf("%s: %v", when, list)
		}
	}
}

// TestNeeds: what conditions read is known without evaluating them.
func TestNeeds(t *testing.T) {
	for when, want := range map[string]string{
		"true": "",
		"{all: [{extra.file_manager.selection.items: {count: {min: 1}}}, {clipboard.text: {contains: TODO}}, {visual.exists: {query: //ListViewItem}}]}": "clipboard.text extra.file_manager visual",
		"{none: [{any: [{extra.browser.active_tab.url: {contains: a}}, {extra.browser.active_tab.title: {contains: a}}]}]}":                              "extra.browser",
		"{attachments.text: {contains: a}, environment.os: {equals: linux}}":                                                                             "",
		"{assistant.model.id: {equals: a}, assistant.id: {equals: a}}":                                                                                   "assistant.id assistant.model.id",
		"{clipboard.files: {any: {path: {contains: a}}}, clipboard.hasImage: {equals: true}}":                                                            "clipboard.files clipboard.hasImage",
		"{\"clipboard.files[].path\": {contains: a}}":                                                                                                    "clipboard.files",
		"{extra.mail.inbox.count: {min: 1}}":                                                                                                             "extra.mail",
		"{visual.match: {query: //Button/@name, equals: x}}":                                                                                             "visual",
	} {
		expr, _, _ := compile(t, when)
		if got := strings.Join(expr.Needs().Names(), " "); got != want {
			t.Errorf("%s needs %q, want %q", when, got, want)
		}
	}
}
