// Package scan measures how fast many triggers are looked for in a tree of files.
package scan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/pertain-dev/pertain/bench/measure"
	corpus "github.com/pertain-dev/pertain/bench/stream"
	"github.com/pertain-dev/pertain/stream"
)

// A file has fileSize bytes; one in a hundred has planted matches.
const fileSize = 20 << 10

// Run measures 1,000 triggers over a tree of 200 MB, with --quick of 40 MB.
func Run(b *measure.Bench) error {
	total, rounds := 200<<20, 3
	if b.Quick {
		total, rounds = 40<<20, 2
	}
	for _, n := range []int{1000, 100, 5000} {
		if b.Quick && n == 5000 {
			b.Notef("5000 triggers are left out by --quick: ripgrep takes long")
			continue
		}
		if b.Late(fmt.Sprint(n, " triggers"), 10*time.Second) {
			continue
		}
		if err := one(b, corpus.NewCorpus(n), total, rounds); err != nil {
			return err
		}
	}
	return nil
}

func one(b *measure.Bench, c *corpus.Corpus, total, rounds int) error {
	dir, err := os.MkdirTemp("", "scan")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	files, err := plant(filepath.Join(dir, "tree"), c, total)
	if err != nil {
		return err
	}
	patterns := filepath.Join(dir, "patterns")
	if err := os.WriteFile(patterns, []byte(ripgrepPatterns(c)), 0o600); err != nil {
		return err
	}
	set, problems := stream.Compile(c.Triggers(), stream.Options{})
	if len(problems) > 0 {
		return fmt.Errorf("trigger %d: %s", problems[0].Trigger, problems[0])
	}
	own := measure.Case{Name: fmt.Sprintf("%d MB of files on one core", total>>20), N: len(c.Patterns)}
	var mine, theirs []float64
	for range rounds {
		start := processor()
		found, err := scan(set, files)
		if err != nil {
			return err
		}
		mine = append(mine, float64(processor()-start))
		rg, err := exec.LookPath("rg")
		if err != nil {
			b.Notef("ripgrep is left out: it is not installed")
			break
		}
		cmd := exec.Command(rg, "-j1", "--no-config", "-c", "-f", patterns, filepath.Join(dir, "tree"))
		output, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("ripgrep: %w", err)
		}
		theirs = append(theirs, float64(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()))
		if lines := count(output); lines != found {
			return fmt.Errorf("ripgrep finds %d lines, Pertain %d", lines, found)
		}
		own.Matches = found
	}
	r := measure.Result{Workload: b.Workload, Case: own.Name, N: own.N, Matches: own.Matches, PertainNS: least(mine), Peer: "ripgrep"}
	if len(theirs) > 0 {
		r.PeerNS = least(theirs)
		r.Ratio = r.PeerNS / r.PertainNS
	}
	b.Emit(r)
	b.Notef("%d triggers: %.0f MB/s a core", own.N, float64(total)/1e6/(r.PertainNS/1e9))
	return nil
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

func least(samples []float64) float64 {
	out := samples[0]
	for _, s := range samples {
		out = min(out, s)
	}
	return out
}

// plant writes the tree.
func plant(root string, c *corpus.Corpus, total int) ([]string, error) {
	var files []string
	for i := 0; i*fileSize < total; i++ {
		dir := filepath.Join(root, fmt.Sprintf("d%02d", i/100))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
		text := corpus.Output(fileSize, uint64(i%500)) + "\n"
		if i%100 == 0 {
			for _, p := range c.Control {
				text += p.Text + "\n"
			}
		}
		path := filepath.Join(dir, fmt.Sprintf("f%d.txt", i))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return nil, err
		}
		files = append(files, path)
	}
	return files, nil
}

// scan reads the files and gives the number of lines in which something matches.
func scan(set *stream.Set, files []string) (int, error) {
	scanner := set.Scanner()
	buffer := make([]byte, 4*fileSize)
	total := 0
	for _, path := range files {
		text, err := load(path, buffer)
		if err != nil {
			return 0, err
		}
		line, last, at := 0, -1, 0
		for _, m := range scanner.Scan(text) {
			line += strings.Count(text[at:max(at, m.End-1)], "\n")
			at = max(at, m.End-1)
			if line != last {
				total++
				last = line
			}
		}
	}
	return total, nil
}

// load reads a file into a buffer that it fits in, as `rules scan` does.
func load(path string, buffer []byte) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	n, err := io.ReadFull(f, buffer)
	if err == nil {
		return "", fmt.Errorf("%s is too large", path)
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return "", err
	}
	return unsafe.String(unsafe.SliceData(buffer), n), nil
}

// count adds up ripgrep's counts.
func count(output []byte) int {
	total := 0
	for line := range bytes.Lines(output) {
		n, _ := strconv.Atoi(string(bytes.TrimSpace(line[bytes.LastIndexByte(line, ':')+1:])))
		total += n
	}
	return total
}
