// Package scan measures how fast many triggers are looked for in a tree of files.
package scan

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/pertain-dev/pertain/bench/measure"
	corpus "github.com/pertain-dev/pertain/bench/stream"
	"github.com/pertain-dev/pertain/stream"
)

// slice is the part of the source files that is compared on when ripgrep does not
// finish with all of them, in bytes.
const slice = 1 << 20

// Run measures 1,000 triggers over a tree of 200 MB, with --quick of 40 MB, and
// other numbers of them.
func Run(b *measure.Bench) error {
	total, rounds, patience := 200<<20, 3, time.Minute
	if b.Quick {
		total, rounds, patience = 40<<20, 2, 10*time.Second
	}
	whole, err := sources(total)
	if err != nil {
		return err
	}
	part, err := sources(slice)
	if err != nil {
		return err
	}
	for _, n := range []int{1000, 100, 5000} {
		if b.Late(fmt.Sprint(n, " triggers"), patience) {
			continue
		}
		c := &contest{Bench: b, corpus: corpus.NewCorpus(n), rounds: rounds, patience: patience}
		if err := c.run(whole, part); err != nil {
			return err
		}
	}
	return nil
}

// tree is what is scanned.
type tree struct {
	root  string
	files []string
	size  int64 // bytes
}

// contest is one number of triggers.
type contest struct {
	*measure.Bench
	corpus   *corpus.Corpus
	rounds   int
	patience time.Duration // how long ripgrep may take for one tree, on the wall
	rg       *ripgrep      // nil if it is not installed
}

func (c *contest) run(whole, part tree) error {
	dir, err := os.MkdirTemp("", "scan")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if c.rg, err = newRipgrep(filepath.Join(dir, "patterns"), c.corpus); err != nil {
		c.Notef("ripgrep is left out: %s", err)
	}
	if err := c.control(filepath.Join(dir, "planted")); err != nil {
		return err
	}
	mine, err := c.pertain(whole)
	if err != nil {
		return err
	}
	c.Notef("%d triggers: %.0f MB/s a core over %d MB", mine.N, float64(whole.size)/1e6/(mine.PertainNS/1e9), whole.size>>20)
	if c.rg == nil {
		mine.Peer = "none"
		c.Emit(mine)
		return nil
	}
	finished, err := c.beside(mine, whole, asTriggers)
	if err != nil {
		return err
	}
	if !finished {
		mine.Peer = "none"
		c.Emit(mine)
	}
	if finished && c.Quick {
		return nil
	}
	if mine, err = c.pertain(part); err != nil {
		return err
	}
	if !finished {
		if _, err := c.beside(mine, part, asTriggers); err != nil {
			return err
		}
	}
	if !c.Quick {
		_, err = c.beside(mine, part, asItComes)
	}
	return err
}

// pertain takes the least time of some rounds, compiling the triggers included, as
// ripgrep does too.
func (c *contest) pertain(t tree) (measure.Result, error) {
	r := measure.Result{Workload: c.Workload, Case: fmt.Sprintf("%d MB of source files on one core", t.size>>20), N: len(c.corpus.Patterns)}
	for range c.rounds {
		start := measure.ProcessorTime()
		set, err := compile(c.corpus)
		if err != nil {
			return r, err
		}
		found, err := scan(set, t.files)
		if err != nil {
			return r, err
		}
		if took := float64(measure.ProcessorTime() - start); r.PertainNS == 0 || took < r.PertainNS {
			r.PertainNS = took
		}
		r.Matches = len(found)
	}
	return r, nil
}

// beside runs ripgrep over the same tree, and says whether it finished. What it finds
// has to be what Pertain does.
func (c *contest) beside(mine measure.Result, t tree, how mode) (finished bool, err error) {
	theirs, took, err := c.rg.run(how, t.root, c.patience)
	if errors.Is(err, errUnfinished) {
		c.Notef("%d triggers: %s did not finish in %s on %d MB", mine.N, how.name, c.patience, t.size>>20)
		return false, nil
	}
	if err != nil {
		return false, err
	}
	for range c.rounds - 1 { // as many as Pertain has, of which the least counts
		_, again, err := c.rg.run(how, t.root, 2*c.patience)
		if err != nil {
			return false, err
		}
		took = min(took, again)
	}
	set, err := compile(c.corpus)
	if err != nil {
		return false, err
	}
	found, err := scan(set, t.files)
	if err != nil {
		return false, err
	}
	if how == asTriggers {
		if err := agree(found, theirs); err != nil {
			return false, err
		}
	}
	mine.Peer, mine.PeerNS = how.name, float64(took)
	mine.Ratio = mine.PeerNS / mine.PertainNS
	c.Emit(mine)
	return true, nil
}

func compile(c *corpus.Corpus) (*stream.Set, error) {
	set, problems := stream.Compile(c.Triggers(), stream.Options{})
	if len(problems) > 0 {
		return nil, fmt.Errorf("trigger %d: %s", problems[0].Trigger, problems[0])
	}
	return set, nil
}

// control checks that both find what was planted, in the same lines.
func (c *contest) control(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	set, err := compile(c.corpus)
	if err != nil {
		return err
	}
	scanner := set.Scanner()
	var files []string
	for i, p := range c.corpus.Control {
		found := slices.ContainsFunc(scanner.Scan(p.Text+"\n"), func(m stream.Match) bool { return m.Trigger == p.Trigger })
		if !found {
			return fmt.Errorf("pertain misses a planted match of trigger %d of %d", p.Trigger, len(c.corpus.Patterns))
		}
		files = append(files, filepath.Join(dir, fmt.Sprint(i)))
		if err := os.WriteFile(files[i], []byte(p.Text+"\n"), 0o600); err != nil {
			return err
		}
	}
	if c.rg == nil {
		return nil
	}
	mine, err := scan(set, files)
	if err != nil {
		return err
	}
	theirs, _, err := c.rg.run(asTriggers, dir, c.patience)
	if err != nil {
		return err
	}
	if len(theirs) < len(files) {
		return fmt.Errorf("ripgrep finds %d of %d planted matches", len(theirs), len(files))
	}
	return agree(mine, theirs)
}

// fileLine is a line of a file, from 1 on.
type fileLine struct {
	file string
	line int
}

// agree checks that both have found the same lines. Only Pertain finds matches that
// go over the end of a line: found says whether all that it has there are such.
func agree(found map[fileLine]bool, theirs map[fileLine]bool) error {
	for p := range theirs {
		if _, ok := found[p]; !ok {
			return fmt.Errorf("ripgrep finds something in line %d of %s, Pertain does not", p.line, filepath.Base(p.file))
		}
	}
	for p, spans := range found {
		if !theirs[p] && !spans {
			return fmt.Errorf("pertain finds something in line %d of %s, ripgrep does not", p.line, filepath.Base(p.file))
		}
	}
	return nil
}

// scan reads the files and gives the lines in which a match ends, and for each
// whether all of them begin in a line before.
func scan(set *stream.Set, files []string) (map[fileLine]bool, error) {
	scanner := set.Scanner()
	buffer := make([]byte, maxFile+1)
	out := make(map[fileLine]bool)
	for _, path := range files {
		text, err := load(path, buffer)
		if err != nil {
			return nil, err
		}
		line, at := 1, 0
		for _, m := range scanner.Scan(text) {
			last := max(at, m.End-1)
			line += strings.Count(text[at:last], "\n")
			at = last
			spans := strings.Contains(text[m.Start:last], "\n")
			p := fileLine{path, line}
			before, seen := out[p]
			out[p] = spans && (before || !seen)
		}
	}
	return out, nil
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
