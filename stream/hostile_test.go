package stream_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/stream"
)

// hostile are sets that are made to take memory or time.
func hostile() map[string][]string {
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
		"references":   many(200, func(i int) string { return fmt.Sprintf(`(a+)+[^]*\1{2}c%d|([ab]+)*\2d`, i) }),
		"certain":      many(200, func(i int) string { return fmt.Sprintf(`(?:a|b)*a(?:a|b){%d}(?!c)|x$`, 4+i%8) }),
		"behind":       many(200, func(i int) string { return fmt.Sprintf(`(?<=(a+)+b.*)(?<!(?:a|b)*a(?:a|b){%d})w`, i%10) }),
		"million":      {alternation(120_000, "")},
		"in a group":   {`\b(?:` + alternation(120_000, "") + `)\b`},
		"not literal":  {alternation(60_000, `\s*\(`)},
		"folded":       {`(?i)` + alternation(110_000, "")},
		"one over":     {strings.Repeat(`\b|a$|`, 170_000) + "b"},
		"millions":     many(6, func(i int) string { return scattered(110_000, int64(i)) }),
		"many gaps":    many(5000, func(i int) string { return fmt.Sprintf(`a.{0,1900}b%d`, i) }),
		"many looks":   many(5000, func(i int) string { return fmt.Sprintf(`(?=a.{0,1900}b%d)a`, i) }),
		"many behind":  many(1000, func(i int) string { return fmt.Sprintf(`(?<=b%d.{0,9})a(?!c)`, i) }),
		"long":         many(40, func(i int) string { return strings.Repeat("[abc]", 12_000) + fmt.Sprint(i) }),
		"all of them": append(append(many(3, func(i int) string { return `\b(?:` + scattered(90_000, int64(i)) + `)\b` }),
			many(5000, func(i int) string { return fmt.Sprintf(`q%d[^]*(?=(?:a|b){0,60}c)`, i) })...),
			many(1000, func(i int) string { return fmt.Sprintf(`z%d.{0,400}y`, i) })...),
	}
}

// many gives so many patterns.
func many(n int, shape func(i int) string) []string {
	var out []string
	for i := range n {
		out = append(out, shape(i))
	}
	return out
}

// exploding are sets that come to a new state with nearly every character of a random
// text of a and b: in the trie, in the lane that is always active, and in others.
func exploding(n int) map[string][]string {
	return map[string][]string{
		"anywhere": many(n, func(i int) string { return fmt.Sprintf(`(?:a|b|cd)*a(?:a|b|cd){20}x%d`, i) }),
		"words":    many(n, func(i int) string { return fmt.Sprintf(`\Ba(?:a|b|cd){20}\b-%d`, i) }),
		"narrow":   many(n, func(i int) string { return fmt.Sprintf(`a[ab%c%c]{20}x%d`, 'c'+i%20, 0x400+i%900/20, i) }),
		"behind":   many(n, func(i int) string { return fmt.Sprintf(`q%d![^]*a[^]{20}x`, i) }),
		"gaps":     many(n, func(i int) string { return fmt.Sprintf(`a.{0,%d}b%d`, 100+i%300, i) }),
	}
}

// explosive gives a text that makes sets of n patterns explode.
func explosive(n, size int) string {
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "q%d! ", i)
	}
	for b.Len() < size {
		b.WriteByte("ab"[random.IntN(2)])
	}
	return b.String()
}

// scattered gives a million bytes of alternatives that share little.
func scattered(n int, seed int64) string {
	random := rand.New(rand.NewPCG(uint64(seed), 7))
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte('|')
		}
		for range 8 {
			b.WriteByte(byte('a' + random.IntN(26)))
		}
	}
	return b.String()
}

// alternation gives a million bytes of alternatives.
func alternation(n int, after string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte('|')
		}
		fmt.Fprintf(&b, "w%06d%s", i, after)
	}
	return b.String()
}

// The memory that a set and its streams may take whatever is in it, in bytes: what it
// keeps, and what making it takes at most, with what the garbage collector has not
// yet taken away. The package's comment states both.
const (
	maxSet    = 128 << 20
	maxMaking = 384 << 20
)

// TestHostile: whatever the triggers are, a set stays within its memory, and the
// text is gone through. That it takes time in proportion to the text is seen by the
// test ending. What does not fit is told.
func TestHostile(t *testing.T) {
	if raceEnabled {
		t.Skip("it is about size, and one goroutine")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	text := strings.Repeat("aabababbbab aab1 w00017x aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\n", 256)
	if testing.Short() {
		text = text[:4096]
	}
	for name, patterns := range hostile() {
		t.Run(name, func(t *testing.T) { watchHostile(t, patterns, text) })
	}
}

// watchHostile feeds a text to a set, and checks what that takes.
func watchHostile(t *testing.T, patterns []string, text string) {
	t.Helper()
	var triggers []stream.Trigger
	for _, p := range patterns {
		triggers = append(triggers, stream.Trigger{Patterns: []string{p}})
	}
	before := heap()
	highest := watchHeap()
	set, problems := stream.Compile(triggers, stream.Options{})
	making := highest() - before
	for _, p := range problems {
		if !p.Full {
			t.Fatal(p)
		}
	}
	st := set.Stream()
	for rest := text; rest != ""; {
		n := min(16, len(rest))
		st.Feed(rest[:n])
		rest = rest[n:]
	}
	st.End()
	if steps := stream.Steps(st); steps > stream.MostSteps(set, int64(len(text))) {
		t.Errorf("%d steps of the backtracking machine", steps)
	}
	fed := heap() - before
	scanner := set.Scanner()
	scanner.Scan(text[:4096])
	used := heap() - before
	t.Logf("at most %d KB to make, %d KB fed, %d KB scanned; %d of %d refused", making>>10, fed>>10, used>>10, len(problems), len(patterns))
	if max(fed, used) > maxSet || making > maxMaking {
		t.Error("more than is stated")
	}
	runtime.KeepAlive(set)
	runtime.KeepAlive(st)
	runtime.KeepAlive(scanner)
}

// TestExploding: the same for sets that explode, on a text that makes them do it.
func TestExploding(t *testing.T) {
	if raceEnabled {
		t.Skip("it is about size, and one goroutine")
	}
	n, size := 1000, 16<<10
	if testing.Short() {
		n, size = 200, 8<<10
	}
	for name, patterns := range exploding(n) {
		t.Run(name, func(t *testing.T) { watchHostile(t, patterns, explosive(n, size)) })
	}
}

// watchHeap looks at the heap again and again, until it is asked for the largest that
// it has seen, in bytes.
func watchHeap() (highest func() int64) {
	stop, answer := make(chan bool), make(chan int64)
	go func() {
		most := int64(0)
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		for {
			metrics.Read(sample)
			most = max(most, int64(sample[0].Value.Uint64()))
			select {
			case <-stop:
				answer <- most
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	return func() int64 { close(stop); return <-answer }
}

// TestFull: a pattern that does not fit is refused as a whole, and those that are
// small enough still fit.
func TestFull(t *testing.T) {
	if raceEnabled {
		t.Skip("it is about size, and one goroutine")
	}
	var triggers []stream.Trigger
	for range 6 {
		triggers = append(triggers, stream.Trigger{Patterns: []string{alternation(100_000, "")}})
	}
	triggers = append(triggers, stream.Trigger{Patterns: []string{"w00000", `w000001(?!x)`}})
	set, problems := stream.Compile(triggers, stream.Options{})
	if len(problems) != 1 || problems[0].Trigger != 5 || !problems[0].Full || problems[0].String() !=
		"pattern 1: the regular expressions of all triggers together are too large; use fewer or shorter ones; what is repeated {n,m} times counts m times" {
		t.Fatal(problems)
	}
	if got := fmt.Sprint(feed(set, "w000001")); got != "[{6 6 6} {0 7 7} {1 7 7} {2 7 7} {3 7 7} {4 7 7}]" {
		t.Error(got)
	}
}

// TestMillionFires: the alternatives of a large expression are all looked for.
func TestMillionFires(t *testing.T) {
	if raceEnabled {
		t.Skip("it is about size, and one goroutine")
	}
	set := compile(t, alternation(120_000, ""), `\b(?:`+alternation(100_000, "")+`)\b`, `(?i)`+alternation(50_000, `\s*=`))
	for _, c := range []struct{ text, want string }{
		{"a w000000 b", "[{0 9 9} {1 9 10}]"},
		{"xw119999", "[{0 8 8}]"},
		{"w099999", "[{0 7 7} {1 7 7}]"},
		{"W049999  = 1", "[{2 10 10}]"},
		{"w12000", "[]"},
	} {
		if got := fmt.Sprint(feed(set, c.text)); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
	scanner := set.Scanner()
	if got := fmt.Sprint(scanner.Scan("x w000123 y")); got != "[{0 2 9} {1 2 9}]" {
		t.Errorf("found %s", got)
	}
}

// TestAlternativesAreApart: the alternatives of a small pattern are decided together,
// those of a large one each on its own, as the package's comment says.
func TestAlternativesAreApart(t *testing.T) {
	small, large := `q$|q[^]|`+alternation(10, ""), `q$|q[^]|`+alternation(10_000, "")
	for _, c := range []struct{ pattern, text, want string }{
		{small, "xq!", "[{0 2 2}]"},
		{large, "xq!", "[{0 3 3}]"},
		{small, "xq", "[{0 2 2}]"},
		{large, "xq", "[{0 2 2}]"},
	} {
		if got := fmt.Sprint(feed(compile(t, c.pattern), c.text)); got != c.want {
			t.Errorf("%d bytes on %q: %s, want %s", len(c.pattern), c.text, got, c.want)
		}
	}
}

// TestTooLong: what cannot be held is refused, with the bound.
func TestTooLong(t *testing.T) {
	for _, c := range []struct{ pattern, want string }{
		{strings.Repeat("ab", 40_000), "longer than 64 KiB"},
		{alternation(140_000, ""), "longer than 1 MiB"},
	} {
		set, problems := stream.Compile([]stream.Trigger{{Patterns: []string{c.pattern}}}, stream.Options{})
		if len(problems) != 1 || !strings.Contains(problems[0].Message, c.want) {
			t.Errorf("%v, want %s", problems, c.want)
		}
		if found := feed(set, "w000001abab"); len(found) > 0 {
			t.Error("a pattern that was refused fires")
		}
	}
}
