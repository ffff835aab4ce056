package collect

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
	h := newAXHeap(t)
	window, focus := h.element("AXWindow", axTitle, " a.txt "), h.element("AXButton")
	h.apps[1] = h.element("AXApplication", axFocusedWindow, window, axMainWindow, h.element("AXWindow"), axFocusedElement, focus)
	h.apps[2] = h.element("AXApplication", axMainWindow, window)
	h.apps[3] = h.element("AXApplication")
	h.apps[4] = h.element("AXApplication")
	h.apps[4].status = axDisabled
	for _, tt := range []struct {
		pid           int
		window, focus bool
		title         string
		status        axStatus
	}{
		{1, true, true, "a.txt", axSuccess},
		{2, true, false, "a.txt", axSuccess},
		{3, false, false, "", axSuccess},
		{4, false, false, "", axDisabled},
		{5, false, false, "", axInvalidElement},
	} {
		f, status := axFrontOf(h, tt.pid, h.left(time.Second))
		if f.window != 0 != tt.window || f.focus != 0 != tt.focus || f.title != tt.title || status != tt.status {
			t.Errorf("%d: %+v, %d", tt.pid, f, status)
		}
		if tt.window {
			if key := f.key(tt.pid); key.window != window.hash || key.title != tt.title || (key.focus == focus.hash) != tt.focus {
				t.Errorf("%d: %+v", tt.pid, key)
			}
		}
		f.close()
		f.close() // does no harm
	}
	if _, status := axFrontOf(h, 1, func() time.Duration { return 0 }); status != axCannotComplete {
		t.Errorf("without time: %d", status)
	}
	if h.owned() != 0 {
		t.Errorf("%d objects are left", h.owned())
	}
}

func TestAXFailures(t *testing.T) {
	for status, code := range map[axStatus]diag.Code{
		axDisabled:       diag.ExtraPermissionUnavailable,
		axCannotComplete: diag.ExtraProviderTimeout,
		axNotImplemented: diag.ExtraProviderUnavailable,
		axInvalidElement: diag.ExtraProviderFailed,
	} {
		var known *facts.CollectError
		if err := axFailed(status); !errors.As(err, &known) || known.Code != code || known.Reason == "" {
			t.Errorf("%d: %v", status, err)
		}
	}
	for _, err := range []error{errAXPermission(), errAXTitle()} {
		var known *facts.CollectError
		if !errors.As(err, &known) || known.Code != diag.ExtraPermissionUnavailable || known.Remedy == "" {
			t.Errorf("%v: a missing permission has no remedy", err)
		}
	}
}

func TestAXGlance(t *testing.T) {
	h := newAXHeap(t)
	rows := []*axFake{h.element("AXRow"), h.element("AXRow")}
	focus := h.element("AXOutline", axSelectedRows, rows[:1], axSelectedRange, axSel{1, 2}, axCharacters, 10.0)
	window := h.element("AXWindow", axTitle, "One")
	h.apps[1] = h.element("AXApplication", axFocusedWindow, window, axFocusedElement, focus)
	look := func() axGlance { return axGlanceAt(h, 1, h.left(time.Second)) }
	first := look()
	for _, tt := range []struct {
		name   string
		change func()
		want   axNews
	}{
		{"nothing", func() {}, axSame},
		{"typing", func() { focus.values[axCharacters] = 11.0 }, axTyped},
		{"selecting text", func() { focus.values[axSelectedRange] = axSel{1, 3} }, axTyped},
		{"selecting a row", func() { focus.values[axSelectedRows] = rows }, axOther},
		{"another title", func() { window.values[axTitle] = "Two" }, axOther},
		{"another element", func() { h.apps[1].values[axFocusedElement] = h.element("AXButton") }, axOther},
		{"another window", func() { h.apps[1].values[axFocusedWindow] = h.element("AXWindow", axTitle, "Two") }, axOther},
		{"no window", func() { delete(h.apps[1].values, axFocusedWindow) }, axOther},
	} {
		tt.change()
		next := look()
		if got := first.news(next); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
		first = next
	}
	copied := first
	copied.changes++
	if first.news(copied) != axTyped {
		t.Error("copying is no news")
	}
	h.apps[1].cost = time.Hour
	if got := look(); got != (axGlance{pid: 1}) {
		t.Errorf("of a hung application: %+v", got)
	}
	if h.owned() != 0 {
		t.Errorf("%d objects are left", h.owned())
	}
}

// axScripted is a desktop that shows one thing after the other.
type axScripted struct {
	glances []axGlance
	trees   []string // names of the window, one for each reading
	warm    *axWarm
	read    int
	end     func()
}

func (s *axScripted) glance(context.Context) axGlance {
	if len(s.glances) == 0 {
		s.end()
		return axGlance{}
	}
	next := s.glances[0]
	s.glances = s.glances[1:]
	return next
}

func (s *axScripted) refresh(context.Context) {
	name := s.trees[min(s.read, len(s.trees)-1)]
	s.read++
	tree := facts.NewTree([]facts.Element{{ID: "w", Name: name, Parent: -1}}, nil)
	s.warm.Keep(s.warm.Generation(), axKey{}, facts.Part{Tree: tree}, nil)
}

func TestAXFollow(t *testing.T) {
	one, typed, two := axGlance{pid: 1}, axGlance{pid: 1, characters: 3}, axGlance{pid: 2}
	for _, tt := range []struct {
		name    string
		wanted  bool
		glances []axGlance
		trees   []string
		read    int
		changed int
	}{
		{"nobody wants trees", false, []axGlance{one, one, two, two}, []string{"a"}, 0, 1},
		{"typing reads no tree", true, []axGlance{one, typed}, []string{"a"}, 0, 1},
		{"another window", true, []axGlance{one, two, one}, []string{"a", "b"}, 2, 2},
		{"the same for long", true, []axGlance{one, one, one, one}, []string{"a"}, 3, 1},
		{"it changes by itself", true, []axGlance{one, one, one, one}, []string{"a", "a", "b"}, 3, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			warm := &axWarm{}
			if tt.wanted {
				warm.Tree(axKey{})
			}
			ctx, cancel := context.WithCancel(t.Context())
			d := &axScripted{glances: tt.glances, trees: tt.trees, warm: warm, end: cancel}
			ticks := make(chan time.Time)
			done := make(chan struct{})
			changed := 0
			go func() {
				defer close(done)
				axFollow(ctx, ticks, d, warm, func() { changed++ })
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
	warm, key := &axWarm{}, axKey{pid: 1, window: 2, title: "three"}
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
	if _, ok := warm.Tree(axKey{pid: 1, window: 2, title: "four"}); ok {
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
	var none *axWarm
	none.Keep(none.Generation(), key, part, texts)
	if _, ok := none.Tree(key); ok {
		t.Error("nothing keeps nothing")
	}
}
