package plan_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/plan"
)

func TestCheckPlaceholders(t *testing.T) {
	for body, want := range map[string]string{
		"{clipboard.text} {Argument} {preprocess.selection.text} {attachments.files[0].path}": "",
		"{environment} {attachments.selection}":                                               "",
		"{preprocess.selection}":                                                              "",
		"{clipboard.txt}":                                                                     "clipboard.txt: did you mean `{clipboard.text}`?",
		"{clipboard.txt} {clipboard.txt}":                                                     "clipboard.txt: did you mean `{clipboard.text}`?",
		"{attachments.file[1].path}":                                                          "attachments.file[1].path: did you mean `{attachments.files[1].path}`?",
		"{extra.mail.inbox}":                                                                  "extra.mail.inbox: docs/context.md lists all paths",
		"{preprocess.clipboard.text}":                                                         "preprocess.clipboard.text: add `clipboard-text` to `preprocessors`",
		"{preprocess.selection.txt}":                                                          "preprocess.selection.txt: did you mean `{preprocess.selection.text}`?",
		"{visual.roots}":                                                                      "visual.roots: docs/context.md lists all paths",
		"{Argumnt}":                                                                           "Argumnt: did you mean `{Argument}`? write `{{Argumnt}}` for the braces themselves",
		"{argument}":                                                                          "argument: did you mean `{Argument}`? write `{{argument}}` for the braces themselves",
		"{clipbord.text}":                                                                     "clipbord.text: did you mean `{clipboard.text}`? write `{{clipbord.text}}` for the braces themselves",
		"{preproces.selection.text}":                                                          "preproces.selection.text: did you mean `{preprocess.selection.text}`? write `{{preproces.selection.text}}` for the braces themselves",
		"{{Argumnt}} {{clipboard.txt}}":                                                       "",
		"{document} {augment} {x} {a.b} {user.name}":                                          "",
		"func f() { return x.y }":                                                             "",
		`{"a": {"b": 1}} ${HOME} {}`:                                                          "",
	} {
		s := strategyOf(body)
		s.Preprocessors = []string{plan.SelectedText}
		var got []string
		for _, d := range plan.Check(s, plan.Preprocessors()) {
			if d.Code != diag.TemplateUnknownPlaceholder || d.Severity != diag.Warning {
				t.Errorf("%s: %v", body, d)
			}
			got = append(got, fmt.Sprintf("%s: %s", d.Path, d.Hint))
		}
		if strings.Join(got, "\n") != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

// A placeholder that a source begins with stands at its first byte.
func TestCheckIncludesFromTheirBeginning(t *testing.T) {
	s := strategyOf("{clipboard.txt} and more")
	s.Source = diag.NewSource("/s/x.strategy.md", "---\nfrom: notes.md\n---\n")
	notes := diag.NewSource("/s/notes.md", "{clipboard.txt} and more")
	s.Includes = []*diag.Source{nil, diag.NewSource("/s/other.md", "nothing"), notes}
	list := plan.Check(s, plan.Preprocessors())
	if len(list) != 1 || list[0].Source != notes || list[0].Span.Start != 0 {
		t.Errorf("%v", list)
	}
}

// What is wrong with a strategy that was never written anywhere is told all the same.
func TestCheckWithoutSource(t *testing.T) {
	s := strategyOf("{clipboard.txt}")
	s.Source = nil
	if list := plan.Check(s, plan.Preprocessors()); len(list) != 1 || list[0].Path != "clipboard.txt" || list[0].Span.IsValid() {
		t.Errorf("%v", list)
	}
}

// A placeholder in a text that YAML has folded stands where it is first written, which the body may have again.
func TestCheckFolded(t *testing.T) {
	const text = "---\nsystemPrompt: >\n  Mind\n  {clipboard.txt}\n---\nAnd {clipboard.txt} here"
	s := strategyOf("And {clipboard.txt} here")
	s.SystemPrompt, s.Source = "Mind {clipboard.txt}\n", diag.NewSource("/s/x.strategy.md", text)
	list := plan.Check(s, plan.Preprocessors())
	at := strings.Index(text, "{clipboard.txt}")
	if len(list) != 1 || list[0].Source != s.Source || list[0].Span != (diag.Span{Start: at, End: at + len("{clipboard.txt}")}) {
		t.Errorf("%v", list)
	}
}

// What is said of the time limit of preprocessors is what it is.
func TestDefaultTimeout(t *testing.T) {
	page, err := os.ReadFile("../docs/reference/preprocessors.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("takes longer than %d s,", plan.DefaultTimeout/time.Second); !strings.Contains(string(page), want) {
		t.Errorf("docs/reference/preprocessors.md does not say %q", want)
	}
}
