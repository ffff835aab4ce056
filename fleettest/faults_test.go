//go:build linux

package fleettest_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// streamLeader is the node that leads a stream.
func streamLeader(t *testing.T, urls []string, name string) (node int) {
	t.Helper()
	js := connected(t, urls)
	eventually(t, "a leader", func() error {
		stream, err := js.Stream(t.Context(), name)
		if err != nil {
			return err
		}
		if stream.CachedInfo().Cluster == nil {
			return errors.New("it is not replicated")
		}
		_, err = fmt.Sscanf(stream.CachedInfo().Cluster.Leader, "n%d", &node)
		return err
	})
	return node
}

func connected(t *testing.T, urls []string) jetstream.JetStream {
	t.Helper()
	var conn *nats.Conn
	eventually(t, "a connection", func() (err error) {
		conn, err = nats.Connect(strings.Join(urls, ","))
		return err
	})
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
	eventually(t, "a forgery", func() error {
		bucket, err := js.KeyValue(t.Context(), "pertain_main_rules")
		if err != nil {
			return err
		}
		sum := strings.Repeat("ab", 32)
		if _, err := bucket.Put(t.Context(), "manifest."+sum, []byte(`{"manifest":"e30=","signature":"forged"}`)); err != nil {
			return err
		}
		_, err = bucket.Put(t.Context(), "head", []byte(`{"manifest":"`+sum+`"}`))
		return err
	})
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
