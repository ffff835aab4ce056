package pertain_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/skill"
)

// watchBound ends a run that is broken. How long it takes is measured, not
// judged: machines of tests are busy.
const watchBound = 20 * time.Second

// TestWatchAnything edits worlds at random, with links of all kinds, and holds
// that whoever watches has in the end what who looks for the first time has: the
// same strategies, skills and rules, and the same to say about them. Each way of
// noticing changes has to do by itself too.
//
// PERTAIN_WATCH_EDITS is how many edits there are, PERTAIN_WATCH_SEED the seed.
func TestWatchAnything(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right that tests do not have")
	}
	edits, seed := 2000, rand.Uint64N(1_000_000)
	if n, err := strconv.Atoi(os.Getenv("PERTAIN_WATCH_EDITS")); err == nil {
		edits = n
	}
	if n, err := strconv.ParseUint(os.Getenv("PERTAIN_WATCH_SEED"), 10, 64); err == nil {
		seed = n
	}
	if testing.Short() {
		edits = min(edits, 200)
	}
	t.Logf("PERTAIN_WATCH_SEED=%d PERTAIN_WATCH_EDITS=%d", seed, edits)
	ctx := follow.Share(t.Context())
	var told, looked latencies
	var worlds sync.WaitGroup // not t.Parallel: they wait most of the time, however few processors there are
	for i := range 8 {
		means, batch, all := follow.Means{}, 12, &told
		switch i {
		case 0, 1, 2, 3, 4: // what the system does not tell is not made good by a look
			means.Blind = true
		case 7:
			means.Deaf, batch, all = true, 60, &looked
		}
		worlds.Go(func() {
			t.Run(fmt.Sprintf("%d %+v", i, means), func(t *testing.T) {
				editWorld(follow.Restrict(ctx, means), t, seed, i, edits/8, batch, all)
			})
		})
	}
	worlds.Wait()
	t.Logf("until all was known, where the system tells: %v", &told)
	t.Logf("where it does not: %v", &looked)
}

// editWorld edits one world, in batches of one edit to as many as are named.
func editWorld(ctx context.Context, t *testing.T, seed uint64, number, edits, batch int, all *latencies) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := newEditedWorld(base, seed, number)
	t.Cleanup(func() { _ = w.open() })
	env := map[string]string{"HOME": w.path("home")}
	at := pertain.Environment{Dir: w.path("ws"), Env: func(name string) string { return env[name] }, NoBuiltin: true}
	for range 40 {
		w.edit()
	}
	for _, err := pertain.Locate(at); err != nil; _, err = pertain.Locate(at) { // there is no beginning without settings
		w.edit()
	}
	watched := watchWorld(ctx, t, at)
	for done := 0; done < edits; {
		begin := len(w.log)
		n := 1
		if w.random.IntN(2) > 0 {
			n += w.random.IntN(batch)
		}
		for range min(n, edits-done) {
			w.edit()
			done++
			if w.random.IntN(8) == 0 {
				time.Sleep(time.Duration(w.random.IntN(60)) * time.Millisecond) // while it is looked at
			}
		}
		want, ok := freshWorld(ctx, t, at)
		if !ok {
			continue // who watches goes on with what is known, and who comes anew cannot begin
		}
		began := time.Now()
		for got := watched(); got != want; got = watched() {
			if time.Since(began) > watchBound {
				t.Fatalf("PERTAIN_WATCH_SEED=%d, after %d edits; the last were\n  %s\n%s",
					seed, done, strings.Join(w.log[begin:], "\n  "), firstDifference(got, want))
			}
			time.Sleep(2 * time.Millisecond)
		}
		all.add(time.Since(began))
	}
}

// watchWorld begins to watch and returns what is known now.
func watchWorld(ctx context.Context, t *testing.T, at pertain.Environment) func() string {
	t.Helper()
	location, err := pertain.Locate(at)
	if err != nil {
		t.Fatal(err)
	}
	engine := open(t, location.Options)
	ctx, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	t.Cleanup(func() { stop(); running.Wait() })
	var mu sync.Mutex
	var rules string
	library, begun := pertain.Skills(at), &countedState{}
	registry, err := library.Load(ctx)
	if err != nil {
		t.Fatal(err)
	}
	skills := writtenSkills(registry)
	library.State = begun
	for _, watch := range []func() error{
		func() error { return engine.Watch(ctx, func(*pertain.Catalog) {}) },
		func() error {
			return library.Watch(ctx, func(r *skill.Registry) { mu.Lock(); defer mu.Unlock(); skills = writtenSkills(r) })
		},
		func() error {
			return pertain.WatchRules(ctx, at, pertain.RuleOptions{Nested: true}, func(b *pertain.Rulebook) {
				mu.Lock()
				defer mu.Unlock()
				rules = writtenRules(b)
			}, func(err error) { t.Error(err) })
		},
	} {
		running.Go(func() {
			if err := watch(); err != nil {
				t.Error(err)
			}
		})
	}
	for begun.loads.Load() < 2 { // it tells of what differs from its first look
		time.Sleep(time.Millisecond)
	}
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		return writtenCatalog(engine.Catalog()) + skills + rules
	}
}

// countedState has no choices, and counts how often it was asked: with each load.
type countedState struct{ loads atomic.Int32 }

func (s *countedState) Choices() (skill.Choices, error) {
	s.loads.Add(1)
	return nil, nil
}

func (*countedState) Set(context.Context, skill.Key, *bool) error { return nil }

// freshWorld is what there is for who looks for the first time. ok is false where
// the settings cannot be read.
func freshWorld(ctx context.Context, t *testing.T, at pertain.Environment) (written string, ok bool) {
	t.Helper()
	location, err := pertain.Locate(at)
	if err != nil {
		return "", false
	}
	registry, err := pertain.Skills(at).Load(ctx)
	if err != nil {
		t.Fatal(err)
	}
	book, err := pertain.OpenRules(ctx, at, pertain.RuleOptions{Nested: true})
	if err != nil {
		t.Fatal(err)
	}
	return writtenCatalog(open(t, location.Options).Catalog()) + writtenSkills(registry) + writtenRules(book), true
}

func writtenCatalog(c *pertain.Catalog) string {
	var b strings.Builder
	for _, s := range c.Strategies() {
		fmt.Fprintf(&b, "strategy %s %q %q %d valid %v enabled %v trusted %v %v %q", s.ID, s.Name, s.Description, s.Priority, s.Valid, s.Enabled, s.Trusted, s.Limits, s.Body)
		for _, source := range s.Includes {
			fmt.Fprintf(&b, " from %s %q", source.Name(), source.Text())
		}
		b.WriteString(" in " + s.Source.Name() + "\n")
	}
	return b.String() + writtenDiagnostics(c.Diagnostics())
}

func writtenSkills(r *skill.Registry) string {
	var b strings.Builder
	for _, s := range r.Skills() {
		fmt.Fprintf(&b, "skill %s %q valid %v enabled %v %q\n", s.ID, s.Dir, s.Valid, s.Enabled, s.Source.Text())
	}
	return b.String() + writtenDiagnostics(r.Diagnostics())
}

func writtenRules(book *pertain.Rulebook) string {
	var b strings.Builder
	for _, r := range book.All() {
		fmt.Fprintf(&b, "rule %s %s %s shadowed %v %q %q\n", r.Name, r.Path, r.Real, r.Shadowed, r.Content, r.Includes)
	}
	return b.String() + writtenDiagnostics(book.Warnings())
}

func writtenDiagnostics(list diag.List) string {
	var b strings.Builder
	for _, d := range list {
		fmt.Fprintf(&b, "  %s %s %v %s\n", d.Code, d.File(), d.Span, d.Message)
	}
	return b.String()
}

// firstDifference shows the lines that only one of two texts has.
func firstDifference(got, want string) string {
	var b strings.Builder
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for _, line := range g {
		if !slices.Contains(w, line) {
			b.WriteString("- " + line + "\n")
		}
	}
	for _, line := range w {
		if !slices.Contains(g, line) {
			b.WriteString("+ " + line + "\n")
		}
	}
	return b.String()
}

// latencies are the times from the last edit until all was known.
type latencies struct {
	mu   sync.Mutex
	list []time.Duration
}

func (l *latencies) add(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, d)
}

func (l *latencies) String() string {
	if len(l.list) == 0 {
		return "nothing was waited for"
	}
	slices.Sort(l.list)
	at := func(part float64) time.Duration {
		return l.list[int(part*float64(len(l.list)-1))].Round(time.Millisecond)
	}
	return fmt.Sprintf("%d waits: median %v, 99 %% %v, most %v", len(l.list), at(0.5), at(0.99), at(1))
}
