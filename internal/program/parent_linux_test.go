package program_test

import (
	"os"
	"testing"

	"github.com/pertain-dev/pertain/internal/program"
)

func TestParent(t *testing.T) {
	if got := program.Parent(os.Getpid()); got != os.Getppid() {
		t.Errorf("%d, want %d", got, os.Getppid())
	}
	if got := program.Parent(-1); got != 0 {
		t.Errorf("nobody's parent is %d", got)
	}
}
