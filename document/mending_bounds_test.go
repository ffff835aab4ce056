package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// mended is how many edits mend the fields of a rule, and whether they were salvaged line by line instead.
func mended(t *testing.T, fields string) (edits int, salvaged bool) {
	t.Helper()
	doc, _ := document.Parse(diag.NewSource("a.md", "---\n"+fields+"---\nbody\n"), document.Lenient)
	return len(doc.Edits), doc.Salvaged
}

func numbered(count int, format string) string {
	var b strings.Builder
	for i := range count {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestManyValuesWithAColon: values of keys that have a colon are mended together, however many there are.
func TestManyValuesWithAColon(t *testing.T) {
	if edits, salvaged := mended(t, numbered(30, "k%d: a: b\n")); edits != 30 || salvaged {
		t.Errorf("%d edits, salvaged: %v", edits, salvaged)
	}
}

// TestReadingsAreBounded: which edits are not needed is found out by reading the text without each; that is not done
// more often than a text may be read. Those that are surely needed take no reading.
func TestReadingsAreBounded(t *testing.T) {
	for name, c := range map[string]struct {
		fields      string
		least, most int // edits that are left
	}{
		"a few that are not needed":           {"globs: [" + numbered(10, "{a%d}, ") + "*.ts]\n", 1, 1},
		"more of them than readings":          {"globs: [" + numbered(60, "{a%d}, ") + "*.ts]\n", 40, 60},
		"one before many that are needed":     {"globs: [{a}" + numbered(40, ", *.%d") + "]\n", 40, 40},
		"one that is not needed, and no more": {"globs: [{a}, *.ts]\n", 1, 1},
	} {
		if edits, salvaged := mended(t, c.fields); edits < c.least || edits > c.most || salvaged {
			t.Errorf("%s: %d edits, salvaged: %v", name, edits, salvaged)
		}
	}
}

// TestReadBytesAreBounded: a text is mended and read again as long as any of the bytes are left that may be read for it.
func TestReadBytesAreBounded(t *testing.T) {
	const bytes, each = 256 << 10, 1 << 10 // what may be read, and what a reading costs beside its length
	text := func(line string, length int) string {
		return line + "#" + strings.Repeat("x", length-len(line)-2) + "\n"
	}
	for name, c := range map[string]struct {
		line  string
		grows int // what its edits add to it
		left  int // bytes, after it was read once as it is and once as it was mended
		edits int
	}{
		"none left": {"globs: [{a}, *.ts]\n", 4, 0, 2},
		"one left":  {"globs: [{a}, *it's]\n", 5, 1, 1},
	} {
		length := (bytes - 2*each - c.grows - c.left) / 2
		if edits, salvaged := mended(t, text(c.line, length)); edits != c.edits || salvaged {
			t.Errorf("%s: %d edits, salvaged: %v", name, edits, salvaged)
		}
	}
	if edits, salvaged := mended(t, text("globs: *.ts\n", bytes+1)); edits != 0 || !salvaged {
		t.Errorf("a text that cannot be read twice: %d edits, salvaged: %v", edits, salvaged)
	}
}

// TestValuesOfSeveralLines: a value that goes on in other lines is mended by a reading of its own, of which there are
// no more than eight.
func TestValuesOfSeveralLines(t *testing.T) {
	for count, want := range map[int]int{7: 8, 8: 0} { // and the one before them
		if edits, salvaged := mended(t, "k: *a\n"+numbered(count, "k%d: *b\n  more\n")); edits != want || salvaged != (want == 0) {
			t.Errorf("%d of them: %d edits, salvaged: %v", count, edits, salvaged)
		}
	}
	// What is wrong after a text in quotes is another mistake than a colon.
	for count, want := range map[int]int{6: 8, 7: 0} {
		if edits, salvaged := mended(t, "q: \"a: b\" x\nk: c: d\n"+numbered(count, "k%d: *b\n  more\n")); edits != want || salvaged != (want == 0) {
			t.Errorf("%d of them, and a text in quotes: %d edits, salvaged: %v", count, edits, salvaged)
		}
	}
}

// TestSpaceAfterAList: what is wrong right after a list is not mended by quoting what is in it.
func TestSpaceAfterAList(t *testing.T) {
	if edits, salvaged := mended(t, "name: x\nglobs: [a, {b,c}]\u00A0\n"); edits != 0 || !salvaged {
		t.Errorf("%d edits, salvaged: %v", edits, salvaged)
	}
}

// TestEffort: what is read again to be mended counts again, and the more the longer it is.
func TestEffort(t *testing.T) {
	comment := func(length int) string { return "#" + strings.Repeat("x", length-2) + "\n" }
	const again = 256 // what a reading takes beside its text
	for name, c := range map[string]struct {
		fields string
		want   int
	}{
		"short":                   {"name: x\n", 8},
		"as long as people write": {comment(2 << 10), 2 << 10},
		"longer":                  {comment(2<<10 + 1), 2 * (2<<10 + 1)},
		"long":                    {comment(256 << 10), 2 * (256 << 10)},
		"huge":                    {comment(256<<10 + 1), 4 * (256<<10 + 1)},
		"mended":                  {"name: *a\n", 9 + again + 9 + again + 11},
	} {
		doc, _ := document.Parse(diag.NewSource("a.md", "---\n"+c.fields+"---\nbody\n"), document.Lenient)
		if got := doc.Effort(); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	if doc, _ := document.Parse(diag.NewSource("a.md", "body\n"), document.Lenient); doc.Effort() != 0 {
		t.Errorf("no frontmatter: %d", doc.Effort())
	}
}

// TestLongLines: of a text that is no YAML, a value that is very long is text.
func TestLongLines(t *testing.T) {
	for length, list := range map[int]bool{4 << 10: true, 4<<10 + 1: false} {
		value := "[" + strings.Repeat("a", length-2) + "]"
		doc, _ := document.Parse(diag.NewSource("a.md", "---\nglobs: "+value+"\n- a: ]\n---\nbody\n"), document.Lenient)
		if globs := doc.Frontmatter.Get("globs"); !doc.Salvaged || (globs.Kind == document.Sequence) != list {
			t.Errorf("%d bytes: salvaged: %v, %s", length, doc.Salvaged, globs.Kind)
		}
	}
}

// TestHugeIsNotMended: a frontmatter that is huge is not mended; what is no mistake of its notation stays.
func TestHugeIsNotMended(t *testing.T) {
	huge := "#" + strings.Repeat("x", 256<<10) + "\n"
	doc, list := document.Parse(diag.NewSource("a.md", "---\nname: !x\n"+huge+"---\nbody\n"), document.Lenient)
	if doc.Salvaged || doc.Frontmatter.Get("name") == nil || len(list) != 1 {
		t.Errorf("a tag: salvaged: %v, %v", doc.Salvaged, list)
	}
	if doc, list := document.Parse(diag.NewSource("a.md", "---\nname: *x y\n"+huge+"---\nbody\n"), document.Strict); len(doc.Edits) != 0 || !list.HasErrors() {
		t.Errorf("strict: %v, %v", doc.Edits, list)
	}
}
