package facts_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// patience is what a collector gets to come back after its context has ended.
const patience = 5 * time.Millisecond

// mustNotHold fails if anything that is shown without --show-values has a text.
func mustNotHold(t *testing.T, out facts.Gathering, text string) {
	t.Helper()
	shown, err := json.Marshal(out.Diagnostics)
	if err != nil {
		t.Fatal(err)
	}
	all := string(shown) + fmt.Sprintf("%+v", out.Parts)
	for _, p := range out.Parts {
		all += fmt.Sprintf("%+v", out.Snapshot.WhyAbsent(p.Path))
	}
	if strings.Contains(all, text) {
		t.Errorf("the report holds text of the context: %s", all)
	}
}

func TestGatherLeavesAStuckCollector(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := &scripted{id: "a", serves: []string{"extra.browser"}, holds: make(chan struct{}), part: tab("late")}
		healthy := &scripted{id: "b", serves: []string{"clipboard.text"}, part: facts.Part{}.With("clipboard.text", facts.Text("x"))}
		g := facts.NewGatherer(stuck, healthy)

		out, took := gather(t, g, facts.Parts{}, "extra.browser", "clipboard.text")
		if took != limit+patience {
			t.Errorf("the first gathering took %v", took)
		}
		if got := textAt(t, out.Snapshot, "clipboard.text"); got != "x" {
			t.Errorf("a stuck collector cost another's part: clipboard.text = %s", got)
		}
		want := []string{"warning extra.provider_timeout extra.browser a"}
		if diff := cmp.Diff(want, codesOf(out.Diagnostics)); diff != "" {
			t.Error(diff)
		}

		for range 3 {
			time.Sleep(time.Second)
			out, took = gather(t, g, facts.Parts{}, "extra.browser", "clipboard.text")
			if took != 0 || stuck.calls() != 1 || stuck.asks() != 1 {
				t.Errorf("took %v, %d calls; a stuck collector must not be asked again", took, stuck.calls())
			}
			if diff := cmp.Diff(want, codesOf(out.Diagnostics)); diff != "" {
				t.Error(diff)
			}
		}
		if d := out.Diagnostics[0]; d.Duration != 3*time.Second+limit+patience {
			t.Errorf("it has been stuck for %v", d.Duration)
		}
		if p := out.Parts[1]; p.Duration != 0 {
			t.Errorf("this gathering did not wait, but tells %v", p.Duration)
		}

		close(stuck.holds)
		synctest.Wait()
		if got := textAt(t, out.Snapshot, "extra.browser.active_tab.url"); got != "(absent)" {
			t.Errorf("the late answer got into a snapshot: %s", got)
		}
		stuck.part = tab("new")
		out, _ = gather(t, g, facts.Parts{}, "extra.browser")
		if got := textAt(t, out.Snapshot, "extra.browser.active_tab.url"); got != "new" || stuck.calls() != 2 {
			t.Errorf("after %d calls: %s; a collector that came back is usable again", stuck.calls(), got)
		}
	})
}

func TestGatherAsksAnotherWhileOneIsStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := &scripted{id: "a", serves: []string{"extra"}, holds: make(chan struct{})}
		other := &scripted{id: "b", serves: []string{"extra.browser"}, part: tab("u")}
		g := facts.NewGatherer(stuck, other)
		gather(t, g, facts.Parts{}, "extra.browser")
		out, took := gather(t, g, facts.Parts{}, "extra.browser")
		if got := textAt(t, out.Snapshot, "extra.browser.active_tab.url"); got != "u" || took != 0 {
			t.Errorf("%s after %v", got, took)
		}
		if diff := cmp.Diff([]string{"info extra.provider_timeout extra.browser a"}, codesOf(out.Diagnostics)); diff != "" {
			t.Error(diff)
		}
		close(stuck.holds)
	})
}

func TestGatherAtTheLimit(t *testing.T) {
	tests := []struct {
		name  string
		c     *scripted
		url   string
		took  time.Duration
		again bool // callable at once afterwards
	}{
		{"heeds its context", &scripted{takes: time.Hour}, "(absent)", limit, true},
		{"returns what it has", &scripted{takes: time.Hour, salvages: true}, "u", limit, true},
		{"is a little late", &scripted{takes: limit + patience/2, deaf: true}, "u", limit + patience/2, true},
		{"is too late", &scripted{takes: limit + 2*patience, deaf: true}, "(absent)", limit + patience, false},
		{"hangs in CanCollect", &scripted{thinks: time.Hour}, "(absent)", limit + patience, false},
		{"declines late", &scripted{thinks: limit + patience/2, refuses: true}, "(absent)", limit + patience/2, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := tt.c
				c.id, c.serves, c.part = "a", []string{"extra.browser"}, tab("u")
				g := facts.NewGatherer(c)
				out, took := gather(t, g, facts.Parts{}, "extra.browser")
				if got := textAt(t, out.Snapshot, "extra.browser.active_tab.url"); got != tt.url || took != tt.took {
					t.Errorf("%s after %v, want %s after %v", got, took, tt.url, tt.took)
				}
				if tt.url == "(absent)" && out.Snapshot.WhyAbsent("extra.browser").Code != diag.ExtraProviderTimeout {
					t.Errorf("%+v", out.Snapshot.WhyAbsent("extra.browser"))
				}
				asked := c.asks()
				gather(t, g, facts.Parts{}, "extra.browser")
				if again := c.asks() > asked; again != tt.again {
					t.Errorf("asked again: %v, want %v", again, tt.again)
				}
				time.Sleep(2 * time.Hour) // whatever is stuck comes back
				asked = c.asks()
				gather(t, g, facts.Parts{}, "extra.browser")
				if c.asks() != asked+1 {
					t.Error("it is not usable after it came back")
				}
				time.Sleep(2 * time.Hour)
			})
		})
	}
}

func TestGatherEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		polite := &scripted{id: "a", serves: []string{"extra.browser"}, takes: time.Hour}
		stuck := &scripted{id: "b", serves: []string{"extra.workspace"}, holds: make(chan struct{})}
		g := facts.NewGatherer(polite, stuck)

		for _, limit := range []time.Duration{0, limit} {
			for _, tt := range []struct {
				names []string
				took  time.Duration
			}{{[]string{"extra.browser"}, 50 * time.Millisecond}, {[]string{"extra.browser", "extra.workspace"}, 50*time.Millisecond + patience}} {
				ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
				start := time.Now()
				out, err := g.Gather(ctx, needs(tt.names...), facts.Parts{}, limit)
				if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || out.Snapshot != nil || took > tt.took {
					t.Errorf("%v: %v after %v", tt.names, err, took)
				}
				cancel()
			}
		}
		if polite.calls() != 4 || stuck.calls() != 1 {
			t.Errorf("%d and %d calls", polite.calls(), stuck.calls())
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := g.Gather(ctx, needs("extra.browser"), facts.Parts{}, limit); !errors.Is(err, context.Canceled) || polite.calls() != 4 {
			t.Errorf("%v after %d calls; nothing is asked for a caller who is gone", err, polite.calls())
		}
		close(stuck.holds)
	})
}

func TestGatherCallsACollectorOnceAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// Both roots come to the last collector, at different times.
		early := &scripted{id: "a", serves: []string{"extra.browser"}, takes: 10 * time.Millisecond, err: errors.New(secret)}
		later := &scripted{id: "b", serves: []string{"extra.workspace"}, takes: 20 * time.Millisecond, err: errors.New(secret)}
		last := &scripted{
			id: "c", serves: []string{"extra"}, takes: 50 * time.Millisecond,
			part: tab("u").With("extra.workspace.name", facts.Text("w")),
		}
		g := facts.NewGatherer(early, later, last)
		out, took := gather(t, g, facts.Parts{}, "extra.browser", "extra.workspace")
		if took != 110*time.Millisecond || last.atOnce() != 1 || last.calls() != 2 {
			t.Errorf("took %v, %d calls, %d at a time", took, last.calls(), last.atOnce())
		}
		if textAt(t, out.Snapshot, "extra.browser.active_tab.url") != "u" || textAt(t, out.Snapshot, "extra.workspace.name") != "w" {
			t.Error("a part is missing")
		}

		last.takes = 185 * time.Millisecond // the second root waits in vain
		out, _ = gather(t, g, facts.Parts{}, "extra.browser", "extra.workspace")
		if why := out.Snapshot.WhyAbsent("extra.workspace"); why.Code != diag.ExtraProviderTimeout || why.Provider != "c" {
			t.Errorf("%+v", why)
		}
		last.takes, last.deaf = limit-10*time.Millisecond+patience/2, true // and here it comes back when the time is over
		out, _ = gather(t, g, facts.Parts{}, "extra.browser", "extra.workspace")
		if why := out.Snapshot.WhyAbsent("extra.workspace"); why != (facts.Absence{Code: diag.ExtraProviderTimeout, Provider: "c", Reason: "there was no time left to ask it"}) {
			t.Errorf("%+v", why)
		}
		last.holds = make(chan struct{})
		out, _ = gather(t, g, facts.Parts{}, "extra.browser", "extra.workspace")
		for _, p := range out.Parts {
			if why := out.Snapshot.WhyAbsent(p.Path); why.Code != diag.ExtraProviderTimeout || why.Provider != "c" {
				t.Errorf("%s: %+v", p.Path, why)
			}
		}
		close(last.holds)
		time.Sleep(time.Second)
	})
}

func TestGatherSummaries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		part := tab(secret).
			With("extra.browser.active_tab.title", facts.Text(secret)).
			With("extra.odd", facts.Fields(facts.Field{Name: "n", Value: facts.Text(secret)})).
			With("extra.workspace.name", facts.Text(secret)).
			With("clipboard.text", facts.Text(secret)).
			With("clipboard.hasImage", facts.Flag(true)).
			With("clipboard.files", facts.List(facts.Fields(facts.Field{Name: "path", Value: facts.Text(secret)})))
		part.Summary = map[string]string{"extra.workspace": "1 repository"}
		c := &scripted{id: "a", serves: []string{"extra", "clipboard"}, part: part}
		out, _ := gather(t, facts.NewGatherer(c), facts.Parts{}, "extra.browser", "extra.odd", "extra.workspace", "clipboard.text", "clipboard.hasImage", "clipboard.files")
		got := map[string]string{}
		for _, p := range out.Parts {
			got[p.Path] = p.Summary
		}
		want := map[string]string{
			"extra.browser": "2 of 4 values", "extra.odd": "1 value", "extra.workspace": "1 repository",
			"clipboard.text": "7 characters", "clipboard.hasImage": "a boolean", "clipboard.files": "1 item",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		mustNotHold(t, out, secret)
	})
}

func TestGatherConcurrently(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := &scripted{id: "a", serves: []string{"extra"}, part: tab("u")}
	failing := &scripted{id: "b", serves: []string{"clipboard"}, err: errors.New(secret)}
	g := facts.NewGatherer(c, failing)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				out, err := g.Gather(context.Background(), needs("extra.browser", "clipboard.text"), facts.Parts{}, time.Minute)
				if err != nil || !out.Parts[1].Available || out.Parts[0].Available {
					t.Errorf("%v, %+v", err, out.Parts)
					return
				}
			}
		})
	}
	wg.Wait()
}

// TestGatherAnyScript holds what is true whatever collectors do: a report for
// each need, a reason for each that has no value, and the time limit.
func TestGatherAnyScript(t *testing.T) {
	names := []string{"clipboard.files", "clipboard.hasText", "clipboard.text", "extra.browser", "extra.workspace", "visual"}
	roots := append([]string{"clipboard", "extra"}, names...)
	for seed := range uint64(400) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			release := make(chan struct{})
			var collectors []facts.Collector
			var scripts []*scripted
			for i := range random.IntN(6) {
				c := &scripted{id: fmt.Sprint("c", i), takes: time.Duration(random.IntN(150)) * time.Millisecond, refuses: random.IntN(5) == 0, deaf: random.IntN(3) == 0}
				for range 1 + random.IntN(3) {
					c.serves = append(c.serves, roots[random.IntN(len(roots))])
				}
				switch random.IntN(6) {
				case 0:
					c.err = errors.New(secret)
				case 1:
					c.err = facts.PermissionMissing("not allowed", "")
				case 2:
					c.holds = release
				default:
					c.part = randomPart(random, names)
				}
				collectors, scripts = append(collectors, c), append(scripts, c)
			}
			var wanted facts.Needs
			for _, name := range names {
				if random.IntN(3) > 0 {
					wanted.Add(name)
				}
			}
			g := facts.NewGatherer(collectors...)
			for range 3 {
				checkGathering(t, g, wanted, fmt.Sprint("seed ", seed))
			}
			for _, c := range scripts {
				if c.atOnce() > 1 || c.holds != nil && c.calls() > 1 {
					t.Errorf("seed %d: %s was called %d times, %d at a time", seed, c.id, c.calls(), c.atOnce())
				}
			}
			close(release)
			time.Sleep(time.Hour) // whatever was left behind ends
		})
	}
}

func randomPart(random *rand.Rand, names []string) facts.Part {
	var p facts.Part
	for _, name := range names {
		switch random.IntN(4) {
		case 0:
			p = p.With(name, facts.Value{})
		case 1:
			if name == "visual" {
				p.Tree = facts.NewTree([]facts.Element{{ID: "e"}}, nil)
			} else {
				p = p.With(name, facts.Text(secret))
			}
		}
	}
	return p
}

func checkGathering(t *testing.T, g *facts.Gatherer, wanted facts.Needs, where string) {
	t.Helper()
	start := time.Now()
	out, err := g.Gather(t.Context(), wanted, facts.Parts{}, limit)
	if took := time.Since(start); err != nil || took > limit+patience {
		t.Fatalf("%s: %v after %v", where, err, took)
	}
	var paths []string
	for _, p := range out.Parts {
		paths = append(paths, p.Path)
		value := facts.Item(out.Snapshot.Values(), p.Path)
		if there := !value.IsAbsent() || p.Path == "visual" && out.Snapshot.Tree() != nil; there != p.Available {
			t.Errorf("%s: %s is available: %v, but in the snapshot: %v", where, p.Path, p.Available, there)
		}
		if why := out.Snapshot.WhyAbsent(p.Path); (why.Reason == "") != p.Available {
			t.Errorf("%s: %s is available: %v, and the reason is %+v", where, p.Path, p.Available, why)
		} else if why.Code != "" && len(p.Diagnostics) == 0 {
			t.Errorf("%s: %s has no diagnostic", where, p.Path)
		}
		if p.Available && p.Provider == "" {
			t.Errorf("%s: nobody gave %s", where, p.Path)
		}
	}
	if diff := cmp.Diff(wanted.Names(), paths); diff != "" {
		t.Errorf("%s: %s", where, diff)
	}
	mustNotHold(t, out, secret)
}
