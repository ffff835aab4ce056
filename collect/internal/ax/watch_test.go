package ax

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

func TestAXFront(t *testing.T) {
	h := newHeap(t)
	window, focus := h.element("AXWindow", AttributeTitle, " a.txt "), h.element("AXButton")
	h.apps[1] = h.element("AXApplication", AttributeFocusedWindow, window, AttributeMainWindow, h.element("AXWindow"), AttributeFocusedElement, focus)
	h.apps[2] = h.element("AXApplication", AttributeMainWindow, window)
	h.apps[3] = h.element("AXApplication")
	h.apps[4] = h.element("AXApplication")
	h.apps[4].status = StatusDisabled
	for _, tt := range []struct {
		pid           int
		window, focus bool
		title         string
		status        Status
	}{
		{1, true, true, "a.txt", StatusSuccess},
		{2, true, false, "a.txt", StatusSuccess},
		{3, false, false, "", StatusSuccess},
		{4, false, false, "", StatusDisabled},
		{5, false, false, "", StatusInvalidElement},
	} {
		f, status := FrontOf(h, tt.pid, h.left(time.Second))
		if f.Window != 0 != tt.window || f.Focus != 0 != tt.focus || f.Title != tt.title || status != tt.status {
			t.Errorf("%d: %+v, %d", tt.pid, f, status)
		}
		if tt.window {
			if key := f.Key(tt.pid); key.window != window.hash || key.title != tt.title || (key.focus == focus.hash) != tt.focus {
				t.Errorf("%d: %+v", tt.pid, key)
			}
		}
		f.Close()
		f.Close() // does no harm
	}
	if _, status := FrontOf(h, 1, func() time.Duration { return 0 }); status != StatusCannotComplete {
		t.Errorf("without time: %d", status)
	}
	if h.owned() != 0 {
		t.Errorf("%d objects are left", h.owned())
	}
}

func TestAXFailures(t *testing.T) {
	for status, code := range map[Status]diag.Code{
		StatusDisabled:       diag.ExtraPermissionUnavailable,
		StatusCannotComplete: diag.ExtraProviderTimeout,
		StatusNotImplemented: diag.ExtraProviderUnavailable,
		StatusInvalidElement: diag.ExtraProviderFailed,
	} {
		var known *facts.CollectError
		if err := Failed(status); !errors.As(err, &known) || known.Code != code || known.Reason == "" {
			t.Errorf("%d: %v", status, err)
		}
	}
	for _, err := range []error{ErrPermission(), ErrTitle()} {
		var known *facts.CollectError
		if !errors.As(err, &known) || known.Code != diag.ExtraPermissionUnavailable || known.Remedy == "" {
			t.Errorf("%v: a missing permission has no remedy", err)
		}
	}
}

func TestAXGlance(t *testing.T) {
	h := newHeap(t)
	rows := []*Fake{h.element("AXRow"), h.element("AXRow")}
	focus := h.element("AXOutline", AttributeSelectedRows, rows[:1], AttributeSelectedRange, Sel{1, 2}, AttributeCharacters, 10.0)
	window := h.element("AXWindow", AttributeTitle, "One")
	h.apps[1] = h.element("AXApplication", AttributeFocusedWindow, window, AttributeFocusedElement, focus)
	look := func() Look { return LookAt(h, 1, h.left(time.Second)) }
	first := look()
	for _, tt := range []struct {
		name   string
		change func()
		want   News
	}{
		{"nothing", func() {}, Same},
		{"typing", func() { focus.values[AttributeCharacters] = 11.0 }, Typed},
		{"selecting text", func() { focus.values[AttributeSelectedRange] = Sel{1, 3} }, Typed},
		{"selecting a row", func() { focus.values[AttributeSelectedRows] = rows }, Other},
		{"another title", func() { window.values[AttributeTitle] = "Two" }, Other},
		{"another element", func() { h.apps[1].values[AttributeFocusedElement] = h.element("AXButton") }, Other},
		{"another window", func() { h.apps[1].values[AttributeFocusedWindow] = h.element("AXWindow", AttributeTitle, "Two") }, Other},
		{"no window", func() { delete(h.apps[1].values, AttributeFocusedWindow) }, Other},
	} {
		tt.change()
		next := look()
		if got := first.news(next); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
		first = next
	}
	copied := first
	copied.Changes++
	if first.news(copied) != Typed {
		t.Error("copying is no news")
	}
	h.apps[1].cost = time.Hour
	if got := look(); got != (Look{Pid: 1}) {
		t.Errorf("of a hung application: %+v", got)
	}
	if h.owned() != 0 {
		t.Errorf("%d objects are left", h.owned())
	}
}

// Scripted is a desktop that shows one thing after the other.
type Scripted struct {
	glances []Look
	trees   []string // names of the window, one for each reading
	warm    *Kept
	read    int
	end     func()
}

func (s *Scripted) Look(context.Context) Look {
	if len(s.glances) == 0 {
		s.end()
		return Look{}
	}
	next := s.glances[0]
	s.glances = s.glances[1:]
	return next
}

func (s *Scripted) Refresh(context.Context) {
	name := s.trees[min(s.read, len(s.trees)-1)]
	s.read++
	tree := facts.NewTree([]facts.Element{{ID: "w", Name: name, Parent: -1}}, nil)
	s.warm.Keep(s.warm.Generation(), Key{}, facts.Part{Tree: tree}, nil)
}

func TestAXFollow(t *testing.T) {
	one, typed, two := Look{Pid: 1}, Look{Pid: 1, characters: 3}, Look{Pid: 2}
	for _, tt := range []struct {
		name    string
		wanted  bool
		glances []Look
		trees   []string
		read    int
		changed int
	}{
		{"nobody wants trees", false, []Look{one, one, two, two}, []string{"a"}, 0, 1},
		{"typing reads no tree", true, []Look{one, typed}, []string{"a"}, 0, 1},
		{"another window", true, []Look{one, two, one}, []string{"a", "b"}, 2, 2},
		{"the same for long", true, []Look{one, one, one, one}, []string{"a"}, 3, 1},
		{"it changes by itself", true, []Look{one, one, one, one}, []string{"a", "a", "b"}, 3, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			warm := &Kept{}
			if tt.wanted {
				warm.Tree(Key{})
			}
			ctx, cancel := context.WithCancel(t.Context())
			d := &Scripted{glances: tt.glances, trees: tt.trees, warm: warm, end: cancel}
			ticks := make(chan time.Time)
			done := make(chan struct{})
			changed := 0
			go func() {
				defer close(done)
				Follow(ctx, ticks, d, warm, func() { changed++ })
			}()
			for i := range len(tt.glances) { // the last one finds the end
				ticks <- time.Unix(0, 0).Add(time.Duration(i) * time.Hour)
			}
			<-done
			if d.read != tt.read || changed != tt.changed {
				t.Errorf("%d readings, told %d times; want %d, %d", d.read, changed, tt.read, tt.changed)
			}
		})
	}
}

func TestAXWarm(t *testing.T) {
	reads := 0
	texts := func(context.Context, int) (string, bool) { reads++; return fmt.Sprint(reads), true }
	part := facts.Part{Tree: facts.NewTree([]facts.Element{{ID: "w", Parent: -1, Cut: true}}, texts).MarkPartial("much")}
	warm, key := &Kept{}, Key{pid: 1, window: 2, title: "three"}
	if _, ok := warm.Tree(key); ok || !warm.Wanted() {
		t.Error("nothing is kept yet, and a tree is wanted from now on")
	}
	since := warm.Generation()
	warm.Drop()
	warm.Keep(since, key, part, texts)
	if _, ok := warm.Tree(key); ok {
		t.Error("a tree that was out of date was kept")
	}
	warm.Keep(warm.Generation(), key, part, texts)
	kept, ok := warm.Tree(key)
	if !ok {
		t.Fatal("nothing was kept")
	}
	if _, ok := warm.Tree(Key{pid: 1, window: 2, title: "four"}); ok {
		t.Error("the tree is of another window")
	}
	before := warm.Fingerprint()
	read := func(p facts.Part) string { text, _ := p.Tree.Text(t.Context(), 0); return text }
	for range 2 {
		if got := read(kept); got != "1" {
			t.Errorf("a text was read twice: %s", got)
		}
	}
	warm.ForgetTexts()
	kept, _ = warm.Tree(key)
	if read(kept) != "2" || kept.Tree.Partial() != "much" || len(kept.Tree.Cuts()) != 1 || warm.Fingerprint() != before {
		t.Error("forgetting texts changed the tree")
	}
	warm.Drop()
	if _, ok := warm.Tree(key); ok || warm.Fingerprint() != 0 {
		t.Error("the tree is still there")
	}
	var none *Kept
	none.Keep(none.Generation(), key, part, texts)
	if _, ok := none.Tree(key); ok {
		t.Error("nothing keeps nothing")
	}
}
