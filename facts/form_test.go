package facts_test

import (
	"encoding/json"
	"testing"

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
