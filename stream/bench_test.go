package stream_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

var sizes = []int{10, 100, 1000, 5000}

// BenchmarkPiece is the cost of one piece of 4 to 20 bytes of model output, when
// the set has seen such text before.
func BenchmarkPiece(b *testing.B) {
	pieces := tokens(output(200 << 10))
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			set, _ := stream.Compile(corpus(n), stream.Options{})
			st := set.Stream()
			for _, p := range pieces {
				st.Feed(p)
			}
			b.ReportAllocs()
			at := 0
			for b.Loop() {
				if at == len(pieces) {
					at = 0
					st.Reset()
				}
				st.Feed(pieces[at])
				at++
			}
		})
	}
}

// BenchmarkBegin is the cost of a piece, and of asking how much of the text must be held back, while a match may have begun 4 KiB before.
func BenchmarkBegin(b *testing.B) {
	for _, pattern := range []string{`the[^\n]*forbidden`, `(\w+) \1 \1 zq`, `a.{3000}zq`} {
		b.Run(pattern, func(b *testing.B) {
			set, _ := stream.Compile([]stream.Trigger{{Name: "r", Patterns: []string{pattern}}}, stream.Options{})
			st, tail := set.Stream(), ""
			b.ReportAllocs()
			for b.Loop() {
				st.Feed("the a ")
				tail += "the a "
				tail = tail[max(len(tail)-4<<10, 0):]
				tail = tail[st.Begin(tail):]
			}
		})
	}
}

// BenchmarkFirst is the first 200 KB that a new set ever sees, per piece.
func BenchmarkFirst(b *testing.B) {
	pieces := tokens(output(200 << 10))
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			triggers := corpus(n)
			for b.Loop() {
				b.StopTimer()
				set, _ := stream.Compile(triggers, stream.Options{})
				b.StartTimer()
				st := set.Stream()
				for _, p := range pieces {
					st.Feed(p)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(pieces)), "ns/piece")
		})
	}
}

// BenchmarkExploding is a byte of a text that is made for triggers of which each has a
// million states.
func BenchmarkExploding(b *testing.B) {
	const piece = 16
	for _, n := range []int{1, 10, 1000, 5000} {
		text := explosive(n, 1<<20)
		for name, patterns := range exploding(n) {
			if name == "gaps" && n > 1000 {
				continue // a set refuses that many
			}
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				set := compile(b, patterns...)
				st := set.Stream()
				at := 0
				feed := func() {
					if at+piece > len(text) {
						at = 0
					}
					st.Feed(text[at : at+piece])
					at += piece
				}
				for range 2 * n { // all of them begin, and are known to explode
					feed()
				}
				for b.Loop() {
					feed()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*piece), "ns/byte")
			})
		}
	}
}

// BenchmarkScan is one large text in one piece.
func BenchmarkScan(b *testing.B) {
	text := output(4 << 20)
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			set, _ := stream.Compile(corpus(n), stream.Options{})
			set.Stream().Feed(text)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				set.Stream().Feed(text)
			}
		})
	}
}

// BenchmarkCompile is building a set, and the memory that it takes.
func BenchmarkCompile(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			triggers := corpus(n)
			b.ReportAllocs()
			for b.Loop() {
				stream.Compile(triggers, stream.Options{})
			}
			before := heap()
			set, _ := stream.Compile(triggers, stream.Options{})
			b.ReportMetric(float64(heap()-before)/1024, "KB")
			set.Stream().Feed(output(1 << 20))
			b.ReportMetric(float64(heap()-before)/1024, "KB-warm")
			runtime.KeepAlive(set)
		})
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
