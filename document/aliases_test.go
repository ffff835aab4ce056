package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// written is how long a tree would be without aliases: whoever reads all of it, as those who compile it do, reads so many bytes.
func written(n *document.Node) int {
	if n == nil {
		return 0
	}
	bytes := len(n.Text) + 1
	for _, item := range n.Items {
		bytes += written(item)
	}
	for _, e := range n.Entries {
		bytes += written(e.Key) + written(e.Value)
	}
	return bytes
}

// TestAliasesOfLongTexts: an alias counts as what it stands for, in every kind of document; beyond the bound that is told, once, and nothing
// more is read.
func TestAliasesOfLongTexts(t *testing.T) {
	long := "x: &x " + strings.Repeat("x", 1023) + "\n"
	list := func(n int) string { return "[" + strings.Repeat("*x, ", n) + "]" }
	for name, text := range map[string]string{
		"a list":                          long + "globs: " + list(3000) + "\nlast: y\n",
		"several lists":                   long + strings.Repeat("k: "+list(300)+"\n", 2) + "last: y\n",
		"what must be mended":             long + "k: *.ts\nglobs: " + list(3000) + "\nlast: y\n",
		"lines of what is no YAML":        "- a: ]\n" + numbered(90, "k%d: [&x "+strings.Repeat("x", 1023)+", "+strings.Repeat("*x, ", 200)+"]\n"),
		"a second block":                  long + "name: y\nk: " + list(200) + "\n---\n---\n" + long + "globs: " + list(200) + "\n",
		"a list of lists of what is long": long + "a: &a " + list(10) + "\nb: &b [*a, *a, *a, *a, *a]\nc: [*b, *b, *b, *b, *b, *b]\nlast: y\n",
	} {
		for _, mode := range []document.Mode{document.Strict, document.Lenient, document.Documented} {
			source := diag.NewSource("a.md", "---\n"+text+"---\nbody\n")
			doc, list := document.Parse(source, mode)
			if bytes, most := written(doc.Frontmatter), 2*len(text)+256<<10; bytes > most {
				t.Errorf("%s, %v: %d bytes make a tree of %d", name, mode, len(text), bytes)
			}
			told := 0
			for _, d := range list {
				if strings.Contains(d.Message, "the aliases stand for more than 262144 bytes") {
					told++
				}
			}
			parts := name == "a second block" || name == "lines of what is no YAML" // of which one too many is text
			if told > 1 || told == 0 && !parts && (mode != document.Documented || name != "what must be mended") {
				t.Errorf("%s, %v: told %d times: %v", name, mode, told, list)
			}
			if last := doc.Frontmatter.Get("last"); mode != document.Documented && last != nil {
				t.Errorf("%s, %v: what follows was read", name, mode)
			}
		}
	}
}

// TestAliasesInUse: what people write is far from the bound.
func TestAliasesInUse(t *testing.T) {
	globs := "[" + numbered(100, "\"packages/part%d/src/**/*.{ts,tsx}\", ") + "]"
	text := "---\nx: &x " + globs + "\ny: &y '" + strings.Repeat("(?:some|thing)", 50) + "'\n" + numbered(40, "k%d: {globs: *x, condition: *y}\n") + "---\nbody\n"
	for _, mode := range []document.Mode{document.Strict, document.Lenient, document.Documented} {
		if doc, list := document.Parse(diag.NewSource("a.md", text), mode); len(list) > 0 || doc.Frontmatter.Get("k39").Get("globs") != doc.Frontmatter.Get("x") {
			t.Errorf("%v: %v", mode, list)
		}
	}
}

// TestEffortOfAliases: what aliases stand for counts as bytes that are read, as often as those of huge texts.
func TestEffortOfAliases(t *testing.T) {
	text := func(aliases int) string { return "x: &x abc\ny: [" + strings.Repeat("*x,", aliases) + "]\n" }
	for _, aliases := range []int{0, 1, 100} {
		plain := len(text(aliases))
		want := plain + 4*aliases*len("abc,")
		doc, _ := document.Parse(diag.NewSource("a.md", "---\n"+text(aliases)+"---\nbody\n"), document.Strict)
		if got := doc.Effort(); got != want {
			t.Errorf("%d aliases: %d, want %d", aliases, got, want)
		}
		if _, _, got := document.ParseYAMLCounted(diag.NewSource("a.yaml", text(aliases))); got != want {
			t.Errorf("%d aliases in a file of YAML: %d, want %d", aliases, got, want)
		}
	}
	// Of two blocks the aliases of each count once.
	block := "description: &x abc\nname: *x\n"
	doc, _ := document.Parse(diag.NewSource("a.md", "---\n"+block+"---\n---\n"+block+"---\nbody\n"), document.Lenient)
	if got, want := doc.Effort(), 2*(len(block)+4*len("abc,"))+256; got != want {
		t.Errorf("two blocks: %d, want %d", got, want)
	}
	if _, problems := document.ParseYAML(diag.NewSource("a.yaml", fmt.Sprintf("a: &x %s\nb: *x\n", strings.Repeat("x", 256<<10)))); len(problems) != 1 {
		t.Errorf("one alias of what is longer than the bound: %v", problems)
	}
}
