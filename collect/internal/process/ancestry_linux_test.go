package process

import (
	"os"
	"testing"
)

func TestBelow(t *testing.T) {
	own, parent := os.Getpid(), os.Getppid()
	for _, test := range []struct {
		pid, ancestor int
		want          bool
	}{
		{own, own, true}, {own, parent, true}, {parent, own, false}, {own, 1, false}, {own, 0, false}, {0, own, false}, {1 << 30, own, false},
	} {
		if got := Below(test.pid, test.ancestor); got != test.want {
			t.Errorf("Below(%d, %d) is %v", test.pid, test.ancestor, got)
		}
	}
}
