package stream

import (
	"fmt"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/bench/measure"
	"github.com/pertain-dev/pertain/internal/regex/regextest"
	"github.com/pertain-dev/pertain/stream"
)

// pieceTime is how far apart the pieces of a model come that are held back.
const pieceTime = 20 * time.Millisecond

// held measures how long a gateway holds back what a model says: until no match can be
// under way in a piece any more.
func held(b *measure.Bench, sets []realSet, code string) error {
	for _, n := range []int{10, 1000, 5000} {
		sets = append(sets, realSet{name: "rules", corpus: NewCorpus(n)})
	}
	prose := comments(code)
	for _, set := range sets {
		compiled, problems := stream.Compile(set.corpus.Triggers(), stream.Options{})
		if len(problems) > 0 {
			return fmt.Errorf("trigger %d: %s", problems[0].Trigger, problems[0])
		}
		for _, text := range []struct{ name, text string }{{"code", code}, {"prose", prose}} {
			delays, bytes := hold(compiled, regextest.Pieces(text.text))
			slices.Sort(delays)
			mean := 0.0
			for _, d := range delays {
				mean += float64(d) / float64(len(delays))
			}
			none, _ := slices.BinarySearch(delays, 1)
			b.Notef("%s, %d triggers, %s: %.1f bytes held on average, %.1f %% of pieces passed at once", set.name, len(set.corpus.Patterns), text.name, bytes, 100*float64(none)/float64(len(delays)))
			emit := func(what string, ns float64) {
				b.Emit(measure.Result{Workload: b.Workload, Case: set.name + ", " + text.name + " held back, " + what, N: len(set.corpus.Patterns), PertainNS: ns, Bytes: bytes})
			}
			emit("mean", mean)
			emit("p99", float64(delays[len(delays)*99/100]))
		}
	}
	return nil
}

// hold gives how long each piece is held back, and how many bytes are on average.
func hold(set *stream.Set, pieces []string) (delays []time.Duration, bytes float64) {
	st := set.Stream()
	var ends []int // of the pieces that are held
	tail, from := "", 0
	at, total := 0, 0
	for i, piece := range pieces {
		st.Feed(piece)
		tail, at = tail+piece, at+len(piece)
		ends = append(ends, at)
		begin := st.Begin(tail)
		tail, from = tail[begin:], from+begin
		for len(ends) > 0 && (ends[0] <= from || len(tail) > 4<<10) {
			delays = append(delays, time.Duration(len(ends)-1)*pieceTime)
			ends = ends[1:]
		}
		total += len(tail)
		if i == len(pieces)-1 {
			delays = append(delays, make([]time.Duration, len(ends))...) // the end releases them
		}
	}
	return delays, float64(total) / float64(len(pieces))
}

// comments gives the prose in Go source.
func comments(code string) string {
	var b strings.Builder
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(code))
	var s scanner.Scanner
	s.Init(file, []byte(code), func(token.Position, string) {}, scanner.ScanComments)
	for {
		_, kind, text := s.Scan()
		if kind == token.EOF {
			return b.String()
		}
		if kind == token.COMMENT && strings.HasPrefix(text, "// ") {
			b.WriteString(strings.TrimPrefix(text, "// ") + "\n")
		}
	}
}
