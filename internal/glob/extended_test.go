package glob_test

import (
	_ "embed"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/glob"
)

func TestExtended(t *testing.T) {
	for _, c := range []struct {
		pattern string
		yes, no []string
	}{
		{"src/@(a|b).ts", []string{"src/a.ts", "src/b.ts"}, []string{"src/.ts", "src/ab.ts", "src/c.ts", "src/@(a|b).ts"}},
		{"src/?(a|b).ts", []string{"src/a.ts", "src/.ts"}, []string{"src/ab.ts"}},
		{"src/*(a|b).ts", []string{"src/.ts", "src/abba.ts"}, []string{"src/abc.ts"}},
		{"src/+(a|b).ts", []string{"src/a.ts", "src/abba.ts"}, []string{"src/.ts", "src/c.ts"}},
		{"src/!(a|b).ts", []string{"src/c.ts", "src/ab.ts", "src/.ts"}, []string{"src/a.ts", "src/b.ts", "src/a.js"}},
		{"!(a).ts", []string{"b.ts"}, []string{"a.ts", "x/b.ts"}},
		{"**/!(*.d|*.test).ts", []string{"a.ts", "x/y/a.ts"}, []string{"a.d.ts", "x/a.test.ts"}},
		{"src/!(gen)/**", []string{"src/a/x", "src/generic/x/y"}, []string{"src/gen/x"}},
		{"*@(*)", []string{"a"}, []string{"a/b"}},
		{"@(src/**|b)", []string{"src/a/b", "b"}, []string{"b/a"}},
		{"@(a/b|c)/d", []string{"a/b/d", "c/d"}, []string{"a/d"}},
		{"+(a|@(b|c)d)", []string{"abda", "cd"}, []string{"ab"}},
		{"x!(!(a))", []string{"xa"}, []string{"xb", "x"}},
		{"@([)]|b)", []string{")", "b"}, nil},
		{"@(a,b|c)", []string{"a,b", "c"}, []string{"a"}},
		{"{@(a|b),c}", []string{"a", "b", "c"}, nil},
		{"a@(b", []string{"a@(b"}, []string{"ab"}},
		{"a(b|c)", []string{"a(b|c)"}, []string{"ab"}},
		{`a\@(b)`, []string{"a@(b)"}, []string{"ab"}},
		{"+(é|ü)", []string{"éüé"}, []string{"e"}},
		{"{1..3}.js", []string{"1.js", "2.js", "3.js"}, []string{"4.js", "1..3.js"}},
		{"{8..11}", []string{"8", "9", "10", "11"}, []string{"1", "12"}},
		{"{08..10}", []string{"08", "09", "10"}, []string{"8", "9"}},
		{"{-1..1}", []string{"-1", "0", "1"}, nil},
		{"{1..9..4}", []string{"1", "5", "9"}, []string{"2"}},
		{"{e..a..2}", []string{"e", "c", "a"}, []string{"d"}},
		{"{a..c}/{1..2}", []string{"b/2"}, []string{"d/1"}},
		{"{a..c,x}", []string{"a..c", "x"}, []string{"b"}},
	} {
		p, err := glob.CompileExtended(c.pattern)
		if err != nil {
			t.Errorf("%q: %+v", c.pattern, *err)
			continue
		}
		for _, name := range c.yes {
			if !p.MatchWith(name, glob.LettersOf(name)) {
				t.Errorf("%q does not match %q", c.pattern, name)
			}
		}
		for _, name := range c.no {
			if p.Match(name) {
				t.Errorf("%q matches %q", c.pattern, name)
			}
		}
	}
}

// TestExtendedIsAsked: without it the signs are plain characters.
func TestExtendedIsAsked(t *testing.T) {
	for pattern, name := range map[string]string{"@(a|b)": "@(a|b)", "{1..3}": "1..3", "+(a)": "+(a)"} {
		if !compilePath(t, pattern).Match(name) {
			t.Errorf("%q does not match %q", pattern, name)
		}
	}
	if p := compilePath(t, "!(a)"); !p.Negated() {
		t.Error("`!(a)` is no negation")
	}
}

func TestExtendedErrors(t *testing.T) {
	for pattern, message := range map[string]string{
		"+(a/b)":                      "a group `+(…)` cannot hold a slash",
		"x!(@(a|b/c))":                "a group `!(…)` cannot hold a slash",
		"*(a!(b))":                    "a group `!(…)` cannot be repeated",
		"*(*(*(*(*(a)))))":            "repeated groups are nested deeper than 4",
		"{1..5000}":                   "the range stands for more than 1024 patterns",
		"{1..100}{1..100}":            "the braces stand for more than 1024 patterns",
		"@({a)}":                      "`@(` is not closed",
		strings.Repeat("@(", 5) + "}": "`}` without `{`",
	} {
		_, err := glob.CompileExtended(pattern)
		if err == nil || err.Message != message || err.Hint == "" || err.Offset < 0 || err.Offset > len(pattern) {
			t.Errorf("%q: %+v", pattern, err)
		}
	}
}

// peerTable is what minimatch 10.2.6 and picomatch 4.0.7 answer; see peers.mjs.
//
//go:embed testdata/extended.txt
var peerTable string

func TestExtendedAgreesWithPeers(t *testing.T) { compareWithPeers(t, peerTable) }

// TestExtendedAgreesWithLivePeers takes other patterns each time it is told another seed.
func TestExtendedAgreesWithLivePeers(t *testing.T) {
	modules, seed := os.Getenv("PERTAIN_GLOB_PEERS"), os.Getenv("PERTAIN_GLOB_SEED")
	if modules == "" {
		t.Skip("PERTAIN_GLOB_PEERS names no node_modules with minimatch and picomatch")
	}
	if seed == "" {
		seed = "1"
	}
	out, err := exec.CommandContext(t.Context(), "node", "testdata/peers.mjs", modules, seed, "2000").Output()
	if err != nil {
		t.Fatal(err)
	}
	compareWithPeers(t, string(out))
}

func compareWithPeers(t *testing.T, table string) {
	t.Helper()
	header, rows, _ := strings.Cut(table, "\n")
	names := strings.Split(header, "\t")
	compared := 0
	for row := range strings.Lines(rows) {
		fields := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		p, err := glob.CompileExtended(fields[0])
		if err != nil {
			if !strings.Contains(err.Message, "cannot be repeated") {
				t.Errorf("%q: %+v", fields[0], *err)
			}
			continue
		}
		for peer, answers := range fields[1:] {
			if answers == "-" {
				continue
			}
			for i, name := range names {
				compared++
				if got := p.MatchWith(name, glob.LettersOf(name)); got != (answers[i] == '1') {
					t.Errorf("%q on %q is %v, %s disagrees", fields[0], name, got, []string{"minimatch", "picomatch"}[peer])
				}
			}
		}
	}
	if compared < 10_000 {
		t.Errorf("only %d answers are compared", compared)
	}
}

// TestExtendedIsLinear would not end if groups were tried one after the other.
func TestExtendedIsLinear(t *testing.T) {
	long := strings.Repeat("a", 2000)
	for _, pattern := range []string{
		"+(a|aa)b", "*(*(*(*(a))))b", "+(a|a|a|a|a|a|a|a)b", strings.Repeat("*(a)", 200) + "b", strings.Repeat("?(a)", 9) + "+(a)b",
		"+(+(a*)*(a*))b", strings.Repeat("!(b)", 100) + "b", "**/" + strings.Repeat("*(a|b)*", 50) + "x",
	} {
		p, err := glob.CompileExtended(pattern)
		if err != nil {
			t.Errorf("%q: %+v", pattern, *err)
			continue
		}
		if p.Match(long) {
			t.Errorf("%q matches", pattern)
		}
	}
	for _, pattern := range []string{strings.Repeat("@(", 8000), strings.Repeat("+(a|", 4000), strings.Repeat("@(a|b)", 2000), strings.Repeat("[", 16000) + "+(a)"} {
		if p, err := glob.CompileExtended(pattern); err == nil {
			p.Match(long)
		}
	}
}

func FuzzCompileExtended(f *testing.F) {
	for _, seed := range []string{"src/@(a|b).ts", "!(a|*.d).ts", "+(a|?(b))/**", "{1..3}{a..c..2}", "*(a|", "@({a)}", `[@(]+(\))`} {
		f.Add(seed, "src/a.ts")
	}
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if len(pattern) > 200 || len(name) > 200 {
			return
		}
		p, err := glob.CompileExtended(pattern)
		if err != nil {
			if err.Offset < 0 || err.Offset > len(pattern) || err.Message == "" || err.Hint == "" {
				t.Fatalf("%q: %+v", pattern, *err)
			}
			return
		}
		if p.Match(name) && (!strings.HasPrefix(name, p.Prefix()) || !strings.HasSuffix(name, p.Suffix())) {
			t.Errorf("%q matches %q against prefix %q, suffix %q", pattern, name, p.Prefix(), p.Suffix())
		}
		if plain, err := glob.CompilePath(pattern); err == nil && !strings.ContainsAny(pattern, "(") && !strings.Contains(pattern, "..") && plain.Match(name) != p.Match(name) {
			t.Errorf("%q on %q differs without groups and ranges", pattern, name)
		}
		if ext := p.Extensions(); ext != nil && !slices.IsSorted(ext) {
			t.Errorf("%q: %q", pattern, ext)
		}
	})
}
