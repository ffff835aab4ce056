package strategy_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/strategy"
)

const source = "---\nname: B\nunknown: 1\nwhen: {clipboard.text: {regex: 'a('}}\ntools: {x.*: true, y: 1}\ntitle: {en: T, '1': U}\n" +
	"preprocessors: [made-up]\noptions: {regexTimeout: 10ms, none: 1}\n---\nbody\n"

// TestSourcesAreReadOnce: however many files that are read together start from one, it is parsed and compiled once; each of
// them still says what it would say alone.
func TestSourcesAreReadOnce(t *testing.T) {
	contents := map[string]string{
		"/u/b.strategy.md": source,
		"/u/m.md":          "---\ndescription: d\n---\ntext\n",
		"/u/n.strategy.md": "---\nfrom: ./m.md\n---\n",
		"/u/w.strategy.md": "---\nname: [\n---\n",
	}
	const each = 20
	names := []string{"b.strategy.md", "m.md", "n.strategy.md", "w.strategy.md"}
	for i := range each {
		for _, of := range names {
			contents[fmt.Sprintf("/u/%s-%d.strategy.md", of[:1], i)] = fmt.Sprintf("---\nname: S%d\nfrom: ./%s\n---\n", i, of)
		}
	}
	tree, alone := world(files.Unix, contents)
	n := alone.Together()
	for _, of := range names {
		read20 := make([]*strategy.Strategy, each)
		var wg sync.WaitGroup
		for i := range read20 {
			wg.Go(func() {
				path := fmt.Sprintf("%s-%d.strategy.md", of[:1], i)
				read20[i] = read(t, tree, n, "/u/"+path, user(path))
			})
		}
		wg.Wait()
		sources, programs := map[*diag.Source]bool{}, map[any]bool{}
		for i, s := range read20 {
			sources[s.Includes[0]] = true
			programs[s.Program] = true
			path := fmt.Sprintf("%s-%d.strategy.md", of[:1], i)
			if diff := cmp.Diff(told(read(t, tree, alone, "/u/"+path, user(path))), told(s)); diff != "" {
				t.Errorf("%s: together it says something else:\n%s", path, diff)
			}
		}
		if len(sources) != 1 {
			t.Errorf("%s was parsed %d times", of, len(sources))
		}
		if of == "b.strategy.md" && len(programs) != 1 {
			t.Errorf("its condition was compiled %d times", len(programs))
		}
	}
}

// told is what a strategy came to, in words.
func told(s *strategy.Strategy) []string {
	out := []string{fmt.Sprint(s.ID, s.Name, s.Titles, s.Description, s.Tools, s.Preprocessors, s.Limits, s.Needs, s.Valid, s.Body)}
	for _, d := range s.Diagnostics {
		line := fmt.Sprint(d.Code, d.Severity, d.Message, d.Hint, d.File(), d.Span, d.Strategy)
		for _, r := range d.Related {
			line += fmt.Sprint(r.Source.Name(), r.Span, r.Message)
		}
		out = append(out, line)
	}
	return out
}

// TestSourcesThatDiffer: what is shared is one text under one name, read as one kind.
func TestSourcesThatDiffer(t *testing.T) {
	tree, n := world(files.Unix, map[string]string{
		"/u/SKILL.md":      skill,
		"/u/a.strategy.md": "---\nfrom: ./SKILL.md\n---\n",
		"/u/b.strategy.md": "---\nname: B\nfrom: {source: ./SKILL.md, kind: markdown}\n---\n",
	})
	n = n.Together()
	a, b := read(t, tree, n, "/u/a.strategy.md", user("a.strategy.md")), read(t, tree, n, "/u/b.strategy.md", user("b.strategy.md"))
	if a.Name != "My skill" || b.Name != "B" || a.Body != b.Body {
		t.Errorf("%q, %q", a.Name, b.Name)
	}
	tree.WriteFile("/u/SKILL.md", strings.ReplaceAll(skill, "My skill", "Another"))
	if now := read(t, tree, n, "/u/a.strategy.md", user("a.strategy.md")); now.Name != "Another" {
		t.Errorf("a source that has changed meanwhile is still %q", now.Name)
	}
}

// TestProblemsOfASharedSource: what is wrong with a source is kept to what is listed, before every strategy repeats it.
func TestProblemsOfASharedSource(t *testing.T) {
	var b strings.Builder
	b.WriteString("---\nname: B\ntools:\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "  t%d: 1\n", i)
	}
	tree, n := world(files.Unix, map[string]string{
		"/u/b.strategy.md": b.String() + "---\n",
		"/u/a.strategy.md": "---\nname: A\nfrom: ./b.strategy.md\n---\n",
	})
	for range 2 {
		n = n.Together()
		s := read(t, tree, n, "/u/a.strategy.md", user("a.strategy.md"))
		last := s.Diagnostics[len(s.Diagnostics)-1]
		if len(s.Diagnostics) != diag.MaxPerFile || last.Message != "2901 more problems of this file are not listed" || s.Valid {
			t.Errorf("%d diagnostics, the last is %q", len(s.Diagnostics), last.Message)
		}
	}
}

// TestTogetherWith: normalizers of several loads share sources where they are told to, and none else.
func TestTogetherWith(t *testing.T) {
	tree, n := world(files.Unix, map[string]string{
		"/u/b.strategy.md": source,
		"/u/a.strategy.md": "---\nname: A\nfrom: ./b.strategy.md\n---\n",
	})
	a := func(n *strategy.Normalizer) *strategy.Strategy {
		return read(t, tree, n, "/u/a.strategy.md", user("a.strategy.md"))
	}
	one := n.Together()
	two := n.TogetherWith(one)
	if a(one).Program != a(two).Program || a(one).Program != a(two.Together()).Program {
		t.Error("one source is compiled twice")
	}
	if a(one).Program == a(n.Together()).Program {
		t.Error("a load of its own has the sources of another one")
	}
}
