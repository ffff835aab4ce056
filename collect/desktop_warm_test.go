//go:build desktop && linux

package collect_test

import (
	"context"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/pertain-dev/pertain/collect"
	"github.com/pertain-dev/pertain/facts"
)

// lookup reads the session's environment.
func (s *session) lookup(name string) string {
	for _, entry := range slices.Backward(s.env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// warmed is a process that watches the desktop, as pertain match --watch does.
type warmed struct {
	*session
	gatherer *facts.Gatherer
	news     chan struct{} // has a value when the desktop has said that something changed
	limit    time.Duration // of a question
	end      func()
}

// warmTime is how long a question may take: usually it is some milliseconds, on a busy
// machine a program needs more to say that nothing has changed.
const warmTime = 5 * time.Second

// warm begins to watch.
func (s *session) warm() *warmed {
	s.t.Helper()
	machine := collect.Open(collect.Options{Env: s.lookup})
	ctx, cancel := context.WithCancel(context.WithoutCancel(s.t.Context()))
	w := &warmed{session: s, gatherer: facts.NewGatherer(machine.Collectors()...), news: make(chan struct{}, 1), limit: warmTime}
	ended := make(chan error, 1)
	go func() {
		ended <- machine.Watch(ctx, func() {
			select {
			case w.news <- struct{}{}:
			default:
			}
		})
	}()
	w.end = func() {
		cancel()
		if err := <-ended; err != nil {
			s.t.Error(err)
		}
		machine.Close()
	}
	return w
}

// ask gathers some needs as a question does.
func (w *warmed) ask(needs ...string) (facts.Gathering, time.Duration) {
	w.t.Helper()
	var all facts.Needs
	all.Add(needs...)
	began := time.Now()
	out, err := w.gatherer.Gather(w.t.Context(), all, facts.Parts{Values: facts.Fields()}, w.limit)
	if err != nil {
		w.t.Fatal(err)
	}
	return out, time.Since(began)
}

// selection is what the warm process says of the file manager: the folder, and
// the names of the selected items; told is false where it does not know those,
// or there was no time for all of them.
func (w *warmed) selection() (folder, names string, told bool) {
	w.t.Helper()
	out, _ := w.ask("extra.file_manager")
	at := func(path string) facts.Value {
		row, _ := facts.Lookup(path)
		return out.Snapshot.At(row)
	}
	var list []string
	for _, v := range at("extra.file_manager.selection.items[].displayName").Items() {
		list = append(list, v.Text())
	}
	items := at("extra.file_manager.selection.items")
	return at("extra.file_manager.current_folder.path").Text(), strings.Join(list, ","), !items.IsAbsent() && !slices.Contains(list, "") && len(list) == len(items.Items())
}

// choose is a step of the user in a file manager.
type choose struct {
	want string // names of what is selected then
	act  func()
}

// staysFresh: a process that keeps what it has read never tells what was
// selected before. Each step is seen by a process of its own first; then the
// next answer of the warm one must have it.
func (s *session) staysFresh(folder string, steps ...choose) {
	s.t.Helper()
	w := s.warm()
	defer w.end()
	for _, step := range steps {
		s.selects(folder, step.want, step.act)
		// A program that answers slowly may tell nothing in the time of a question;
		// that is not what was selected before.
		if at, names, told := w.selection(); told && (at != folder || names != step.want) {
			s.t.Errorf("the warm answer is %q in %s, want %q", names, at, step.want)
		}
		s.until("the warm answer "+step.want, func() bool {
			at, names, _ := w.selection()
			return at == folder && names == step.want
		})
		var took []float64
		for range 9 {
			_, t := w.ask("extra.file_manager")
			took = append(took, float64(t.Microseconds())/1000)
		}
		s.t.Logf("%-12s warm %.1f ms", step.want, median(took))
	}
}

// goneOwners: who watches is told that the owner of the clipboard has gone, that
// the last window was killed, and does not wait for a window that hangs.
func goneOwners(s *session, _, notes string) {
	dir := s.strategies()
	a := s.start(s.program, "match", "--watch", "--json", "--no-builtin", "--strategies", dir)
	defer a.end()
	defer func() {
		if s.t.Failed() {
			s.t.Logf("it said: %s", a.output())
		}
	}()
	says := func(want string) func() bool {
		return func() bool {
			lines := strings.Split(strings.TrimSpace(a.output()), "\n")
			last := lines[len(lines)-1]
			return strings.HasPrefix(last, "{") && strings.Join(matchedIDs(s.t, last), " ") == want
		}
	}
	s.feed("an error", "xclip", "-selection", "clipboard")
	s.until("the clipboard", says("assistant clipboard"))
	for _, pid := range s.processes("xclip") {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	s.until("the clipboard without an owner", says("assistant"))
	e := s.start("mousepad", "--disable-server", notes)
	defer e.end()
	s.until("the editor", says("assistant editor title todo"))
	s.until("the selection", func() bool {
		s.keys("ctrl+a")
		return says("assistant editor selection title todo")()
	})
	e.signal(syscall.SIGKILL)
	s.until("the empty desktop after a kill", says("assistant"))
}
