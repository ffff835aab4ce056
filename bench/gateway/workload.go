// Package gateway measures what a gateway with a thousand triggers costs beside a plain
// proxy: processor time for each piece of a model's answer, memory for each stream, and
// whether all streams arrive whole.
package gateway

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/bench/measure"
)

// triggerCount is how many rules the gateway watches with.
const triggerCount = 1000

// manyStreams is how many run at once in the cases with many.
const manyStreams = 500

// Run measures the workload.
func Run(b *measure.Bench) error {
	if upstream := os.Getenv(plainUpstream); upstream != "" {
		return servePlain(upstream)
	}
	above, err := os.UserCacheDir() // not where other programs' temporary files come and go: the gateway would notice
	if err != nil || os.MkdirAll(above, 0o700) != nil {
		above = ""
	}
	dir, err := os.MkdirTemp(above, "pertain-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { _ = http.Serve(listener, http.HandlerFunc(speak)) }()
	upstream := "http://" + listener.Addr().String()
	proxies, err := startAll(b, dir, upstream)
	defer func() {
		for _, p := range proxies {
			_ = p.Stop()
		}
	}()
	if err != nil {
		return err
	}
	if err := rest(proxies); err != nil {
		return err
	}
	for _, p := range proxies {
		b.Notef("%s uses %.1f %% of a core while nobody asks, which is taken off", p.name, 100*p.idle)
	}
	for _, c := range cases(b.Quick) {
		if b.Late(c.name, 10*time.Second) {
			continue
		}
		if err := c.measure(b, proxies); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return whole(b, proxies[0])
}

// startAll starts the gateway and its peers.
func startAll(b *measure.Bench, dir, upstream string) ([]*process, error) {
	var out []*process
	for _, start := range []func(dir, upstream string) (*process, error){startPertain, startPlain, startNginx} {
		p, err := start(dir, upstream)
		if err != nil {
			return out, err
		}
		if p == nil {
			b.Notef("nginx is not installed, and is left out")
			continue
		}
		out = append(out, p)
	}
	return out, nil
}

// writeRules makes rules as authors write them: names of functions, words, a few with
// classes and repeats.
func writeRules(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		var s strings.Builder
		for range 4 + r.IntN(8) {
			s.WriteByte("abcdefghijklmnoprstuvw"[r.IntN(22)])
		}
		return s.String()
	}
	for i := range triggerCount {
		pattern := word() + `\.` + word() + `\(`
		switch i % 5 {
		case 1:
			pattern = `\b` + word() + `_` + word() + `\b`
		case 2:
			pattern = `import\s+` + word()
		case 3:
			pattern = `(?i)` + word() + `\s*=\s*["']` + word()
		case 4:
			pattern = word() + `(?:` + word() + `|` + word() + `)+;`
		}
		text := "---\nttsr_trigger: '" + strings.ReplaceAll(pattern, "'", "''") + "'\n---\nNot that.\n"
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("rule-%04d.md", i)), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// speak is a model: it says so many pieces of a program, so far apart.
func speak(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	count, _ := strconv.Atoi(r.Header.Get("X-Pieces"))
	pause, _ := time.ParseDuration(r.Header.Get("X-Pause"))
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	for i := range count + 2 {
		if _, err := io.WriteString(w, event(i, count)); err != nil {
			return
		}
		_ = control.Flush()
		if pause > 0 {
			time.Sleep(pause)
		}
	}
}

// event is one of the answer.
func event(i, count int) string {
	switch {
	case i == 0:
		return "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"
	case i > count:
		return "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
	}
	return fmt.Sprintf("event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":%q}}\n\n", said[i%len(said)])
}

// said are the pieces, of 4 to 20 bytes.
var said = pieces("func (r *Reader) Next() (Event, error) {\n\tfor {\n\t\tif r.scan() {\n\t\t\treturn r.event(r.line), nil\n\t\t}\n\t}\n}\n\nThe reader goes over the lines of the buffer, and says whether an event has ended; " +
	"import consent from the module, then let value = \"nothing\"; call it once for each line, and print what was found.\n")

func pieces(text string) []string {
	r := rand.New(rand.NewPCG(3, 4))
	var out []string
	for text != "" {
		n := min(4+r.IntN(17), len(text))
		out, text = append(out, text[:n]), text[n:]
	}
	return out
}

// streamCase is a number of streams.
type streamCase struct {
	name    string
	streams int
	pieces  int // of each
	pause   time.Duration
	rounds  int
}

func cases(quick bool) []streamCase {
	all := []streamCase{
		{"paced, processor time a piece", 1, 3000, time.Millisecond, 3},
		{"unpaced, processor time a piece", 1, 60000, 0, 3},
		{"paced, processor time a piece", manyStreams, 200, time.Millisecond, 3},
		{"unpaced, processor time a piece", manyStreams, 300, 0, 3},
	}
	if quick {
		for i := range all {
			all[i].rounds = 1
		}
	}
	return all
}

// measure runs the streams through each proxy in turn, several times.
func (c streamCase) measure(b *measure.Bench, proxies []*process) error {
	times := make([][]float64, len(proxies))
	memory := make([]float64, len(proxies))
	for range c.rounds {
		for i, p := range proxies {
			before, err := p.ProcessorTime()
			if err != nil {
				return err
			}
			idle, err := p.Resident()
			if err != nil {
				return err
			}
			rest := p.idle // what it uses while nobody asks, such as for following files
			began := time.Now()
			most, err := c.run(p)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			after, err := p.ProcessorTime()
			if err != nil {
				return err
			}
			used := float64(after-before) - rest*float64(time.Since(began))
			times[i] = append(times[i], max(used, 0)/float64(c.streams*c.pieces))
			memory[i] = max(memory[i], most-idle)
		}
	}
	for i, p := range proxies[1:] {
		b.Notef("%s, %d streams: %s added %.0f KB a stream at most, pertain %.0f KB", c.name, c.streams, p.name, memory[i+1]/float64(c.streams)/1000, memory[0]/float64(c.streams)/1000)
		own, theirs := median(times[0]), median(times[i+1])
		b.Emit(measure.Result{
			Workload: b.Workload, Case: c.name, N: c.streams, PertainNS: own, Peer: p.name, PeerNS: theirs, Ratio: theirs / own, Bytes: memory[0] / float64(c.streams),
		})
	}
	return nil
}

// run runs the streams once and gives the most memory that the proxy held.
func (c streamCase) run(p *process) (most float64, err error) {
	want := 0
	for i := range c.pieces + 2 {
		want += len(event(i, c.pieces))
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: c.streams}}
	defer client.CloseIdleConnections()
	var all sync.WaitGroup
	failed := make(chan error, c.streams)
	for range c.streams {
		all.Go(func() {
			if got, err := read(client, p.URL, c.pieces, c.pause); err != nil || got != want {
				failed <- errors.Join(err, fmt.Errorf("%d of %d bytes arrived", got, want))
			}
		})
	}
	done := make(chan struct{})
	go func() {
		all.Wait()
		close(done)
	}()
	for {
		if now, err := p.Resident(); err == nil {
			most = max(most, now)
		}
		select {
		case <-done:
			select {
			case err := <-failed:
				return most, err
			default:
				return most, nil
			}
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// read asks once and counts the bytes of the answer.
func read(client *http.Client, url string, count int, pause time.Duration) (int, error) {
	r, err := http.NewRequest(http.MethodPost, url+"/v1/messages", strings.NewReader(`{"model":"m","stream":true,"max_tokens":1,"tools":[{"name":"write"}],"messages":[{"role":"user","content":"hello"}]}`))
	if err != nil {
		return 0, err
	}
	r.Header.Set("X-Pieces", strconv.Itoa(count))
	r.Header.Set("X-Pause", pause.String())
	answer, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	defer func() { _ = answer.Body.Close() }()
	n, err := io.Copy(io.Discard, answer.Body)
	return int(n), err
}

// whole asks ten thousand times and counts the streams that were cut or lost.
func whole(b *measure.Bench, p *process) error {
	count := 10_000
	if b.Quick {
		count = 1_000
	}
	begin := time.Now()
	for range count / 100 {
		if _, err := (streamCase{streams: 100, pieces: 20}).run(p); err != nil {
			return fmt.Errorf("a stream was lost: %w", err)
		}
	}
	b.Emit(measure.Result{Workload: b.Workload, Case: "streams that arrived whole", N: count, Matches: count, PertainNS: float64(time.Since(begin)) / float64(count)})
	return nil
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
