package facts_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// TestForm: a form can be read again, whole or its beginning, and never has a
// password.
func TestForm(t *testing.T) {
	const top = `{"id":"w","type":"TopLevel","name":"Letter","process":"editor","bounds":{"x":1,"y":2,"width":3,"height":4},"children":[` +
		`{"id":"f","type":"TextEdit","text":"Dear all","states":["focused"]}`
	for name, tt := range map[string]struct {
		context, want string
		most          int
	}{
		"no tree": {context: `{"clipboard":{"text":"a"}}`, want: `{"clipboard":{"text":"a"}}`},
		"whole": {
			context: `{"visual":{"partial":true,"roots":[` + top + `,{"id":"o","type":"Label","process":"other","cut":true}]}]}}`,
			want:    `{"visual":{"partial":true,"roots":[` + top + `,{"id":"o","type":"Label","process":"other","cut":true}]}]}}`,
		},
		"password": {
			context: `{"visual":{"roots":[` + top + `,{"id":"p","type":"TextEdit","text":"hunter2","states":["password"]}]}]}}`,
			want:    `{"visual":{"roots":[` + top + `,{"id":"p","type":"TextEdit","states":["password"]}]}]}}`,
		},
		"beginning": {
			context: `{"visual":{"roots":[` + top + `,{"id":"o","type":"Label"}]}]}}`,
			want:    `{"visual":{"partial":true,"roots":[` + top + `]}]}}`,
			most:    2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := facts.Decode("<test>", []byte(tt.context))
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(s.Form(t.Context(), tt.most))
			if err != nil || string(got) != tt.want {
				t.Errorf("%v\n%s\nwant\n%s", err, got, tt.want)
			}
			again, err := facts.Decode("<test>", got)
			if err != nil || (again.Tree() == nil) != (s.Tree() == nil) {
				t.Errorf("it cannot be read again: %v", err)
			}
		})
	}
}

// TestFormWithoutTime: a text that was not read in time is null, is counted, and
// is not taken for one that is not there when the form is read again.
func TestFormWithoutTime(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var asked []int
	tree := facts.NewTree([]facts.Element{
		{ID: "page", Parent: -1},
		{ID: "heading", Parent: 0},
		{ID: "part", Parent: 0, Cut: true},
		{ID: "bare", Parent: 0},
		{ID: "field", Parent: 0, States: facts.Focused},
		{ID: "secret", Parent: 0, States: facts.Password},
		{ID: "last", Parent: 0},
	}, func(_ context.Context, i int) (string, bool) {
		asked = append(asked, i)
		if i == 6 {
			cancel() // the time is over
			return "", false
		}
		return "text", i != 3
	})
	form := facts.NewSnapshot(facts.Parts{Tree: tree}).Form(ctx, 0)
	if !slices.Equal(asked, []int{4, 1, 3, 6}) { // the focused one first, what is large last
		t.Errorf("read in the order %v", asked)
	}
	got, err := json.Marshal(form)
	want := `{"visual":{"roots":[{"id":"page","type":"Unknown","text":null,"children":[{"id":"heading","type":"Unknown","text":"text"},` +
		`{"id":"part","type":"Unknown","text":null,"cut":true},{"id":"bare","type":"Unknown"},{"id":"field","type":"Unknown","text":"text","states":["focused"]},` +
		`{"id":"secret","type":"Unknown","states":["password"]},{"id":"last","type":"Unknown","text":null}]}]}}`
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	if list := form.Diagnostics(); form.Unread() != 3 || len(list) != 1 || list[0].Code != diag.ExtraProviderTimeout || list[0].Path != facts.Visual ||
		list[0].Message != "the texts of 3 of 7 elements were not read in time; `text` is null there" {
		t.Errorf("%d unread: %+v", form.Unread(), list)
	}
	again, err := facts.Decode("<test>", got)
	if err != nil {
		t.Fatal(err)
	}
	if again.Tree().Unread() != 3 {
		t.Errorf("%d texts are unknown when it is read again", again.Tree().Unread())
	}
	if twice, _ := json.Marshal(again.Form(t.Context(), 0)); string(twice) != want {
		t.Errorf("written again:\n%s", twice)
	}
}
