//go:build linux

package fleettest_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/modeltest"
)

// longest is how long an agent may wait for an answer of a model that answers at once, whatever becomes of the fleet: on a busy machine.
const longest = 5 * time.Second

// trial is a fleet of finished programs on three servers, each a process: who pushes, and two users with a gateway each.
type trial struct {
	t              *testing.T
	nodes          []*nodeProcess
	urls           []string
	model          *modeltest.Server
	program, work  string
	settings       string // of who pushes
	lead, one, two *home
	users          []*home // whose journals are carried
	a, b           *gatewayProcess
	pushed         int
	worst          map[string]time.Duration // how long an agent waited, by what was wrong
}

// TestFailures: the finished program with three servers. A leader is killed, the network takes packets and gives none, the servers are cut from
// each other, the disk of one is full: nothing is lost, nothing is wrongly trusted, and no agent waits. .ci/cluster runs it.
func TestFailures(t *testing.T) {
	program, natsServer := os.Getenv("PERTAIN_PROGRAM"), os.Getenv("PERTAIN_NATS_SERVER")
	if program == "" || natsServer == "" {
		t.Skip("it takes the finished program; .ci/cluster runs it")
	}
	r := &trial{t: t, program: program, work: t.TempDir(), nodes: newNodes(t, natsServer), model: scripted(t), worst: map[string]time.Duration{}}
	small := mountSmall(t, r.nodes[2].store)
	r.begin()
	r.talk("healthy", r.a)
	r.moves("healthy")
	r.leaderKilled()
	r.networkCut()
	r.serversCut()
	if small {
		r.diskFull()
	}
	r.forged()
	r.countedOnce()
	for phase, took := range r.worst {
		t.Logf("%s: no agent waited longer than %s", phase, took.Round(time.Millisecond))
		if took > longest {
			t.Errorf("%s: an agent waited %s", phase, took)
		}
	}
}

func (r *trial) begin() {
	for _, n := range r.nodes {
		n.start(r.t)
		r.urls = append(r.urls, "nats://"+n.address)
	}
	settings := "fleet:\n  url: [" + strings.Join(r.urls, ", ") + "]\n  journal: entries\n"
	r.lead = newHome(r.t, r.program, r.work, settings)
	keyFile := filepath.Join(r.lead.dir, "fleet.key")
	var key struct{ PublicKey string }
	if err := r.lead.call(&key, "fleet", "keygen", "--no-password", keyFile, "--json"); err != nil {
		r.t.Fatal(err)
	}
	settings += "  keys: [" + key.PublicKey + "]\n"
	r.settings = settings + "  signingKey: " + keyFile + "\n"
	r.lead.rewrite(r.settings)
	r.one, r.two = newHome(r.t, r.program, r.work, settings), newHome(r.t, r.program, r.work, settings)
	r.push("no-badword", "badword")
	eventually(r.t, "buckets and streams", func() error { return r.lead.call(nil, "fleet", "sync") })
	r.users = []*home{r.one, r.two}
	r.a, r.b = r.one.gateway(r.model.URL), r.two.gateway(r.model.URL)
	r.everywhere()
	for i, g := range []*gatewayProcess{r.a, r.b} {
		eventually(r.t, "a rule of the fleet that holds", func() error {
			if text, _ := g.ask(fmt.Sprintf("first %d %d", i, len(r.model.Requests())), false); strings.Contains(text, "badword") {
				return errors.New("the gateway has not loaded it")
			}
			return nil
		})
	}
}

// push pushes one rule more; a push whose answer was lost is no second one.
func (r *trial) push(name, word string) {
	r.t.Helper()
	r.lead.rule(name, "---\nttsr_trigger: "+word+"\n---\nNever say it.\n")
	eventually(r.t, "a push of "+name, func() error { return r.lead.push() })
	r.pushed++
}

// everywhere waits until both users have what was pushed last, by their gateways, which watch.
func (r *trial) everywhere() {
	r.t.Helper()
	for _, h := range []*home{r.one, r.two} {
		eventually(r.t, fmt.Sprintf("revision %d at a gateway", r.pushed), func() error {
			if have := h.revision(); have != r.pushed {
				return fmt.Errorf("it has %d", have)
			}
			return nil
		})
	}
}

// talk is what agents do: the rule holds, and what the model was told is not forgotten.
func (r *trial) talk(phase string, g *gatewayProcess) {
	r.t.Helper()
	for n := range 5 {
		session := fmt.Sprint(phase, " ", n)
		text, took := g.ask(session, false)
		if strings.Contains(text, "badword") || !strings.Contains(text, "Better") {
			r.t.Errorf("%s: the rule does not hold: %s", phase, text)
		}
		before := len(r.model.Requests())
		text, later := g.ask(session, true)
		if strings.Contains(text, "badword") {
			r.t.Errorf("%s: the rule does not hold later: %s", phase, text)
		}
		if asked := len(r.model.Requests()) - before; asked != 1 {
			r.t.Errorf("%s: the model was asked %d times: what it was told was forgotten", phase, asked)
		}
		r.worst[phase] = max(r.worst[phase], took, later)
	}
}

// moves waits until the other gateway knows what the model was told in a phase. A gateway gives the fleet 20 ms, which a busy machine may not
// have, so that it may know later; but to know it at last it needs the fleet.
func (r *trial) moves(phase string) {
	r.t.Helper()
	for n := range 5 {
		session := fmt.Sprint(phase, " ", n)
		eventually(r.t, "memory of "+session+" at the other gateway", func() error {
			r.b.look(session)
			requests := r.model.Requests()
			if !requests[len(requests)-1].Has("system-interrupt") {
				return errors.New("the model is not reminded")
			}
			return nil
		})
	}
}

// leaderKilled: a node dies that leads, and a push is made without it.
func (r *trial) leaderKilled() {
	leader := streamLeader(r.t, r.urls, "KV_pertain_main_memory")
	r.nodes[leader].kill()
	r.talk("leader killed", r.a)
	r.push("no-other", "otherword")
	r.everywhere()
	r.nodes[leader].start(r.t)
	r.moves("leader killed")
}

// networkCut: the network takes packets and gives none.
func (r *trial) networkCut() {
	for _, n := range r.nodes {
		n.hold(r.t, true)
	}
	r.talk("network cut", r.a)
	for _, n := range r.nodes {
		n.hold(r.t, false)
	}
	r.moves("network cut")
}

// serversCut: the node that leads the rules hears nothing of the others. They go on; whoever reaches that node alone can push nothing, and is taken back
// into the fleet when the node is.
func (r *trial) serversCut() {
	alone := streamLeader(r.t, r.urls, "KV_pertain_main_rules")
	lonely := newHome(r.t, r.program, r.work, strings.Replace(r.settings, strings.Join(r.urls, ", "), r.urls[alone], 1))
	eventually(r.t, "rules by that node", func() error { return lonely.call(nil, "fleet", "pull") })
	g := lonely.gateway(r.model.URL)
	r.nodes[alone].part(true)
	r.talk("servers cut", r.a)
	r.talk("at the server that was cut off", g)
	lonely.rule("split", "---\nttsr_trigger: splitword\n---\nNever in force.\n")
	if err := lonely.push(); err == nil {
		r.t.Error("a node that hears of no other took a push")
	}
	r.push("no-third", "thirdword")
	r.everywhereBut(r.urls[alone])
	r.nodes[alone].part(false)
	r.everywhere()
	r.moves("servers cut")
	r.moves("at the server that was cut off")
	eventually(r.t, "the push of the others at the node that was cut off", func() error {
		if err := lonely.call(nil, "fleet", "pull"); err != nil {
			return err
		}
		if have := lonely.revision(); have != r.pushed {
			return fmt.Errorf("it has revision %d", have)
		}
		return nil
	})
	var rules struct{ Rules []struct{ Name string } }
	if err := lonely.call(&rules, "rules", "--json"); err != nil {
		r.t.Fatal(err)
	}
	for _, rule := range rules.Rules {
		if rule.Name == "split" {
			r.t.Error("what was pushed at the node that was cut off is in force")
		}
	}
	g.end()
	eventually(r.t, "an end of carrying by the node that was cut off", func() error { return lonely.call(nil, "fleet", "sync") })
	r.users = append(r.users, lonely)
}

// everywhereBut waits until who reaches any other node has what was pushed last.
func (r *trial) everywhereBut(url string) {
	r.t.Helper()
	var others []string
	for _, u := range r.urls {
		if u != url {
			others = append(others, u)
		}
	}
	fresh := newHome(r.t, r.program, r.work, strings.Replace(r.settings, strings.Join(r.urls, ", "), strings.Join(others, ", "), 1))
	eventually(r.t, "the push at the other nodes", func() error {
		if err := fresh.call(nil, "fleet", "pull"); err != nil {
			return err
		}
		if have := fresh.revision(); have != r.pushed {
			return fmt.Errorf("it is revision %d", have)
		}
		return nil
	})
}

// diskFull: the disk of a node is full.
func (r *trial) diskFull() {
	fill(r.t, r.nodes[2].store)
	r.talk("disk full", r.a)
	r.push("no-fourth", "fourthword")
	r.everywhere()
	r.moves("disk full")
}

// forged: somebody who has the servers shows rules of their own.
func (r *trial) forged() {
	forge(r.t, r.urls)
	if err := r.one.call(nil, "fleet", "pull"); err == nil {
		r.t.Error("a forged revision was pulled")
	}
	for _, h := range []*home{r.one, r.two} {
		if now := h.revision(); now != r.pushed {
			r.t.Errorf("revision %d is in force after a forgery, not %d", now, r.pushed)
		}
	}
}

// countedOnce: each line of the journals is counted once.
func (r *trial) countedOnce() {
	r.a.end()
	r.b.end()
	entries, machines := 0, 0
	for _, h := range r.users {
		if h == r.one || h == r.two { // the third has brought everything, by a node that may be full
			eventually(r.t, "an end of carrying", func() error { return h.call(nil, "fleet", "sync") })
		}
		var journal struct{ Entries []any }
		if err := h.call(&journal, "journal", "--json"); err != nil {
			r.t.Fatal(err)
		}
		if entries += len(journal.Entries); len(journal.Entries) > 0 {
			machines++
		}
	}
	var stats struct {
		Total    struct{ Fired, Given int }
		Machines int
	}
	eventually(r.t, "counts", func() error { return r.one.call(&stats, "fleet", "stats", "--since", "2d", "--json") })
	if stats.Total.Fired+stats.Total.Given != entries || machines < 2 || stats.Machines != machines {
		r.t.Errorf("%d and %d were counted on %d machines, of %d on %d", stats.Total.Fired, stats.Total.Given, stats.Machines, entries, machines)
	}
	r.t.Logf("%d entries of %d journals, each counted once", entries, machines)
}
