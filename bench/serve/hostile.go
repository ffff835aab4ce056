package serve

import (
	stdcontext "context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pertain-dev/pertain/bench/measure"
)

// slowReaders is how many clients open a stream or ask for much and never read.
const slowReaders = 50

// hostile compares a paced load without and with clients that vanish, do not
// read and send garbage, and holds that nothing of them is kept afterwards.
func hostile(b *measure.Bench, p *process, requests [][]byte, length time.Duration) error {
	calm, err := p.drive(requests, hostilePace, length)
	if err != nil {
		return err
	}
	fds, routines, err := p.held()
	if err != nil {
		return err
	}
	ctx, stop := stdcontext.WithCancel(stdcontext.Background())
	var attacks atomic.Int64
	var all sync.WaitGroup
	for _, attack := range []func(stdcontext.Context, *process, [][]byte, *atomic.Int64){vanish, garbage, readNothing} {
		all.Go(func() { attack(ctx, p, requests, &attacks) })
	}
	time.Sleep(200 * time.Millisecond)
	stormy, err := p.drive(requests, hostilePace, length)
	stop()
	all.Wait()
	if err != nil {
		return err
	}
	for _, q := range []struct {
		name string
		at   float64
	}{{"p50", .5}, {"p99", .99}} {
		own, peer := stormy.quantile(q.at), calm.quantile(q.at)
		b.Emit(measure.Result{
			Workload: b.Workload, Case: fmt.Sprintf("%.0f matches/s among hostile clients, %s", hostilePace, q.name), N: int(attacks.Load()),
			PertainNS: own, Peer: "without them", PeerNS: peer, Ratio: peer / own,
		})
	}
	b.Notef("%d hostile connections; %d of %d requests were answered in %.1f s", attacks.Load(), stormy.asked, calm.asked, stormy.took.Seconds())
	return p.released(b, fds, routines)
}

// held is how many descriptors and goroutines the server has.
func (p *process) held() (fds int, routines float64, err error) {
	if routines, err = p.metric("go_goroutines"); err != nil {
		return 0, 0, err
	}
	fds, err = p.Descriptors()
	return fds, routines, err
}

// vanish begins a request or a stream and is gone, with a reset half of the time.
func vanish(ctx stdcontext.Context, p *process, requests [][]byte, attacks *atomic.Int64) {
	r := rand.New(rand.NewPCG(1, 2))
	for ctx.Err() == nil {
		connection, err := net.Dial("tcp", p.address)
		if err != nil {
			continue
		}
		attacks.Add(1)
		request := requests[r.IntN(len(requests))]
		switch r.IntN(3) {
		case 0:
			request = request[:r.IntN(len(request))]
		case 1:
			request = fmt.Appendf(nil, "GET /api/v1/events HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", p.address, p.token)
		}
		_, _ = connection.Write(request)
		if tcp, ok := connection.(*net.TCPConn); ok && r.IntN(2) == 0 {
			_ = tcp.SetLinger(0)
		}
		_ = connection.Close()
		time.Sleep(2 * time.Millisecond)
	}
}

// garbage sends bytes that are no request, and requests that are no JSON.
func garbage(ctx stdcontext.Context, p *process, _ [][]byte, attacks *atomic.Int64) {
	r := rand.New(rand.NewPCG(3, 4))
	for ctx.Err() == nil {
		connection, err := net.Dial("tcp", p.address)
		if err != nil {
			continue
		}
		attacks.Add(1)
		junk := make([]byte, 1+r.IntN(4000))
		for i := range junk {
			junk[i] = byte(r.Uint32())
		}
		if r.IntN(2) == 0 {
			junk = fmt.Appendf(nil, "POST /api/v1/match HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", p.address, p.token, len(junk), junk)
		}
		_ = connection.SetDeadline(time.Now().Add(time.Second))
		_, _ = connection.Write(junk)
		_, _ = connection.Read(make([]byte, 512))
		_ = connection.Close()
		time.Sleep(2 * time.Millisecond)
	}
}

// readNothing holds streams and unread answers open until the end.
func readNothing(ctx stdcontext.Context, p *process, requests [][]byte, attacks *atomic.Int64) {
	var open []net.Conn
	for i := range slowReaders {
		connection, err := net.Dial("tcp", p.address)
		if err != nil {
			break
		}
		attacks.Add(1)
		if tcp, ok := connection.(*net.TCPConn); ok {
			_ = tcp.SetReadBuffer(1)
		}
		if i%2 == 0 {
			fmt.Fprintf(connection, "GET /api/v1/events HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", p.address, p.token)
		} else {
			_ = connection.SetWriteDeadline(time.Now().Add(time.Second))
			for range 20 { // answers that nobody takes
				if _, err := connection.Write(requests[i%len(requests)]); err != nil {
					break
				}
			}
		}
		open = append(open, connection)
	}
	<-ctx.Done()
	for _, connection := range open {
		_ = connection.Close()
	}
}

// released waits until the server has let go of everything that was added.
func (p *process) released(b *measure.Bench, fds int, routines float64) error {
	const slack = 12 // connections of this program that are still being closed, timers
	var nowFDs int
	var nowRoutines float64
	for range 100 {
		var err error
		if nowFDs, nowRoutines, err = p.held(); err != nil {
			return err
		}
		if nowFDs <= fds+slack && nowRoutines <= routines+2*slack {
			b.Notef("afterwards %d descriptors (%d before) and %.0f goroutines (%.0f before)", nowFDs, fds, nowRoutines, routines)
			return nil
		}
		time.Sleep(200 * time.Millisecond)
	}
	return fmt.Errorf("hostile clients left something behind: %d descriptors instead of %d, %.0f goroutines instead of %.0f", nowFDs, fds, nowRoutines, routines)
}
