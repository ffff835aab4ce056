package stream

import (
	"errors"
	"fmt"
	gobuild "go/build"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/bench/measure"
	"github.com/pertain-dev/pertain/internal/regex/regextest"
)

// realSet is expressions that people have written, or of the shape of such.
type realSet struct {
	name   string
	corpus *Corpus
	theirs *Corpus // the same for peers, whose dialect is Go's
	hard   string  // text made for it: it begins matches and does not end them
}

// RunTriggers measures sets of real expressions on real source text.
func RunTriggers(b *measure.Bench) error {
	sets, err := realSets()
	if err != nil {
		return err
	}
	text, err := source(textSize)
	if err != nil {
		return err
	}
	for kind := range 3 {
		for _, set := range sets {
			c := triggerCase{set: set, name: "pieces of 4 to 20 bytes", pieces: regextest.Pieces(text)}
			switch kind {
			case 1:
				c.name, c.pieces = "pieces of 4 KiB", cut(text, 4<<10)
			case 2:
				c.name, c.pieces, c.cold = "text made for it, pieces of 4 to 20 bytes", regextest.Pieces(set.hard), true
			}
			if b.Late(set.name+", "+c.name, 8*time.Second) {
				continue
			}
			if err := c.measure(b); err != nil {
				return fmt.Errorf("%s, %s: %w", set.name, c.name, err)
			}
		}
	}
	return held(b, sets, text[:textSize/4])
}

// textSize is how much source text is watched, in bytes.
const textSize = 1 << 20

func realSets() ([]realSet, error) {
	patterns, triggers, err := gitleaks()
	if err != nil {
		return nil, err
	}
	leaks := realSet{name: "gitleaks"}
	leaks.corpus, leaks.theirs = &Corpus{&regextest.Corpus{Patterns: triggers}}, &Corpus{&regextest.Corpus{Patterns: patterns}}
	r := rand.New(rand.NewPCG(9, 10))
	for i, p := range patterns {
		if text := sample(r, p); text != "" && !strings.Contains(text, "\n") {
			leaks.corpus.Control = append(leaks.corpus.Control, regextest.Planted{Trigger: i, Text: text})
		}
	}
	leaks.theirs.Control = leaks.corpus.Control
	hogs := trufflehog(1000)
	all := []realSet{leaks, {name: "such as trufflehog's", corpus: hogs, theirs: hogs}}
	for i := range all {
		all[i].hard = hard(r, all[i].corpus.Control)
	}
	return all, nil
}

// hard writes text that is full of what begins a match and does not end it: planted
// matches without their last third, and words of all lengths between them.
func hard(r *rand.Rand, control []regextest.Planted) string {
	var b strings.Builder
	for b.Len() < textSize {
		text := control[r.IntN(len(control))].Text
		b.WriteString(text[:len(text)*2/3])
		for range r.IntN(3) {
			b.WriteString(" " + "0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T"[:1+r.IntN(39)])
		}
		if r.IntN(4) == 0 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// source gives so many bytes of Go's standard library.
func source(size int) (string, error) {
	var b strings.Builder
	for _, dir := range []string{"net/http", "go/types", "crypto/x509", "encoding/json", "database/sql", "text/template", "os"} {
		files, err := filepath.Glob(filepath.Join(gobuild.Default.GOROOT, "src", dir, "*.go"))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			b.Write(text[:min(len(text), 48<<10)]) // many files rather than one large one
			if b.Len() >= size {
				return b.String()[:size], nil
			}
		}
	}
	return "", errors.New("the sources of Go's standard library are not installed")
}

// cut cuts a text into pieces of a size.
func cut(text string, size int) []string {
	var out []string
	for len(text) > size {
		out, text = append(out, text[:size]), text[size:]
	}
	return append(out, text)
}

// triggerCase is a set and how a text comes.
type triggerCase struct {
	set    realSet
	name   string
	pieces []string
	cold   bool // nothing has been watched before
}

func (c triggerCase) measure(b *measure.Bench) error {
	own, err := pertain(c.set.corpus)
	if err != nil {
		return err
	}
	loop, err := goLoop(c.set.theirs, len(c.pieces[0]) > 100)
	if err != nil {
		return err
	}
	if err := control(c.set.corpus, own); err != nil {
		return err
	}
	few := &Corpus{&regextest.Corpus{Patterns: c.set.theirs.Patterns, Control: c.set.theirs.Control[:40]}} // it is slow
	if err := control(few, loop); err != nil {
		return err
	}
	if c.cold {
		if own, err = pertain(c.set.corpus); err != nil {
			return err
		}
	}
	bytes := 0
	for _, p := range c.pieces {
		bytes += len(p)
	}
	each := float64(bytes) / float64(len(c.pieces))
	name := c.set.name + ", " + c.name
	emit := func(peer string, mine, ns float64) {
		b.Emit(measure.Result{Workload: b.Workload, Case: name, N: len(c.set.corpus.Patterns), PertainNS: mine, Peer: peer, PeerNS: ns, Ratio: ns / mine})
	}
	mine := measureText(own, c.pieces, c.cold, b.Quick)
	b.Notef("%s: %.0f MB/s", name, each/mine*1000)
	emit("go loop", mine, measureLoop(loop, c.pieces, b.Quick))
	ns, err := vectorscan().run(c.set.theirs, c.pieces, b.Quick)
	if missing, ok := errors.AsType[missingError](err); ok {
		b.Notef("vectorscan is left out: %s", missing)
		return nil
	}
	if err != nil {
		return fmt.Errorf("vectorscan: %w", err)
	}
	emit("vectorscan", mine, ns)
	return nil
}

// measureText gives the time of a piece of a text that is watched whole, again and
// again, or, if it is to be cold, once.
func measureText(m *matcher, pieces []string, cold, quick bool) float64 {
	rounds := 8
	if quick {
		rounds = 3
	}
	if cold {
		rounds = 1
	} else {
		m.reset()
		warm(m, pieces)
	}
	best := 0.0
	for range rounds {
		m.reset()
		begin := measure.ProcessorTime()
		warm(m, pieces)
		if took := float64(measure.ProcessorTime()-begin) / float64(len(pieces)); best == 0 || took < best {
			best = took
		}
	}
	return best
}

// measureLoop measures as many pieces as a while allows: it is slow.
func measureLoop(m *matcher, pieces []string, quick bool) float64 {
	most := 4 * time.Second
	if quick {
		most = time.Second
	}
	m.reset()
	begin, count := measure.ProcessorTime(), 0
	for count < len(pieces) && measure.ProcessorTime()-begin < most {
		m.feed(pieces[count])
		count++
	}
	return float64(measure.ProcessorTime()-begin) / float64(count)
}

// goLoop runs Go's regexp for each expression: over the line so far, or, for large
// pieces, over each alone.
func goLoop(c *Corpus, large bool) (*matcher, error) {
	if !large {
		return goLine(c)
	}
	var all []*regexp.Regexp
	for _, p := range c.Patterns {
		re, err := regexp.Compile(p)
		if err != nil {
			return nil, err
		}
		all = append(all, re)
	}
	var text []byte // of small pieces, up to the end of a line
	found := make([]bool, len(all))
	return &matcher{
		name: "go loop",
		reset: func() {
			text = text[:0]
			clear(found)
		},
		feed: func(piece string) {
			text = append(text, piece...)
			for i, re := range all {
				if !found[i] && re.Match(text) {
					found[i] = true
				}
			}
			if len(piece) > 100 || piece == "\n" {
				text = text[:0]
			}
		},
		found: func(trigger int) bool { return found[trigger] },
	}, nil
}
