package fleettest

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Options say how nodes are started. The zero value is the default.
type Options struct {
	MaxStore int64                      // bytes of disk that a node may use, 0 means 256 MiB
	Each     func(int, *server.Options) // changes the options of a node, such as its users; nil: none
}

// Cluster is some servers of one cluster, or a single one, on the loopback. Clients reach each through a relay that can be cut.
type Cluster struct {
	t     testing.TB
	nodes []*node
}

type node struct {
	options server.Options
	running *server.Server // nil: killed
	relay   *Relay
}

// Start starts so many nodes, which end with the test, and waits until they have a leader.
func Start(t testing.TB, nodes int, opts Options) *Cluster {
	t.Helper()
	c := &Cluster{t: t}
	folder := t.TempDir()
	ports := freePorts(t, 2*nodes)
	var routes []*url.URL
	for i := range nodes {
		routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", ports[nodes+i])})
	}
	for i := range nodes {
		o := server.Options{
			ServerName: fmt.Sprintf("n%d", i), Host: "127.0.0.1", Port: ports[i],
			JetStream: true, StoreDir: filepath.Join(folder, fmt.Sprint(i)), JetStreamMaxStore: opts.MaxStore, JetStreamMaxMemory: 64 << 20,
			NoSigs: true, NoLog: true, NoSystemAccount: false,
		}
		if o.JetStreamMaxStore == 0 {
			o.JetStreamMaxStore = 256 << 20
		}
		if nodes > 1 {
			o.Cluster = server.ClusterOpts{Name: "fleettest", Host: "127.0.0.1", Port: ports[nodes+i], NoAdvertise: true}
			o.Routes = routes
		}
		if opts.Each != nil {
			opts.Each(i, &o)
		}
		n := &node{options: o, relay: NewRelay(t, fmt.Sprintf("127.0.0.1:%d", ports[i]))}
		c.nodes = append(c.nodes, n)
	}
	t.Cleanup(func() {
		for i := range c.nodes {
			c.Kill(i)
		}
	})
	for i := range c.nodes {
		c.Restart(i)
	}
	c.WaitLeader()
	return c
}

// URLs are the addresses of all nodes.
func (c *Cluster) URLs() []string {
	var out []string
	for i := range c.nodes {
		out = append(out, c.URL(i))
	}
	return out
}

// URL is the address of a node, through its relay.
func (c *Cluster) URL(i int) string { return "nats://" + c.nodes[i].relay.Address() }

// Server is a node that runs, or nil.
func (c *Cluster) Server(i int) *server.Server { return c.nodes[i].running }

// Kill ends a node; what it has on disk stays.
func (c *Cluster) Kill(i int) {
	n := c.nodes[i]
	if n.running == nil {
		return
	}
	n.running.Shutdown()
	n.running.WaitForShutdown()
	n.running = nil
	n.relay.drop()
}

// Restart starts a node on the disk and the ports that it had.
func (c *Cluster) Restart(i int) {
	c.t.Helper()
	n := c.nodes[i]
	if n.running != nil {
		return
	}
	options := n.options
	s, err := server.NewServer(&options)
	if err != nil {
		c.t.Fatal(err)
	}
	go s.Start()
	n.running = s
	if !s.ReadyForConnections(patience) && len(c.nodes) == 1 {
		c.t.Fatal("the server did not start")
	}
}

// Cut cuts clients off a node: what they and it send goes nowhere, without a word, as by a pulled cable.
func (c *Cluster) Cut(i int) { c.nodes[i].relay.Cut(true) }

// Heal ends what Cut began; what was sent meanwhile arrives then.
func (c *Cluster) Heal(i int) { c.nodes[i].relay.Cut(false) }

// Leader is the node that leads the cluster, or -1.
func (c *Cluster) Leader() int {
	for i, n := range c.nodes {
		if n.running != nil && (len(c.nodes) == 1 || n.running.JetStreamIsLeader()) {
			return i
		}
	}
	return -1
}

// WaitLeader waits until there is one.
func (c *Cluster) WaitLeader() {
	c.t.Helper()
	c.Wait("a leader", func() bool { return c.Leader() >= 0 })
}

// WaitCurrent waits until every node runs and has all of some streams. Where a second node is killed before, the servers may not find a leader among
// one that has all and one that has nothing, and then the stream stands still until the third comes back.
func (c *Cluster) WaitCurrent(streams ...string) {
	c.t.Helper()
	for i := range c.nodes {
		for _, name := range streams {
			c.Wait(fmt.Sprintf("node %d with all of %s", i, name), func() bool {
				running := c.Server(i)
				return running != nil && running.JetStreamIsStreamCurrent(server.DEFAULT_GLOBAL_ACCOUNT, name)
			})
		}
	}
}

// patience is how long something may take that has no time of its own: it ends a test that would wait for ever, on a machine however busy.
const patience = 4 * time.Minute

// Wait waits until something holds, and fails the test after some minutes.
func (c *Cluster) Wait(what string, holds func() bool) {
	c.t.Helper()
	end := time.Now().Add(patience)
	for !holds() {
		if time.Now().After(end) {
			c.t.Fatalf("there was no %s within %s", what, patience)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// freePorts are ports that nobody listened on a moment ago: nodes of a cluster must know each other's before they start.
func freePorts(t testing.TB, n int) []int {
	t.Helper()
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}
