package mark_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/mark"
)

func TestFind(t *testing.T) {
	sources := []string{"a/b.md", "x -->\n.md", "c, d--e.md", "é\u202e\xff#}.md", "~/x%20.md"}
	for name, text := range map[string]string{
		"frontmatter": mark.Seal("---\n" + mark.YAML(sources) + "\nkey: value\n---\n\ntext\n"),
		"comment":     mark.Seal(mark.HTML(sources) + "\n\ntext\n"),
	} {
		t.Run(name, func(t *testing.T) {
			check := func(text string, intact bool) {
				t.Helper()
				m, ok := mark.Find(text)
				if !ok || m.Intact != intact || !slices.Equal(m.Sources, sources) {
					t.Errorf("%v %+v", ok, m)
				}
			}
			check(text, true)
			check(strings.ReplaceAll(text, "\n", "\r\n"), true)
			check("\ufeff"+text, true)
			check(text+"x", false)
			check(strings.Replace(text, "text", "Text", 1), false)
			if line, _, _ := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n"); strings.Count(line, "-->") > 1 || !strings.HasSuffix(line, "-->") && name == "comment" || strings.Contains(line, "\u202e") || strings.Contains(line, "\xff") {
				t.Errorf("the mark is %q", line)
			}
		})
	}
}

func TestBody(t *testing.T) {
	made := mark.Seal("---\n" + mark.YAML([]string{"a"}) + "\nkey: v\n---\n\ntext\n---\nmore\n")
	if got := mark.Body(made); got != "text\n---\nmore\n" {
		t.Errorf("%q", got)
	}
	if got := mark.Body(strings.ReplaceAll(made, "\n", "\r\n")); got != "text\n---\nmore\n" {
		t.Errorf("%q", got)
	}
	for _, text := range []string{"", "---\nkey: v\n---\ntext", "text", mark.Seal(mark.HTML([]string{"a"}) + "\n\ntext\n"), "---\n" + mark.YAML([]string{"a"}) + "\nnever closed\n"} {
		if got := mark.Body(text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

func TestNoMark(t *testing.T) {
	made := mark.Seal(mark.HTML([]string{"a"}) + "\n\ntext\n")
	for _, text := range []string{
		"", "---\n", "---", "<!--", "x\n" + made, " " + made, "---\nkey: v\n" + mark.YAML([]string{"a"}) + "\n---\n",
		strings.Replace(made, "sha256:", "sha1:", 1), strings.Replace(made, " -->", "", 1), "# Made by \"pertain export\" from ",
	} {
		if m, ok := mark.Find(text); ok {
			t.Errorf("%q has the mark %+v", text, m)
		}
		if got := mark.Strip(text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	if got := mark.Strip(made); got != "text\n" {
		t.Errorf("%q is left", got)
	}
	if got := mark.Strip(strings.ReplaceAll(made, "\n", "\r\n")); got != "text\r\n" {
		t.Errorf("%q is left", got)
	}
}

func TestSection(t *testing.T) {
	text := "above\n" + mark.Begin + "\n" + mark.End + "\nbelow\n"
	s, ok, err := mark.FindSection(text)
	if !ok || err != nil || !s.Fresh || s.Inner != "" {
		t.Fatalf("%+v %v %v", s, ok, err)
	}
	text = text[:s.Start] + s.Write([]string{"a.md"}, "rules\n") + text[s.Stop:]
	s, ok, err = mark.FindSection(text)
	if !ok || err != nil || s.Fresh || !s.Intact || s.Inner != "rules\n" || !slices.Equal(s.Sources, []string{"a.md"}) {
		t.Fatalf("%+v %v %v", s, ok, err)
	}
	if text[:s.Start] != "above\n" || text[s.Stop:] != "below\n" {
		t.Errorf("around it is %q %q", text[:s.Start], text[s.Stop:])
	}
	if s, _, _ := mark.FindSection(strings.ReplaceAll(text, "\n", "\r\n")); !s.Intact {
		t.Error("other line ends are no change")
	}
	if s, _, _ := mark.FindSection(strings.Replace(text, "rules", "mine", 1)); s.Intact {
		t.Error("a change is not seen")
	}
	if s, ok, _ := mark.FindSection("```\n" + text + "```\n"); ok {
		t.Errorf("what is in a fence is %+v", s)
	}
	for _, bad := range []string{text + text, mark.Begin + "\n", mark.End + "\n", mark.End + "\n" + mark.Begin + "\n", mark.Begin + "\n" + mark.Begin + "\n" + mark.End + "\n"} {
		if _, ok, err := mark.FindSection(bad); ok || err == nil {
			t.Errorf("%q is a section", bad)
		}
	}
	if !mark.HoldsMark("x\n"+mark.End+"\n") || mark.HoldsMark("x "+mark.End+"\n") {
		t.Error("a mark is a line")
	}
}

func TestHoldsOnly(t *testing.T) {
	parts := []string{"one\n---\ntwo", "three"}
	good := mark.OnlyFor + "`x`.\n\none\n---\ntwo" + mark.Between + "three"
	if !mark.HoldsOnly(good, parts) {
		t.Error("it holds just that")
	}
	for _, bad := range []string{good + "\nmore", "three", "evil\n" + good} {
		if mark.HoldsOnly(bad, parts) {
			t.Errorf("%q holds more, or less", bad)
		}
	}
}
