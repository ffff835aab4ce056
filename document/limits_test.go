package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// TestLimits: what is as large as may be is read, and one more of anything is told where it begins.
func TestLimits(t *testing.T) {
	values := func(n int) string { return strings.Repeat("- 1\n", n) }
	// A root, a list of 1000 values, and values that are as many as make 100,000 together with 98 more of that list.
	aliases := func(n int) string {
		return "- &x [" + strings.Repeat("1,", 998) + "1]\n" + values(n) + strings.Repeat("- *x\n", 98)
	}
	// A text that counts 1024 bytes with what parts it from the next, and aliases for it.
	texts := func(n int) string { return "- &x " + strings.Repeat("x", 1023) + "\n" + strings.Repeat("- *x\n", n) }
	maps := func(n int) string { return strings.Repeat("{a: ", n) + "1" + strings.Repeat("}", n) }
	lists := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, c := range []struct{ name, text, want string }{
		{"as many bytes as are read", "#" + strings.Repeat("x", document.MaxYAML-1), ""},
		{"one byte more", "#" + strings.Repeat("x", document.MaxYAML), "0-0: the YAML text has 1048577 bytes, more than the 1048576 that are read ()"},
		{"100 lists", lists(100), ""},
		{"101 lists", lists(101), "100-100: the nesting is deeper than 100 levels (make it simpler)"},

		{"99 maps", maps(99), ""},
		{"100 maps", maps(100), "397-397: the nesting is deeper than 100 levels (make it simpler)"},
		{"a value in 100 lists", strings.Repeat("- ", 100) + "x", "200-200: the nesting is deeper than 100 levels (make it simpler)"},
		{"98 maps as a key", maps(98) + ": 1\n", "0-491: a key must be a plain word or a string, not a map (if this is a value that begins with `{` or `[`, put it in quotes)"},
		{"100,000 values", values(99_999), ""},
		{"100,001 values", values(100_000), "399998-399998: there are more than 100000 values, aliases counted with what they stand for (make it simpler)"},
		{"values that make 100,000 with their aliases", aliases(999), ""},
		{"256 KiB that aliases stand for", texts(256), ""},
		{"one alias more", texts(257), fmt.Sprintf("%[1]d-%[1]d: the aliases stand for more than 262144 bytes (make what they stand for shorter, or name it less often)", len(texts(257))-3)},
		{
			"aliases in what aliases stand for", "- &x " + strings.Repeat("x", 1023) + "\n- &y [" + strings.Repeat("*x, ", 100) + "]\n- *y\n- *y\n",
			fmt.Sprintf("%[1]d-%[1]d: the aliases stand for more than 262144 bytes (make what they stand for shorter, or name it less often)", 5+1023+1+6+400+2+5+2),
		},
		{
			"an alias as a key", "a: &x " + strings.Repeat("x", 200<<10) + "\n*x : 1\nb: {*x : 1}\n",
			fmt.Sprintf("%[1]d-%[1]d: the aliases stand for more than 262144 bytes (make what they stand for shorter, or name it less often)", 6+200<<10+1+7+4),
		},
		{"one value more", aliases(1000), fmt.Sprintf("%[1]d-%[1]d: the aliases stand for more than 100000 values (make it simpler)", len(aliases(1000))-3)},
	} {
		_, problems := document.ParseYAML(diag.NewSource("x", c.text))
		var got []string
		for _, p := range problems {
			got = append(got, fmt.Sprintf("%s: %s (%s)", at(p.Span), p.Message, p.Hint))
		}
		if all := strings.Join(got, "\n"); all != c.want {
			t.Errorf("%s: %s, want %s", c.name, all, c.want)
		}
	}
	_, list := document.Parse(diag.NewSource("x", "---\n#"+strings.Repeat("x", document.MaxYAML)+"\n---\n"), document.Strict)
	if len(list) != 1 || list[0].Span != (diag.Span{Start: 4, End: 4}) {
		t.Errorf("frontmatter that is too large: %v", list)
	}
}

// TestManyProblems: keys that are wrong are told one by one up to a number, and then how many more there are.
func TestManyProblems(t *testing.T) {
	const most = 2 * diag.MaxPerFile
	for _, key := range []string{"k: 1\n", "? [a]\n: 1\n", "<<: {a: 1}\n"} {
		for _, n := range []int{most - 1, most, most + 1, most + 3} {
			extra := ""
			if key == "k: 1\n" {
				extra = key // the first of them is no duplicate
			}
			_, problems := document.ParseYAML(diag.NewSource("x", extra+strings.Repeat(key, n)))
			more := 0
			for i, p := range problems {
				if more += p.More; p.More > 0 && i != len(problems)-1 {
					t.Errorf("%q: %d more at %d", key, p.More, i)
				}
			}
			if len(problems) != min(n, most) || more != max(0, n-most) {
				t.Errorf("%d of %q: %d problems and %d more", n, key, len(problems), more)
			}
		}
	}
	_, list := document.Parse(diag.NewSource("x", "---\n"+strings.Repeat("k: 1\n", most+3)+"---\n"), document.Strict)
	if len(list) != most+1 || !strings.Contains(list[most].Message, "2") || strings.Contains(list[most-1].Message, "2") {
		t.Errorf("%d diagnostics, the last %v", len(list), list[len(list)-1])
	}
}

// TestManyUnseen: the same for characters that no reader can see.
func TestManyUnseen(t *testing.T) {
	for _, n := range []int{diag.MaxPerFile - 1, diag.MaxPerFile, diag.MaxPerFile + 1, diag.MaxPerFile + 5} {
		list := document.Unseen(diag.NewSource("x", strings.Repeat("a\u200b\n", n-1)+"a\u202e\n"))
		want := min(n, diag.MaxPerFile)
		if n > diag.MaxPerFile {
			want++
		}
		if len(list) != want {
			t.Fatalf("%d characters: %d diagnostics", n, len(list))
		}
		last := list[len(list)-1]
		if more := n - diag.MaxPerFile; more > 0 && (!strings.Contains(last.Message, fmt.Sprint(more)) || last.Span != list[want-2].Span) {
			t.Errorf("%d more: %v %v", more, last.Message, last.Span)
		}
	}
}
