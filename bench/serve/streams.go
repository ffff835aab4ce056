package serve

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/bench/measure"
)

const streamCount = 500

// listener is one event stream.
type listener struct {
	connection net.Conn
	lines      chan string // closed when the stream ends
}

func (p *process) listen() (*listener, error) {
	connection, err := net.Dial("tcp", p.address)
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(connection, "GET /api/v1/events HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", p.address, p.token); err != nil {
		return nil, err
	}
	l := &listener{connection: connection, lines: make(chan string, 64)}
	go func() {
		defer close(l.lines)
		scanner := bufio.NewScanner(connection)
		for scanner.Scan() {
			l.lines <- scanner.Text()
		}
	}()
	return l, l.wait(": events follow", 10*time.Second)
}

// wait reads until a line has come.
func (l *listener) wait(line string, atMost time.Duration) error {
	late := time.After(atMost)
	for {
		select {
		case got, ok := <-l.lines:
			if !ok {
				return errors.New("an event stream ended")
			}
			if strings.TrimSpace(got) == line {
				return nil
			}
		case <-late:
			return fmt.Errorf("an event stream did not tell %q", line)
		}
	}
}

func (p *process) listenAll(n int) ([]*listener, error) {
	var out []*listener
	for range n {
		l, err := p.listen()
		if err != nil {
			return out, err
		}
		out = append(out, l)
	}
	return out, nil
}

func hangUp(list []*listener) {
	for _, l := range list {
		_ = l.connection.Close()
		for range l.lines {
		}
	}
}

// streams holds many event streams and changes a file: how long until the last
// of them has been told, beside a single stream, and what a stream keeps. The
// server is one of its own whose heap has little room to spare, so that what
// streams keep shows in its memory.
func (w *world) streams(b *measure.Bench) (err error) {
	p, err := w.serve("GOGC=10")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Stop()) }()
	one, err := p.listenAll(1)
	defer func() { hangUp(one) }()
	if err != nil {
		return err
	}
	alone, err := tellAll(one, w.strategies)
	if err != nil {
		return err
	}
	before, err := p.Resident()
	if err != nil {
		return err
	}
	rest, err := p.listenAll(streamCount - 1)
	all := append(one, rest...)
	defer func() { hangUp(rest) }()
	if err != nil {
		return err
	}
	after, err := p.Resident()
	if err != nil {
		return err
	}
	together, err := tellAll(all, w.strategies)
	if err != nil {
		return err
	}
	b.Emit(measure.Result{
		Workload: b.Workload, Case: "file change until all streams know", N: streamCount, Bytes: (after - before) / streamCount,
		PertainNS: together, Peer: "one stream", PeerNS: alone, Ratio: alone / together,
	})
	return nil
}

// tellAll changes a strategy and returns the time until the last stream has
// heard of it: the median of three changes.
func tellAll(list []*listener, folder string) (float64, error) {
	var times []float64
	for i := range 3 {
		begin := time.Now()
		text := fmt.Sprintf("---\nname: Changed %d %d\nwhen:\n  any: []\n---\nx\n", len(list), i)
		if err := os.WriteFile(filepath.Join(folder, "changed.strategy.md"), []byte(text), 0o644); err != nil {
			return 0, err
		}
		var mu sync.Mutex
		var failed error
		var all sync.WaitGroup
		for _, l := range list {
			all.Go(func() {
				if err := l.wait(`data: {"part":"strategies"}`, 20*time.Second); err != nil {
					mu.Lock()
					failed = err
					mu.Unlock()
				}
			})
		}
		all.Wait()
		if failed != nil {
			return 0, failed
		}
		times = append(times, float64(time.Since(begin)))
		time.Sleep(500 * time.Millisecond)
	}
	return median(times), nil
}
