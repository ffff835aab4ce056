package facts_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/facts"
)

func TestMisfits(t *testing.T) {
	for _, c := range []struct{ context, want string }{
		{`clipbord: {text: x}`, "`clipbord` is no part of the context, so nothing reads it; did you mean `clipboard`?"},
		{`clipboard: {txt}`, "`txt` is no part of `clipboard`, so nothing reads it; did you mean `text`?"},
		{`attachments: {selection: abc}`, "`attachments.selection` must be an object, not a string; write `selection: {text: ...}`"},
		{`activeProcess: kitty`, "`activeProcess` must be an object, not a string; write `activeProcess: {name: ...}`"},
		{`attachments: {files: [a.pdf]}`, "`attachments.files[0]` must be an object, not a string; write `{path: ...}`"},
		{`attachments: {files: [{pth: a.pdf}]}`, "`pth` is no part of `attachments.files[0]`, so nothing reads it; did you mean `path`?"},
		{`attachments: {files: [{path: 1}]}`, "`attachments.files[0].path` must be a string, not a number; put it in quotes"},
		{`attachments: {files: a.pdf}`, "`attachments.files` must be an array, not a string; write a list: `[...]`"},
		{`clipboard: {hasText: "yes"}`, "`clipboard.hasText` must be a boolean, not a string"},
		{`extra: {browsr: {}}`, "`browsr` is no part of `extra`, so nothing reads it; did you mean `browser`?"},
		{`clipboard: {"my secret: 1": 2}`, "a key is no part of `clipboard`, so nothing reads it; known here are `text`, `hasText`, `hasImage`, `files`"},
		{`extra: {weather: {sun: true}}`, ""},
		{`clipboard: {text: null}`, ""},
		{`visual: {roots: [{type: Button, whatever: 1}]}`, ""},
		{`extra: {file_manager: {selection: {items: [{path: /a, size: 1}]}}}`, ""},
		{`assistant: {model: {modalities: [text]}}`, ""},
	} {
		snapshot, err := facts.Decode("c.yaml", []byte(c.context))
		if err != nil {
			t.Fatal(c.context, err)
		}
		var got []string
		for _, d := range facts.Misfits("c.yaml", snapshot.Values()) {
			got = append(got, d.Sentence())
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s:\ngot  %q\nwant %q", c.context, got, c.want)
		}
	}
}

func TestMisfitsAreBounded(t *testing.T) {
	snapshot, err := facts.Decode("c.json", []byte(`{"attachments":{"files":[`+strings.Repeat(`"a",`, 5000)+`"a"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(facts.Misfits("c.json", snapshot.Values())); n != 20 {
		t.Error(n, "misfits are told")
	}
}

// TestMisfitsCost: what is not told costs nothing, however many keys there are.
func TestMisfitsCost(t *testing.T) {
	var keys strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&keys, `"k%d": 1, `, i)
	}
	for name, context := range map[string]string{
		"keys":           `{` + keys.String() + `"x": 1}`,
		"keys of a part": `{"clipboard": {` + keys.String() + `"x": 1}}`,
		"keys of items":  `{"attachments": {"files": [{` + keys.String() + `"x": 1}]}}`,
		"keys of others": `{"extra": {` + keys.String() + `"x": 1}}`,
	} {
		snapshot, err := facts.Decode("c.json", []byte(context))
		if err != nil {
			t.Fatal(name, err)
		}
		values := snapshot.Values()
		if n := testing.AllocsPerRun(1, func() { facts.Misfits("c.json", values) }); n > 5_000 {
			t.Errorf("%s: %v allocations for at most 20 misfits", name, n)
		}
	}
}
