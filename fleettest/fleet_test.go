package fleettest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"github.com/pertain-dev/pertain/fleettest"
	"github.com/pertain-dev/pertain/internal/fleet"
)

// TestBucket: what is missing is made, on one server and three times on a cluster that has only just started; it outlives the loss of its leader.
func TestBucket(t *testing.T) {
	for _, nodes := range []int{1, 3} {
		cluster := fleettest.Start(t, nodes, fleettest.Options{})
		f := fleet.New(fleet.Config{URLs: cluster.URLs(), Namespace: "main"})
		defer f.Close()
		bucket, err := f.Bucket(t.Context(), jetstream.KeyValueConfig{Bucket: "pertain_main_rules"})
		if err != nil {
			t.Fatal(err)
		}
		revision, err := bucket.Create(t.Context(), "a", []byte("1"))
		if err != nil {
			t.Fatal(err)
		}
		status, err := bucket.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := status.Config().Replicas; got != nodes {
			t.Errorf("%d nodes: %d replicas", nodes, got)
		}
		if nodes == 1 {
			continue
		}
		cluster.Kill(cluster.Leader())
		cluster.Wait("a write after the leader was killed", func() bool {
			if _, err := bucket.Update(t.Context(), "a", []byte("2"), revision); err == nil {
				return true
			}
			entry, err := bucket.Get(t.Context(), "a") // the answer may have been lost with the leader, and the write not
			return err == nil && string(entry.Value()) == "2"
		})
	}
}

// TestNkey: a server that knows users by their keys takes the one of the file.
func TestNkey(t *testing.T) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	public, _ := pair.PublicKey()
	seed, _ := pair.Seed()
	file := filepath.Join(t.TempDir(), "me.nk")
	if err := os.WriteFile(file, append(seed, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	cluster := fleettest.Start(t, 1, fleettest.Options{Each: func(_ int, o *server.Options) { o.Nkeys = []*server.NkeyUser{{Nkey: public}} }})
	for credentials, want := range map[string]bool{file: true, "": false} {
		f := fleet.New(fleet.Config{URLs: cluster.URLs(), Namespace: "main", Credentials: credentials})
		if _, err := f.JetStream(t.Context()); (err == nil) != want {
			t.Errorf("with %q: %v", credentials, err)
		}
		f.Close()
	}
}
