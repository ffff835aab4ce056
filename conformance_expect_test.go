package pertain_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// expectation is what a command must answer.
type expectation struct {
	Exit          int
	Exits         []int
	JSON          any `yaml:"json"`
	Diagnostics   []string
	Includes      []string
	Excludes      []string
	Stdout        *string
	StdoutMatches []string `yaml:"stdoutMatches"`
	StderrMatches []string `yaml:"stderrMatches"`
	StdoutLacks   []string `yaml:"stdoutLacks"`
	StderrLacks   []string `yaml:"stderrLacks"`
	StderrLines   *int     `yaml:"stderrLines"`
}

// differences lists everything in which an answer is not what was expected.
func (e expectation) differences(w *world, o outcome) []string {
	var found []string
	differ := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	exits := e.Exits
	if exits == nil {
		exits = []int{e.Exit}
	}
	if !slices.Contains(exits, o.exit) {
		differ("exit: want %d, got %d", exits, o.exit)
	}
	if e.JSON != nil || e.Diagnostics != nil || e.Includes != nil || e.Excludes != nil {
		answer, err := readJSON(o.stdout)
		if err != nil {
			differ("stdout is not one JSON document: %v", err)
		} else {
			found = append(found, e.jsonDifferences(w, answer)...)
		}
	}
	if e.Stdout != nil && o.stdout != w.expand(*e.Stdout) {
		differ("stdout: want %q, got %q", w.expand(*e.Stdout), o.stdout)
	}
	for _, stream := range []struct {
		name, text     string
		matches, lacks []string
	}{{"stdout", o.stdout, e.StdoutMatches, e.StdoutLacks}, {"stderr", o.stderr, e.StderrMatches, e.StderrLacks}} {
		for _, expression := range stream.matches {
			if !regexp.MustCompile(w.expandExpression(expression)).MatchString(stream.text) {
				differ("%s: nothing matches %s", stream.name, expression)
			}
		}
		for _, text := range stream.lacks {
			if strings.Contains(stream.text, w.expand(text)) {
				differ("%s holds %q", stream.name, text)
			}
		}
	}
	if lines := strings.Count(o.stderr, "\n"); e.StderrLines != nil && lines != *e.StderrLines {
		differ("stderr: want %d lines, got %d", *e.StderrLines, lines)
	}
	return found
}

func (e expectation) jsonDifferences(w *world, answer any) []string {
	found := subset(w, "", e.JSON, answer)
	if e.JSON == nil {
		found = nil
	}
	diagnostics := objectsAt(answer, "diagnostics")
	if e.Diagnostics != nil {
		found = append(found, sameDiagnostics(e.Diagnostics, diagnostics)...)
	}
	for _, short := range e.Includes {
		if !slices.ContainsFunc(diagnostics, func(d map[string]any) bool { return readShort(short).meets(d) }) {
			found = append(found, "diagnostics lack "+short)
		}
	}
	for _, code := range e.Excludes {
		if slices.ContainsFunc(diagnostics, func(d map[string]any) bool { return d["code"] == code }) {
			found = append(found, "diagnostics have "+code)
		}
	}
	return found
}

// expandExpression is expand for a regular expression: the paths are literal in it.
func (w *world) expandExpression(expression string) string {
	return w.placeholder.ReplaceAllStringFunc(expression, func(name string) string {
		return regexp.QuoteMeta(w.expand(name))
	})
}

func readJSON(text string) (answer any, err error) {
	err = json.Unmarshal([]byte(text), &answer)
	return answer, err
}

// objectsAt returns the list of objects that an object has under a key.
func objectsAt(answer any, key string) []map[string]any {
	object, _ := answer.(map[string]any)
	list, _ := object[key].([]any)
	var objects []map[string]any
	for _, element := range list {
		if o, ok := element.(map[string]any); ok {
			objects = append(objects, o)
		}
	}
	return objects
}

// subset lists where an answer does not meet a SUBSET; at is the path in the answer.
func subset(w *world, at string, want, got any) []string {
	differ := func() []string { return []string{fmt.Sprintf("%s: want %v, got %v", at, show(want), show(got))} }
	switch want := want.(type) {
	case map[string]any:
		for form, operand := range want {
			if len(want) == 1 && strings.HasPrefix(form, "$") {
				if !meetsForm(w, at, form, operand, got) {
					return differ()
				}
				return nil
			}
		}
		object, ok := got.(map[string]any)
		if !ok {
			return differ()
		}
		var found []string
		for _, key := range sortedKeys(want) {
			value, present := object[key]
			if form, ok := want[key].(map[string]any); ok && form["$absent"] == true {
				if present {
					found = append(found, fmt.Sprintf("%s.%s: want it absent, got %v", at, key, show(value)))
				}
			} else if !present {
				found = append(found, fmt.Sprintf("%s.%s: want %v, but it is absent", at, key, show(want[key])))
			} else {
				found = append(found, subset(w, at+"."+key, want[key], value)...)
			}
		}
		return found
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			return differ()
		}
		var found []string
		for i := range want {
			found = append(found, subset(w, fmt.Sprintf("%s[%d]", at, i), want[i], list[i])...)
		}
		return found
	case string:
		if got != w.expand(want) {
			return differ()
		}
	case int:
		if got != float64(want) {
			return differ()
		}
	default:
		if !reflect.DeepEqual(want, got) {
			return differ()
		}
	}
	return nil
}

// meetsForm decides the maps of one key that begins with $.
func meetsForm(w *world, at, form string, operand, got any) bool {
	meets := func(want, got any) bool { return len(subset(w, at, want, got)) == 0 }
	list, isList := got.([]any)
	operands, _ := operand.([]any)
	switch form {
	case "$match":
		text, ok := got.(string)
		return ok && regexp.MustCompile(w.expandExpression(operand.(string))).MatchString(text)
	case "$in":
		return slices.ContainsFunc(operands, func(want any) bool { return meets(want, got) })
	case "$not":
		return !meets(operand, got)
	case "$min":
		number, ok := got.(float64)
		least, _ := strconv.ParseFloat(fmt.Sprint(operand), 64)
		return ok && number >= least
	case "$set":
		return isList && len(list) == len(operands) &&
			assign(len(operands), func(i, j int) bool { return meets(operands[i], list[j]) })
	case "$contains":
		return isList && !slices.ContainsFunc(operands, func(want any) bool {
			return !slices.ContainsFunc(list, func(got any) bool { return meets(want, got) })
		})
	case "$none":
		return isList && !slices.ContainsFunc(operands, func(want any) bool {
			return slices.ContainsFunc(list, func(got any) bool { return meets(want, got) })
		})
	}
	w.t.Fatalf("%s: there is no form %s", at, form)
	return false
}

// assign reports whether n wants can be met by n gots, one each.
func assign(n int, meets func(want, got int) bool) bool {
	taken := make([]int, n) // got → want + 1
	var assignTo func(want int, tried []bool) bool
	assignTo = func(want int, tried []bool) bool {
		for got := range n {
			if !tried[got] && meets(want, got) {
				tried[got] = true
				if taken[got] == 0 || assignTo(taken[got]-1, tried) {
					taken[got] = want + 1
					return true
				}
			}
		}
		return false
	}
	for want := range n {
		if !assignTo(want, make([]bool, n)) {
			return false
		}
	}
	return true
}

func show(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return clip(string(text))
}

// shortForm is a diagnostic as README.md abbreviates it.
type shortForm struct {
	severity     string
	codes        []string
	line, column int // 0: not checked
	orLater      bool
	text         string
}

func readShort(s string) shortForm {
	head, text, _ := strings.Cut(s, " ~ ")
	fields := strings.Fields(head)
	f := shortForm{severity: fields[0], codes: strings.Split(fields[1], "|"), text: text}
	if len(fields) > 2 {
		line, column, _ := strings.Cut(fields[2], ":")
		f.line, _ = strconv.Atoi(line)
		column, f.orLater = strings.CutSuffix(column, "+")
		f.column, _ = strconv.Atoi(column)
	}
	return f
}

func (f shortForm) meets(d map[string]any) bool {
	code, _ := d["code"].(string)
	message, _ := d["message"].(string)
	line, _ := d["line"].(float64)
	column, _ := d["column"].(float64)
	return d["severity"] == f.severity && slices.Contains(f.codes, code) && message != "" &&
		(f.line == 0 || int(line) == f.line) &&
		(f.column == 0 || int(column) == f.column || f.orLater && int(column) > f.column) &&
		strings.Contains(message, f.text)
}

// sameDiagnostics compares the two lists without regard to their order.
func sameDiagnostics(want []string, got []map[string]any) []string {
	if len(want) == len(got) && assign(len(want), func(i, j int) bool { return readShort(want[i]).meets(got[j]) }) {
		return nil
	}
	var lines []string
	for _, d := range got {
		lines = append(lines, fmt.Sprintf("%v %v %v:%v ~ %v", d["severity"], d["code"], d["line"], d["column"], d["message"]))
	}
	sort.Strings(lines)
	return []string{fmt.Sprintf("diagnostics:\n    want\n      %s\n    got\n      %s",
		strings.Join(want, "\n      "), strings.Join(lines, "\n      "))}
}
