package cond_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
)

// The words are few, so that conditions and contexts often meet; they hold
// letters whose case is not ASCII's.
var (
	words      = []string{"error", "Save", "école", "ÉCOLE", "todo", "main", "İx", "ſtraße", "STRASSE", "K", "a", "", "ab", "invoice 7", "https://arxiv.org/abs/1", "https://x.dev"}
	extensions = []string{".pdf", ".PDF", ".txt", ".go", ".png", ""}
	textPaths  = []string{"clipboard.text", "attachments.selection.text", "attachments.text", "extra.browser.active_tab.url", "extra.workspace.git.branch", "environment.os", "assistant.name"}
	patterns   = []string{`err`, `^a`, `b$`, `\d+`, `(a|todo)`, `é`, `https?://`, `x*`, `[A-Z]{3,}`, `(?!a)b`, `main|save`}
	globs      = []string{"*", "*.pdf", "https://*", "?", "{a,b}*", "*o*", "[a-e]*", "todo", "{todo,main}", "*{err,tod}*", "*{a,e}?*"}
	sizes      = []string{"5", "9007199254740992", "9007199254740993", "9007199254740994", "18446744073709551615", "0.30000000000000004", "0.300000000000000041"}
	queries    = []string{"//Button", "//Button[@name='Save']", "//*[contains(@name,'a')]", "/TopLevel/Button", ".//Label", "//TopLevel//Button[@focused=true]", "//Label[matches(@text,'err|todo')]"}
	attributes = []string{"//TopLevel/@name", "//Button/@process", "//*/@focused", "//Button/@bounds.width", "//Label/@text"}
)

type generator struct{ r *rand.Rand }

func (g generator) pick(list []string) string { return list[g.r.IntN(len(list))] }

func (g generator) quoted(list []string) string { return fmt.Sprintf("%q", g.pick(list)) }

// condition writes a random condition as YAML flow text.
func (g generator) condition(depth int) string {
	switch n := g.r.IntN(20); {
	case depth > 0 && n < 7:
		var children []string
		for range 1 + g.r.IntN(3) {
			children = append(children, g.condition(depth-1))
		}
		if g.r.IntN(5) == 0 {
			return "{not: " + children[0] + "}"
		}
		return "{" + g.pick([]string{"all", "all", "any", "none"}) + ": [" + strings.Join(children, ", ") + "]}"
	case n == 7:
		return g.pick([]string{"true", "false"})
	case n == 8:
		return "{visual.exists: {query: " + fmt.Sprintf("%q", g.pick(queries)) + g.sensitive() + "}}"
	case n == 9:
		return "{visual.count: {query: " + fmt.Sprintf("%q", g.pick(queries)) + ", min: " + fmt.Sprint(g.r.IntN(3)) + "}}"
	case n == 10:
		return "{visual.match: {query: " + fmt.Sprintf("%q", g.pick(attributes)) + ", " + g.operator() + g.sensitive() + "}}"
	case n == 11:
		return "{clipboard.hasText: {equals: " + g.pick([]string{"true", "false"}) + "}}"
	case n == 12:
		return "{assistant.model.modalities: {" + g.pick([]string{"contains: " + g.quoted(words), "count: {min: 1}", "any: {" + g.operator() + "}", "none: {equals: " + g.quoted(words) + "}", g.parts(), "not: {" + g.parts() + "}", "any: {not: {" + g.operator() + "}}"}) + "}}"
	case n == 13:
		return g.picked()
	case n < 16:
		return "{" + g.pick([]string{"attachments.files", "extra.file_manager.selection.items"}) + ": {" + g.items() + "}}"
	case n == 16:
		return "{\"attachments.files[].extension\": {" + g.pick([]string{"contains: " + g.quoted(extensions), "any: {equals: " + g.quoted(extensions) + "}", "count: {max: 2}", "containsAny: [" + g.quoted(extensions) + ", " + g.quoted(extensions) + "]"}) + "}}"
	case n == 17:
		return "{" + g.pick(textPaths) + "." + g.pick([]string{"not.", ""}) + g.operator() + "}"
	}
	operators := g.operator()
	if g.r.IntN(3) == 0 {
		if more := g.operator(); more[:3] != operators[:3] {
			operators += ", " + more
		}
	}
	return "{" + g.pick(textPaths) + ": {" + operators + g.sensitive() + "}}"
}

func (g generator) sensitive() string {
	if g.r.IntN(4) == 0 {
		return ", caseSensitive: true"
	}
	return ""
}

// picks are what may stand after an array.
var picks = []string{"[0]", "[1]", "[^1]", "[-1]", "[^2]", "[7]", "[..]", "[1..]", "[..1]", "[-2..]", "[0..^1]", "[5..9]", "[2..1]"}

// picked writes a condition on what is picked from an array.
func (g generator) picked() string {
	pick := g.pick(picks)
	array := strings.Contains(pick, "..")
	switch g.r.IntN(4) {
	case 0:
		return fmt.Sprintf("{%q: {%s%s}}", "assistant.model.modalities"+pick, g.operator(), g.sensitive())
	case 1:
		return fmt.Sprintf("{%q: {%s}}", "attachments.files[].extension"+pick, g.pick([]string{"equals: " + g.quoted(extensions), "contains: " + g.quoted(extensions), "not: {" + g.operator() + "}"}))
	case 2:
		if array {
			return fmt.Sprintf("{%q: {%s}}", "attachments.files"+pick, g.items())
		}
	}
	return fmt.Sprintf("{%q: {%s}}", "attachments.files"+pick+g.pick([]string{".path", ".extension"}), g.pick([]string{g.operator(), "contains: " + g.quoted(extensions), "equals: " + g.quoted(extensions)}))
}

func (g generator) parts() string {
	var parts []string
	for range g.r.IntN(4) {
		parts = append(parts, g.pick([]string{g.quoted(words), g.quoted(words), "5", "true"}))
	}
	return g.pick([]string{"containsAny", "containsAll"}) + ": [" + strings.Join(parts, ", ") + "]"
}

func (g generator) operator() string {
	switch g.r.IntN(13) {
	case 10, 11:
		return g.parts()
	case 12:
		return "not: {" + g.operator() + g.sensitive() + "}"
	case 0:
		return "in: [" + g.quoted(words) + ", " + g.quoted(words) + ", 5]"
	case 1:
		return "contains: " + g.quoted(words)
	case 2:
		return "startsWith: " + g.quoted(words)
	case 3:
		return "endsWith: " + g.quoted(words)
	case 4:
		return "regex: '" + g.pick(patterns) + "'"
	case 5:
		return "glob: " + fmt.Sprintf("%q", g.pick(globs))
	case 6:
		return "length: {min: " + fmt.Sprint(g.r.IntN(8)) + "}"
	case 7:
		return "min: " + fmt.Sprint(g.r.IntN(8))
	}
	return "equals: " + g.pick([]string{fmt.Sprintf("%q", g.pick(words)), "5", "true", fmt.Sprintf("%q", g.pick(words))})
}

func (g generator) items() string {
	field := g.pick([]string{
		"extension: {in: [" + g.quoted(extensions) + ", " + g.quoted(extensions) + "]}",
		"extension: {equals: " + g.quoted(extensions) + g.sensitive() + "}",
		"path: {" + g.operator() + "}",
		"path: {" + g.operator() + "}, extension: {equals: " + g.quoted(extensions) + "}",
		"size: {" + g.pick([]string{"equals", "min", "max"}) + ": " + g.pick(sizes) + "}", // no field of an attachment
		"size: {in: [" + g.pick(sizes) + ", " + g.pick(sizes) + "]}",
	})
	if g.r.IntN(4) == 0 {
		field = g.pick([]string{"not: {" + field + "}", "not: {" + field + "}, path: {" + g.operator() + "}", "not: {not: {" + field + "}}"})
	}
	return g.pick([]string{"any", "all", "none", "any"}) + ": {" + field + "}" + g.pick([]string{"", ", count: {min: 1}"})
}

func (g generator) compiled(t testing.TB) cond.Condition { return conditionOf(t, g.condition(3)) }

// conditionOf compiles a condition, with limits that are never reached.
func conditionOf(t testing.TB, when string) cond.Condition {
	t.Helper()
	text := "when: " + when + "\n"
	node, problems := document.ParseYAML(diag.NewSource("random", text))
	if len(problems) > 0 {
		t.Fatalf("%s: %v", text, problems)
	}
	expr, list := cond.Parse(node.Get("when"))
	program, more := cond.Compile(expr)
	if list = append(list, more...); list.HasErrors() {
		t.Fatalf("%s: %v", text, list)
	}
	return cond.Condition{Program: program, Limits: cond.Limits{Matching: 1e12, Condition: 1e12, Regex: 1e12, VisualQuery: 1e12}}
}

// snapshot makes a random context; now and then a value is of another kind than
// the schema says.
func (g generator) snapshot() *facts.Snapshot {
	s := facts.NewSnapshot(facts.Parts{Values: facts.Fields(), Tree: g.tree()})
	text := func() facts.Value {
		switch g.r.IntN(12) {
		case 0:
			return facts.Num(float64(g.r.IntN(7)))
		case 1:
			return facts.Texts(g.pick(words), g.pick(words))
		case 2:
			return facts.Fields(facts.Field{Name: "x", Value: facts.Text("y")})
		}
		return facts.Text(g.pick(words) + g.pick([]string{"", "", " " + g.pick(words)}))
	}
	for _, path := range textPaths {
		if g.r.IntN(3) > 0 {
			s = s.With(path, text())
		}
	}
	if g.r.IntN(2) == 0 {
		s = s.With("clipboard.hasText", facts.Flag(g.r.IntN(2) == 0))
	}
	if g.r.IntN(2) == 0 {
		s = s.With("assistant.model.modalities", facts.List(text(), text()))
	}
	for _, path := range []string{"attachments.files", "extra.file_manager.selection.items"} {
		if g.r.IntN(4) == 0 {
			continue
		}
		var files []facts.Value
		for range g.r.IntN(4) {
			file := facts.Fields(facts.Field{Name: "path", Value: text()})
			if g.r.IntN(4) > 0 {
				file = facts.Fields(facts.Field{Name: "path", Value: text()}, facts.Field{Name: "extension", Value: facts.Text(g.pick(extensions))})
			}
			if g.r.IntN(2) == 0 {
				size, _ := facts.ParseNumber(g.pick(sizes))
				file = facts.Fields(append(file.Fields(), facts.Field{Name: "size", Value: size})...)
			}
			files = append(files, file)
		}
		s = s.With(path, facts.List(files...))
	}
	if g.r.IntN(2) == 0 {
		s = s.With("attachments.visual.primary", facts.Text(fmt.Sprint("e", g.r.IntN(6))))
	}
	return s
}

func (g generator) tree() *facts.Tree {
	if g.r.IntN(4) == 0 {
		return nil
	}
	types := []facts.ElementType{facts.UnknownType, facts.ScreenType, 4, 1, 32, 31}
	n := g.r.IntN(12)
	elements := make([]facts.Element, n)
	texts := make([]facts.ElementText, n)
	for i := range elements {
		elements[i] = facts.Element{
			ID: fmt.Sprint("e", i), Type: types[g.r.IntN(len(types))], Name: g.pick(words), HasName: g.r.IntN(3) > 0,
			States: facts.States(g.r.IntN(64)), Process: g.pick([]string{"", "code", "Save"}), Parent: g.r.IntN(i+1) - 1, HasBounds: g.r.IntN(2) == 0,
			Bounds: facts.Bounds{Width: float64(g.r.IntN(7))}, Cut: g.r.IntN(8) == 0,
		}
		texts[i] = facts.ElementText{Text: g.pick(words), OK: g.r.IntN(2) == 0}
	}
	tree := facts.NewTreeWithTexts(elements, texts)
	if g.r.IntN(3) == 0 {
		tree.MarkPartial("the rest was left out")
	}
	return tree
}
