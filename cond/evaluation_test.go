package cond_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/facts"
)

// TestLengths has every relation of a text's bytes and characters to a range.
func TestLengths(t *testing.T) {
	for _, text := range []string{"", "a", "abcd", "é", "éa", "漢字", "😀", "😀😀", "a😀", "\xFF\xFFa", strings.Repeat("é", 9), strings.Repeat("😀a", 5)} {
		n := utf8.RuneCountInString(text)
		s := empty().With("clipboard.text", facts.Text(text)).With("assistant.model.modalities", facts.Texts(text))
		for bound := range 16 {
			for form, want := range map[string]bool{"min": n >= bound, "max": n <= bound, "equals": n == bound} {
				for _, when := range []string{"{clipboard.text: {length: {%s: %d}}}", "{assistant.model.modalities: {any: {length: {%s: %d}}}}"} {
					when = fmt.Sprintf(when, form, bound)
					if got, _, _ := decide(t, when, s); got != cond.TriOf(want) {
						t.Errorf("%q of %d characters: %s is %s", text, n, when, got)
					}
				}
			}
		}
	}
}

// TestPartsOfLongTexts looks for more parts of a text than it is searched for as it
// is, through the index and without, in texts that take turns.
func TestPartsOfLongTexts(t *testing.T) {
	filler := strings.Repeat("Lorem IPSUM dolor, ", 20)
	parts := []string{"zebra", "ZEBRA", "kelvin", "école", "less", "12", "}", "ipsum dolor", "q", "lorem"}
	contexts := []string{
		filler,
		filler + "ZEBRA",
		"Zebra" + filler + "École 12",
		filler + "\u212Aelvin le\u017Fs", // they fold to k and s
		filler + "]q",
		"",
	}
	for count := 1; count <= len(parts); count++ {
		var conditions []cond.Condition
		for _, part := range parts[:count] {
			for _, when := range []string{"{clipboard.text: {contains: '%s'}}", "{clipboard.text: {contains: '%s'}, clipboard.hasText: {equals: true}}"} {
				_, program, list := compile(t, fmt.Sprintf(when, part))
				if list.HasErrors() {
					t.Fatal(list)
				}
				conditions = append(conditions, cond.Condition{Program: program})
			}
		}
		set := cond.NewSet(append([]cond.Condition(nil), conditions...))
		for _, text := range contexts {
			lower := strings.NewReplacer("\u212A", "k", "\u017F", "s").Replace(strings.ToLower(text))
			s := empty().With("clipboard.text", facts.Text(text)).With("clipboard.hasText", facts.Flag(true))
			for name, match := range map[string]func(*cond.Evaluation, func(cond.Hit)){
				"index": func(ev *cond.Evaluation, yield func(cond.Hit)) { set.Match(context.Background(), ev, yield) },
				"walk": func(ev *cond.Evaluation, yield func(cond.Hit)) {
					cond.Walk(context.Background(), conditions, ev, yield)
				},
			} {
				hits := make([]bool, len(conditions))
				ev := cond.NewEvaluation(s)
				for range 2 { // what a match leaves in an evaluation serves the next one
					clear(hits)
					match(ev, func(h cond.Hit) { hits[h.Condition] = h.Result == cond.True })
					for i, hit := range hits {
						if want := strings.Contains(lower, strings.ToLower(parts[i/2])); hit != want {
							t.Errorf("%s of %d: %q in %q is %v", name, count, parts[i/2], text, hit)
						}
					}
				}
			}
		}
	}
}
