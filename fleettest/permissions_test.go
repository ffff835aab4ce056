package fleettest_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/pertain-dev/pertain/fleettest"
	"github.com/pertain-dev/pertain/internal/fleet"
	"github.com/pertain-dev/pertain/internal/revision"
	"github.com/pertain-dev/pertain/internal/tally"
)

// exampleUsers are the names that stand for keys in the example, in its order.
var exampleUsers = []string{"OPERATOR", "GATEWAY", "ALICE"}

// users reads the users of the example, with keys that are made here: their files by their names.
func users(t *testing.T) (list []*server.NkeyUser, files map[string]string) {
	t.Helper()
	text, err := os.ReadFile("../examples/fleet/nats.conf")
	if err != nil {
		t.Fatal(err)
	}
	conf, files := string(text), map[string]string{}
	for _, name := range exampleUsers {
		public, file := key(t)
		conf = strings.Replace(conf, "nkey: "+name, "nkey: "+public, 1)
		files[name] = file
	}
	path := filepath.Join(t.TempDir(), "nats.conf")
	if err := os.WriteFile(path, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	options, err := server.ProcessConfigFile(path)
	if err != nil || len(options.Nkeys) != len(files) {
		t.Fatal(len(options.Nkeys), err)
	}
	return options.Nkeys, files
}

// key makes one, and a file of it.
func key(t *testing.T) (public, file string) {
	t.Helper()
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	public, _ = pair.PublicKey()
	seed, _ := pair.Seed()
	file = filepath.Join(t.TempDir(), "user.nk")
	if err := os.WriteFile(file, seed, 0o600); err != nil {
		t.Fatal(err)
	}
	return public, file
}

// TestDeveloper: with what examples/fleet/nats.conf gives a developer, rules are read, and of memory and journal one's own is written and no other's; nothing can be made or removed.
// The same rights in tokens that an operator's account signed do the same.
func TestDeveloper(t *testing.T) {
	list, keys := users(t)
	t.Run("nkeys", func(t *testing.T) {
		developer(t, fleettest.Start(t, 1, fleettest.Options{Each: func(_ int, o *server.Options) { o.Nkeys = list }}), keys)
	})
	t.Run("credentials", func(t *testing.T) {
		set, files := operated(t, list, exampleUsers)
		cluster := fleettest.Start(t, 3, fleettest.Options{Each: func(_ int, o *server.Options) { set(o) }})
		developer(t, cluster, files)
		for _, file := range []string{"", files["STRANGER"]} {
			f := fleet.New(fleet.Config{URLs: cluster.URLs(), Namespace: "main", Credentials: file})
			defer f.Close()
			if _, err := f.JetStream(t.Context()); !errors.Is(err, nats.ErrAuthorization) {
				t.Errorf("with %q: %v", filepath.Base(file), err)
			}
		}
	})
}

func developer(t *testing.T, cluster *fleettest.Cluster, keys map[string]string) {
	t.Helper()
	open := func(file, member string) *fleet.Fleet {
		f := fleet.New(fleet.Config{URLs: cluster.URLs(), Namespace: "main", Member: member, Credentials: file})
		t.Cleanup(f.Close)
		return f
	}
	signer, err := fleet.NewSigner()
	if err != nil {
		t.Fatal(err)
	}
	public, err := signer.Public()
	if err != nil {
		t.Fatal(err)
	}
	trust, problems := revision.NewTrust("main", []string{public.String()})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	push := func(f *fleet.Fleet, text string) error {
		sum := revision.Sum([]byte(text))
		_, err := f.Book(trust).Push(t.Context(), signer, fleet.Draft{
			Files: []revision.File{{Path: "rules/a.md", Sum: sum, Size: len(text)}}, Contents: map[string][]byte{sum: []byte(text)}, Author: "a", Time: noon,
		})
		return err
	}
	lead := open(keys["OPERATOR"], "lead")
	for what, make := range map[string]func() error{
		"push":    func() error { return push(lead, "Be kind.\n") },
		"memory":  func() error { return second(lead.Memory().Get(t.Context(), "x")) },
		"counts":  func() error { return second(lead.Ledger("m").Day(t.Context(), "20261116")) },
		"journal": func() error { return second(lead.Ledger("m").Last(t.Context())) },
	} {
		cluster.Wait(what, func() bool { return make() == nil })
	}

	dev := open(keys["ALICE"], "alice")
	if head, err := dev.Book(trust).Head(t.Context()); err != nil || len(head.Files) != 1 {
		t.Errorf("rules cannot be read: %v", err)
	}
	if _, changed, err := dev.Book(trust).Take(t.Context(), revision.Store{Dir: t.TempDir()}); err != nil || !changed {
		t.Errorf("rules cannot be taken: %v", err)
	}
	watching, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var event fleet.Event
	dev.Book(trust).Follow(watching, revision.Store{Dir: t.TempDir()}, func(e fleet.Event) { event = e; cancel() })
	if event.Taken == nil {
		t.Errorf("rules cannot be watched: %+v", event)
	}
	revised, err := dev.Memory().Put(t.Context(), "k", []byte("v"), 0)
	if err != nil {
		t.Errorf("memory of one's own cannot be written: %v", err)
	}
	if value, at, err := dev.Memory().Get(t.Context(), "k"); err != nil || string(value) != "v" || at != revised {
		t.Errorf("memory of one's own cannot be read: %q %v", value, err)
	}
	day := (&tally.Day{Rows: map[tally.Name]*tally.Counts{{Rule: "r"}: {Denied: 1}}}).Encode()
	if err := dev.Ledger("m1").PutDay(t.Context(), "20261116", day, 0); err != nil {
		t.Errorf("counts of one's own cannot be written: %v", err)
	}
	if _, err := dev.Ledger("m1").Append(t.Context(), "1-1", []byte("x"), 0); err != nil {
		t.Errorf("entries of one's own cannot be written: %v", err)
	}

	if err := push(dev, "Be unkind.\n"); err == nil {
		t.Error("a developer pushes")
	}
	as := open(keys["ALICE"], "gateway") // says that it is somebody else
	soon, stop := context.WithTimeout(t.Context(), 5*time.Second)
	defer stop()
	if _, err := as.Memory().Put(soon, "k", []byte("forged"), 0); err == nil {
		t.Error("memory of another member is written")
	}
	refusedRaw(t, cluster, keys["GATEWAY"], map[string]string{
		"$KV.pertain_main_memory.alice.k":                "forged",
		"$KV.pertain_main_rules.head":                    "forged",
		"pertain.main.tally.20261116.alice.m1":           "forged",
		"pertain.main.journal.alice.m1":                  "forged",
		"$JS.API.STREAM.DELETE.KV_pertain_main_rules":    "",
		"$JS.API.STREAM.PURGE.pertain_main_journal":      "",
		"$JS.API.STREAM.UPDATE.KV_pertain_main_rules":    "{}",
		"$JS.API.CONSUMER.CREATE.pertain_main_journal.x": "{}",
	})
	if value, _, err := dev.Memory().Get(t.Context(), "k"); err != nil || string(value) != "v" {
		t.Errorf("alice's memory is %q now, %v", value, err)
	}
	if head, err := dev.Book(trust).Head(t.Context()); err != nil || head.Revision != 1 {
		t.Errorf("the rules in force are others now: %v", err)
	}
}

func second[T any](_ T, _ uint64, err error) error { return err }

// refusedRaw sends messages as a user may who writes a program, and wants no answer to any, nor to hear what others are answered.
func refusedRaw(t *testing.T, cluster *fleettest.Cluster, file string, messages map[string]string) {
	t.Helper()
	known := nats.UserCredentials(file)
	if filepath.Ext(file) != ".creds" {
		var err error
		if known, err = nats.NkeyOptionFromSeed(file); err != nil {
			t.Fatal(err)
		}
	}
	refused := make(chan error, 100)
	conn, err := nats.Connect(cluster.URL(0), known, nats.CustomInboxPrefix("_INBOX_gateway"),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err }))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for subject, text := range messages {
		if err := conn.Publish(subject, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, subject := range []string{"_INBOX_alice.>", "$KV.>", "pertain.>"} {
		if _, err := conn.SubscribeSync(subject); err != nil {
			t.Fatal(err)
		}
	}
	if err := conn.Flush(); err != nil {
		t.Fatal(err)
	}
	for i := range len(messages) + 3 {
		select {
		case err := <-refused:
			if !errors.Is(err, nats.ErrPermissionViolation) {
				t.Error(err)
			}
		case <-time.After(2 * time.Minute):
			t.Fatalf("only %d of %d were refused", i, len(messages)+3)
		}
	}
}
