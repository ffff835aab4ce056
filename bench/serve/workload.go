// Package serve is the workload of one `pertain serve` under load, over
// loopback, with its clients on the same machine: [Run].
package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pertain-dev/pertain/bench/measure"
	"github.com/pertain-dev/pertain/bench/program"
)

const (
	connections = 8     // that clients keep open
	goalPace    = 2_000 // matches a second that one process is to answer on two cores
	hostilePace = 1_000.
)

// Run builds the program, starts it with 1,000 strategies and measures matches,
// event streams and what hostile clients do to it.
func Run(b *measure.Bench) error {
	if dir := os.Getenv(bareFolder); dir != "" {
		return serveBare(dir)
	}
	if runtime.GOOS != "linux" {
		b.Notef("left out: it reads the server's processor time and memory from /proc")
		return nil
	}
	dir, err := os.MkdirTemp("", "pertain-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	w, err := newWorld(b, dir)
	if err != nil {
		return err
	}
	err = w.measure(b)
	return errors.Join(err, w.pertain.Stop(), w.bare.Kill())
}

// world is the servers and what they are asked.
type world struct {
	program       string
	dir           string
	strategies    string
	contexts      [][]byte
	pertain, bare *process
	matches       int // mean of all contexts
}

func newWorld(b *measure.Bench, dir string) (w *world, err error) {
	w = &world{dir: dir, strategies: filepath.Join(dir, "strategies"), contexts: contexts()}
	if err := writeStrategies(w.strategies); err != nil {
		return nil, err
	}
	if w.program, err = program.Build(dir); err != nil {
		return nil, err
	}
	if w.pertain, err = w.serve(); err != nil {
		return nil, err
	}
	if err = w.agree(); err == nil {
		w.bare, err = startBare(dir)
	}
	if err != nil {
		return nil, errors.Join(err, w.pertain.Stop())
	}
	b.Notef("%d connections, %d cores, contexts of %d bytes", connections, runtime.NumCPU(), len(w.contexts[0]))
	return w, nil
}

// serve starts the program.
func (w *world) serve(env ...string) (*process, error) {
	return start(w.dir, env, w.program, "serve", "--json", "--no-builtin", "--listen", "127.0.0.1:0", "--strategies", w.strategies, "--context", w.contextFile(0))
}

// contextFile writes a context to a file, once.
func (w *world) contextFile(i int) string {
	name := filepath.Join(w.dir, fmt.Sprintf("context-%d.json", i))
	if _, err := os.Stat(name); err != nil {
		_ = os.WriteFile(name, w.contexts[i], 0o644) // whoever reads it tells
	}
	return name
}

// agree holds that the server and the command line give the same answers, and
// keeps them for the bare server.
func (w *world) agree() error {
	c, err := w.pertain.dial()
	if err != nil {
		return err
	}
	defer c.hangUp()
	for i, request := range w.pertain.requests(w.contexts) {
		answer, err := c.ask(request)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(w.dir, fmt.Sprintf("answer-%d.json", i)), answer, 0o644); err != nil {
			return err
		}
		own, err := ids(answer)
		if err != nil {
			return err
		}
		alone, err := w.alone(i).Output()
		if err != nil {
			return err
		}
		theirs, err := ids(alone)
		if err != nil {
			return err
		}
		if !slices.Equal(own, theirs) {
			return fmt.Errorf("context %d: the server recommends %v and the command line %v", i, own, theirs)
		}
		w.matches += len(own)
	}
	w.matches /= len(w.contexts)
	if w.matches == 0 {
		return errors.New("nothing is recommended in any context")
	}
	return nil
}

// alone is what one would do without a server: a process for each question.
func (w *world) alone(i int) *exec.Cmd {
	command := exec.Command(w.program, "match", "--json", "--no-builtin", "--strategies", w.strategies, "--context", w.contextFile(i))
	command.Dir, command.Env = w.dir, []string{"HOME=" + w.dir}
	return command
}

func ids(answer []byte) ([]string, error) {
	var match struct{ Candidates []struct{ ID string } }
	if err := json.Unmarshal(bytes.TrimSpace(answer), &match); err != nil {
		return nil, err
	}
	var out []string
	for _, c := range match.Candidates {
		out = append(out, c.ID)
	}
	return out, nil
}

func (w *world) measure(b *measure.Bench) error {
	length := 10 * time.Second
	if b.Quick {
		length = 3 * time.Second
	}
	if err := w.streams(b); err != nil {
		return err
	}
	requests, bareRequests := w.pertain.requests(w.contexts), w.bare.requests(w.contexts)
	if _, err := w.pertain.drive(requests, 0, length/5); err != nil { // warms it up
		return err
	}
	mallocs, err := w.pertain.metric("go_memstats_mallocs_total")
	if err != nil {
		return err
	}
	full, err := w.pertain.drive(requests, 0, length)
	if err != nil {
		return err
	}
	after, err := w.pertain.metric("go_memstats_mallocs_total")
	if err != nil {
		return err
	}
	allocs := (after - mallocs) / float64(full.asked)
	ceiling, err := w.bare.drive(bareRequests, 0, length)
	if err != nil {
		return err
	}
	processes, err := w.processes(length)
	if err != nil {
		return err
	}
	emit := func(name, peer string, own, theirs float64) {
		b.Emit(measure.Result{Workload: b.Workload, Case: name, N: strategyCount, Matches: w.matches, PertainNS: own, Peer: peer, PeerNS: theirs, Ratio: theirs / own, Allocs: allocs})
	}
	b.Notef("%.0f matches/s; a bare server %.0f/s, a process each %.0f/s", 1e9/full.each(), 1e9/ceiling.each(), 1e9/processes.each())
	emit("one match, as fast as answers come", "bare net/http", full.each(), ceiling.each())
	emit("one match, as fast as answers come", "process each", full.each(), processes.each())
	emit("processor time of the server", "bare net/http", full.cost(), ceiling.cost())
	emit("processor time of the server", "process each", full.cost(), processes.cost())

	paced, err := w.pertain.drive(requests, goalPace, length)
	if err != nil {
		return err
	}
	easy, err := w.bare.drive(bareRequests, goalPace, length)
	if err != nil {
		return err
	}
	b.Notef("asked for %d a second: %.0f/s were answered", goalPace, float64(paced.asked)/paced.took.Seconds())
	emit(fmt.Sprintf("%d matches/s, p50", goalPace), "bare net/http", paced.quantile(.5), easy.quantile(.5))
	emit(fmt.Sprintf("%d matches/s, p99", goalPace), "bare net/http", paced.quantile(.99), easy.quantile(.99))

	return hostile(b, w.pertain, requests, length)
}

// processes asks the command line, one process a question, two at a time.
func (w *world) processes(length time.Duration) (run, error) {
	var next atomic.Int64
	var mu sync.Mutex
	var failed error
	out := run{}
	begin := time.Now()
	var all sync.WaitGroup
	for range runtime.NumCPU() {
		all.Go(func() {
			for time.Since(begin) < length {
				command := w.alone(int(next.Add(1)) % contextCount)
				err := command.Run()
				mu.Lock()
				if err != nil {
					failed = err
				} else {
					out.asked++
					out.processor += command.ProcessState.UserTime() + command.ProcessState.SystemTime()
				}
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	all.Wait()
	out.took = time.Since(begin)
	return out, failed
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
