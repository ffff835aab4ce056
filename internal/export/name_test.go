package export

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// TestNamesTaken: each rule has a file of its own, numbered in their order.
func TestNamesTaken(t *testing.T) {
	for _, tt := range []struct{ names, want string }{
		{"a b c", "a b c"},
		{"a A a A", "a A-2 a-3 A-4"},
		{"a a-2 a a", "a a-2 a-3 a-4"},
		{"a a a-2 a-2 a", "a a-2 a-2-2 a-2-3 a-3"},
		{"a-3 a a a A-2 a", "a-3 a a-2 a-4 A-2-2 a-5"},
		{"x/y x-y X/y", "x/y x-y X/y-2"},
		{"e\u0301 \u00e9", "e\u0301 \u00e9-2"}, // one letter, written in two ways
		{"con .. nul. con", "rule-con rule rule-nul rule-con-2"},
	} {
		taken := names{}
		var got []string
		for name := range strings.FieldsSeq(tt.names) {
			got = append(got, taken.take(name, true))
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.names, got, tt.want)
		}
	}
}

// TestManyNamesTaken: the search for a free name does not begin anew for each of many rules whose files have one name. What it
// allocates counts its steps.
func TestManyNamesTaken(t *testing.T) {
	const count = 2_000
	for what, name := range map[string]func(i int) string{
		"too long": func(i int) string { return strings.Repeat("a", 200) + strconv.Itoa(i) },
		"case": func(i int) string {
			letters := []byte("abcdefghijkl")
			for bit := range letters {
				letters[bit] -= byte(i >> bit & 1 * ('a' - 'A'))
			}
			return string(letters)
		},
	} {
		taken, seen := names{}, map[string]bool{}
		var last string
		for i := range count {
			last = taken.take(name(i), true)
			if seen[sameFile(last)] {
				t.Fatalf("%s: %s is taken twice", what, last)
			}
			seen[sameFile(last)] = true
		}
		if want := "-" + strconv.Itoa(count); !strings.HasSuffix(last, want) {
			t.Errorf("%s: the last is %s, want %s at its end", what, last, want)
		}
		next := count
		few := testing.AllocsPerRun(10, func() { next++; taken.take(name(next), true) })
		if few > 100 {
			t.Errorf("%s: one more name takes %v allocations", what, few)
		}
	}
}

// TestManyImported: each rule that is imported is read back once, and not looked for among all others.
func TestManyImported(t *testing.T) {
	allocations := func(count int) float64 {
		var list []importing
		f := native()
		for i := range count {
			one := Rule{Name: fmt.Sprintf("r%d", i), Text: "text"}
			at := f.place(one)
			list = append(list, importing{file: &Imported{Path: "/d/" + one.Name + f.End, text: "---\nalwaysApply: true\n---\n\ntext\n"}, at: at})
		}
		n := testing.AllocsPerRun(1, func() {
			if err := readBackNative(t.Context(), list, "/d"); err != nil {
				t.Fatal(err)
			}
		})
		for _, item := range list {
			if len(item.at.lost) > 0 {
				t.Fatalf("%s: %q", item.file.Path, item.at.lost)
			}
		}
		return n
	}
	if few, many := allocations(200), allocations(800); many > 5*few {
		t.Errorf("200 rules take %v allocations, 800 take %v", few, many)
	}
}
