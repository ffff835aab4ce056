package preprocess_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/plan"
)

const pageBody = "URL: {preprocess.browser.url}\nTitle: {preprocess.browser.title}\nText: {preprocess.browser.readable_text}"

func tab(t testing.TB, fields map[string]any) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"extra": map[string]any{"browser": map[string]any{"active_tab": fields}}})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var article = `<html><head><title> A  paper </title><script>var secret = 1</script><style>p {}</style></head><body>
<nav><a href="/">Home</a> <a href="/about">About us and our cookies</a></nav>
<article><h1>A paper</h1>` + strings.Repeat("<p>This sentence is long enough, with commas, to be taken as the text of an article, {clipboard.text}.</p>\n", 12) + `</article>
<footer>Imprint</footer></body></html>`

func TestPageReadsTheArticle(t *testing.T) {
	p, list := run(t, plan.BrowserActivePage, pageBody, tab(t, map[string]any{"url": "https://example.org/x", "html": article}))
	if p == nil {
		t.Fatal(list)
	}
	if !strings.HasPrefix(p.Prompt, "URL: https://example.org/x\nTitle: A paper\nText: ") || !strings.Contains(p.Prompt, "an article, {clipboard.text}.\n") {
		t.Errorf("%s", p.Prompt)
	}
	for _, noise := range []string{"About us", "secret", "Imprint", "<p>"} {
		if strings.Contains(p.Prompt, noise) {
			t.Errorf("%q is no readable text", noise)
		}
	}
	if diff := cmp.Diff([]string{"preprocess.browser.url", "preprocess.browser.title", "preprocess.browser.readable_text"}, p.Variables); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPage(t *testing.T) {
	for name, test := range map[string]struct {
		fields map[string]any
		body   string
		want   string // the prompt, or the code
	}{
		"no article":       {map[string]any{"title": "T", "html": "<p>Short</p><script>no</script><p>page"}, pageBody, "URL: \nTitle: T\nText: Short\n\npage"},
		"title of context": {map[string]any{"title": "Context", "html": "<title>Page</title>x"}, "{preprocess.browser.title}", "Context"},
		"not HTML":         {map[string]any{"html": "just { text }"}, "{preprocess.browser.readable_text}", "just { text }"},
		"empty page":       {map[string]any{"html": ""}, "[{preprocess.browser.readable_text}]", "[]"},
		"bad address":      {map[string]any{"url": "::not a url", "html": "x"}, "{preprocess.browser.url}", "::not a url"},
		"no page":          {map[string]any{"url": "u", "title": "T"}, pageBody, "preprocessor.context_missing"},
		"no page, whole":   {map[string]any{"url": "u"}, "{preprocess.browser}", "preprocessor.context_missing"},
		"no page wanted":   {map[string]any{"url": "u", "title": "T"}, "{preprocess.browser.url} {preprocess.browser.title}", "u T"},
		"nothing":          {map[string]any{}, "x", "preprocessor.context_missing"},
		"too deep":         {map[string]any{"html": strings.Repeat("<div>", 100_000)}, "x", "preprocessor.failed"},
		"too large":        {map[string]any{"html": strings.Repeat(" ", 9<<20)}, "x", "preprocessor.failed"},
		"open paragraphs":  {map[string]any{"html": strings.Repeat("<p>x", 3000)}, "ok", "ok"},
	} {
		t.Run(name, func(t *testing.T) {
			p, list := run(t, plan.BrowserActivePage, test.body, tab(t, test.fields))
			var got string
			if p != nil {
				got = p.Prompt
			} else {
				got = string(list[len(list)-1].Code)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzPage holds that no page makes the reader panic or run out of time.
func FuzzPage(f *testing.F) {
	f.Add(article)
	f.Add("<table><tr><td><p><a href=javascript:x>y</a><noscript><img></noscript>")
	f.Add("<svg><title>x</title><math><mi></svg><![CDATA[")
	f.Fuzz(func(t *testing.T, page string) {
		if len(page) > 1<<16 {
			return
		}
		_, list := run(t, plan.BrowserActivePage, pageBody, tab(t, map[string]any{"url": "https://example.org/", "html": strings.ToValidUTF8(page, "?")}))
		if len(list) > 0 && list[0].Code == diag.PreprocessorTimeout {
			t.Fatal("out of time")
		}
	})
}

// TestPagesAreNeverFetched holds that the one function of the library that uses
// the network is not named here.
func TestPagesAreNeverFetched(t *testing.T) {
	sources, err := filepath.Glob("*.go")
	if err != nil || len(sources) == 0 {
		t.Fatal(err)
	}
	for _, name := range sources {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "_test.go") && strings.Contains(string(text), "FromURL") {
			t.Errorf("%s fetches pages", name)
		}
	}
}
