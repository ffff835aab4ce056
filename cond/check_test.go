package cond_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// TestCheck is what can never hold, and next to it what may.
func TestCheck(t *testing.T) {
	for when, want := range map[string]string{
		"{clipboard.text: {equals: a, in: [a, b], contains: a, containsAny: [a], startsWith: a, endsWith: a, regex: a, glob: a, length: {min: 1}, not: {equals: b}}}": "",
		"{clipboard.text: {min: 1}}":                                                "1:25 `min` can never hold for a string; use `length: { min: … }` for the number of characters",
		"{clipboard.text: {count: {min: 1}}}":                                       "1:25 `count` can never hold for a string; use `length`",
		"{clipboard.text: {any: {equals: a}}}":                                      "1:25 `any` can never hold for a string; a text has no items; write its operators without `any:`, or `containsAny: [ … ]` for one of several parts of it, `in: [ … ]` for one of several texts",
		"{clipboard.text: {all: {equals: a}}}":                                      "1:25 `all` can never hold for a string; a text has no items; write its operators without `all:`, or `containsAll: [ … ]` for several parts of it",
		"{clipboard.text: {none: {equals: a}}}":                                     "1:25 `none` can never hold for a string; a text has no items; write its operators without `none:`, or `not: { containsAny: [ … ] }` for parts that it must not have",
		"{clipboard.text: {equals: 5}}":                                             "1:33 `equals` with a number can never hold: the value is a string; put it in quotes",
		"{clipboard.text: {in: [a, 5, true]}}":                                      "1:33 `in` with a number can never hold: the value is a string; put it in quotes\n1:36 `in` with a boolean can never hold: the value is a string; put it in quotes",
		"{clipboard.text: {not: {equals: 5}}}":                                      "1:39 `equals` with a number can never hold: the value is a string; put it in quotes",
		"{clipboard.text: {in: []}}":                                                "1:29 `in` of an empty list can never hold; name something, or remove the operator",
		"{clipboard.text: {containsAny: []}}":                                       "1:38 `containsAny` of an empty list can never hold; name something, or remove the operator",
		"{clipboard.text: {containsAll: []}}":                                       "1:38 `containsAll` of an empty list always holds; name something, or remove the operator",
		"{clipboard.hasText: {equals: true}}":                                       "",
		"{clipboard.hasText: {equals: \"true\"}}":                                   "1:36 `equals` with a string can never hold: the value is a boolean; leave out the quotes",
		"{clipboard.hasText: {contains: a}}":                                        "1:28 `contains` can never hold for a boolean; write `equals: true` or `equals: false`",
		"{attachments.files: {equals: a}}":                                          "1:28 `equals` can never hold for an array of objects; use `any:`, `all:` or `none:` with a field of the items",
		"{attachments.files: {contains: a}}":                                        "1:28 `contains` can never hold for an array of objects; use `any:`, `all:` or `none:` with a field of the items",
		"{assistant.model.modalities: {equals: text}}":                              "1:37 `equals` can never hold for an array; use `contains`, or `any: { equals: … }`",
		"{assistant.model.modalities: {length: {min: 1}}}":                          "1:37 `length` can never hold for an array; use `count`",
		"{assistant.model.modalities: {contains: text, any: {glob: a}}}":            "",
		"{assistant.model.modalities: {any: {min: 1}}}":                             "1:43 `min` can never hold for a string; use `length: { min: … }` for the number of characters",
		"{\"attachments.files[].path\": {equals: a}}":                               "1:37 `equals` can never hold for an array; use `contains`, or `any: { equals: … }`",
		"{\"attachments.files[0].path\": {equals: a}}":                              "",
		"{attachments.selection: {equals: a}}":                                      "1:32 `equals` can never hold for an object; name a value below it",
		"{extra.file_manager.selection.items: {any: {size: {min: 1, max: 2}}}}":     "",
		"{extra.file_manager.selection.items: {any: {size: {contains: a}}}}":        "1:58 `contains` can never hold for a number; use `equals`, `in`, `min` or `max`",
		"{extra.file_manager.selection.items: {any: {size: {min: 5, max: 1}}}}":     "1:71 no number is at least 5 and at most 1; exchange the two",
		"{environment.os: {equals: Linux}}":                                         "",
		"{environment.os: {in: [linux, darwin, solaris]}}":                          "1:37 `environment.os` can never be `darwin`; did you mean `macos`?\n1:45 `environment.os` can never be `solaris`; it is one of linux, windows, macos",
		"{environment.os: {equals: Linux, caseSensitive: true}}":                    "1:33 `environment.os` can never be `Linux`; did you mean `linux`?",
		"{environment.os: {startsWith: win}}":                                       "",
		"{environment.os: {contains: bsd}}":                                         "1:35 `environment.os` can never be `bsd`; it is one of linux, windows, macos",
		"{environment.os.not.equals: darwin}":                                       "1:35 `environment.os` can never be `darwin`; did you mean `macos`?",
		"{extra.file_manager.selection.items: {all: {kind: {equals: directory}}}}":  "1:66 `kind` can never be `directory`; did you mean `folder`?",
		"{attachments.files: {any: {extension: {in: [.pdf, docx, \"\"]}}}}":         "1:57 an extension begins with a dot, so it can never be `docx`; write `.docx`",
		"{attachments.files: {any: {extension: {endsWith: pdf}}}}":                  "",
		"{attachments.files: {any: {extension: {startsWith: pdf}}}}":                "1:58 an extension begins with a dot, so it can never be `pdf`; write `.pdf`",
		"{\"clipboard.files[].extension\": {contains: png}}":                        "1:50 an extension begins with a dot, so it can never be `png`; write `.png`",
		"{\"clipboard.files[0].extension\": {equals: png}}":                         "1:49 an extension begins with a dot, so it can never be `png`; write `.png`",
		"{\"attachments.files[2..1]\": {count: {equals: 0}}}":                       "1:8 `attachments.files[2..1]` is never anything: nothing is at `[2..1]`; a range begins with its smaller end, and the other one is not in it: [1..3] is the second and third",
		"{\"attachments.files[1..1]\": {count: {equals: 0}}}":                       "1:8 `attachments.files[1..1]` is never anything: nothing is at `[1..1]`; a range begins with its smaller end, and the other one is not in it: [1..3] is the second and third",
		"{\"attachments.files[..0]\": {count: {equals: 0}}}":                        "1:8 `attachments.files[..0]` is never anything: nothing is at `[..0]`; a range begins with its smaller end, and the other one is not in it: [1..3] is the second and third",
		"{\"attachments.files[^1..^2]\": {count: {equals: 0}}}":                     "1:8 `attachments.files[^1..^2]` is never anything: nothing is at `[^1..^2]`; a range begins with its smaller end, and the other one is not in it: [1..3] is the second and third",
		"{\"attachments.files[-1..-1]\": {count: {equals: 0}}}":                     "1:8 `attachments.files[-1..-1]` is never anything: nothing is at `[^1..^1]`; a range begins with its smaller end, and the other one is not in it: [1..3] is the second and third",
		"{\"attachments.files[^0..]\": {count: {equals: 0}}}":                       "1:8 `attachments.files[^0..]` is never anything: nothing is at `[^0..]`; a range begins with its smaller end, and the other one is not in it: [1..3] is the second and third",
		"{\"attachments.files[1..2]\": {count: {equals: 0}}}":                       "",
		"{\"attachments.files[..]\": {count: {equals: 0}}}":                         "",
		"{\"attachments.files[1..]\": {count: {equals: 0}}}":                        "",
		"{\"attachments.files[..^1]\": {count: {equals: 0}}}":                       "",
		"{\"attachments.files[^2..^1]\": {count: {equals: 0}}}":                     "",
		"{\"attachments.files[2..-1]\": {count: {equals: 0}}}":                      "",
		"{\"attachments.files[^2..2]\": {count: {equals: 0}}}":                      "",
		"{\"attachments.files[^0].path\": {equals: a}}":                             "1:8 `attachments.files[^0].path` is never anything: nothing is at `[^0]`; the last one is [^1]",
		"{attachments: {\"files[2..1]\": {any: {path: {equals: a}}}}}":              "1:22 `attachments.files[2..1]` is never anything: nothing is at `[2..1]`; a range begins with its smaller end, and the other one is not in it: [1..3] is the second and third",
		"{clipboard.text: {length: {min: 5, max: 1}}}":                              "1:33 `length` can never hold: `min` is more than `max`; write a range that something can be in",
		"{attachments.files: {count: {equals: 1.5}}}":                               "1:35 `count` can never hold: a number of things is whole; write a range that something can be in",
		"{attachments.files: {count: {max: -1}}}":                                   "1:35 `count` can never hold: no number of things is less than 0; write a range that something can be in",
		"{attachments.files: {count: {min: 0, max: 0}}}":                            "",
		"{visual.match: {query: //Button/@selected, contains: x}}":                  "1:50 `contains` can never hold for a boolean; write `equals: true` or `equals: false`",
		"{visual.match: {query: //Button/@bounds.width, startsWith: x}}":            "1:54 `startsWith` can never hold for a number; use `equals`, `in`, `min` or `max`",
		"{visual.match: {query: //Button/@name, min: 3}}":                           "1:46 `min` can never hold for a string; use `length: { min: … }` for the number of characters",
		"{visual.match: {query: //Button/@disabled, equals: 'true'}}":               "1:58 `equals` with a string can never hold: the value is a boolean; leave out the quotes",
		"{visual.match: {query: //Button/@bounds.width, min: 3, max: 1}}":           "1:67 no number is at least 3 and at most 1; exchange the two",
		"{visual.match: {query: //Button/@bounds.width, min: 3, not: {equals: 9}}}": "",
		"{visual.match: {query: //Button/@name, equals: x, length: {min: 1}}}":      "",
		"{visual.count: {query: //Button, min: 3, max: 1}}":                         "1:8 `visual.count` can never hold: `min` is more than `max`; write a range that something can be in",
		"{extra.mail.inbox: {min: 1}}":                                              "",
		"{attachments.files: {any: {not: {extension: {equals: pdf}}}}}":             "1:60 an extension begins with a dot, so it can never be `pdf`; write `.pdf`",
	} {
		expr, _, list := compile(t, when)
		if list.HasErrors() {
			t.Errorf("%s: %v", when, list)
			continue
		}
		if diff := cmp.Diff(want, told(cond.Check(expr))); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
	}
}

// TestCheckTogether is operators of which no value meets two, and next to them what
// some value meets.
func TestCheckTogether(t *testing.T) {
	const (
		either = "; where one of the two is enough, write a condition for each under `any:`"
		each   = "; it is against all of its operators together; for neither of them write `none:` with a condition for each"
	)
	for operators, want := range map[string]string{
		"{equals: abc, contains: d}":                          "1:38 nothing meets both `equals` and `contains`, so this can never hold" + either,
		"{contains: d, equals: abc}":                          "1:38 nothing meets both `contains` and `equals`, so this can never hold" + either,
		"{equals: abc, contains: B}":                          "",
		"{equals: abc, contains: B, caseSensitive: true}":     "1:38 nothing meets both `equals` and `contains`, so this can never hold" + either,
		"{in: [abc, xyz], startsWith: x}":                     "",
		"{in: [abc, xyz], endsWith: q}":                       "1:41 nothing meets both `in` and `endsWith`, so this can never hold" + either,
		"{in: [a, b], equals: c}":                             "1:37 nothing meets both `in` and `equals`, so this can never hold" + either,
		"{equals: abc, containsAny: [q, B]}":                  "",
		"{equals: abc, containsAll: [q, B]}":                  "1:38 nothing meets both `equals` and `containsAll`, so this can never hold" + either,
		"{equals: abc, length: {min: 4}}":                     "1:38 nothing meets both `equals` and `length`, so this can never hold" + either,
		"{equals: äöü, length: {equals: 3}}":                  "",
		"{contains: abcd, length: {max: 3}}":                  "1:41 nothing meets both `contains` and `length`, so this can never hold" + either,
		"{startsWith: abc, length: {max: 3}}":                 "",
		"{length: {equals: 2}, endsWith: abc}":                "1:46 nothing meets both `length` and `endsWith`, so this can never hold" + either,
		"{containsAny: [abcd, a], length: {max: 3}}":          "",
		"{equals: a, regex: b, glob: c}":                      "",
		"{equals: a, not: {equals: A}}":                       "1:36 nothing meets both `equals` and `not`, so this can never hold" + either,
		"{equals: a, not: {equals: A, caseSensitive: true}}":  "",
		"{equals: a, not: {contains: a, length: {min: 2}}}":   "",
		"{equals: a, not: {regex: a}}":                        "",
		"{not: {equals: .pdf, startsWith: .doc}}":             "1:25 `not` always holds: nothing meets both `equals` and `startsWith`" + each,
		"{not: {startsWith: a, endsWith: b}}":                 "",
		"{not: {in: [a, b], equals: b}}":                      "",
		"{contains: x, not: {not: {equals: a, contains: b}}}": "1:44 `not` always holds: nothing meets both `equals` and `contains`" + each,
		"{equals: 5, contains: a}":                            "1:33 `equals` with a number can never hold: the value is a string; put it in quotes",
	} {
		when := "{clipboard.text: " + operators + "}"
		expr, _, list := compile(t, when)
		if list.HasErrors() {
			t.Errorf("%s: %v", when, list)
			continue
		}
		if diff := cmp.Diff(want, told(cond.Check(expr))); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
	}
	for when, want := range map[string]string{
		"{attachments.files: {any: {extension: {equals: .pdf, startsWith: .d}}}}":                     "1:60 nothing meets both `equals` and `startsWith`, so this can never hold" + either,
		"{extra.file_manager.selection.items: {any: {size: {equals: 5, min: 6}}}}":                    "1:69 nothing meets both `equals` and `min`, so this can never hold" + either,
		"{extra.file_manager.selection.items: {any: {size: {in: [5, 7], min: 6, not: {equals: 5}}}}}": "",
		"{assistant.model.modalities: {contains: a, containsAny: [b]}}":                               "",
		"{visual.match: {query: //Button/@name, not: {equals: a, endsWith: b}}}":                      "1:46 `not` always holds: nothing meets both `equals` and `endsWith`" + each,
		"{extra.mail.inbox: {equals: a, contains: b}}":                                                "",
	} {
		expr, _, _ := compile(t, when)
		if diff := cmp.Diff(want, told(cond.Check(expr))); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
	}
}

// TestCheckTogetherHasALimit: lists that are too long to be compared with each other are not, and nothing is told of them.
func TestCheckTogetherHasALimit(t *testing.T) {
	list := func(name string, count int) string {
		var all []string
		for i := range count {
			all = append(all, fmt.Sprintf("%s%04d", name, i))
		}
		return strings.Join(all, ", ")
	}
	for count, found := range map[int]bool{100: true, 161: true, 162: false, 20_000: false} {
		expr, _, _ := compile(t, fmt.Sprintf("{clipboard.text: {in: [%s], containsAny: [%s]}}", list("a", count), list("z", count)))
		if got := told(cond.Check(expr)); (got != "") != found {
			t.Errorf("%d texts each: %q", count, got)
		}
	}
}

// TestCheckTogetherIsTrue compares what is told of two operators with what they come
// to on texts near their operands.
func TestCheckTogetherIsTrue(t *testing.T) {
	texts := []string{"", "a", "A", "ab", "b", "ba", "abc", "é", "É"}
	var operators []string
	for _, text := range texts[1:] {
		for _, op := range []string{"equals", "contains", "startsWith", "endsWith"} {
			operators = append(operators, fmt.Sprintf("%s: %s", op, text), fmt.Sprintf("not: {%s: %s}", op, text))
		}
		operators = append(operators, "in: [b, "+text+"]", "containsAny: [b, "+text+"]", "containsAll: [b, "+text+"]")
	}
	operators = append(operators, "length: {max: 1}", "length: {min: 2}", "length: {equals: 2}", "regex: a", "glob: 'a*'")
	found := 0
	for _, one := range operators {
		for _, other := range operators {
			if one[:strings.Index(one, ":")] == other[:strings.Index(other, ":")] {
				continue
			}
			when := "{clipboard.text: {" + one + ", " + other + "}}"
			expr, _, _ := compile(t, when)
			if len(cond.Check(expr)) == 0 {
				continue
			}
			found++
			for _, text := range texts {
				snapshot := facts.NewSnapshot(facts.Parts{Values: facts.Fields(facts.Field{Name: "clipboard", Value: facts.Fields(facts.Field{Name: "text", Value: facts.Text(text)})})})
				if result, _, _ := decide(t, when, snapshot); result != cond.False {
					t.Errorf("%s is %s for %q, and was said to be never true", when, result, text)
				}
			}
		}
	}
	if found < 500 {
		t.Errorf("only %d pairs were found", found)
	}
}

// told is a list as lines.
func told(list diag.List) string {
	var lines []string
	for _, d := range list {
		p, _ := d.Position()
		lines = append(lines, fmt.Sprintf("%d:%d %s", p.Line, p.Column, d.Sentence()))
	}
	return strings.Join(lines, "\n")
}

// TestOperatorsFor: what is offered for a kind is what Check lets pass for it.
func TestOperatorsFor(t *testing.T) {
	for kind, want := range map[[2]facts.Kind]string{
		{facts.Bool}:                 "equals in not",
		{facts.Number}:               "equals in min max not",
		{facts.String}:               "equals in contains startsWith endsWith regex glob length containsAny containsAll not caseSensitive",
		{facts.Array, facts.Object}:  "count any all none not",
		{facts.Array, facts.String}:  "contains count any all none containsAny containsAll not caseSensitive",
		{facts.Absent, facts.Absent}: strings.Join(cond.OperatorNames(), " "),
	} {
		if got := strings.Join(cond.OperatorsFor(kind[0], kind[1]), " "); got != want {
			t.Errorf("%v: %s, want %s", kind, got, want)
		}
	}
}
