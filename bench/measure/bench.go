package measure

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"
)

// Bench runs workloads and takes their results.
type Bench struct {
	Workload string
	Quick    bool         // leave out what takes long to prepare, take fewer samples
	Log      io.Writer    // what was left out, and progress
	Emit     func(Result) // gets every result
	Began    time.Time    // when the workload started
}

// quickTime is when --quick takes no more cases, and hurryTime when it takes as
// few samples as it can: a busy machine must not make it miss its 50 seconds.
const (
	hurryTime = 20 * time.Second
	quickTime = 38 * time.Second
)

// Late tells whether --quick has no time left for something that needs so much
// of it, and if so says what is left out.
func (b *Bench) Late(what string, needs time.Duration) bool {
	if !b.Quick || time.Since(b.Began)+needs < quickTime {
		return false
	}
	b.Notef("%s is left out by --quick: its time is up", what)
	return true
}

// Engine answers the question of a workload; a run is one answer. Runs are
// numbered, so that an engine can take another context every time.
type Engine struct {
	Name string
	Run  func(run int)
}

// Case says what is compared.
type Case struct {
	Name    string
	N       int
	Matches int
	Wall    bool // time on the wall instead of processor time, for engines that use several cores
	Settle  bool // collect garbage before each sample, where one engine leaves so much that others would pay for it
}

// clock tells the time of some origin.
type clock func() time.Duration

func (c Case) clock() clock {
	if c.Wall {
		return wallTime
	}
	return ProcessorTime
}

func wallTime() time.Duration { return time.Since(origin) }

var origin = time.Now()

// sampling is how long engines are measured.
type sampling struct {
	rounds  int
	atLeast int           // so many rounds, whatever they take
	batch   time.Duration // runs are repeated until a sample takes that long
	budget  time.Duration // no new round begins after that
}

func (b *Bench) sampling() sampling {
	switch {
	case !b.Quick:
		return sampling{rounds: 15, atLeast: 5, batch: 20 * time.Millisecond, budget: 8 * time.Second}
	case time.Since(b.Began) < hurryTime:
		return sampling{rounds: 5, atLeast: 2, batch: 6 * time.Millisecond, budget: time.Second}
	}
	return sampling{rounds: 2, atLeast: 1, batch: 4 * time.Millisecond, budget: 0}
}

// Compare times the engines in turns, so that whatever else the machine does
// hits all of them, and emits one result for each peer. The times are medians.
func (b *Bench) Compare(c Case, pertain Engine, peers ...Engine) {
	if len(peers) == 0 || b.Late(fmt.Sprintf("%s, n = %d", c.Name, c.N), 0) {
		return
	}
	engines := append([]Engine{pertain}, peers...)
	plan := b.sampling()
	counts := make([]int, len(engines))
	samples := make([][]float64, len(engines))
	next := make([]int, len(engines))
	for i, e := range engines {
		counts[i] = calibrate(e, plan.batch, c.clock())
		next[i] = counts[i]
	}
	runtime.GC()
	start := time.Now()
	for round := range plan.rounds {
		if round >= plan.atLeast && time.Since(start) > plan.budget {
			break
		}
		for i, e := range engines {
			if c.Settle {
				runtime.GC()
			}
			samples[i] = append(samples[i], sample(e, counts[i], &next[i], c.clock()))
		}
	}
	own, allocs := median(samples[0]), Allocations(pertain, next[0])
	for i, e := range peers {
		theirs := median(samples[i+1])
		b.Emit(Result{
			Workload: b.Workload, Case: c.Name, N: c.N, Matches: c.Matches,
			PertainNS: own, Peer: e.Name, PeerNS: theirs, Ratio: theirs / own, Allocs: allocs,
		})
	}
}

// calibrate finds how many runs a sample needs, and warms the engine up.
func calibrate(e Engine, batch time.Duration, now clock) int {
	run := 0
	for count := 1; ; count *= 2 {
		start := now()
		for range count {
			e.Run(run)
			run++
		}
		if took := now() - start; took >= batch/2 {
			return max(1, int(float64(count)*float64(batch)/float64(took)))
		}
	}
}

// sample is the mean time of some runs, in nanoseconds.
func sample(e Engine, count int, next *int, now clock) float64 {
	start := now()
	for range count {
		e.Run(*next)
		*next++
	}
	return float64((now() - start).Nanoseconds()) / float64(count)
}

func median(samples []float64) float64 {
	slices.Sort(samples)
	return samples[len(samples)/2]
}

// Allocations is how many allocations a run makes.
func Allocations(e Engine, run int) float64 {
	const runs = 5
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range runs {
		e.Run(run + i)
	}
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / runs
}

// Kept is the memory that what a function returns keeps, in bytes.
func Kept(build func() any) float64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&before)
	value := build()
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(value)
	return float64(after.HeapAlloc) - float64(before.HeapAlloc)
}

// Notef tells what was left out, or what is prepared now.
func (b *Bench) Notef(format string, args ...any) {
	fmt.Fprintf(b.Log, b.Workload+": "+format+"\n", args...)
}
