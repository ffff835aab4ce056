package fleet_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nkeys"
	"go.uber.org/goleak"

	"github.com/pertain-dev/pertain/internal/fleet"
	"github.com/pertain-dev/pertain/internal/settings"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestOf(t *testing.T) {
	if _, err := fleet.Of(&settings.Fleet{}, "/home/me"); !errors.Is(err, fleet.ErrNone) {
		t.Errorf("without an address: %v", err)
	}
	home := t.TempDir()
	c, err := fleet.Of(&settings.Fleet{URL: []string{"nats://h"}, Namespace: "team", Credentials: "~/me.creds"}, home)
	if err != nil || c.Credentials != filepath.Join(home, "me.creds") || c.BucketName(fleet.KindRules) != "pertain_team_rules" {
		t.Errorf("%+v, %v", c, err)
	}
	for _, s := range []settings.Fleet{{Credentials: "me.creds"}, {CA: "../ca.pem"}} {
		s.URL = []string{"nats://h"}
		if _, err := fleet.Of(&s, home); err == nil || !strings.Contains(err.Error(), "absolute") {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// TestNew: a fleet that nobody asks for anything dials nothing and runs nothing.
func TestNew(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	f := fleet.New(fleet.Config{URLs: []string{"nats://" + listener.Addr().String()}, Namespace: "main"})
	goleak.VerifyNone(t)
	if f.Connected() || f.Server() != "" {
		t.Error("connected before anybody asked")
	}
	f.Close()
	if _, err := f.JetStream(t.Context()); !errors.Is(err, fleet.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// TestSilentServer: a server that takes a connection and says nothing holds nobody longer than the caller's context.
func TestSilentServer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	f := fleet.New(fleet.Config{URLs: []string{"nats://" + listener.Addr().String()}, Namespace: "main", Limits: fleet.Limits{Dial: 300 * time.Millisecond}})
	defer f.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.JetStream(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who has gone: %v", err)
	}
	if _, err := f.JetStream(t.Context()); err == nil || !strings.Contains(err.Error(), "cannot reach the fleet") {
		t.Errorf("a caller with time: %v", err)
	}
}

func TestSecret(t *testing.T) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := pair.Seed()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "me.nk")
	if err := os.WriteFile(file, seed, 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := fleet.ReadSecret(file); err != nil || string(text) != string(seed) {
		t.Errorf("a file of one's own: %v", err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for _, mode := range []os.FileMode{0o604, 0o602, 0o644, 0o666} {
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := fleet.ReadSecret(file); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
	if _, err := fleet.ReadSecret(filepath.Dir(file)); err == nil {
		t.Error("a folder was read")
	}
}

// TestBadCredentials: what is wrong with them is told before anything is dialled, and nothing of their text is.
func TestBadCredentials(t *testing.T) {
	for name, text := range map[string]string{"seed": "SUSECRETSECRET", "text": "my password", "empty": ""} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f := fleet.New(fleet.Config{URLs: []string{"nats://127.0.0.1:1"}, Namespace: "main", Credentials: file})
		_, err := f.JetStream(t.Context())
		if err == nil || !strings.Contains(err.Error(), "neither NATS credentials nor the seed") || strings.Contains(err.Error(), "SECRET") || strings.Contains(err.Error(), "password") {
			t.Errorf("%s: %v", name, err)
		}
		f.Close()
	}
}
