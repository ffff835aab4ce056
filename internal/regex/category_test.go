package regex_test

import (
	"encoding/json"
	"os/exec"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex"
)

// categories are the general categories by their first letter.
var categories = map[string]string{"L": "ultmo", "M": "nce", "N": "dlo", "P": "cdseifo", "S": "mcko", "Z": "slp", "C": "cfson"}

// TestDotNetCategories holds that each code point is in one category, and that
// the categories of a letter together are that letter's.
func TestDotNetCategories(t *testing.T) {
	in := func(name string) map[rune]bool {
		re, bad := regex.Compile(`\p{`+name+`}`, regex.Options{})
		if bad != nil {
			t.Fatalf("%s: %v", name, bad.Message)
		}
		set := map[rune]bool{}
		for r := rune(0); r <= unicode.MaxRune; r += 1 + r/0x3000 { // every one of the first 12,288, then ever fewer
			if !utf8.ValidRune(r) {
				continue
			}
			if matched, _ := re.MatchString(string(r), regex.Limit{}); matched {
				set[r] = true
			}
		}
		return set
	}
	owner := map[rune]string{}
	for major, minors := range categories {
		whole, parts := in(major), 0
		for _, minor := range minors {
			name := major + string(minor)
			for r := range in(name) {
				if other, taken := owner[r]; taken {
					t.Fatalf("%U is in %s and in %s", r, other, name)
				}
				owner[r] = name
				if !whole[r] {
					t.Fatalf("%U is in %s, not in %s", r, name, major)
				}
				parts++
			}
		}
		if parts != len(whole) {
			t.Errorf("the categories of %s have %d code points, %s has %d", major, parts, major, len(whole))
		}
	}
	for r := rune(0); r < 0x3000; r++ {
		if owner[r] == "" {
			t.Fatalf("%U is in no category", r)
		}
	}
	for r, want := range map[rune]string{0x378: "Cn", 'a': "Ll", '1': "Nd", '_': "Pc", 0x85: "Cc", 0xAD: "Cf"} {
		if got := owner[r]; got != want {
			t.Errorf("%U is in %s, want %s", r, got, want)
		}
	}
}

// TestDotNetCategoriesAgainstNode compares every code point that this version of
// Unicode has. Node may have a later one, in which more is assigned.
func TestDotNetCategoriesAgainstNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: nothing to compare categories with")
	}
	output, err := exec.Command(node, "-e", `
const letters = {L: "ultmo", M: "nce", N: "dlo", P: "cdseifo", S: "mcko", Z: "slp", C: "cfon"}, out = {};
for (const major in letters) for (const minor of letters[major]) {
	const re = new RegExp("\\p{" + major + minor + "}", "u"), list = out[major + minor] = [];
	for (let c = 0; c < 0x20000; c++) if ((c < 0xD800 || c > 0xDFFF) && re.test(String.fromCodePoint(c))) list.push(c);
}
process.stdout.write(JSON.stringify(out));`).Output()
	if err != nil {
		t.Fatal(err)
	}
	var theirs map[string][]rune
	if err := json.Unmarshal(output, &theirs); err != nil {
		t.Fatal(err)
	}
	unassigned, _ := regex.Compile(`\p{Cn}`, regex.Options{})
	moved := map[rune]bool{0x0295: true, 0x1171E: true} // to another category after Unicode 15
	differences := 0
	for name, runes := range theirs {
		re, bad := regex.Compile(`\p{`+name+`}`, regex.Options{})
		if bad != nil {
			t.Fatalf("%s: %v", name, bad.Message)
		}
		for _, r := range runes {
			matched, _ := re.MatchString(string(r), regex.Limit{})
			later, _ := unassigned.MatchString(string(r), regex.Limit{})
			if !matched && !later && !moved[r] && differences < 20 {
				differences++
				t.Errorf("%U is not in %s, for node it is", r, name)
			}
		}
	}
}
