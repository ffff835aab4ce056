package format_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/format"
)

var order = []string{"schema", "id", "name", "priority", "when"}

func TestFrontmatter(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"in order":   {"name: \"X\"\nwhen: true\n", "name: \"X\"\nwhen: true\n"},
		"order":      {"when:\n  all:\n    - true\nname: X\nid: a\n", "id: a\nname: X\nwhen:\n  all:\n    - true\n"},
		"unknown":    {"zebra: 1\nwhen: true\nape: 2\nname: X\n", "name: X\nwhen: true\nzebra: 1\nape: 2\n"},
		"comments":   {"# about when\nwhen: true # why\n\n# about name\nname: X\n", "# about name\nname: X\n# about when\nwhen: true # why\n"},
		"inner":      {"when: # inner\n  # below\n  true\nname: X\n", "name: X\nwhen: # inner\n  # below\n  true\n"},
		"header":     {"# licence\n\nwhen: true\nname: X\n", "# licence\n\nname: X\nwhen: true\n"},
		"footer":     {"when: true\nname: X\n# the end\n", "name: X\nwhen: true\n# the end\n"},
		"quotes":     {"name: 'X'\nid: 'it''s'\n", "id: \"it's\"\nname: \"X\"\n"},
		"expression": {"when: {clipboard.text: {regex: '\\d \"x\"', contains: 'a'}}\n", "when: {clipboard.text: {regex: '\\d \"x\"', contains: \"a\"}}\n"},
		"block text": {"when: |\n  # no comment\n\n  text\nname: X\n", "name: X\nwhen: |\n  # no comment\n\n  text\n"},
		"keep":       {"when: |+\n  text\n\nname: X\n", "name: X\nwhen: |+\n  text\n\n"},
		"keep last":  {"when: true\nname: |+\n  text\n\n", "name: |+\n  text\n\nwhen: true\n"},
		"keep more":  {"when: |2+ # why\n  text\n\n\n# about name\nname: X\n", "# about name\nname: X\nwhen: |2+ # why\n  text\n\n\n"},
		"keep inner": {"when:\n  all:\n    - >+\n      text\n\nname: X\n", "name: X\nwhen:\n  all:\n    - >+\n      text\n\n"},
		"no keep":    {"when: | # a+b\n  text\n\nname: X\n", "name: X\nwhen: | # a+b\n  text\n"},
		"anchor":     {"when: &a {clipboard.text: {contains: x}}\nname: X\nid: y\n", "id: y\nname: X\nwhen: &a {clipboard.text: {contains: x}}\n"},
		"alias":      {"priority: &p 5\nid: *p\n", "priority: &p 5\nid: *p\n"},
		"flow":       {"{when: true, name: X}\n", "{when: true, name: X}\n"},
		"empty":      {"", ""},
		"crlf":       {"when: true\r\nname: 'X'\r\n", "name: \"X\"\r\nwhen: true\r\n"},
	} {
		body := "\nThe 'body'\n---\nstays.\n"
		if strings.Contains(tt.text, "\r") {
			body = strings.ReplaceAll(body, "\n", "\r\n")
		}
		file := func(front string) string { return "---\n" + front + "---" + body }
		got, err := format.Frontmatter(file(tt.text), order)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(file(tt.want), got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		again, err := format.Frontmatter(got, order)
		if err != nil || again != got {
			t.Errorf("%s: formatting again changes it: %v\n%s", name, err, cmp.Diff(got, again))
		}
	}
	for _, text := range []string{"", "no frontmatter\n", "---\nname: [\n---\n", "---\nname: a\nname: b\n---\n", "---\nname: a\n"} {
		if got, err := format.Frontmatter(text, order); err == nil {
			t.Errorf("%q was formatted: %q", text, got)
		}
	}
}

// many is a file with so many fields that no format knows, and two that are not in order before and after them.
func many(count int) (text, want string) {
	var fields strings.Builder
	for i := range count {
		fmt.Fprintf(&fields, "k%d: %d\n", i, i)
	}
	return "---\nwhen: true\n" + fields.String() + "name: 'X'\n---\nbody\n", "---\nname: \"X\"\nwhen: true\n" + fields.String() + "---\nbody\n"
}

// TestManyFields: those that no format knows stay in their order, however many they are.
func TestManyFields(t *testing.T) {
	text, want := many(20_000)
	if got, err := format.Frontmatter(text, order); err != nil || got != want {
		t.Errorf("%v: %d bytes, want %d", err, len(got), len(want))
	}
}

// TestEffort: a file in its form is read once, and each change is read once more.
func TestEffort(t *testing.T) {
	for fields, times := range map[string]int{"name: X\nwhen: true\n": 1, "name: 'X'\nwhen: true\n": 2, "when: true\nname: X\n": 2, "when: true\nname: 'X'\n": 3, "name: [\n": 1} {
		text := "---\n" + fields + "---\n"
		_, effort, _ := format.FrontmatterCounted(text, order)
		doc, _ := document.Parse(diag.NewSource("", text), document.Strict)
		if want := times * doc.Effort(); effort != want {
			t.Errorf("%q: %d, want %d", text, effort, want)
		}
	}
}

// BenchmarkManyFields shows whether the time for each field grows with their number.
func BenchmarkManyFields(b *testing.B) {
	for _, count := range []int{5_000, 20_000} {
		text, _ := many(count)
		b.Run(strconv.Itoa(count), func(b *testing.B) {
			for b.Loop() {
				if _, err := format.Frontmatter(text, order); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*count), "ns/field")
		})
	}
}

// FuzzFrontmatter: whatever the file, formatting it twice is formatting it once.
func FuzzFrontmatter(f *testing.F) {
	for _, text := range []string{
		"---\nwhen: true\nname: 'x'\n---\nbody", "---\n# a\n\nwhen: {a: 'b'}\n\n# c\nid: *x\n---\n", "---\r\nwhen: |\r\n  a\r\nid: 'b'\r\n---\r\n", "---\n? a\n: b\nname: x\n---\n",
		"---\nwhen:\n- 'a'\n#x\nname: y\n\n---\n", "---\n\"when\": 1\n'name': 2\n---\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once, err := format.Frontmatter(text, order)
		if err != nil {
			return
		}
		twice, err := format.Frontmatter(once, order)
		if err != nil || twice != once {
			t.Errorf("%q: %q, then %q, %v", text, once, twice, err)
		}
	})
}
