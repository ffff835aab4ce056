package document_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// TestMergeSignByAlias: an alias of `<<` is a key of that name, since YAML merges where the
// sign itself is written.
func TestMergeSignByAlias(t *testing.T) {
	n, problems := document.ParseYAML(diag.NewSource("x", "a: &m <<\n*m : b\n"))
	if len(problems) > 0 || n.Get("<<") == nil || n.Get("<<").Text != "b" {
		t.Errorf("%v", problems)
	}
}

// TestTagOfWholeText: a tag that the text begins with is shown where it stands.
func TestTagOfWholeText(t *testing.T) {
	source := diag.NewSource("x", "!t some text")
	if _, problems := document.ParseYAML(source); len(problems) != 1 || cut(source.Text(), problems[0].Span) != "!t" {
		t.Errorf("%+v", problems)
	}
}

// TestNumbersWithASign: the sign does not keep a large number from being one.
func TestNumbersWithASign(t *testing.T) {
	for text, want := range map[string]document.Kind{
		"+1e999": document.Float, "-1e999": document.Float, "+0x1FFFFFFFFFFFFFFFFF": document.Int, "+x": document.String, "x+1": document.String,
	} {
		n, _ := document.ParseYAML(diag.NewSource("x", "k: "+text+"\n"))
		if got := n.Get("k").Kind; got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

// TestPairsAreText: what looks like the two halves of a character outside of double quotes
// stays as it is written, its letters, too.
func TestPairsAreText(t *testing.T) {
	n, problems := document.ParseYAML(diag.NewSource("x", `k: \uDb12\uDc34`+"\n"))
	if len(problems) > 0 || n.Get("k").Text != `\uDb12\uDc34` {
		t.Errorf("%q %v", n.Get("k").Text, problems)
	}
}

// TestBlocksWithOtherBreaks: a block whose lines end as YAML ends them, and editors do not,
// has positions for all of its text.
func TestBlocksWithOtherBreaks(t *testing.T) {
	for _, text := range []string{"k: |\n  a\u0085  b\n", "k: |\n  a\r  b\n", "k: >\n  a\u0085  b\u0085\n  c\n", "k: |\n  a\u2028  b\n"} {
		n, problems := document.ParseYAML(diag.NewSource("x", text))
		if len(problems) > 0 {
			t.Fatalf("%q: %v", text, problems)
		}
		value := n.Get("k")
		if whole := value.SpanOf(0, len(value.Text)); whole.End != value.Span().End {
			t.Errorf("%q: the text ends at %v, its value at %v", text, whole, value.Span())
		}
		for i := range value.Text {
			if s := value.SpanOf(i, i+1); s.Start < len("k: |\n") || s.End > len(text) || s.Start > s.End {
				t.Errorf("%q: byte %d of %q is at %v", text, i, value.Text, s)
			}
		}
	}
}

// TestSecondBlockOfOneText: a second block that holds a text over several lines, one of which
// looks like a field, is no frontmatter.
func TestSecondBlockOfOneText(t *testing.T) {
	source := diag.NewSource("x", "---\nglobs: a\n---\n---\n  \"\ndescription: x\n  \"\n---\nbody\n")
	doc, _ := document.Parse(source, document.Lenient)
	if doc.Frontmatter.Get("description") != nil || !strings.HasPrefix(doc.Body, "---\n") {
		t.Errorf("%q", doc.Body)
	}
}

// TestMendingBelowAnEmptyLine: a line that cannot be read is looked at together with those
// above it, up to the first one, be it empty.
func TestMendingBelowAnEmptyLine(t *testing.T) {
	for _, line := range []string{"}", "]", "  }", "  *x", "\"", "  - ]", "`"} {
		source := diag.NewSource("x", "---\n\n"+line+"\n---\nbody\n")
		if _, list := document.Parse(source, document.Lenient); len(list) == 0 {
			t.Errorf("%q: nothing is told", line)
		}
	}
}

// TestValueAfterAnEmptyKey: a value that begins where its key ends belongs to the map.
func TestValueAfterAnEmptyKey(t *testing.T) {
	const text = "a: b\n&x: y\n"
	n, problems := document.ParseYAML(diag.NewSource("x", text))
	if len(problems) > 0 || cut(text, n.Span()) != "a: b\n&x: y" {
		t.Errorf("%q %v", cut(text, n.Span()), problems)
	}
}

// TestStandInsByName: a character that stands for half of another one, written by its number of eight digits, is not taken for it.
func TestStandInsByName(t *testing.T) {
	for _, text := range []string{`k: "\U0000E000 \ud83d\ude00"`, `k: "\U0000e400 \ud83d\ude00"`} {
		if n, problems := document.ParseYAML(diag.NewSource("x", text+"\n")); len(problems) == 0 {
			t.Errorf("%s is %q", text, n.Get("k").Text)
		}
	}
}

// TestLongLine: a line of very many values is read in one go, wherever they stand on it. Who looks for each from the
// beginning of the line needs minutes.
func TestLongLine(t *testing.T) {
	const count = 99_000
	text := "k: [" + strings.Repeat("x", 800_000) + strings.Repeat(",1", count) + "]\n"
	for range 3 {
		n, problems := document.ParseYAML(diag.NewSource("x", text))
		if len(problems) > 0 || len(n.Get("k").Items) != count+1 {
			t.Fatal(problems)
		}
		if last := n.Get("k").Items[count]; last.Span().End != len(text)-2 || cut(text, last.Span()) != "1" {
			t.Errorf("%q stands at %v of %d", last.Text, last.Span(), len(text))
		}
	}
}

// TestQuotedWithOtherBreaks: a text in quotes whose lines end as YAML ends them has positions up to its end.
func TestQuotedWithOtherBreaks(t *testing.T) {
	for _, quote := range []string{`"`, "'"} {
		text := "k: " + quote + "a\u0085b" + quote + "\n"
		n, problems := document.ParseYAML(diag.NewSource("x", text))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if value := n.Get("k"); cut(text, value.SpanOf(0, len(value.Text))) != "a\u0085b" {
			t.Errorf("%q is %q, at %q", text, value.Text, cut(text, value.SpanOf(0, len(value.Text))))
		}
	}
}
