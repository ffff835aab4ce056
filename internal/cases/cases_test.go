package cases_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/cases"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// world has one strategy and no context files.
func world(t testing.TB, text string) cases.World {
	t.Helper()
	n := &strategy.Normalizer{Preprocessors: plan.Preprocessors()}
	return cases.World{
		Find: func(context.Context, string) (*strategy.Strategy, error) {
			return n.Normalize(t.Context(), "/x.strategy.md", []byte(text), strategy.Origin{Provider: "user", Path: "x.strategy.md"}), nil
		},
		Open: func(string) ([]byte, error) { return nil, errors.New("it does not exist") },
	}
}

const plain = "---\nname: X\nwhen: {clipboard.text: {contains: a}}\n---\nText {clipboard.text}\n"

func run(t testing.TB, strategy, test string) []cases.Result {
	t.Helper()
	results, err := cases.Read("/x.strategy.test.yaml", []byte(test)).Run(t.Context(), world(t, strategy))
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func TestMeaning(t *testing.T) {
	for name, test := range map[string]struct{ strategy, test, message string }{
		"untrusted is run":            {plain, "cases: [{name: a, context: {clipboard: {text: a}}, result: true, prompt: {equals: Text a}, diagnostics: []}]", ""},
		"not recommended is not run":  {plain, "cases: [{name: a, result: null, diagnostics: []}]", ""},
		"recommended is run":          {plain, "cases: [{name: a, context: {clipboard: {text: null}}, diagnostics: []}]", "`template.missing_value` is told"},
		"an empty text is a value":    {plain, "cases: [{name: a, context: {clipboard: {text: ''}}, result: false, prompt: {equals: 'Text '}}]", ""},
		"a block ends with a break":   {plain, "cases:\n- name: a\n  context: {clipboard: {text: a}}\n  prompt:\n    equals: |\n      Text a\n", ""},
		"numbers stay what they are":  {"---\nname: X\nwhen: {activeProcess.id: {equals: 9007199254740993}}\n---\n", "context: {activeProcess: {id: 1}}\ncases: [{name: a, context: {activeProcess: {id: 9007199254740993}}, result: true}, {name: b, context: {activeProcess: {id: 9007199254740992}}, result: false}]", ""},
		"lists are replaced":          {"---\nname: X\nwhen: {clipboard.files: {count: {equals: 1}}}\n---\n", "context: {clipboard: {files: [{path: /a}, {path: /b}]}}\ncases: [{name: a, context: {clipboard: {files: [{path: /c}]}}, result: true}]", ""},
		"null is taken over":          {plain, "context: {clipboard: {text: a}}\ncases: [{name: a, context: {clipboard: null}, result: null}]", ""},
		"a map replaces a text":       {plain, "context: {clipboard: a}\ncases: [{name: a, context: {clipboard: {text: a}}, result: true}]", ""},
		"disabled":                    {"---\nname: X\nenabled: false\n---\n", "cases: [{name: a, result: true}]", "the condition is null, not true: the strategy is disabled"},
		"disabled has no prompt":      {"---\nname: X\nenabled: false\n---\n", "cases: [{name: a, prompt: {contains: x}}]", "there is no prompt: the strategy is disabled"},
		"invalid":                     {"---\nname: X\nwhen: {clipbord.text: {contains: a}}\n---\n", "cases: [{name: a}]", "the strategy has mistakes: `clipbord` is not a root"},
		"invalid as meant":            {"---\nname: X\nwhen: {clipbord.text: {contains: a}}\n---\n", "cases: [{name: a, fails: strategy.invalid_when}, {name: b, result: null, diagnostics: [strategy.invalid_when]}]", ""},
		"fails otherwise":             {"---\nname: X\npreprocessors: [clipboard-text]\n---\n", "cases: [{name: a, fails: preprocessor.timeout}]", "it fails with `preprocessor.context_missing`, not `preprocessor.timeout`: "},
		"fails and prompt":            {plain, "cases: [{name: a, fails: preprocessor.failed, prompt: {contains: x}}]", "`fails` stands instead of `prompt`"},
		"fails and nothing else":      {"---\nname: X\npreprocessors: [clipboard-text]\n---\n", "cases: [{name: a, fails: preprocessor.context_missing, diagnostics: []}]", ""},
		"prompt is no text":           {plain, "cases: [{name: a, prompt: Text}]", "`prompt` must be a map"},
		"equals is one":               {plain, "cases: [{name: a, prompt: {equals: [a, b]}}]", "`equals` takes one text"},
		"a wrong selection":           {plain, "cases: [{name: a, selection: [a]}]", "`selection` must be a text, not a list"},
		"a wrong context":             {plain, "context: 5\ncases: [{name: a}]", "`context` must be a context"},
		"a context that is not there": {plain, "context: x.json\ncases: [{name: a}]", "the context `x.json` cannot be read: it does not exist"},
		"no cases":                    {plain, "context: {}", "there is no `cases`"},
		"cases are a list":            {plain, "cases: {a: b}", "`cases` must be a list"},
		"cases are empty":             {plain, "cases: []", "`cases` is empty"},
		"nothing":                     {plain, "", "a test file is a map"},
		"no text":                     {plain, "\xff\xfe\xff", "not valid UTF-8"},
		"a key twice":                 {plain, "cases: [{name: a, name: b}]", "not valid YAML"},
		"first line that differs":     {plain, "cases:\n- name: a\n  context: {clipboard: {text: \"a\\nb\"}}\n  prompt: {equals: \"Text a\\nc\"}\n", "line 2 of the prompt is `b`, not `c`"},
	} {
		t.Run(name, func(t *testing.T) {
			message := ""
			for _, r := range run(t, test.strategy, test.test) {
				if r.Passed != (r.Message == "") || r.Line < 1 || r.File != "/x.strategy.test.yaml" {
					t.Errorf("%+v", r)
				}
				message += r.Message
			}
			if test.message == "" && message != "" || !strings.Contains(message, test.message) {
				t.Errorf("%q, want %q", message, test.message)
			}
		})
	}
}

// TestHostileFiles: a file of a stranger takes neither long nor much.
func TestHostileFiles(t *testing.T) {
	laughs := "context: &a0 {x: y}\n"
	for i := range 30 {
		laughs += "k" + string(rune('a'+i%26)) + string(rune('a'+i/26)) + ": &a" + string(rune('b'+i)) + " [*a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0]\n"
	}
	for name, text := range map[string]string{
		"large":   "cases: [{name: " + strings.Repeat("x", cases.MaxBytes) + "}]",
		"deep":    "context: " + strings.Repeat("{a: ", 100_000) + strings.Repeat("}", 100_000) + "\ncases: [{name: a}]",
		"circle":  "context: &a {clipboard: *a}\ncases: [{name: a}]",
		"laughs":  laughs + "cases: [{name: a}]",
		"many":    "cases: [" + strings.Repeat("{name: a},", 60_000) + "]",
		"zeroes":  strings.Repeat("\x00", 1000),
		"numbers": "cases: [{name: a, context: {activeProcess: {id: .inf}}, result: true}]",
	} {
		failed := false
		for _, r := range run(t, plain, text) {
			failed = failed || !r.Passed
			if len(r.Message) > 2000 {
				t.Errorf("%s: a message of %d bytes", name, len(r.Message))
			}
		}
		if !failed {
			t.Errorf("%s: nothing failed", name)
		}
	}
}

// TestDeepContext: a screen is nested deeper than a test file may be, and something can be laid over it all the same.
func TestDeepContext(t *testing.T) {
	w := world(t, "---\nname: X\nwhen: {visual.exists: {query: //Button}, clipboard.text: {equals: a}}\n---\n")
	deep := strings.Repeat(`{"type": "Panel", "children": [`, 200) + `{"type": "Button"}` + strings.Repeat("]}", 200)
	w.Open = func(string) ([]byte, error) { return []byte(`{"visual": {"roots": [` + deep + `]}}`), nil }
	results, err := cases.Read("/x.strategy.test.yaml", []byte("context: deep.json\ncases: [{name: a, context: {clipboard: {text: a}}, result: true}, {name: b, result: null}]")).Run(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if !r.Passed {
			t.Errorf("%+v", r)
		}
	}
}

func TestCancellation(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := cases.Read("/x.strategy.test.yaml", []byte("cases: [{name: a}]")).Run(ctx, world(t, plain)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestPaths(t *testing.T) {
	for path, want := range map[string]string{
		"/a/b.strategy.test.yaml": "/a/b.strategy.md", "/a/STRATEGY.test.yaml": "/a/STRATEGY.md", `C:\a\b.strategy.test.yaml`: `C:\a\b.strategy.md`,
		"/a/b.test.yaml": "", "/a/.strategy.test.yaml": "", "/a/b.strategy.md": "",
	} {
		got, ok := cases.StrategyOf(path)
		if got != want || ok != (want != "") {
			t.Errorf("%s: %q", path, got)
		}
		if ok && cases.Beside(got) != path {
			t.Errorf("%s: %s", path, cases.Beside(got))
		}
	}
}
