package fleettest

import (
	"net"
	"sync"
	"testing"
)

// Relay passes connections on to a server. While it is cut, it takes connections and bytes, and passes nothing on.
type Relay struct {
	listener net.Listener
	target   string

	mu    sync.Mutex
	ended bool
	off   bool
	heal  chan struct{} // closed when the cut ends
	conns map[net.Conn]bool
}

// NewRelay starts a relay to an address, which ends with the test.
func NewRelay(t testing.TB, target string) *Relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &Relay{listener: l, target: target, conns: map[net.Conn]bool{}}
	go r.accept()
	t.Cleanup(func() {
		r.Cut(false)
		_ = l.Close()
		r.mu.Lock()
		r.ended = true
		r.mu.Unlock()
		r.drop()
	})
	return r
}

// Address is where the relay is reached.
func (r *Relay) Address() string { return r.listener.Addr().String() }

func (r *Relay) accept() {
	for {
		client, err := r.listener.Accept()
		if err != nil {
			return
		}
		go r.pass(client)
	}
}

func (r *Relay) pass(client net.Conn) {
	defer func() { _ = client.Close() }()
	if !r.hold(client) {
		return
	}
	defer r.let(client)
	r.wait()
	upstream, err := net.Dial("tcp", r.target)
	if err != nil {
		return
	}
	defer func() { _ = upstream.Close() }()
	if !r.hold(upstream) {
		return
	}
	defer r.let(upstream)
	done := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{client, upstream}, {upstream, client}} {
		go func() {
			r.copy(way[1], way[0])
			done <- struct{}{}
		}()
	}
	<-done
}

func (r *Relay) copy(to, from net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			r.wait()
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// wait returns when the relay is not cut.
func (r *Relay) wait() {
	for {
		r.mu.Lock()
		off, heal := r.off, r.heal
		r.mu.Unlock()
		if !off {
			return
		}
		<-heal
	}
}

// Cut ends what goes through, without a word, as a pulled cable does; false lets it through, with what was sent meanwhile.
func (r *Relay) Cut(off bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.off == off {
		return
	}
	r.off = off
	if off {
		r.heal = make(chan struct{})
	} else {
		close(r.heal)
	}
}

func (r *Relay) hold(c net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return false
	}
	r.conns[c] = true
	return true
}

func (r *Relay) let(c net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.conns, c)
}

// drop closes every connection, as the end of a process does.
func (r *Relay) drop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.conns {
		_ = c.Close()
	}
}
