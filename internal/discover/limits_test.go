package discover_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// TestInstructionLimits: what the settings of OpenCode may name, at the boundaries.
func TestInstructionLimits(t *testing.T) {
	for _, c := range []struct {
		count   int // of files
		pattern string
		times   int // the pattern
		rules   int
		told    string
	}{
		{200, "d/*.md", 1, 200, ""},
		{201, "d/*.md", 1, 200, "200 files"},
		{1, "z/*.md", 1000, 0, ""},
		{1, "z/*.md", 1001, 0, "more than can be compared"},
		{2, "d/" + strings.Repeat("{a,b}", 9) + "*", 200, 0, "more than can be compared"},
	} {
		w := newWorld(files.Unix, nil)
		for i := range c.count {
			w.tree.WriteFile(fmt.Sprintf("/w/d/%03d.md", i), "x")
		}
		w.tree.WriteFile("/w/opencode.json", `{"instructions": [`+strings.TrimSuffix(strings.Repeat(`"`+c.pattern+`",`, c.times), ",")+`]}`)
		set := w.load(t, w.roots("/w"))
		told := fmt.Sprint(set.Warnings())
		if len(set.All()) != c.rules || (len(set.Warnings()) > 0) != (c.told != "") || !strings.Contains(told, c.told) {
			t.Errorf("%d files, %d times %.20s: %d rules, %.300s", c.count, c.times, c.pattern, len(set.All()), told)
		}
	}
}
