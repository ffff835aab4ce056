package stream

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain/internal/regex/regextest"
)

//go:embed peers/vectorscan.c
var vectorscanProgram string

// vectorscan runs Vectorscan's streaming mode, by a small C program.
func vectorscan() outside {
	return outside{name: "vectorscan", run: func(c *Corpus, pieces []string, quick bool) (float64, error) {
		compiler, err := exec.LookPath("cc")
		if err != nil {
			return 0, missingError{"a C compiler"}
		}
		dir, err := os.MkdirTemp("", "vectorscan")
		if err != nil {
			return 0, err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		program := filepath.Join(dir, "peer")
		build := exec.Command(compiler, "-O2", "-x", "c", "-o", program, "-", "-lhs")
		build.Stdin = strings.NewReader(vectorscanProgram)
		if build.Run() != nil {
			return 0, missingError{"libvectorscan-dev"}
		}
		cmd := exec.Command(program)
		var input, stderr bytes.Buffer
		j := job(c, pieces, "vectorscan", quick)
		text := func(s string) {
			_ = binary.Write(&input, binary.LittleEndian, uint32(len(s))) // a buffer takes everything
			input.WriteString(s)
		}
		number := func(n int) { _ = binary.Write(&input, binary.LittleEndian, uint32(n)) }
		number(int(j.Seconds * 1000))
		number(len(j.Patterns))
		for _, p := range c.Patterns {
			text(p)
		}
		number(len(c.Control))
		for _, p := range c.Control {
			number(p.Trigger)
			cut := append(regextest.Pieces(p.Text), "\n")
			number(len(cut))
			for _, piece := range cut {
				text(piece)
			}
		}
		number(len(pieces))
		for _, p := range pieces {
			text(p)
		}
		cmd.Stdin, cmd.Stderr = &input, &stderr
		output, err := cmd.Output()
		if err != nil {
			return 0, fmt.Errorf("%w: %s", err, strings.TrimSpace(stderr.String()))
		}
		var ns float64
		var missed int
		if _, err := fmt.Sscan(string(output), &ns, &missed); err != nil {
			return 0, err
		}
		if missed > 0 {
			return 0, fmt.Errorf("it misses %d planted matches", missed)
		}
		return ns, nil
	}}
}
