package pertain_test

import (
	"context"
	"io/fs"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/strategy"
)

// watching runs Watch on a folder and keeps every catalog it tells of.
type watching struct {
	t      *testing.T
	engine *pertain.Engine
	mu     sync.Mutex
	seen   []string
}

func watch(t *testing.T, f folder) *watching {
	t.Helper()
	return watchOptions(t, f.options())
}

func watchOptions(t *testing.T, options pertain.Options) *watching {
	t.Helper()
	return watchEngine(t, open(t, options))
}

func watchEngine(t *testing.T, engine *pertain.Engine) *watching {
	t.Helper()
	w := &watching{t: t, engine: engine}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- w.engine.Watch(ctx, func(c *pertain.Catalog) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.seen = append(w.seen, contents(c))
		})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("Watch ended with %v", err)
		}
	})
	return w
}

// until waits, as long as the test may run, for the catalog to be this.
func (w *watching) until(want string) {
	w.t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for contents(w.engine.Catalog()) != want {
		if time.Now().After(deadline) {
			w.t.Fatalf("the catalog is\n%s\nwant\n%s", contents(w.engine.Catalog()), want)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// ready waits until changes are noticed: a watch takes a moment to begin.
func (w *watching) ready(f folder) {
	w.t.Helper()
	want := contents(w.engine.Catalog()) + "\nuser.ready Ready"
	f.write("ready.strategy.md", named("Ready"))
	w.until(want)
}

// never fails if a catalog that was told of has this in it.
func (w *watching) never(part string) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.seen {
		if strings.Contains(c, part) {
			w.t.Errorf("in between, the catalog was\n%s", c)
		}
	}
}

func TestWatch(t *testing.T) {
	f := newFolder(t, map[string]string{"a.strategy.md": named("A")})
	w := watch(t, f)
	w.ready(f)
	f.write("a.strategy.md", named("A2"))
	w.until("user.a A2\nuser.ready Ready")
	f.write("sub/deep/b.strategy.md", named("B"))
	w.until("user.a A2\nuser.ready Ready\nuser.sub.deep.b B")
	f.remove("a.strategy.md")
	w.until("user.ready Ready\nuser.sub.deep.b B")
	f.remove("sub")
	w.until("user.ready Ready")
	f.write("c.strategy.md", "broken")
	w.until("user.c  !\nuser.ready Ready")
	f.write("c.strategy.md", named("C"))
	w.until("user.c C\nuser.ready Ready")
}

// TestWatchBegins proves that what changes between Open and Watch is not lost.
func TestWatchBegins(t *testing.T) {
	f := newFolder(t, map[string]string{"a.strategy.md": named("A")})
	engine := open(t, f.options())
	f.write("a.strategy.md", named("A2"))
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	told := make(chan string, 10)
	done := make(chan error, 1)
	go func() { done <- engine.Watch(ctx, func(c *pertain.Catalog) { told <- contents(c) }) }()
	if got := <-told; got != "user.a A2" {
		t.Errorf("got %s", got)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestWatchSources(t *testing.T) {
	outside := newFolder(t, map[string]string{"base.md": "One.\n"})
	f := newFolder(t, map[string]string{"a.strategy.md": "---\nname: A\nfrom: " + outside.path("base.md") + "\n---\n"})
	w := watch(t, f)
	w.ready(f)
	body := func(want string) {
		t.Helper()
		deadline := time.Now().Add(30 * time.Second)
		for {
			s, _ := w.engine.Catalog().ByID("user.a")
			if s.Valid && s.Body == want {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("body = %q, want %q", s.Body, want)
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	outside.write("base.md", "Two.\n")
	body("Two.")
	outside.remove("base.md")
	w.until("user.a A !\nuser.ready Ready")
	outside.write("base.md", "Three.\n") // it is outside of every folder, and known only from before
	body("Three.")
	other := newFolder(t, map[string]string{"other.md": "Other.\n"})
	f.write("a.strategy.md", "---\nname: A\nfrom: "+other.path("other.md")+"\n---\n")
	body("Other.")
	other.write("other.md", "Other two.\n")
	body("Other two.")
}

// looking counts how often a provider was looked at.
type looking struct {
	strategy.Provider
	looks *atomic.Int64
}

func (l looking) List(ctx context.Context) ([]strategy.Entry, error) {
	l.looks.Add(1)
	return l.Provider.List(ctx)
}

// seen makes a change and waits until somebody has looked since.
func (l looking) seen(t *testing.T, change func()) {
	t.Helper()
	before := l.looks.Load()
	change()
	for end := time.Now().Add(30 * time.Second); l.looks.Load() == before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nobody looks at what has changed")
		}
	}
}

// counted are a folder's options, and who counts how often it is looked at.
func (f folder) counted() (pertain.Options, looking) {
	options := f.options()
	l := looking{options.Providers[0], new(atomic.Int64)}
	options.Providers[0] = l
	return options, l
}

// TestWatchSaves saves as editors do; the strategy must be neither lost nor broken in between. Nothing settles meanwhile,
// however long a busy machine takes for a save.
func TestWatchSaves(t *testing.T) {
	f := newFolder(t, map[string]string{"a.strategy.md": named("A0")})
	options, looks := f.counted()
	engine := open(t, options)
	engine.SetSettle(time.Hour)
	w := watchEngine(t, engine)
	w.ready(f)
	for i, save := range []func(text string){
		func(text string) { // written beside and renamed over
			f.write(".a.swp", text)
			if err := os.Rename(f.path(".a.swp"), f.path("a.strategy.md")); err != nil {
				t.Fatal(err)
			}
		},
		func(text string) { // the old one moved away first, and the new one written in pieces
			looks.seen(t, func() {
				if err := os.Rename(f.path("a.strategy.md"), f.path("a.strategy.md~")); err != nil {
					t.Fatal(err)
				}
			})
			looks.seen(t, func() { f.write("a.strategy.md", text[:8]) })
			f.write("a.strategy.md", text)
		},
		func(text string) { // emptied and written in pieces
			for _, n := range []int{0, 3, 9, len(text)} {
				looks.seen(t, func() { f.write("a.strategy.md", text[:n]) })
			}
		},
	} {
		name := "A" + string(rune('1'+i))
		save(named(name))
		w.until("user.a " + name + "\nuser.ready Ready")
	}
	w.never("!")
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.seen {
		if !strings.Contains(c, "user.a ") {
			t.Errorf("in between, the strategy was lost:\n%s", c)
		}
	}
}

// TestWatchSettles holds that a strategy which was saved broken several times is one strategy when its time is over. Another
// one, removed at the end, tells when that is.
func TestWatchSettles(t *testing.T) {
	f := newFolder(t, map[string]string{"a.strategy.md": named("A0"), "b.strategy.md": named("B")})
	options, looks := f.counted()
	w := watchOptions(t, options)
	w.ready(f)
	for range 3 {
		for _, text := range []string{"", "---", "---\nna"} {
			looks.seen(t, func() { f.write("a.strategy.md", text) })
		}
		f.write("a.strategy.md", named("A"))
		f.remove("b.strategy.md")
		w.until("user.a A\nuser.ready Ready")
		f.write("b.strategy.md", named("B"))
		w.until("user.a A\nuser.b B\nuser.ready Ready")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.seen {
		if strings.Count(c, "user.a ") > 1 {
			t.Errorf("in between, the catalog was\n%s", c)
		}
	}
}

// TestWatchIsQuiet holds that writing what is no strategy is no change, also where strategies are disabled, have the same id,
// or cannot be read.
func TestWatchIsQuiet(t *testing.T) {
	f := newFolder(t, map[string]string{
		"a.strategy.md":      "---\nname: A\nid: same\n---\nBody\n",
		"b.strategy.md":      "---\nname: B\nid: same\n---\nBody\n",
		"off.strategy.md":    named("Off"),
		"secret.strategy.md": named("Secret"),
	})
	options := f.options()
	options.Disabled = []string{"user.off"}
	options.Providers[0] = refusing{options.Providers[0], f.path("secret.strategy.md")}
	w := watchOptions(t, options)
	f.write("ready.strategy.md", named("Ready"))
	const all = "user.same A\nuser.same B !\nuser.off Off -\nuser.ready Ready\nuser.secret  !"
	w.until(all)
	for i := range 5 {
		f.write("notes.txt", strings.Repeat("x", i))
		time.Sleep(80 * time.Millisecond) // longer than changes are gathered: that nothing is told has no end to wait for
	}
	f.write("ready.strategy.md", named("Done"))
	w.until(strings.ReplaceAll(all, "Ready", "Done"))
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := len(w.seen); n > 2 {
		t.Errorf("told of %d changes:\n%s", n, strings.Join(w.seen, "\n\n"))
	}
}

// refusing is a provider that cannot read one of its files.
type refusing struct {
	strategy.Provider
	name string
}

func (r refusing) Read(ctx context.Context, entry strategy.Entry) ([]byte, error) {
	if entry.Name == r.name {
		return nil, fs.ErrPermission
	}
	return r.Provider.Read(ctx, entry)
}

// TestMatchDuringReload is for the race detector: matching takes no lock, and sees one catalog from beginning to end.
func TestMatchDuringReload(t *testing.T) {
	texts := map[string]string{}
	for i := range 60 {
		texts["s"+string(rune('A'+i%26))+string(rune('a'+i/26))+".strategy.md"] = when("x", 0, "{clipboard.text: {contains: needle}}")
	}
	f := newFolder(t, texts)
	engine := open(t, f.options())
	s := facts.NewSnapshot(facts.Parts{Values: facts.Fields()}).With("clipboard.text", facts.Text("a needle"))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 40 {
				m := match(t, engine, s, false)
				if n := len(m.Candidates); n != 60 && n != 61 {
					t.Errorf("%d candidates", n)
				}
				if _, ok := engine.Explain("user.sAa", s, pertain.ExplainOptions{}); !ok {
					t.Error("a strategy is gone")
				}
			}
		})
	}
	for i := range 20 {
		if i%2 == 0 {
			f.write("extra.strategy.md", when("x", 0, "true"))
		} else {
			f.remove("extra.strategy.md")
		}
		if _, err := engine.Reload(context.Background(), f.path("extra.strategy.md")); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
}

// TestWatchFindsPlugins holds that plugins need not be there when the watch
// begins, as those of the user's strategies need not.
func TestWatchFindsPlugins(t *testing.T) {
	home := newFolder(t, map[string]string{})
	env := map[string]string{"HOME": home.dir}
	location, err := pertain.Locate(pertain.Environment{Dir: home.dir, Env: func(name string) string { return env[name] }, NoBuiltin: true})
	if err != nil {
		t.Fatal(err)
	}
	w := watchOptions(t, location.Options)
	home.write(".config/pertain/strategies/a.strategy.md", named("A"))
	w.until("user.a A")
	home.write(".config/pertain/plugins/one/strategies/b.strategy.md", named("B"))
	w.until("user.a A\nplugin.one.b B")
	home.write(".config/pertain/plugins/one/strategies/c.strategy.md", named("C"))
	w.until("user.a A\nplugin.one.b B\nplugin.one.c C")
	if err := os.MkdirAll(home.path(".config/pertain/plugins/empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond) // seen before there is anything in it
	home.write(".config/pertain/plugins/empty/strategies/d.strategy.md", named("D"))
	w.until("user.a A\nplugin.empty.d D\nplugin.one.b B\nplugin.one.c C")
	if err := os.RemoveAll(home.path(".config/pertain/plugins/one")); err != nil {
		t.Fatal(err)
	}
	w.until("user.a A\nplugin.empty.d D")
}
