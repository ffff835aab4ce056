package patch_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/patch"
)

func TestUnified(t *testing.T) {
	for _, tt := range []struct {
		name, old string
		existed   bool
		text      string
		want      string
	}{
		{"dir/a", "one\ntwo\n", true, "one\nthree\n", "--- a/dir/a\n+++ b/dir/a\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n"},
		{"/abs/a", "", false, "one\n", "--- /dev/null\n+++ b/abs/a\n@@ -0,0 +1,1 @@\n+one\n"},
		{"a", "one\n", true, "", "--- a/a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one\n"},
		{"a", "", true, "one\n", "--- a/a\n+++ b/a\n@@ -0,0 +1,1 @@\n+one\n"},
		{"a", "same\n", true, "same\n", ""},
	} {
		if got := patch.Unified(tt.name, tt.old, tt.existed, tt.text); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestNames: whatever a file is called, its name is one line that patch(1) and git read as that name.
func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"a/b.md":                   "a/b.md",
		"a/Ünïcode–日本.md":          "a/Ünïcode–日本.md",
		"two words.md":             "two words.md\t",
		"x\n--- a\n+++ b\n+EVIL":   `"x\n--- a\n+++ b\n+EVIL"`,
		"tab\there":                `"tab\there"`,
		"a\ab\bv\vf\fr\r":          `"a\ab\bv\vf\fr\r"`,
		"say \"x\"":                `"say \"x\""`,
		"\x1b[31mred\x7f":          `"\033[31mred\177"`,
		"no\xffutf8":               `"no\377utf8"`,
		"next\u0085line\u2028sep":  `"next\302\205line\342\200\250sep"`,
		"right\u202eto left\u200b": `"right\342\200\256to left\342\200\213"`,
	} {
		if got := patch.Header(name, name); got != "--- "+want+"\n+++ "+want+"\n" {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
		want = strings.NewReplacer("<", "a/", ">", "b/").Replace(prefixed(want))
		if got := patch.Unified(name, "one\n", true, "two\n"); got != want+"@@ -1,1 +1,1 @@\n-one\n+two\n" {
			t.Errorf("%q: %q, want %q above the lines", name, got, want)
		}
	}
	if filepath.Separator == '/' {
		if got := patch.Header(`back\slash`, `x`); got != `--- "back\\slash"`+"\n+++ x\n" {
			t.Errorf("%q", got)
		}
	}
}

// prefixed is the header of a name with marks for the folders `a` and `b` before it, inside of its quotes.
func prefixed(name string) string {
	rest, ok := strings.CutPrefix(name, `"`)
	quote := ""
	if ok {
		quote = `"`
	}
	return "--- " + quote + "<" + rest + "\n+++ " + quote + ">" + rest + "\n"
}
