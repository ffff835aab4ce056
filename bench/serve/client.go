package serve

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// requests are the bytes of one request for each context.
func (p *process) requests(contexts [][]byte) [][]byte {
	out := make([][]byte, len(contexts))
	for i, context := range contexts {
		body := fmt.Sprintf(`{"context":%s}`, context)
		out[i] = fmt.Appendf(nil, "POST /api/v1/match HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nX-Case: %d\r\nContent-Length: %d\r\n\r\n%s",
			p.address, p.token, i, len(body), body)
	}
	return out
}

// caller is one connection that is kept open, with as little work as possible on
// this side: client and server share the cores.
type caller struct {
	connection net.Conn
	reader     *bufio.Reader
	answer     bytes.Buffer
}

func (p *process) dial() (*caller, error) {
	connection, err := net.Dial("tcp", p.address)
	if err != nil {
		return nil, err
	}
	return &caller{connection: connection, reader: bufio.NewReaderSize(connection, 64<<10)}, nil
}

// hangUp ends the connection; what that says is of no use to a measurement.
func (c *caller) hangUp() { _ = c.connection.Close() }

// ask sends one request and reads the whole answer, which counts until the next
// call.
func (c *caller) ask(request []byte) ([]byte, error) {
	if _, err := c.connection.Write(request); err != nil {
		return nil, err
	}
	response, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	c.answer.Reset()
	if _, err := io.Copy(&c.answer, response.Body); err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answered %d: %.200s", response.StatusCode, c.answer.Bytes())
	}
	return c.answer.Bytes(), nil
}

// run is what a load came to.
type run struct {
	asked     int
	took      time.Duration
	processor time.Duration   // of the server
	latencies []time.Duration // sorted
}

func (r run) each() float64 { return float64(r.took) / float64(r.asked) }

func (r run) cost() float64 { return float64(r.processor) / float64(r.asked) }

func (r run) quantile(q float64) float64 {
	return float64(r.latencies[min(len(r.latencies)-1, int(q*float64(len(r.latencies))))])
}

// drive asks over all connections for some time: as fast as answers come, or
// with a pace (requests a second), where a request's time counts from when it was
// due, so that waiting for a connection counts as well.
func (p *process) drive(requests [][]byte, pace float64, length time.Duration) (run, error) {
	callers := make([]*caller, connections)
	for i := range callers {
		c, err := p.dial()
		if err != nil {
			return run{}, err
		}
		defer c.hangUp()
		callers[i] = c
	}
	before, err := p.ProcessorTime()
	if err != nil {
		return run{}, err
	}
	var next atomic.Int64
	var mu sync.Mutex
	var failed error
	out := run{}
	begin := time.Now()
	var all sync.WaitGroup
	for _, c := range callers {
		all.Go(func() {
			var own []time.Duration
			var err error
			for err == nil {
				i := next.Add(1) - 1
				due := time.Now()
				if pace > 0 {
					due = begin.Add(time.Duration(float64(i) / pace * float64(time.Second)))
					time.Sleep(time.Until(due))
				}
				if due.Sub(begin) >= length {
					break
				}
				if _, err = c.ask(requests[int(i)%len(requests)]); err == nil {
					own = append(own, time.Since(due))
				}
			}
			mu.Lock()
			defer mu.Unlock()
			out.latencies = append(out.latencies, own...)
			failed = errors.Join(failed, err)
		})
	}
	all.Wait()
	out.took = time.Since(begin)
	after, err := p.ProcessorTime()
	out.processor = after - before
	out.asked = len(out.latencies)
	slices.Sort(out.latencies)
	if out.asked == 0 && err == nil && failed == nil {
		err = errors.New("nothing was answered")
	}
	return out, errors.Join(failed, err)
}
