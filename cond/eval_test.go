package cond_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// decide evaluates a condition both ways: as matching does and as explain does. They must agree.
func decide(t testing.TB, when string, snapshot *facts.Snapshot) (cond.Tri, *cond.Trace, diag.List) {
	t.Helper()
	_, program, list := compile(t, when)
	if list.HasErrors() {
		t.Fatalf("%s: %v", when, list)
	}
	var matched, explained diag.List
	result := program.Eval(cond.NewEvaluation(snapshot), cond.Limits{}, &matched)
	again, trace := program.Explain(cond.NewEvaluation(snapshot), cond.Limits{}, &explained, false)
	if result != again || trace.Result != again {
		t.Errorf("%s: matching says %s, explain %s, its tree %s", when, result, again, trace.Result)
	}
	return result, trace, explained
}

func empty() *facts.Snapshot { return facts.NewSnapshot(facts.Parts{Values: facts.Fields()}) }

// TestTruthTables has all combinations of two and three children (docs/reference/conditions.md).
func TestTruthTables(t *testing.T) {
	// A child that is true, false, or unknown because its path has no value.
	child := map[cond.Tri]string{cond.True: "true", cond.False: "false", cond.Null: "{clipboard.text: {equals: x}}"}
	values := []cond.Tri{cond.Null, cond.False, cond.True}
	has := func(list []cond.Tri, v cond.Tri) bool {
		for _, x := range list {
			if x == v {
				return true
			}
		}
		return false
	}
	check := func(list []cond.Tri) {
		all, any := cond.Null, cond.Null
		switch {
		case has(list, cond.False):
			all = cond.False
		case !has(list, cond.Null):
			all = cond.True
		}
		switch {
		case has(list, cond.True):
			any = cond.True
		case !has(list, cond.Null):
			any = cond.False
		}
		none := map[cond.Tri]cond.Tri{cond.True: cond.False, cond.False: cond.True, cond.Null: cond.Null}[any]
		var texts []string
		for _, v := range list {
			texts = append(texts, child[v])
		}
		for operator, want := range map[string]cond.Tri{"all": all, "any": any, "none": none} {
			when := "{" + operator + ": [" + strings.Join(texts, ", ") + "]}"
			if got, _, _ := decide(t, when, empty()); got != want {
				t.Errorf("%s of %v = %s, want %s", operator, list, got, want)
			}
		}
	}
	check(nil) // all of nothing holds, any of nothing does not, none of nothing does
	for _, a := range values {
		check([]cond.Tri{a})
		for _, b := range values {
			check([]cond.Tri{a, b})
			for _, c := range values {
				check([]cond.Tri{a, b, c})
			}
		}
	}
}

func TestSeveralKeysAreAll(t *testing.T) {
	s := empty().With("clipboard.hasText", facts.Flag(true))
	for when, want := range map[string]cond.Tri{
		"{clipboard.hasText: {equals: true}, all: [true]}":                                      cond.True,
		"{clipboard.hasText: {equals: true}, any: [false]}":                                     cond.False,
		"{clipboard.hasText: {equals: true}, clipboard.text: {equals: x}}":                      cond.Null,
		"{clipboard.hasText: {equals: false}, clipboard.text: {equals: x}}":                     cond.False,
		"{clipboard.txt: {equals: x}}":                                                          cond.Null,
		"{none: [{clipboard.txt: {equals: x}}]}":                                                cond.Null,
		"{none: [{clipboard.text: {contains: secret}}]}":                                        cond.Null, // missing data never satisfies a negative check
		"{any: [{clipboard.text: {equals: x}}, {clipboard.hasText: {equals: true}}]}":           cond.True,
		"{none: [{clipboard.text: {equals: x}}, {clipboard.hasText: {equals: true}}]}":          cond.False,
		"{all: [{none: [{any: [{clipboard.text: {equals: x}}, false]}]}, true]}":                cond.Null,
		"{all: [{clipboard.text: {equals: x}}, {none: [{clipboard.hasText: {equals: true}}]}]}": cond.False,
	} {
		if got, _, _ := decide(t, when, s); got != want {
			t.Errorf("%s = %s, want %s", when, got, want)
		}
	}
}

// TestOperatorsOnKinds has each operator on a value of each kind: t and f for settled, x for false with condition.type_mismatch.
func TestOperatorsOnKinds(t *testing.T) {
	values := []struct {
		name  string
		value facts.Value
	}{
		{"string", facts.Text("Invoice 7.PDF")},
		{"empty string", facts.Text("")},
		{"number", facts.Num(5)},
		{"boolean", facts.Flag(true)},
		{"array", facts.Texts("text", "Image")},
		{"empty array", facts.List()},
		{"object", facts.Fields(facts.Field{Name: "a", Value: facts.Text("b")})},
	}
	tests := []struct{ operator, want string }{
		{"equals: invoice 7.pdf", "t f x x x x x"},
		{"equals: 5", "x x t x x x x"},
		{"equals: 5.0", "x x t x x x x"},
		{"equals: '5'", "f f x x x x x"},
		{"equals: true", "x x x t x x x"},
		{"equals: false", "x x x f x x x"},
		{"equals: 'true'", "f f x x x x x"},
		{"in: [INVOICE 7.pdf, x]", "t f x x x x x"},
		{"in: [5, true]", "x x t t x x x"},
		{"in: ['', 6, false]", "f t f f x x x"},
		{"in: []", "f f f f x x x"},
		{"contains: voice", "t f x x f f x"},
		{"contains: ''", "t t x x f f x"},
		{"contains: IMAGE", "f f x x t f x"},
		{"contains: 5", "x x x x f f x"},
		{"startsWith: inv", "t f x x x x x"},
		{"endsWith: .pdf", "t f x x x x x"},
		{"regex: '\\d\\.pdf$'", "t f x x x x x"},
		{"glob: '*.pdf'", "t f x x x x x"},
		{"glob: '*'", "t t x x x x x"},
		{"min: 5", "x x t x x x x"},
		{"max: 4.5", "x x f x x x x"},
		{"length: {min: 1}", "t f x x x x x"},
		{"length: {equals: 13}", "t f x x x x x"},
		{"length: {min: 1, max: 12}", "f f x x x x x"},
		{"count: {min: 1}", "x x x x t f x"},
		{"count: {equals: 0}", "x x x x f t x"},
		{"any: {equals: image}", "x x x x t f x"},
		{"all: {length: {min: 4}}", "x x x x t f x"}, // all of nothing does not hold
		{"none: {equals: image}", "x x x x f t x"},
		{"any: {equals: image, caseSensitive: true}", "x x x x f f x"},
		{"any: {min: 1}", "x x x x f f x"},
		{"equals: Invoice 7.PDF, caseSensitive: true", "t f x x x x x"},
		{"equals: invoice 7.pdf, caseSensitive: true", "f f x x x x x"},
		{"in: [invoice 7.pdf], caseSensitive: true", "f f x x x x x"},
		{"contains: VOICE, caseSensitive: true", "f f x x f f x"},
		{"startsWith: inv, caseSensitive: true", "f f x x x x x"},
		{"endsWith: .pdf, caseSensitive: true", "f f x x x x x"},
		{"regex: '\\.pdf$', caseSensitive: true", "f f x x x x x"},
		{"glob: '*.pdf', caseSensitive: true", "f f x x x x x"},
		{"contains: voice, length: {max: 3}", "f f x x x x x"},
		{"contains: voice, endsWith: .pdf", "t f x x x x x"},
	}
	for _, tt := range tests {
		wants := strings.Fields(tt.want)
		for i, v := range values {
			s := empty().With("clipboard.text", v.value).With("assistant.model.modalities", v.value)
			for _, path := range []string{"clipboard.text", "assistant.model.modalities"} {
				if path == "clipboard.text" && strings.Contains(tt.operator, ": {equals: image") {
					continue // what the schema calls a string has no items to name operators on
				}
				got, _, list := decide(t, "{"+path+": {"+tt.operator+"}}", s)
				mismatch := false
				for _, d := range list {
					mismatch = mismatch || d.Code == diag.ConditionTypeMismatch && d.Path == path
				}
				word := map[cond.Tri]string{cond.True: "t", cond.False: "f", cond.Null: "null"}[got]
				if mismatch && wants[i] == "x" && got == cond.False {
					word = "x"
				}
				if word != wants[i] {
					t.Errorf("%s on %s (%s) = %s (mismatch %v), want %s", tt.operator, v.name, path, got, mismatch, wants[i])
				}
			}
		}
		if got, _, _ := decide(t, "{clipboard.text: {"+tt.operator+"}}", empty()); got != cond.Null {
			t.Errorf("%s on nothing = %s, want null", tt.operator, got)
		}
	}
}

func TestFoldingAndLength(t *testing.T) {
	for _, tt := range []struct {
		text, operator string
		want           bool
	}{
		{"ÉCOLE", "equals: école", true},
		{"straße", "equals: STRASSE", false},
		{"STRAẞE", "equals: straße", true}, // capital sharp s folds simply
		{"I", "equals: ı", false},
		{"İ", "equals: i", false},
		{"ſ", "equals: S", true},
		{"ΣΑΣ", "contains: σας", true},
		{"😀é", "length: {equals: 2}", true},
		{"e\u0301", "length: {equals: 2}", true}, // code points, not what looks like one letter
		{"École", "startsWith: éc", true},
		{"ÀÉ", "glob: '?é'", true},
		{"ÀÉ", "regex: '^àé$'", true},
		{"ab\\c", "glob: 'ab\\\\c'", true},
		{"a/b", "glob: 'a*b'", true},
		{"b", "glob: '[!a]'", true},
		{"b", "glob: '{a,b}'", true},
		{"foobar", "regex: 'foo(?=bar)'", true},
		{"abab", "regex: '(ab)\\1'", true},
	} {
		s := empty().With("clipboard.text", facts.Text(tt.text))
		if got, _, _ := decide(t, "{clipboard.text: {"+tt.operator+"}}", s); got != cond.TriOf(tt.want) {
			t.Errorf("%s on %q = %s", tt.operator, tt.text, got)
		}
	}
}

func files(items ...facts.Value) *facts.Snapshot {
	return empty().With("attachments.files", facts.List(items...))
}

func file(fields ...string) facts.Value {
	var out []facts.Field
	for i := 0; i < len(fields); i += 2 {
		out = append(out, facts.Field{Name: fields[i], Value: facts.Text(fields[i+1])})
	}
	return facts.Fields(out...)
}

// TestItems has the three array operators over items that are true, false and unknown (docs/reference/conditions.md).
func TestItems(t *testing.T) {
	pdf, txt, unknown := file("extension", ".pdf", "path", "/a.pdf"), file("extension", ".txt", "path", "/b.txt"), file("path", "/c")
	is := "{extension: {equals: .pdf}}"
	for _, tt := range []struct {
		snapshot       *facts.Snapshot
		any, all, none cond.Tri
	}{
		{files(), cond.False, cond.False, cond.True},
		{files(pdf), cond.True, cond.True, cond.False},
		{files(txt), cond.False, cond.False, cond.True},
		{files(unknown), cond.Null, cond.Null, cond.Null},
		{files(pdf, txt), cond.True, cond.False, cond.False},
		{files(pdf, unknown), cond.True, cond.Null, cond.False},
		{files(txt, unknown), cond.Null, cond.False, cond.Null},
		{files(unknown, txt), cond.Null, cond.False, cond.Null},
		{empty(), cond.Null, cond.Null, cond.Null},
		{files(facts.Text("not an object")), cond.Null, cond.Null, cond.Null},
		{files(facts.Value{}), cond.Null, cond.Null, cond.Null},
	} {
		for operator, want := range map[string]cond.Tri{"any": tt.any, "all": tt.all, "none": tt.none} {
			if got, _, _ := decide(t, "{attachments.files: {"+operator+": "+is+"}}", tt.snapshot); got != want {
				t.Errorf("%s over %v = %s, want %s", operator, tt.snapshot.Values(), got, want)
			}
		}
	}
	for when, want := range map[string]cond.Tri{
		"{attachments.files: {any: {extension: {equals: .pdf}, path: {startsWith: /a}}}}": cond.True,
		"{attachments.files: {any: {extension: {equals: .pdf}, path: {startsWith: /b}}}}": cond.False, // of the third the extension is not known, but its path is /c
		"{attachments.files: {count: {equals: 3}, any: {extension: {equals: .txt}}}}":     cond.True,
		"{\"attachments.files[].extension\": {count: {equals: 2}}}":                       cond.True, // items that lack it are left out
		"{\"attachments.files[].extension\": {contains: .PDF}}":                           cond.True,
		"{\"attachments.files[].extension\": {contains: .PDF, caseSensitive: true}}":      cond.False,
		"{\"attachments.files[].extension\": {all: {in: [.pdf, .txt]}}}":                  cond.True,
		"{attachments.files: {none: {nonsense: {equals: x}}}}":                            cond.Null,
	} {
		if got, _, _ := decide(t, when, files(pdf, txt, unknown)); got != want {
			t.Errorf("%s = %s, want %s", when, got, want)
		}
	}
	nested := empty().With("extra.file_manager.selection.items", facts.List(facts.Fields(facts.Field{Name: "size", Value: facts.Num(1024)})))
	if got, _, _ := decide(t, "{extra.file_manager.selection.items: {any: {size: {min: 1024, max: 1024}}}}", nested); got != cond.True {
		t.Errorf("a number of an item: %s", got)
	}
}

// TestFillingInNeverFlips is the property that makes three values worth having: what is settled while something is unknown stays so
// when it becomes known.
func TestFillingInNeverFlips(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(7, 9))}
	evaluate := func(m cond.Condition, s *facts.Snapshot) cond.Tri {
		return m.Program.Eval(cond.NewEvaluation(s), m.Limits, nil)
	}
	settled := 0
	for range 4000 {
		m, s := g.compiled(t), g.snapshot()
		before := evaluate(m, s)
		if before == cond.Null {
			continue
		}
		settled++
		full := g.snapshot()
		for _, path := range facts.Paths() {
			if path.Kind == facts.Object || path.Base() != nil || !s.At(path).IsAbsent() || full.At(path).IsAbsent() {
				continue
			}
			s = s.With(path.Name, full.At(path))
			if after := evaluate(m, s); after != before {
				t.Fatalf("with %s known, %s became %s", path.Name, before, after)
			}
		}
		if s.Tree() == nil && full.Tree() != nil {
			s = facts.NewSnapshot(facts.Parts{Values: s.Values(), Tree: full.Tree()})
			if after := evaluate(m, s); after != before {
				t.Fatalf("with the tree known, %s became %s", before, after)
			}
		}
	}
	if settled < 500 {
		t.Errorf("only %d of the conditions were settled; the test proves little", settled)
	}
}

func TestNoneIsNotAny(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(1, 2))}
	for range 1000 {
		a, b := g.condition(2), g.condition(2)
		s := g.snapshot()
		any, _, _ := decide(t, "{any: ["+a+", "+b+"]}", s)
		none, _, _ := decide(t, "{none: ["+a+", "+b+"]}", s)
		if none != any.Not() {
			t.Fatalf("none of %s, %s = %s, any = %s", a, b, none, any)
		}
		items := g.items()
		_, condition, _ := strings.Cut(items, ": ")
		condition, _, _ = strings.Cut(condition, "}, count")
		if strings.HasSuffix(items, "count: {min: 1}") {
			condition += "}"
		}
		any, _, _ = decide(t, "{attachments.files: {any: "+condition+"}}", s)
		none, _, _ = decide(t, "{attachments.files: {none: "+condition+"}}", s)
		if v := s.At(mustPath(t, "attachments.files")); v.Kind() == facts.Array && none != any.Not() {
			t.Fatalf("over items, none of %s = %s, any = %s", condition, none, any)
		}
	}
}

func mustPath(t testing.TB, name string) *facts.Path {
	t.Helper()
	p, ok := facts.Lookup(name)
	if !ok {
		t.Fatalf("there is no path %s", name)
	}
	return p
}

func TestTri(t *testing.T) {
	for v, want := range map[cond.Tri]string{cond.True: "true", cond.False: "false", cond.Null: "null"} {
		data, err := v.MarshalJSON()
		if err != nil || string(data) != want || fmt.Sprint(v) != want {
			t.Errorf("%s, %v", data, err)
		}
	}
	if cond.TriOf(true) != cond.True || cond.TriOf(false) != cond.False || cond.Null.Not() != cond.Null || cond.True.Not() != cond.False {
		t.Error("truth is not what it was")
	}
}

// TestExactNumbers: numbers are compared by what was written, also where no float64 holds it.
func TestExactNumbers(t *testing.T) {
	for _, tt := range []struct {
		size, when string
		want       cond.Tri
	}{
		{"9007199254740992", "equals: 9007199254740993", cond.False},
		{"9007199254740993", "equals: 9007199254740993", cond.True},
		{"9007199254740993", "equals: 9007199254740992", cond.False},
		{"9007199254740993", "equals: 0x20000000000001", cond.True},
		{"9007199254740993", "in: [1, 9007199254740992]", cond.False},
		{"9007199254740993", "in: [1, 9007199254740993]", cond.True},
		{"9007199254740992", "min: 9007199254740993", cond.False},
		{"9007199254740993", "min: 9007199254740993", cond.True},
		{"9007199254740994", "min: 9007199254740993", cond.True},
		{"9007199254740993", "max: 9007199254740992", cond.False},
		{"-9007199254740993", "max: -9007199254740992", cond.True},
		{"-9007199254740992", "max: -9007199254740993", cond.False},
		{"18446744073709551616", "equals: 18446744073709551615", cond.False},
		{"123456789012345678901234567890", "equals: 123456789012345678901234567890", cond.True},
		{"123456789012345678901234567890", "equals: 123456789012345678901234567891", cond.False},
		{"1.0", "equals: 1", cond.True},
		{"1e3", "equals: 1000", cond.True},
		{"0.1", "equals: 0.10000000000000000000", cond.True},
		{"-0", "equals: 0", cond.True},
	} {
		s, err := facts.Decode("c.json", []byte(`{"extra": {"file_manager": {"selection": {"items": [{"size": `+tt.size+`}]}}}}`))
		if err != nil {
			t.Fatal(err)
		}
		for _, when := range []string{
			"{extra.file_manager.selection.items: {any: {size: {" + tt.when + "}}}}",
			"{'extra.file_manager.selection.items[].size': {any: {" + tt.when + "}}}",
		} {
			if got, _, _ := decide(t, when, s); got != tt.want {
				t.Errorf("%s %s = %s, want %s", tt.size, when, got, tt.want)
			}
			_, program, _ := compile(t, when)
			indexed := cond.Null
			cond.NewSet([]cond.Condition{{Program: program}}).Match(context.Background(), cond.NewEvaluation(s), func(h cond.Hit) { indexed = h.Result })
			if (indexed == cond.True) != (tt.want == cond.True) {
				t.Errorf("%s %s: the index says %s, want %s", tt.size, when, indexed, tt.want)
			}
		}
	}
}

// TestUnknownItemField: what the schema does not know is unknown in items too, whatever they hold (docs/reference/conditions.md).
func TestUnknownItemField(t *testing.T) {
	s := files(file("path", "/a", "foo", "x"))
	for when, want := range map[string]cond.Tri{
		"{attachments.files: {any: {foo: {equals: x}}}}":                                                      cond.Null,
		"{attachments.files: {none: {foo: {equals: y}}}}":                                                     cond.Null,
		"{attachments.files: {all: {foo: {equals: x}, path: {equals: /a}}}}":                                  cond.Null,
		"{attachments.files: {any: {foo: {equals: x}, path: {equals: /b}}}}":                                  cond.False,
		"{attachments.files: {any: {foo.bar: {equals: x}}}}":                                                  cond.Null,
		"{any: [{attachments.files: {any: {foo: {equals: x}}}}, {'attachments.files[].foo': {contains: x}}]}": cond.Null,
	} {
		if got, _, list := decide(t, when, s); got != want {
			t.Errorf("%s = %s, want %s (%v)", when, got, want, list)
		}
	}
}
