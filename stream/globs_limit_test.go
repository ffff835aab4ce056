package stream_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestGlobsHaveALimitTogether: globs that do not fit are told, all of each, their triggers never fire, and the user's own come first.
func TestGlobsHaveALimitTogether(t *testing.T) {
	wide := "{" + strings.Repeat("abcdefghijklmno,", 60) + "}/{" + strings.Repeat("abcdefghijklmno,", 14) + "}"
	var triggers []stream.Trigger
	for i := range 200 {
		triggers = append(triggers, stream.Trigger{Name: fmt.Sprint("globs", i), Patterns: []string{"x"}, Globs: []string{wide, "a.js"}},
			stream.Trigger{Name: fmt.Sprint("scope", i), Patterns: []string{"x"}, Scope: []string{"tool:edit(" + wide + ",a.js)"}})
	}
	triggers = append(triggers, stream.Trigger{Name: "own", Patterns: []string{"x"}, Globs: []string{wide, "a.js"}, Own: true})
	set, problems := stream.Compile(triggers, stream.Options{})
	full := map[int]bool{}
	for _, p := range problems {
		if !p.Full || p.Offset != 0 {
			t.Errorf("%+v", p)
		}
		full[p.Trigger] = true
	}
	source := stream.Source{Kind: stream.Tool, Tool: "edit", Paths: []string{"a.js"}}
	for i := range triggers {
		if set.Applies(i, source) == full[i] || full[i] && set.Watches(i, source) {
			t.Fatalf("%s: applies %v, watches %v, full %v", triggers[i].Name, set.Applies(i, source), set.Watches(i, source), full[i])
		}
	}
	if full[0] || full[1] || !full[398] || !full[399] || full[400] {
		t.Errorf("full: %v %v %v %v, own %v", full[0], full[1], full[398], full[399], full[400])
	}
}
