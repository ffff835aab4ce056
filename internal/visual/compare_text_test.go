package visual

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/glob"
)

func TestNeedle(t *testing.T) {
	const long = "The quick brown fox jumps over the lazy dog. "
	for _, c := range []struct {
		needle, text string
		in, equal    bool
	}{
		{"", "", true, true},
		{"", "x", true, false},
		{"a", "", false, false},
		{"a", "A", true, true},
		{"error", long + "ERROR", true, false},
		{"error", "ErRoR" + long, true, false},
		{"error", long + "errr error", true, false},
		{"error", "xrror" + long, false, false},
		{"error", long + "erro", false, false},
		{"k", "\u212a", true, true},
		{"\u212a", long + "K", true, false},
		{"desk", "de\u017fk", true, true},
		{"desks", "the DE\u017f\u212a\u017f", true, false},
		{"straße", "STRASSE", false, false},
		{"É", "é", true, true},
		{"ÉÉ", "xéé", true, false},
		{"日本", "x日本x", true, false},
		{"[x]", "a[X]b", true, false},
		{"[x]", "a{X}b", false, false}, // differs in the bit of lower case alone
		{"{x}", "[X]", false, false},
		{"@a", "`a", false, false},
		{"z", "Z", true, true},
		{"a", "xxxxAxxx", true, false},    // one character, eight bytes
		{"error", "rrorxx", false, false}, // its beginning would stand before the text
		{"\xff", "\xff", true, true},
		{"\xff", "\xfe", false, false},
		{"\xff", "\U0010ff01", false, false},
		{"\xffa", "\xffA", true, true},
		{"\xffa", "\xfea", false, false},
		{"\xffa", "\U0010ff01a", false, false},
		{"\ufffd", "\xff", false, false},
		{"\ufffd", "\xff\xff\xff", false, false},
		{"\ufffd", "\xefab", false, false},
		{"\ufffd", "x\ufffd", true, false},
		{"\ufffda", "\xff\xff\xffa", false, false},
		{"\ufffda", "xx\xbda", false, false},
		{"\ufffda", "abcd", false, false},
		{"\ufffda", "x\ufffdA", true, false},
	} {
		n := newNeedle(c.needle, false)
		if n.in(c.text) != c.in || n.equals(c.text) != c.equal {
			t.Errorf("%q in %q: %v, equal %v", c.needle, c.text, n.in(c.text), n.equals(c.text))
		}
		if c.equal && !picks(n, c.text) {
			t.Errorf("%q is ruled out for %q", c.text, c.needle)
		}
	}
}

// A needle is found wherever it stands, and one that differs in any of its characters is not.
func TestNeedleAnywhere(t *testing.T) {
	for _, needle := range []string{"q", "qz", "error", "ärger"} {
		n := newNeedle(needle, false)
		for before := range 20 {
			for after := range 20 {
				text := strings.Repeat("-", before) + strings.ToUpper(needle) + strings.Repeat("-", after)
				if !n.in(text) {
					t.Errorf("%q is not found in %q", needle, text)
				}
				for i := range needle {
					if i > 0 && needle[i] < utf8.RuneSelf {
						other := strings.Repeat("-", before) + needle[:i] + "#" + needle[i+1:] + strings.Repeat("-", after)
						if n.in(other) {
							t.Errorf("%q is found in %q", needle, other)
						}
					}
				}
			}
		}
	}
}

// A text that is nearly the needle everywhere would take the product of both lengths, which is minutes here.
func TestNeedleLong(t *testing.T) {
	text := strings.Repeat("zZ", 1_000_000)
	for _, c := range []struct {
		needle, text string
		want         bool
	}{
		{strings.Repeat("z", 200_000) + "y", text, false},
		{strings.Repeat("z", 200_000) + "y", text + "Y", true},
		{"y" + strings.Repeat("Z", 200_000), text, false},
		{strings.Repeat("é", 100_000) + "è", strings.Repeat("É", 1_000_000), false},
		{strings.Repeat("é", 100_000), strings.Repeat("É", 1_000_000), true},
	} {
		if got := newNeedle(c.needle, false).in(c.text); got != c.want {
			t.Errorf("%d bytes in %d: %v", len(c.needle), len(c.text), got)
		}
	}
}

// picks says whether an element with this name is picked for a closer look.
func picks(n *needle, name string) bool {
	tree := facts.NewTree([]facts.Element{{Name: name, HasName: true, Parent: -1}}, nil)
	return len(n.pickNamed(tree, []int32{0}, make([]int32, 1))) == 1
}

// A look at the ends is worth it: it rules out most names.
func TestPickNamed(t *testing.T) {
	for _, c := range []struct {
		needle        string
		caseSensitive bool
		name          string
		want          bool
	}{
		{"save", false, "SAVE", true},
		{"save", true, "SAVE", false},
		{"save", true, "save", true},
		{"save", false, "Share", true}, // s may be longer, so a name of five bytes may be equal
		{"save", false, "Send", false},
		{"save", false, "Open", false},
		{"save", false, "Sa", false},
		{"save", false, "se", false},
		{"save", false, "\u017fave", true},
		{"save", false, "Save as", false},
		{"É", false, "é", true},
		{"", false, "x", false},
		{"", false, "", true},
	} {
		if got := picks(newNeedle(c.needle, c.caseSensitive), c.name); got != c.want {
			t.Errorf("%q for %q (case %v): %v", c.name, c.needle, c.caseSensitive, got)
		}
	}
}

func FuzzNeedle(f *testing.F) {
	f.Add("error", "some longer text with an Error in it")
	f.Add("\u212aſ", "sk KS \u212aſ")
	f.Add("É", "\xc3\xa9\xc3")
	f.Add("zoo", "ZOO")
	f.Fuzz(func(t *testing.T, part, text string) {
		if !utf8.ValidString(part) {
			return // then a search by bytes may begin inside a character
		}
		folded := glob.Fold(text)
		n := newNeedle(part, false)
		if got, want := n.in(text), strings.Contains(folded, n.text); got != want {
			t.Errorf("%q in %q: %v", part, text, got)
		}
		if got, want := n.equals(text), folded == n.text; got != want {
			t.Errorf("%q equals %q: %v", part, text, got)
		}
		if n.equals(text) && !picks(n, text) || !picks(newNeedle(text, true), text) {
			t.Errorf("%q is ruled out for %q", text, part)
		}
		if !n.in(part) || !n.equals(part) {
			t.Errorf("%q does not find itself", part)
		}
		if folded == n.text && hashFolded(part) != hashFolded(text) {
			t.Errorf("%q and %q have different hashes", part, text)
		}
	})
}

// Names with one hash stay apart.
func TestNameIndexCollision(t *testing.T) {
	seen := map[uint32]string{}
	for i := 0; ; i++ {
		name := fmt.Sprint("name ", i)
		h := hashFolded(name)
		other, taken := seen[h]
		if !taken {
			seen[h] = name
			continue
		}
		x := newNameIndex(facts.NewTree([]facts.Element{
			{Name: name, HasName: true, Parent: -1}, {Name: other, HasName: true, Parent: -1}, {Parent: -1}, {Name: strings.ToUpper(name), HasName: true, Parent: -1},
		}, nil), &step{any: true})
		if got := x.find(name); len(got) != 2 || got[0] != 0 || got[1] != 3 {
			t.Errorf("%q is at %v", name, got)
		}
		if got := x.find(other); len(got) != 1 || got[0] != 1 {
			t.Errorf("%q is at %v", other, got)
		}
		return
	}
}

// A table with names at each second slot alone still tells what is not in it.
func TestNameIndexCrowded(t *testing.T) {
	var names []string
	for i := 0; len(names) < 5; i++ {
		if name := fmt.Sprint("name ", i); hashFolded(name)%2 == 0 {
			names = append(names, name)
		}
	}
	elements := make([]facts.Element, 4)
	for i := range elements {
		elements[i] = facts.Element{Name: names[i], HasName: true, Parent: -1}
	}
	x := newNameIndex(facts.NewTree(elements, nil), &step{any: true})
	for i, name := range names {
		if got := x.find(name); len(got) != min(1, 4-i) || len(got) == 1 && got[0] != int32(i) {
			t.Errorf("%q is at %v", name, got)
		}
	}
}
