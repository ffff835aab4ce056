package process

import (
	"os"
	"testing"

	"github.com/pertain-dev/pertain/internal/program"
)

func TestParseStat(t *testing.T) {
	p, ok := parseStat("4321 (a (b) c) S 100 4321 99 34816 4400 4194304 1 2")
	if want := (status{pid: 4321, parent: 100, group: 4321, tty: 34816, front: 4400, name: "a (b) c"}); !ok || p != want {
		t.Errorf("%+v", p)
	}
	for _, broken := range []string{"", "1 (x", "1 (x) S 1 2 3", "x (y) S 1 2 3 4 5", ")("} {
		if _, ok := parseStat(broken); ok {
			t.Errorf("%q was read", broken)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add("4321 (a (b) c) S 100 4321 99 34816 4400 4194304")
	f.Fuzz(func(_ *testing.T, text string) { parseStat(text) })
}

func TestOwnProcess(t *testing.T) {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if got := Own(os.Getpid()); got != dir {
		t.Errorf("the folder is %s, want %s", got, dir)
	}
	if Name(os.Getpid()) == "" || Name(0) != "" {
		t.Error("a process has a name, and none has none")
	}
}

// ownSearch finds what this process finds.
func ownSearch() Search {
	return Search{Env: os.Getenv, Search: func(without ...string) program.Search {
		return program.Search{Path: os.Getenv("PATH"), Without: without}
	}}
}
