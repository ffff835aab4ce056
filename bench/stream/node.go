package stream

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/pertain-dev/pertain/internal/regex/regextest"
)

//go:embed peers/node.js
var nodeProgram string

// nodePeer runs JavaScript's RegExp on every piece: over the current line, or over
// the whole buffer.
func nodePeer(name string) outside {
	return outside{name: name, run: func(c *Corpus, pieces []string, quick bool) (float64, error) {
		node, err := exec.LookPath("node")
		if err != nil {
			return 0, missingError{"node"}
		}
		return external(exec.Command(node, "-e", nodeProgram), job(c, pieces, name, quick))
	}}
}

// externalJob is what a peer in another process is told.
type externalJob struct {
	Mode     string      `json:"mode"`
	Seconds  float64     `json:"seconds"` // how long it may measure
	Patterns [][2]string `json:"patterns"`
	Control  [][]any     `json:"control"` // trigger, then pieces
	Pieces   []string    `json:"pieces"`
}

func job(c *Corpus, pieces []string, mode string, quick bool) externalJob {
	j := externalJob{Mode: mode, Seconds: 3, Pieces: pieces}
	if quick {
		j.Seconds = 0.5
	}
	for _, p := range c.Patterns {
		flags := ""
		if rest, ok := strings.CutPrefix(p, "(?i)"); ok {
			p, flags = rest, "i"
		} else if rest, ok := strings.CutPrefix(p, "(?m)"); ok {
			p, flags = rest, "m"
		}
		j.Patterns = append(j.Patterns, [2]string{p, flags})
	}
	for _, p := range c.Control {
		entry := []any{p.Trigger}
		for _, piece := range append(regextest.Pieces(p.Text), "\n") {
			entry = append(entry, piece)
		}
		j.Control = append(j.Control, entry)
	}
	return j
}

// external runs a peer and gives the time of a piece that it tells.
func external(cmd *exec.Cmd, job externalJob) (float64, error) {
	input, err := json.Marshal(job)
	if err != nil {
		return 0, err
	}
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), &stderr
	output, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("%w: %s", err, strings.TrimSpace(stderr.String()))
	}
	var answer struct {
		NS     float64 `json:"ns"`
		Missed int     `json:"missed"`
	}
	if err := json.Unmarshal(output, &answer); err != nil {
		return 0, err
	}
	if answer.Missed > 0 {
		return 0, errors.New(fmt.Sprint("it misses planted matches: ", answer.Missed))
	}
	return answer.NS, nil
}
