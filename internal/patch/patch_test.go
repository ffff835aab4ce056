package patch_test

import (
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
