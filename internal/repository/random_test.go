package repository_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

// TestRandomChanges compares what is found with what git says, after each of many
// random edits and calls of git.
func TestRandomChanges(t *testing.T) {
	steps := 60
	if testing.Short() {
		steps = 15
	}
	answers := map[string]int{}
	for seed := range uint64(3) {
		w := newWorld(t)
		random := rand.New(rand.NewPCG(seed, 7)) //nolint:gosec // a test wants the same numbers again
		w.write(".gitignore", "*.o\nbuild/\n!keep.o\n")
		var done []string
		for range steps {
			done = append(done, randomStep(w, random))
			truth, told := w.truth(), w.told()
			answers[told]++
			if told != truth && told != "it is a setting of the repository whether the mode of a file counts" {
				t.Fatalf("seed %d: %q, but git says %q\n%s\nafter %q", seed, told, truth, w.git("status", "--porcelain"), done)
			}
		}
	}
	if answers["yes"] < steps/3 || answers["no"] < steps/3 {
		t.Errorf("the edits are one-sided: %v", answers)
	}
}

func randomStep(w *world, random *rand.Rand) string {
	names := []string{"a.txt", "sub/b.txt", "sub/deep/c.txt", "sub-1", "n.o", "keep.o", "build/x", "sub/new", "x/y/z", "sub/build/k", "ü"}
	name := names[random.IntN(len(names))]
	switch random.IntN(14) {
	case 0, 1:
		text := fmt.Sprintln(random.IntN(3))
		if info, err := os.Lstat(w.path(name)); err == nil && info.Mode()&os.ModeSymlink != 0 {
			w.must(os.Remove(w.path(name)))
		}
		w.write(name, text)
		return "write " + name + " " + text
	case 2:
		_ = os.Remove(w.path(name))
		return "remove " + name
	case 3:
		if _, err := os.Stat(w.path(name)); err == nil {
			w.touch(name)
		}
		return "touch " + name
	case 4:
		w.git("add", "-A")
		return "add"
	case 5, 6, 7:
		w.git("add", "-A")
		w.git("commit", "-q", "--allow-empty", "-m", "next")
		return "commit"
	case 8, 9:
		w.git("reset", "-q", "--hard")
		w.git("clean", "-qfd")
		return "reset"
	case 10:
		w.git("gc", "-q")
		return "gc"
	case 11:
		w.settle()
		return "settle"
	case 12:
		w.git("update-index", "-q", "--refresh", "--index-version", fmt.Sprint(2+2*random.IntN(2)))
		return "index version"
	default:
		if _, err := os.Lstat(w.path(name)); err == nil {
			w.must(os.Remove(w.path(name)))
			w.must(os.Symlink("a.txt", w.path(name)))
		}
		return "link " + name
	}
}
