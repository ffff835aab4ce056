package glob_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/glob"
)

func compilePath(t *testing.T, pattern string) *glob.Path {
	t.Helper()
	p, err := glob.CompilePath(pattern)
	if err != nil {
		t.Fatalf("CompilePath(%q): %+v", pattern, *err)
	}
	return p
}

func TestPathMatch(t *testing.T) {
	for _, c := range []struct {
		pattern string
		yes, no []string
	}{
		{"*.ts", []string{"a.ts", ".ts", ".a.ts"}, []string{"src/a.ts", "a.tsx"}},
		{"**/*.ts", []string{"a.ts", "src/a.ts", "src/.x/b/a.ts", ".ts"}, []string{"a.tsx", "a.ts/b"}},
		{"**", []string{"a", "a/b", ".git/config"}, nil},
		{"**/*", []string{"a", "a/b", ".x/.y"}, nil},
		{"src/**", []string{"src/a", "src/a/b", "src", "src/.a/b"}, []string{"srcs/a", "a/src/b"}},
		{"src/**/*.ts", []string{"src/a.ts", "src/x/y/a.ts"}, []string{"a.ts", "src/a.js", "lib/src/a.ts"}},
		{"**/test/**", []string{"test/a", "a/test/b/c", "test", "a/test"}, []string{"tests/a"}},
		{"**/a/**/b", []string{"a/b", "x/a/y/b", "a/a/b/b"}, []string{"a", "b/a", "a/b/c"}},
		{"a/**/b/**/c", []string{"a/b/c", "a/b/b/c/c", "a/x/b/y/c"}, []string{"a/c", "a/b", "a/c/b"}},
		{"a/*/c", []string{"a/b/c"}, []string{"a/c", "a/b/b/c"}},
		{"src/a**b", []string{"src/ab", "src/axxb"}, []string{"src/a/b"}},
		{"***", []string{"a"}, []string{"a/b"}},
		{"**.ts", []string{"a.ts"}, []string{"b/a.ts"}},
		{"*.{ts,tsx}", []string{"a.ts", "a.tsx"}, []string{"a.js"}},
		{"{src,lib}/**/*.{ts,js}", []string{"src/a.ts", "lib/x/b.js"}, []string{"a.ts", "bin/a.ts"}},
		{"{src/**,test}/*.go", []string{"src/a.go", "src/x/a.go", "test/a.go"}, []string{"test/x/a.go"}},
		{"a{/**,}", []string{"a", "a/b"}, []string{"ab"}},
		{"{a/b,c}/d", []string{"a/b/d", "c/d"}, []string{"b/d"}},
		{"[a-z]?.md", []string{"ab.md"}, []string{"a/.md", "a.md", "Ab.md"}},
		{"a[/]b", nil, []string{"a/b"}},
		{"a[!x]b", []string{"a.b"}, []string{"a/b"}},
		{"a?b", []string{"a-b"}, []string{"a/b"}},
		{"./src/*.ts", []string{"src/a.ts"}, []string{"./src/a.ts"}},
		{`src/\[id\]/*.tsx`, []string{"src/[id]/page.tsx"}, []string{"src/i/page.tsx"}},
		{".github/**/*.yml", []string{".github/workflows/ci.yml"}, []string{"github/a.yml"}},
		{"Makefile", []string{"Makefile"}, []string{"makefile", "a/Makefile"}},
		{"日本/*", []string{"日本/語"}, []string{"日/語"}},
		{"", []string{""}, []string{"a"}},
	} {
		p := compilePath(t, c.pattern)
		for _, s := range c.yes {
			if !p.MatchWith(s, glob.LettersOf(s)) {
				t.Errorf("%q does not match %q", c.pattern, s)
			}
		}
		for _, s := range c.no {
			if p.Match(s) {
				t.Errorf("%q matches %q", c.pattern, s)
			}
		}
	}
}

func TestPathFlags(t *testing.T) {
	for _, c := range []struct {
		pattern                   string
		negated, rooted, hasSlash bool
	}{
		{"*.ts", false, false, false},
		{"!*.ts", true, false, false},
		{`\!a`, false, false, false},
		{"!./a/b", true, false, true},
		{"/a", false, true, true},
		{"**", false, false, false},
		{"{a,b/c}", false, false, true},
		{"[/]", false, false, false},
	} {
		p := compilePath(t, c.pattern)
		if p.Negated() != c.negated || p.Rooted() != c.rooted || p.HasSlash() != c.hasSlash {
			t.Errorf("%q: negated %v, rooted %v, slash %v", c.pattern, p.Negated(), p.Rooted(), p.HasSlash())
		}
	}
	if !compilePath(t, "!*.ts").Match("a.ts") {
		t.Error("Match must leave the negation to its caller")
	}
}

func TestPathStaticKnowledge(t *testing.T) {
	for _, c := range []struct {
		pattern, prefix, suffix string
		extensions              []string
	}{
		{"**/*.ts", "", ".ts", []string{".ts"}},
		{"src/**/*.{ts,tsx}", "src/", "", []string{".ts", ".tsx"}},
		{"src/**", "src", "", nil},
		{"src/a*b/c.d.ts", "src/a", "c.d.ts", []string{".ts"}},
		{"{src,srv}/*.go", "sr", ".go", []string{".go"}},
		{"Makefile", "Makefile", "Makefile", []string{""}},
		{"**/Makefile", "", "Makefile", []string{""}},
		{"*file", "", "file", nil},
		{"*.t[sx]", "", "", nil},
		{"*.{ts,*}", "", "", nil},
		{"a/b/**/c", "a/b/", "c", []string{""}},
	} {
		p := compilePath(t, c.pattern)
		if p.Prefix() != c.prefix || p.Suffix() != c.suffix || !slices.Equal(p.Extensions(), c.extensions) {
			t.Errorf("%q: prefix %q, suffix %q, extensions %q", c.pattern, p.Prefix(), p.Suffix(), p.Extensions())
		}
	}
}

func TestPathBracesAreCapped(t *testing.T) {
	_, err := glob.CompilePath("!a" + strings.Repeat("{a,b}", 11))
	if err == nil || err.Offset != 2 || err.Message != "the braces stand for more than 1024 patterns" {
		t.Errorf("2,048 alternatives: %+v", err)
	}
	compilePath(t, strings.Repeat("{a,b}", 10))
	compilePath(t, strings.Repeat("{?}", 5000))
	if _, err := glob.CompilePath(strings.Repeat("{a?,?b}", 10) + strings.Repeat("?", 10_000)); err == nil {
		t.Error("ten million elements are accepted")
	}
}

func FuzzCompilePath(f *testing.F) {
	f.Add("src/**/*.{ts,tsx}", "src/a/b.ts")
	f.Add("**/a/**/b", "a/a/b/b")
	f.Add("!./[!a-z]/{a/**,b}", "x/a")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		p, err := glob.CompilePath(pattern)
		if err != nil {
			if err.Offset < 0 || err.Offset > len(pattern) || err.Message == "" || err.Hint == "" {
				t.Fatalf("CompilePath(%q): %+v", pattern, *err)
			}
			return
		}
		if p.Match(name) {
			ext := p.Extensions()
			if !strings.HasPrefix(name, p.Prefix()) || !strings.HasSuffix(name, p.Suffix()) || ext != nil && !slices.Contains(ext, path.Ext(name)) {
				t.Errorf("%q matches %q against prefix %q, suffix %q, extensions %q", pattern, name, p.Prefix(), p.Suffix(), ext)
			}
		}
	})
}

func BenchmarkPathMatch(b *testing.B) {
	const name = "packages/web/src/components/forms/DatePicker.test.tsx"
	for _, w := range []struct{ name, pattern string }{
		{"extension", "**/*.ts"},
		{"braces", "packages/*/src/**/*.{ts,tsx,js,jsx}"},
		{"globstars", "**/components/**/*.test.*"},
		{"elsewhere", "services/**/*.go"},
	} {
		p, err := glob.CompilePath(w.pattern)
		if err != nil {
			b.Fatal(err.Message)
		}
		b.Run(w.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.Match(name)
			}
		})
	}
}

// TestPathLetters: a glob with a character that a path has not is told apart by that alone, or this takes minutes; one that
// matches has none such.
func TestPathLetters(t *testing.T) {
	long := strings.Repeat("a/", 1500)
	letters := glob.LettersOf(long + "b.ts")
	for i := range 2000 {
		p := compilePath(t, fmt.Sprintf("**/{a,b}*/**/x*%d/**/*.ts", i))
		for range 1000 {
			if p.MatchWith(long+"b.ts", letters) {
				t.Fatal(i)
			}
		}
	}
	for _, c := range []struct{ pattern, path string }{
		{"**/a*/**/b*.{ts,js}", long + "b.ts"}, {"**/[x-z]/é*@(q)", "a/y/éa@(q)"}, {"\\*[!x]?/~{,c}", "*ab/~"}, {"**/a/b/**/a/c", "a/b/a/b/a/b/a/c"},
	} {
		if p := compilePath(t, c.pattern); !p.Match(c.path) || !p.MatchWith(c.path, glob.LettersOf(c.path)) {
			t.Errorf("%s does not match %.60s", c.pattern, c.path)
		}
	}
	if p, err := glob.CompileExtended("**/@(a|b)c!(x)/+(d)"); err != nil || !p.MatchWith("k/acy/dd", glob.LettersOf("k/acy/dd")) {
		t.Error("groups", err)
	}
}
