package cli

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/collect"
	"github.com/pertain-dev/pertain/strategy"
)

// host is what the service keeps between questions: the desktop, watched, and the
// strategies of who asked last.
type host struct {
	app   *app // of the service itself, whose settings say what is read ahead
	build string
	since time.Time

	outdated func() bool // whether the program's file is another one by now; nil: nobody knows
	end      func()      // ends the service
	replaced atomic.Bool // it ends because of that

	mu       sync.Mutex
	desk     *watchedDesk
	engines  []*keptEngine // who asked last is last
	answered map[string]int
	refused  int
	quiet    *time.Timer // gives memory back when nobody asks
}

// watchedDesk is a desktop that is watched.
type watchedDesk struct {
	key     string
	display string // for people
	machine *collect.Machine
	stop    func()
	done    chan struct{}
	users   sync.WaitGroup // commands that read it
}

// maxEngines is how many sets of strategies are kept: people work in a few folders.
const maxEngines = 4

// keptEngine are the strategies of an environment.
type keptEngine struct {
	key    string
	opened sync.Once
	engine atomic.Pointer[pertain.Engine]
	err    error // of opening it; read after opened
}

// engine holds the strategies of an environment, which is read again.
func (h *host) engine(ctx context.Context, environment pertain.Environment, sent map[string]string, preprocessors strategy.Preprocessors) (*pertain.Engine, error) {
	key, err := json.Marshal([]any{environment.Dir, environment.Strategies, environment.NoBuiltin, sent, preprocessors != nil})
	if err != nil {
		return nil, err
	}
	kept := h.keep(string(key))
	first := false
	kept.opened.Do(func() {
		first = true
		environment.Env = func(name string) string { return sent[name] }
		engine, err := openKept(context.WithoutCancel(ctx), environment, preprocessors) // others may wait for it
		kept.err = err
		kept.engine.Store(engine)
	})
	if kept.err != nil {
		h.drop(kept)
		return nil, kept.err
	}
	engine := kept.engine.Load()
	if !first {
		if _, err := engine.Renew(ctx); err != nil {
			return nil, err
		}
	}
	return engine, nil
}

func openKept(ctx context.Context, environment pertain.Environment, preprocessors strategy.Preprocessors) (*pertain.Engine, error) {
	location, err := pertain.Locate(environment)
	if err != nil {
		return nil, err
	}
	if preprocessors != nil {
		location.Options.Preprocessors = preprocessors
	}
	return pertain.Open(ctx, location.Options)
}

// keep finds the strategies of an environment, or makes room for them.
func (h *host) keep(key string) *keptEngine {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := slices.IndexFunc(h.engines, func(k *keptEngine) bool { return k.key == key })
	kept := &keptEngine{key: key}
	if at >= 0 {
		kept = h.engines[at]
		h.engines = slices.Delete(h.engines, at, at+1)
	} else if len(h.engines) == maxEngines {
		h.engines = slices.Delete(h.engines, 0, 1)
	}
	h.engines = append(h.engines, kept)
	return kept
}

func (h *host) drop(kept *keptEngine) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.engines = slices.DeleteFunc(h.engines, func(k *keptEngine) bool { return k == kept })
}

// deskNames are the variables that tell which desktop somebody sits at.
var deskNames = []string{"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "SWAYSOCK", "HYPRLAND_INSTANCE_SIGNATURE"}

// deskOf are those variables, with what stands for one that is not set, so that two
// callers at one desktop have the same.
func deskOf(env map[string]string) map[string]string {
	desk := map[string]string{}
	for _, name := range deskNames {
		desk[name] = env[name]
	}
	if home := env["HOME"]; desk["XAUTHORITY"] == "" && home != "" {
		desk["XAUTHORITY"] = filepath.Join(home, ".Xauthority")
	}
	if runtime := desk["XDG_RUNTIME_DIR"]; desk["DBUS_SESSION_BUS_ADDRESS"] == "" && runtime != "" {
		if _, err := os.Stat(filepath.Join(runtime, "bus")); err == nil {
			desk["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=" + filepath.Join(runtime, "bus")
		}
	}
	return desk
}

// borrow is the desktop of an environment, which stays until the caller is done with
// its users. One is watched: that of who asked last.
func (h *host) borrow(env map[string]string) *watchedDesk {
	desk := deskOf(env)
	key := ""
	for _, name := range slices.Sorted(maps.Keys(desk)) {
		key += desk[name] + "\x00"
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.desk == nil || h.desk.key != key {
		if h.desk != nil {
			h.desk.leave()
		}
		h.desk = h.watch(desk, env)
		h.desk.key = key
	}
	h.desk.users.Add(1)
	return h.desk
}

// watch begins to watch a desktop. The library that speaks to the X server finds its
// key by the environment of this process. Other variables are those of who asked first.
func (h *host) watch(desk, env map[string]string) *watchedDesk {
	_ = os.Setenv("XAUTHORITY", desk["XAUTHORITY"])
	own, _, _, _ := h.app.collectOptions()
	options := collect.Options{
		Env: func(name string) string {
			if value, ok := desk[name]; ok {
				return value
			}
			return env[name]
		},
		Private: own.Private,
		PrivateNow: func() collect.Private {
			now, _, _, _ := h.app.collectOptions()
			return now.Private
		},
	}
	ctx, cancel := context.WithCancel(context.Background())
	w := &watchedDesk{machine: collect.Open(options), stop: cancel, done: make(chan struct{}), display: desk["WAYLAND_DISPLAY"]}
	if w.display == "" {
		w.display = desk["DISPLAY"]
	}
	go func() {
		defer close(w.done)
		_ = w.machine.Watch(ctx, func() {}) // a desktop that cannot be watched is read when it is asked about
	}()
	return w
}

// leave ends the watching; connections close when nobody reads any more.
func (w *watchedDesk) leave() {
	w.stop()
	go func() {
		<-w.done
		w.users.Wait()
		w.machine.Close()
	}()
}

// close ends everything that the host keeps.
func (h *host) close() {
	h.mu.Lock()
	desk := h.desk
	h.desk = nil
	h.mu.Unlock()
	if desk != nil {
		desk.stop()
		<-desk.done
		h.app.closeMachine(desk.machine)
	}
}
