package glob_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/glob"
)

func TestSplitList(t *testing.T) {
	for _, c := range []struct {
		list string
		want []string
	}{
		{"", nil},
		{" , ,", nil},
		{"*.ts", []string{"*.ts"}},
		{"*.ts,*.tsx", []string{"*.ts", "*.tsx"}},
		{" *.ts , src/**/*.js\n", []string{"*.ts", "src/**/*.js"}},
		{"*.{ts,tsx},a", []string{"*.{ts,tsx}", "a"}},
		{"{a,{b,c}},d", []string{"{a,{b,c}}", "d"}},
		{"[,]x,y", []string{"[,]x", "y"}},
		{"[],]x,y", []string{"[],]x", "y"}},
		{`a\,b,c`, []string{`a\,b`, "c"}},
		{`"*.ts", '*.tsx'`, []string{"*.ts", "*.tsx"}},
		{`"a`, []string{"a"}},
		{`a", b`, []string{"a", "b"}},
		{"`**/*.ts`, `a`", []string{"**/*.ts", "a"}},
		{"it's, a", []string{"it's", "a"}},
		{"{a,b", []string{"{a", "b"}},
		{"[a,b", []string{"[a", "b"}},
		{"{a,[b,c},d", []string{"{a,[b,c}", "d"}},
		{"a},b", []string{"a}", "b"}},
		{"x{a,b}{c,d", []string{"x{a,b}{c", "d"}},
		{`a,\`, []string{"a", `\`}},
	} {
		var got []string
		for _, item := range glob.SplitList(c.list) {
			got = append(got, item.Text)
			if !strings.HasPrefix(c.list[item.Offset:], item.Text) {
				t.Errorf("SplitList(%q): %q is not at %d", c.list, item.Text, item.Offset)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("SplitList(%q) = %q, want %q", c.list, got, c.want)
		}
	}
}

// Lists that would take quadratic time if every opener were searched for on its own. The test is that it ends.
func TestSplitListIsLinear(t *testing.T) {
	const n = 1 << 20
	for _, list := range []string{
		strings.Repeat("{", n), strings.Repeat("[", n), strings.Repeat("[", n) + "]", strings.Repeat(`[\]`, n/3), strings.Repeat(`"`, n),
		strings.Repeat("{", n) + strings.Repeat("}", n),
	} {
		glob.SplitList(list)
	}
}

func FuzzSplitList(f *testing.F) {
	f.Add("*.{ts,tsx}, [a,b]x")
	f.Add(`'a', "b\,"`)
	f.Fuzz(func(t *testing.T, list string) {
		end := 0
		for _, item := range glob.SplitList(list) {
			if item.Text == "" || item.Offset < end || !strings.HasPrefix(list[item.Offset:], item.Text) {
				t.Fatalf("SplitList(%q): item %+v", list, item)
			}
			end = item.Offset + len(item.Text)
		}
	})
}
