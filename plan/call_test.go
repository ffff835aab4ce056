package plan_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/plan"
)

// deaf is a preprocessor whose calls do not listen to their context: some wait to
// be released, the others answer at once.
type deaf struct {
	waiting []int32 // which calls wait; the first is 1
	calls   atomic.Int32
	began   chan struct{}
	release chan struct{}
}

func newDeaf(waiting ...int32) *deaf {
	return &deaf{waiting: waiting, began: make(chan struct{}), release: make(chan struct{})}
}

func (*deaf) Info() plan.Info { return plan.Info{ID: "deaf"} }

func (d *deaf) Process(context.Context, plan.Execution) ([]plan.Variable, error) {
	if slices.Contains(d.waiting, d.calls.Add(1)) {
		d.began <- struct{}{}
		<-d.release
	}
	return []plan.Variable{{Name: "preprocess.x", Value: facts.Text("X")}}, nil
}

// takeBack begins a call and cancels it when it runs.
func (d *deaf) takeBack(t *testing.T, registry *plan.Registry, options plan.Options) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-d.began
		cancel()
	}()
	if p, _, err := plan.Build(ctx, registry, plan.Execution{Strategy: strategyOf("{preprocess.x}", "deaf")}, options); p != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", p, err)
	}
}

// TestACancelledCallDisturbsNobody holds that a call whose caller took it back
// keeps no other caller from theirs, while it goes on.
func TestACancelledCallDisturbsNobody(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	d := newDeaf(1, 2, 3, 5)
	registry := plan.NewRegistry(d)
	in := plan.Execution{Strategy: strategyOf("{preprocess.x}", "deaf")}
	for range 3 {
		d.takeBack(t, registry, plan.Options{Timeout: time.Hour})
	}
	if p, list := build(t, registry, in, plan.Options{}); p == nil || p.Prompt != "X" {
		t.Errorf("%v", list)
	}
	d.takeBack(t, registry, plan.Options{Timeout: time.Hour})
	// Four are going on: the next one waits, and says so when its time is over.
	p, list := build(t, registry, in, plan.Options{Timeout: time.Millisecond})
	if p != nil || len(list) != 1 || list[0].Code != diag.PreprocessorTimeout || strings.Contains(list[0].Hint, "start the program again") {
		t.Errorf("%v, %v", p, list)
	}
	done := make(chan *plan.Plan)
	go func() {
		p, _ := build(t, registry, in, plan.Options{Timeout: time.Hour})
		done <- p
	}()
	d.release <- struct{}{}
	if p := <-done; p == nil || p.Prompt != "X" {
		t.Errorf("%+v", p)
	}
	close(d.release)
}

// TestACancelledCallMayGetStuck holds that a call which goes on beyond its own
// time counts as stuck, whether or not its caller waited for that.
func TestACancelledCallMayGetStuck(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	d := newDeaf(1)
	registry := plan.NewRegistry(d)
	d.takeBack(t, registry, plan.Options{Timeout: 200 * time.Millisecond})
	in := plan.Execution{Strategy: strategyOf("{preprocess.x}", "deaf")}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		p, list := build(t, registry, in, plan.Options{})
		if p == nil && len(list) == 1 && list[0].Code == diag.PreprocessorTimeout && list[0].Hint == "start the program again" {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%v, %v", p, list)
		}
	}
	close(d.release)
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if p, _ := build(t, registry, in, plan.Options{}); p != nil {
			return
		}
		if time.Now().After(end) {
			t.Fatal("it has come back, and is not called again")
		}
	}
}

// TestNilMeansTheDefault holds that what is not given is Pertain's own, or
// nothing known.
func TestNilMeansTheDefault(t *testing.T) {
	s := strategyOf("{clipboard.text} {preprocess.selection.text}", plan.ClipboardText)
	for _, in := range []plan.Execution{{Strategy: s}, {Strategy: strategyOf("{clipboard.text} {preprocess.selection.text}")}, {Strategy: strategyOf("x", "none", plan.VisualElementText)}} {
		if _, list, err := plan.Build(t.Context(), nil, in, plan.Options{}); err != nil || len(list) == 0 {
			t.Errorf("%v, %v", list, err)
		}
	}
	var registry *plan.Registry
	if len(registry.IDs()) == 0 || !registry.Has(plan.ClipboardText) || !registry.With(newDeaf()).Has("deaf") || !registry.With().Has(plan.SelectedText) {
		t.Errorf("no registry has %v", registry.IDs())
	}
	if info, ok := registry.Info(plan.ClipboardText); !ok || info.Name == "" {
		t.Errorf("%v", info)
	}
	var p *plan.Plan
	if p.Allows("x") != nil {
		t.Error("no plan has a rule")
	}
	if f := plan.Lacking(nil, "clipboard.text", "nothing"); f.Reason != "nothing" {
		t.Errorf("%v", f)
	}
}
