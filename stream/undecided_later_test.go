package stream_test

import (
	"strings"
	"testing"
)

// TestTriedFurther: what was put off is tried from where it was left when more text has come, and not from the start again.
func TestTriedFurther(t *testing.T) {
	for _, size := range []int{800, 1200} {
		st := compile(t, `(a|b)(a|b)(a|b).*\3\2\1{9}c|(z)\4`).Stream()
		text := explosive(0, size) + "zz\n"
		if fired := st.Feed(text); len(fired) > 0 {
			t.Fatalf("the test needs what is put off: %v", fired)
		}
		if fired := st.Feed(strings.Repeat(".", 12<<10)); len(fired) != 1 {
			t.Errorf("behind %d bytes it is not found before the end: %v", size, fired)
		}
	}
}
