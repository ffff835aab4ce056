//go:build linux

package fleettest_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// longest is how long an agent may wait for an answer of a model that answers at once, whatever becomes of the fleet: on a busy machine.
const longest = 2 * time.Second

// TestFailures: the finished program with three servers, each a process. A leader is killed, the network takes packets and gives none, the disk of a node is
// full: nothing is lost, nothing is wrongly trusted, and no agent waits. .ci/cluster runs it.
func TestFailures(t *testing.T) {
	program, natsServer := os.Getenv("PERTAIN_PROGRAM"), os.Getenv("PERTAIN_NATS_SERVER")
	if program == "" || natsServer == "" {
		t.Skip("it takes the finished program; .ci/cluster runs it")
	}
	nodes := startNodes(t, natsServer)
	small := mountSmall(t, nodes[2].store)
	var urls []string
	for _, n := range nodes {
		n.start(t)
		urls = append(urls, "nats://"+n.address)
	}
	model := scripted(t)
	settings := "fleet:\n  url: [" + strings.Join(urls, ", ") + "]\n  journal: entries\n"
	lead := newHome(t, program, settings)
	keyFile := filepath.Join(lead.dir, "fleet.key")
	var key struct{ PublicKey string }
	if err := lead.call(&key, "fleet", "keygen", "--no-password", keyFile, "--json"); err != nil {
		t.Fatal(err)
	}
	settings += "  keys: [" + key.PublicKey + "]\n"
	lead.rewrite(settings + "  signingKey: " + keyFile + "\n")
	one, two := newHome(t, program, settings), newHome(t, program, settings)

	lead.rule("no-badword", "---\nttsr_trigger: badword\n---\nNever say it.\n")
	eventually(t, "push", func() bool { return lead.push() == nil })
	eventually(t, "buckets and streams", func() bool { return lead.call(nil, "fleet", "sync") == nil })
	a, b := one.gateway(model.URL), two.gateway(model.URL)
	eventually(t, "rule of the fleet at both gateways", func() bool {
		for i, g := range []*gatewayProcess{a, b} {
			if text, _ := g.ask(fmt.Sprintf("first %d %d", i, len(model.Requests())), false); strings.Contains(text, "badword") {
				return false
			}
		}
		return true
	})
	worst := map[string]time.Duration{}
	talk := func(phase string, g *gatewayProcess) {
		t.Helper()
		for n := range 5 {
			session := fmt.Sprint(phase, " ", n)
			text, took := g.ask(session, false)
			if strings.Contains(text, "badword") || !strings.Contains(text, "Better") {
				t.Errorf("%s: the rule does not hold: %s", phase, text)
			}
			before := len(model.Requests())
			text, later := g.ask(session, true)
			if strings.Contains(text, "badword") {
				t.Errorf("%s: the rule does not hold later: %s", phase, text)
			}
			if asked := len(model.Requests()) - before; asked != 1 {
				t.Errorf("%s: the model was asked %d times: what it was told was forgotten", phase, asked)
			}
			worst[phase] = max(worst[phase], took, later)
		}
	}
	moves := func(what string) {
		t.Helper()
		eventually(t, what, func() bool {
			session := fmt.Sprint(what, time.Now())
			_, _ = a.ask(session, false)
			before := len(model.Requests())
			_, _ = b.ask(session, true)
			return len(model.Requests())-before == 1
		})
	}
	moves("memory that moves")
	talk("healthy", a)

	// A leader is killed, and a push is made without it.
	leader := streamLeader(t, urls, "KV_pertain_main_memory")
	nodes[leader].kill()
	talk("leader killed", a)
	lead.rule("no-other", "---\nttsr_trigger: otherword\n---\nNor that.\n")
	eventually(t, "push without a node", func() bool { return lead.push() == nil })
	for _, h := range []*home{one, two} {
		eventually(t, "second revision", func() bool { return h.revision() == 2 })
	}
	nodes[leader].start(t)
	moves("memory that moves again")

	// The network takes packets and gives none.
	for _, n := range nodes {
		n.hold(t, true)
	}
	talk("network cut", a)
	for _, n := range nodes {
		n.hold(t, false)
	}
	eventually(t, "memory of what was told meanwhile", func() bool {
		before := len(model.Requests())
		_, _ = b.ask("network cut 0", true)
		return len(model.Requests())-before == 1
	})

	// The disk of a node is full.
	if small {
		fill(t, nodes[2].store)
		talk("disk full", a)
		lead.rule("third", "---\nttsr_trigger: thirdword\n---\nNor that one.\n")
		eventually(t, "push with a full disk", func() bool { return lead.push() == nil })
		for _, h := range []*home{one, two} {
			// Who watches by a consumer of that node may hear of it late; who asks has it.
			eventually(t, "third revision", func() bool { return h.call(nil, "fleet", "pull") == nil && h.revision() == 3 })
		}
	}

	// Somebody who has the servers shows rules of their own.
	known := one.revision()
	forge(t, urls)
	if err := one.call(nil, "fleet", "pull"); err == nil {
		t.Error("a forged revision was pulled")
	}
	if now := one.revision(); now != known {
		t.Errorf("revision %d is in force after a forgery, not %d", now, known)
	}

	// Each line of the journals is counted once.
	a.end()
	b.end()
	entries := 0
	for _, h := range []*home{one, two} {
		eventually(t, "end of carrying", func() bool { return h.call(nil, "fleet", "sync") == nil })
		var journal struct{ Entries []any }
		if err := h.call(&journal, "journal", "--json"); err != nil {
			t.Fatal(err)
		}
		entries += len(journal.Entries)
	}
	var stats struct {
		Total    struct{ Fired, Given int }
		Machines int
	}
	if err := one.call(&stats, "fleet", "stats", "--since", "2d", "--json"); err != nil {
		t.Fatal(err)
	}
	if stats.Total.Fired+stats.Total.Given != entries || entries == 0 || stats.Machines != 2 {
		t.Errorf("%d and %d were counted on %d machines, of %d", stats.Total.Fired, stats.Total.Given, stats.Machines, entries)
	}
	for phase, took := range worst {
		t.Logf("%s: no agent waited longer than %s", phase, took.Round(time.Millisecond))
		if took > longest {
			t.Errorf("%s: an agent waited %s", phase, took)
		}
	}
	t.Logf("%d entries of two journals, each counted once", entries)
}

func (h *home) rewrite(settings string) {
	h.t.Helper()
	if err := os.WriteFile(filepath.Join(h.dir, ".config", "pertain", "config.yaml"), []byte(settings), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) rule(name, text string) {
	h.t.Helper()
	path := filepath.Join(h.dir, "team", "rules", name+".md")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) push() error { return h.call(nil, "fleet", "push", filepath.Join(h.dir, "team")) }

// revision is the number of what this user has; 0: nothing.
func (h *home) revision() int {
	var status struct{ Copy *struct{ Revision int } }
	if err := h.call(&status, "fleet", "status", "--json"); err != nil || status.Copy == nil {
		return 0
	}
	return status.Copy.Revision
}

// streamLeader is the node that leads a stream.
func streamLeader(t *testing.T, urls []string, name string) (node int) {
	t.Helper()
	js := connected(t, urls)
	eventually(t, "leader", func() bool {
		stream, err := js.Stream(t.Context(), name)
		if err != nil || stream.CachedInfo().Cluster == nil {
			return false
		}
		_, err = fmt.Sscanf(stream.CachedInfo().Cluster.Leader, "n%d", &node)
		return err == nil
	})
	return node
}

func connected(t *testing.T, urls []string) jetstream.JetStream {
	t.Helper()
	conn, err := nats.Connect(strings.Join(urls, ","))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// forge puts in force what nobody signed.
func forge(t *testing.T, urls []string) {
	t.Helper()
	js := connected(t, urls)
	eventually(t, "forgery", func() bool {
		bucket, err := js.KeyValue(t.Context(), "pertain_main_rules")
		if err != nil {
			return false
		}
		sum := strings.Repeat("ab", 32)
		if _, err := bucket.Put(t.Context(), "manifest."+sum, []byte(`{"manifest":"e30=","signature":"forged"}`)); err != nil {
			return false
		}
		_, err = bucket.Put(t.Context(), "head", []byte(`{"manifest":"`+sum+`"}`))
		return err == nil
	})
}

// mountSmall makes a folder a file system of 64 MB, where that is allowed.
func mountSmall(t *testing.T, folder string) bool {
	t.Helper()
	if err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", folder).Run(); err != nil {
		t.Logf("no small disk can be mounted here, so that none is filled: %v", err)
		return false
	}
	t.Cleanup(func() {
		if err := exec.Command("umount", "-l", folder).Run(); err != nil {
			t.Error(err)
		}
	})
	return true
}

// fill takes all space that is left.
func fill(t *testing.T, folder string) {
	t.Helper()
	f, err := os.Create(filepath.Join(folder, "fill"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, size := range []int{1 << 20, 4096, 1} {
		for block := make([]byte, size); ; {
			if _, err := f.Write(block); err != nil {
				break
			}
		}
	}
}
