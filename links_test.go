package pertain_test

import (
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// TestLinks: what a page of the repository links to is there, and so is the heading that a link names.
func TestLinks(t *testing.T) {
	pages := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "bench/*.md", "conformance/*.md", "editors/*.md", "editors/*/*.md", "examples/*.md", "examples/*/*.md", "tools/*.md"} {
		found, err := fs.Glob(os.DirFS("."), pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			if strings.Contains(name, "node_modules") {
				continue
			}
			data, err := os.ReadFile(filepath.FromSlash(name))
			if err != nil {
				t.Fatal(err)
			}
			pages[name] = prose(string(data))
		}
	}
	links := 0
	for name, text := range pages {
		for _, link := range linkForm.FindAllStringSubmatch(text, -1) {
			target := link[1]
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			links++
			if problem := brokenLink(pages, name, target); problem != "" {
				t.Errorf("%s: [%s]: %s", name, target, problem)
			}
		}
	}
	if links < 50 {
		t.Errorf("%d links are found", links)
	}
}

var (
	linkForm  = regexp.MustCompile(`\]\(<?([^()\s>]+)>?(?:\s+"[^"]*")?\)`)
	fenceForm = regexp.MustCompile("(?ms)^ {0,3}(```+|~~~+).*?(^ {0,3}(```+|~~~+)[ \t]*$|\\z)")
)

// prose is a page without what stands in fences; code in a line stays, as headings have it.
func prose(text string) string { return fenceForm.ReplaceAllString(text, "") }

// brokenLink says what is wrong with a link; empty: nothing.
func brokenLink(pages map[string]string, from, target string) string {
	file, anchor, _ := strings.Cut(target, "#")
	if name, err := url.PathUnescape(file); err == nil {
		file = name
	}
	at := from
	if file != "" {
		at = path.Join(path.Dir(from), file)
	}
	if _, err := os.Stat(filepath.FromSlash(at)); err != nil {
		return "there is no such file"
	}
	if anchor == "" {
		return ""
	}
	text, ok := pages[at]
	if !ok {
		return "a heading of a file that is no page"
	}
	if !slices.Contains(anchors(text), anchor) {
		return "there is no such heading"
	}
	return ""
}

// anchors are the names that headings have as GitHub shows a page.
func anchors(text string) []string {
	var out []string
	count := map[string]int{}
	for line := range strings.Lines(text) {
		title := strings.TrimLeft(line, "#")
		if depth := len(line) - len(title); depth == 0 || depth > 6 || !strings.HasPrefix(title, " ") {
			continue
		}
		name := strings.Map(func(r rune) rune {
			switch {
			case unicode.IsLetter(r) || unicode.IsNumber(r) || r == '-' || r == '_':
				return unicode.ToLower(r)
			case r == ' ':
				return '-'
			}
			return -1
		}, strings.TrimSpace(linkForm.ReplaceAllString(title, "]")))
		if n := count[name]; n > 0 {
			out = append(out, name+"-"+string(rune('0'+n)))
		} else {
			out = append(out, name)
		}
		count[name]++
	}
	return out
}

// TestBrokenLinks: the checker itself.
func TestBrokenLinks(t *testing.T) {
	pages := map[string]string{"README.md": "# Read `me`, please!\n## Twice\n## Twice\n"}
	for target, want := range map[string]string{
		"README.md": "", "#read-me-please": "", "README.md#twice-1": "", "./docs": "",
		"none.md": "there is no such file", "#none": "there is no such heading", "go.mod#x": "a heading of a file that is no page",
	} {
		if got := brokenLink(pages, "README.md", target); got != want {
			t.Errorf("%s: %q, want %q", target, got, want)
		}
	}
	if got := prose("a\n```\n[x](none)\n```\nb\n~~~\n[y](none)"); strings.Contains(got, "none") || !strings.Contains(got, "b") {
		t.Errorf("%q", got)
	}
}
