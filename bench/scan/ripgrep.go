package scan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	corpus "github.com/pertain-dev/pertain/bench/stream"
)

// ripgrep is the program, and the file with the patterns.
type ripgrep struct {
	path, patterns string
}

// mode is a way to start it.
type mode struct {
	name  string
	flags string
}

var (
	// asTriggers: a word is of ASCII, as it is for triggers, which is what lets
	// ripgrep use its automaton; and that may be as large as it likes.
	asTriggers = mode{"ripgrep", "--no-unicode --dfa-size-limit=1G --regex-size-limit=1G"}
	// asItComes: words are of Unicode.
	asItComes = mode{"ripgrep as it comes", ""}
)

func newRipgrep(patterns string, c *corpus.Corpus) (*ripgrep, error) {
	path, err := exec.LookPath("rg")
	if err != nil {
		return nil, errors.New("it is not installed")
	}
	return &ripgrep{path, patterns}, os.WriteFile(patterns, []byte(ripgrepPatterns(c)), 0o600)
}

var errUnfinished = errors.New("ripgrep has not finished")

// run gives the lines that match, and the processor's time.
func (r *ripgrep) run(how mode, root string, patience time.Duration) (map[fileLine]bool, time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	args := append(strings.Fields(how.flags), "-uu", "-j1", "--no-config", "--no-heading", "--null", "-n", "-f", r.patterns, root)
	cmd := exec.CommandContext(ctx, r.path, args...)
	output, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, 0, errUnfinished
	}
	if err != nil && (cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 1) { // 1: nothing matches
		return nil, 0, fmt.Errorf("ripgrep: %w", err)
	}
	found := make(map[fileLine]bool)
	for line := range bytes.Lines(output) {
		file, rest, _ := bytes.Cut(line, []byte{0})
		number, _, _ := bytes.Cut(rest, []byte{':'})
		n, err := strconv.Atoi(string(number))
		if err != nil {
			return nil, 0, errors.New("ripgrep says something that is no line of a file")
		}
		found[fileLine{string(file), n}] = true
	}
	return found, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// ripgrepPatterns writes the patterns one a line. Flags are put around the pattern
// that they are for: ripgrep 13 lets a leading group of them hold for all that follow.
func ripgrepPatterns(c *corpus.Corpus) string {
	var b strings.Builder
	for _, p := range c.Patterns {
		for _, flag := range []string{"i", "m"} {
			if rest, ok := strings.CutPrefix(p, "(?"+flag+")"); ok {
				p = "(?" + flag + ":" + rest + ")"
			}
		}
		b.WriteString(p + "\n")
	}
	return b.String()
}
