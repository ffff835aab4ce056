package stream_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// hostile are sets that are made to take memory or time.
func hostile() map[string][]string {
	many := func(n int, shape func(i int) string) []string {
		var out []string
		for i := range n {
			out = append(out, shape(i))
		}
		return out
	}
	var words []string
	for i := range 9000 {
		words = append(words, fmt.Sprintf("w%05d", i))
	}
	return map[string][]string{
		"explodes":     {`(a|b)*a(a|b){14}c`, `[ab]*b[ab]{15}d`, `(?:.*a){8}.{12}x`},
		"catastrophic": {`(a+)+$`, `(a|a)*b`, `(a*)*c`, `(?=(a+)+b)x`, `(a+)+\1b`, `(?!(a|aa)+$)y`, `^(?:(?:a+)+)+(?=c)`},
		"alternation":  many(16, func(i int) string { return strings.Join(words[i:], "|") }),
		"gaps":         many(300, func(i int) string { return fmt.Sprintf(`a.{0,%d}b%d`, 100+i, i) }),
		"wide":         many(2000, func(i int) string { return fmt.Sprintf(`[a-z]+%d[^x]*[a-z]y`, i) }),
		"everything":   many(5000, func(i int) string { return fmt.Sprintf(`.*%d.*%d$`, i, i*7) }),
		"looks":        many(300, func(i int) string { return fmt.Sprintf(`(?=(a+)+b%d)a`, i) }),
		"unicode":      many(1500, func(i int) string { return fmt.Sprintf(`[^\u%04x-\u%04x]x`, 0x400+3*i, 0x402+3*i) }),
		"large":        many(30, func(i int) string { return fmt.Sprintf(`((a{1,30}){1,30}|b%d){1,5}`, i) }),
		"empty":        many(1000, func(int) string { return `(?:)` }),
	}
}

// maxSet is the memory that a set may take whatever is in it, in bytes: the states,
// and what the expressions themselves take.
const maxSet = 96 << 20

// TestHostile: whatever the triggers are, a set stays within its memory, and the
// text is gone through. That it takes time in proportion to the text is seen by the
// test ending.
func TestHostile(t *testing.T) {
	text := strings.Repeat("aabababbbab aab1 w00017x aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\n", 256)
	if testing.Short() {
		text = text[:4096]
	}
	for name, patterns := range hostile() {
		t.Run(name, func(t *testing.T) {
			before := heap()
			var triggers []stream.Trigger
			for _, p := range patterns {
				triggers = append(triggers, stream.Trigger{Patterns: []string{p}})
			}
			set, problems := stream.Compile(triggers, stream.Options{})
			if len(problems) > 0 && name != "alternation" {
				t.Fatal(problems[0])
			}
			st := set.Stream()
			for rest := text; rest != ""; {
				n := min(16, len(rest))
				st.Feed(rest[:n])
				rest = rest[n:]
			}
			st.End()
			if used := heap() - before; used > maxSet {
				t.Errorf("%d MB", used>>20)
			} else {
				t.Logf("%d KB", used>>10)
			}
			runtime.KeepAlive(set)
			runtime.KeepAlive(st)
		})
	}
}
