package regex_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/look"
	"github.com/pertain-dev/pertain/internal/regex/regextest"
	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// TestLookAutomaton: at every offset of a text an automaton says whether the text up to
// there matches, and whether it does whatever follows.
func TestLookAutomaton(t *testing.T) {
	w := regextest.NewWriter(29, regex.ECMAScript)
	w.Modern = true
	count := rounds(12000)
	followers := []string{"", "a", "b", "c", " ", "\n", "1", "-", "é", "_", "ab", "ba", "aa", "bb", "a b", "\nab", "aab", "bab\n", "\u2028", "b-a", "ab1"}
	cache := look.NewCache(1 << 20)
	held, certain, unknown := 0, 0, 0
	for range count {
		pattern := w.Expression(3)
		re, bad := regex.Compile(pattern, regex.Options{Dialect: regex.ECMAScript})
		if bad != nil {
			continue
		}
		automaton := cache.Add(re.Tree())
		if automaton == nil {
			if !strings.Contains(pattern, `\`) {
				t.Errorf("/%s/ has no automaton", pattern)
			}
			continue
		}
		held++
		for range 3 {
			runes := []rune(w.Text())
			state := automaton.Begin(syntax.NoRune)
			for n := 0; ; n++ {
				text := string(runes[:n])
				want, _ := re.MatchString(text, regex.Limit{})
				if state.Ends() != want {
					t.Fatalf("/%s/ on %q: %v, want %v", pattern, text, state.Ends(), want)
				}
				sure, _ := automaton.Certain(state, 1<<20)
				if undoing, ok := automaton.Counterexample(state); ok {
					if matched, _ := re.MatchString(text+undoing, regex.Limit{}); matched || sure {
						t.Fatalf("/%s/ on %q: certain %v, %q does not undo it", pattern, text, sure, undoing)
					}
				} else if !sure {
					unknown++
				}
				if sure {
					certain++
					for _, more := range followers {
						if matched, _ := re.MatchString(text+more, regex.Limit{}); !matched {
							t.Fatalf("/%s/ on %q is taken for certain, but %q undoes it", pattern, text, more)
						}
					}
				}
				if again := automaton.Decode(state.Encode()); again == nil || again.Ends() != state.Ends() || again.Open() != state.Open() {
					t.Fatalf("/%s/ on %q: a state that was written and read differs", pattern, text)
				}
				if n == len(runes) {
					break
				}
				if state, _ = automaton.Next(state, runes[n]); state == nil {
					t.Fatalf("/%s/ on %q: too large", pattern, text)
				}
			}
		}
	}
	t.Logf("%d expressions, %d offsets certain, %d not known", held, certain, unknown)
	if unknown > 0 {
		t.Errorf("%d offsets are not known", unknown)
	}
}

// TestDecodeRefuses: bytes that no state was written as are refused, or are those of
// another state. What leads from a look-behind to itself would have no end.
func TestDecodeRefuses(t *testing.T) {
	for _, pattern := range []string{`(?<=m.*)n(?!o)`, `(?<=a(?=.*b)(?<!c.*)).*d`, `x(?!y)`, `(?<=(?<=a.*)b.*)c`} {
		re, bad := regex.Parse(pattern, regex.Options{Dialect: regex.ECMAScript})
		if bad != nil {
			t.Fatal(pattern, bad.Message)
		}
		automaton := look.NewCache(1 << 20).Add(re.Tree())
		state := automaton.Begin(syntax.NoRune)
		refused := 0
		for _, r := range "mabx" {
			state, _ = automaton.Next(state, r)
			written := state.Encode()
			for at := range written {
				for value := range 256 {
					changed := slices.Clone(written)
					changed[at] = byte(value)
					again := automaton.Decode(changed)
					if again == nil {
						refused++
					} else if next, _ := automaton.Next(again, 'a'); next == nil {
						t.Errorf("/%s/: what was read as a state is too large", pattern)
					}
				}
			}
		}
		if refused == 0 {
			t.Errorf("/%s/: nothing is refused", pattern)
		}
	}
}
