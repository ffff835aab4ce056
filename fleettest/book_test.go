package fleettest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/fleettest"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/fleet"
	"github.com/pertain-dev/pertain/internal/revision"
)

// member is a machine of a fleet.
type member struct {
	t      *testing.T
	fleet  *fleet.Fleet
	book   *fleet.Book
	store  revision.Store
	trust  revision.Trust
	signer *fleet.Signer
}

// newMember is a machine that trusts the signer's key; without one it makes one.
func newMember(t *testing.T, urls []string, signer *fleet.Signer) *member {
	t.Helper()
	var err error
	if signer == nil {
		if signer, err = fleet.NewSigner(); err != nil {
			t.Fatal(err)
		}
	}
	public, err := signer.Public()
	if err != nil {
		t.Fatal(err)
	}
	m := &member{t: t, signer: signer, store: revision.In(t.TempDir(), "main"), trust: revision.Trust{Namespace: "main", Keys: []revision.Key{public}}}
	m.fleet = fleet.New(fleet.Config{URLs: urls, Namespace: "main", Limits: unhurried()})
	m.book = m.fleet.Book(m.trust)
	t.Cleanup(m.fleet.Close)
	return m
}

// unhurried are limits for a machine that has other things to do.
func unhurried() fleet.Limits {
	return fleet.Limits{Dial: 20 * time.Second, Create: 2 * time.Minute, Ask: 20 * time.Second}
}

func draft(texts map[string]string) fleet.Draft {
	d := fleet.Draft{Author: "me", Time: time.Now(), Contents: map[string][]byte{}}
	for path, text := range texts {
		sum := revision.Sum([]byte(text))
		d.Files, d.Contents[sum] = append(d.Files, revision.File{Path: path, Size: len(text), Sum: sum}), []byte(text)
	}
	revision.Sorted(d.Files)
	return d
}

func (m *member) push(texts map[string]string) *fleet.Sealed {
	m.t.Helper()
	s, err := m.book.Push(m.t.Context(), m.signer, draft(texts))
	if err != nil {
		m.t.Fatal(err)
	}
	return s
}

// have is what the machine uses.
func (m *member) have() (*revision.Copy, error) {
	return m.store.Open(context.Background(), files.OS(), m.trust)
}

func TestBook(t *testing.T) {
	cluster := fleettest.Start(t, 1, fleettest.Options{})
	pusher := newMember(t, cluster.URLs(), nil)
	reader := newMember(t, cluster.URLs(), pusher.signer)
	if _, _, err := reader.book.Take(t.Context(), reader.store); !errors.Is(err, fleet.ErrEmpty) {
		t.Errorf("before anything was pushed: %v", err)
	}
	first := pusher.push(map[string]string{"rules/a.md": "A", "rules/b.md": ""})
	if _, changed, err := reader.book.Take(t.Context(), reader.store); err != nil || !changed {
		t.Fatalf("%v, %v", changed, err)
	}
	if _, changed, err := reader.book.Take(t.Context(), reader.store); err != nil || changed {
		t.Errorf("taken again: %v, %v", changed, err)
	}
	second := pusher.push(map[string]string{"rules/a.md": "changed", "rules/b.md": ""})
	if second.Revision != 2 || second.Parent != first.Sum {
		t.Errorf("%+v", second.Manifest)
	}
	if _, changed, err := reader.book.Take(t.Context(), reader.store); err != nil || !changed {
		t.Fatalf("%v, %v", changed, err)
	}
	back := draft(nil)
	back.Files, back.Rollback = first.Files, first.Revision
	third, err := pusher.book.Push(t.Context(), pusher.signer, back)
	if err != nil {
		t.Fatal(err)
	}
	if taken, changed, err := reader.book.Take(t.Context(), reader.store); err != nil || !changed || taken.Rollback != 1 {
		t.Errorf("after going back: %v, %v", changed, err)
	}
	copied, err := reader.have()
	if err != nil || copied.Revision != 3 || copied.Files[0].Sum != first.Files[0].Sum {
		t.Fatalf("%+v, %v", copied, err)
	}
	all, err := reader.book.Revisions(t.Context(), 10)
	if err != nil || len(all) != 3 || all[0].Sum != third.Sum || all[2].Sum != first.Sum {
		t.Errorf("%d revisions, %v", len(all), err)
	}
	if found, err := reader.book.Find(t.Context(), 0, second.Sum[:8]); err != nil || found.Revision != 2 {
		t.Errorf("by its sum: %v", err)
	}
	// Made from an older revision, a push is refused.
	late := draft(map[string]string{"rules/a.md": "late"})
	late.Base = second.Sum
	var conflict *fleet.ConflictError
	if _, err := pusher.book.Push(t.Context(), pusher.signer, late); !errors.As(err, &conflict) || conflict.Revision != 3 {
		t.Errorf("made from an older revision: %v", err)
	}
}

// TestPushTogether: of many who push at once, each revision has its own number, and whoever was late is told.
func TestPushTogether(t *testing.T) {
	cluster := fleettest.Start(t, 3, fleettest.Options{})
	first := newMember(t, cluster.URLs(), nil)
	var all sync.WaitGroup
	var mu sync.Mutex
	won := map[int64]bool{}
	for i := range 8 {
		m := newMember(t, cluster.URLs(), first.signer)
		all.Go(func() {
			s, err := m.book.Push(t.Context(), m.signer, draft(map[string]string{"rules/a.md": fmt.Sprint("by ", i)}))
			var conflict *fleet.ConflictError
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil && won[s.Revision]:
				t.Errorf("revision %d was made twice", s.Revision)
			case err == nil:
				won[s.Revision] = true
			case !errors.As(err, &conflict):
				t.Error(err)
			}
		})
	}
	all.Wait()
	list, err := first.book.Revisions(t.Context(), 100)
	if err != nil || len(list) != len(won) || len(won) == 0 {
		t.Errorf("%d in the list, %d made: %v", len(list), len(won), err)
	}
}

// TestHostile: whatever others write onto the servers, nothing of it is used, what the machine has stays, and the reason is told.
func TestHostile(t *testing.T) {
	cluster := fleettest.Start(t, 1, fleettest.Options{})
	pusher := newMember(t, cluster.URLs(), nil)
	first := pusher.push(map[string]string{"rules/a.md": "A"})
	second := pusher.push(map[string]string{"rules/a.md": "B"})
	reader := newMember(t, cluster.URLs(), pusher.signer)
	if _, _, err := reader.book.Take(t.Context(), reader.store); err != nil {
		t.Fatal(err)
	}
	js, err := pusher.fleet.JetStream(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	kv, err := js.KeyValue(t.Context(), "pertain_main_rules")
	if err != nil {
		t.Fatal(err)
	}
	put := func(key string, data []byte) {
		t.Helper()
		if _, err := kv.Put(t.Context(), key, data); err != nil {
			t.Fatal(err)
		}
	}
	point := func(sum string) { put("head", []byte(`{"manifest":"`+sum+`"}`)) }
	seal := func(signer *fleet.Signer, m revision.Manifest) string {
		t.Helper()
		text, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		signature := ""
		if signer != nil {
			signature = signer.Sign(text, "x")
		}
		data, err := json.Marshal(revision.Sealed{Manifest: string(text), Signature: signature})
		if err != nil {
			t.Fatal(err)
		}
		sum := revision.Sum(text)
		put("manifest."+sum, data)
		return sum
	}
	stranger, err := fleet.NewSigner()
	if err != nil {
		t.Fatal(err)
	}
	const deleted = "a deleted pointer" // the last one
	missing := []revision.File{{Path: "rules/a.md", Size: 1, Sum: strings.Repeat("a", 64)}}
	attacks := map[string]struct {
		attack func()
		want   string
	}{
		"garbage in the pointer":    {func() { put("head", []byte("\x00\xff garbage")) }, "cannot be read"},
		"a large pointer":           {func() { put("head", []byte(`{"manifest":"`+strings.Repeat("a", 500_000)+`"}`)) }, "cannot be read"},
		"a pointer to nothing":      {func() { point(strings.Repeat("b", 64)) }, "not there"},
		"a pointer into other keys": {func() { point("../../head") }, "cannot be read"},
		"an old pointer":            {func() { point(first.Sum) }, "older than 2"},
		"garbage in the manifest":   {func() { put("manifest."+strings.Repeat("c", 64), []byte("garbage")); point(strings.Repeat("c", 64)) }, "cannot be read"},
		"another manifest under its name": {func() {
			put("manifest."+strings.Repeat("d", 64), []byte(`{"manifest":"x"}`))
			point(strings.Repeat("d", 64))
		}, "not what its pointer names"},
		"a large manifest": {func() {
			put("manifest."+strings.Repeat("e", 64), []byte(`{"manifest":"`+strings.Repeat("x", 1_000_000)+`"}`))
			point(strings.Repeat("e", 64))
		}, "is not what its pointer names"},
		"unsigned":                     {func() { point(seal(nil, revision.Manifest{Namespace: "main", Revision: 9})) }, "not signed"},
		"signed by a stranger":         {func() { point(seal(stranger, revision.Manifest{Namespace: "main", Revision: 9})) }, "none of the keys"},
		"signed for another":           {func() { point(seal(pusher.signer, revision.Manifest{Namespace: "other", Revision: 9})) }, "another namespace"},
		"another with the same number": {func() { point(seal(pusher.signer, revision.Manifest{Namespace: "main", Revision: 2})) }, "two revisions"},
		"a missing object":             {func() { point(seal(pusher.signer, revision.Manifest{Namespace: "main", Revision: 9, Files: missing})) }, "not on the fleet's servers"},
		"another object": {func() {
			put("object."+missing[0].Sum, []byte(strings.Repeat("huge", 200_000)))
			point(seal(pusher.signer, revision.Manifest{Namespace: "main", Revision: 9, Files: missing}))
		}, "not what was signed"},
		deleted: {func() {
			if err := kv.Delete(t.Context(), "head"); err != nil {
				t.Fatal(err)
			}
		}, "nothing was pushed"},
	}
	names := slices.Sorted(maps.Keys(attacks))
	names = append(slices.DeleteFunc(names, func(name string) bool { return name == deleted }), deleted)
	for _, name := range names {
		test := attacks[name]
		t.Run(name, func(t *testing.T) {
			test.attack()
			_, changed, err := reader.book.Take(t.Context(), reader.store)
			if err == nil || changed || !strings.Contains(err.Error(), test.want) {
				t.Errorf("changed %v, %v; want %q", changed, err, test.want)
			}
			if have, err := reader.have(); err != nil || have.Sum != second.Sum {
				t.Errorf("what the machine had is gone: %v", err)
			}
			if _, refused := reader.store.LastChecked(); refused == "" && test.want != "nothing was pushed" {
				t.Error("it is not noted why")
			}
		})
	}
	// Who may push mends all of it by the next push, and machines take that.
	d := draft(map[string]string{"rules/a.md": "C"})
	d.AtLeast, d.Last = reader.store.Newest(reader.trust)
	mended, err := pusher.book.Push(t.Context(), pusher.signer, d)
	if err != nil {
		t.Fatal(err)
	}
	if taken, changed, err := reader.book.Take(t.Context(), reader.store); err != nil || !changed || taken.Sum != mended.Sum || mended.Parent != second.Sum {
		t.Errorf("after the next push: %v, %v", changed, err)
	}
}

// TestFollow: a machine that runs takes what is pushed, tells once what it does not take, and outlives the loss of the leader and a cut.
func TestFollow(t *testing.T) {
	cluster := fleettest.Start(t, 3, fleettest.Options{})
	pusher := newMember(t, cluster.URLs(), nil)
	pusher.push(map[string]string{"rules/a.md": "1"})
	reader := newMember(t, cluster.URLs(), pusher.signer)
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	events := make(chan fleet.Event, 100)
	all.Go(func() { reader.book.Follow(ctx, reader.store, func(e fleet.Event) { events <- e }) })
	defer func() { stop(); all.Wait() }()
	taken := func(number int64) {
		t.Helper()
		cluster.Wait(fmt.Sprintf("revision %d", number), func() bool {
			have, err := reader.have()
			return err == nil && have.Revision == number
		})
	}
	taken(1)
	pusher.push(map[string]string{"rules/a.md": "2"})
	taken(2)

	js, err := pusher.fleet.JetStream(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	kv, err := js.KeyValue(t.Context(), "pertain_main_rules")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := kv.Put(t.Context(), "head", []byte("garbage")); err != nil {
			t.Fatal(err)
		}
	}
	refused := 0
	for refused == 0 {
		select {
		case e := <-events:
			if e.Refused != nil {
				refused++
			}
		case <-time.After(time.Minute):
			t.Fatal("garbage was not told of")
		}
	}

	cluster.Kill(cluster.Leader())
	cluster.Wait("a push after the leader was killed", func() bool {
		d := draft(map[string]string{"rules/a.md": "3"})
		d.AtLeast, d.Last = reader.store.Newest(reader.trust)
		_, err := pusher.book.Push(t.Context(), pusher.signer, d)
		return err == nil
	})
	cluster.Wait("the revision after that", func() bool {
		have, err := reader.have()
		return err == nil && have.Revision >= 3
	})
	stop()
	all.Wait()
	close(events)
	for e := range events {
		if e.Refused != nil {
			refused++
		}
	}
	if refused != 1 {
		t.Errorf("garbage that was written three times was told of %d times", refused)
	}
}

// TestAway: where nothing answers, a machine is told so and has what it had.
func TestAway(t *testing.T) {
	cluster := fleettest.Start(t, 1, fleettest.Options{})
	pusher := newMember(t, cluster.URLs(), nil)
	pusher.push(map[string]string{"rules/a.md": "1"})
	reader := newMember(t, cluster.URLs(), pusher.signer)
	if _, _, err := reader.book.Take(t.Context(), reader.store); err != nil {
		t.Fatal(err)
	}
	cluster.Cut(0)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, _, err := reader.book.Take(ctx, reader.store); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while the network is cut: %v", err)
	}
	if _, err := reader.have(); err != nil {
		t.Errorf("the copy: %v", err)
	}
	cluster.Heal(0)
	cluster.Wait("an answer", func() bool {
		_, _, err := reader.book.Take(t.Context(), reader.store)
		return err == nil
	})
	cluster.Kill(0)
	fresh := newMember(t, cluster.URLs(), pusher.signer)
	if _, _, err := fresh.book.Take(t.Context(), fresh.store); err == nil {
		t.Error("an answer of nobody")
	}
}
