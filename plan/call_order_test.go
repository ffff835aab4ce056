package plan_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/plan"
)

// TestACallWaitsForOthers: with four calls that were taken back, others wait until one of them has come back, and no longer.
func TestACallWaitsForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDeaf(1, 2, 3, 4)
		registry := plan.NewRegistry(d)
		for range 4 {
			d.takeBack(t, registry, plan.Options{Timeout: time.Hour})
		}
		done := make(chan *plan.Plan)
		for range 2 {
			go func() {
				p, _ := build(t, registry, plan.Execution{Strategy: strategyOf("{preprocess.x}", "deaf")}, plan.Options{Timeout: time.Hour})
				done <- p
			}()
		}
		synctest.Wait()
		if n := d.calls.Load(); n != 4 {
			t.Fatalf("%d calls have begun", n)
		}
		d.release <- struct{}{}
		for range 2 {
			synctest.Wait()
			select {
			case p := <-done:
				if p == nil || p.Prompt != "X" {
					t.Errorf("%+v", p)
				}
			default:
				t.Fatal("it waits though there is room")
			}
		}
		for range 3 {
			d.release <- struct{}{}
			synctest.Wait()
		}
		if p, list := build(t, registry, plan.Execution{Strategy: strategyOf("{preprocess.x}", "deaf")}, plan.Options{}); p == nil {
			t.Error(list)
		}
	})
}

// TestAStuckCall: a call whose time is over keeps others out until it has come back, whether its caller waited for that or took it back,
// and then it is forgotten, however often it happens.
func TestAStuckCall(t *testing.T) {
	for name, begin := range map[string]func(*testing.T, *deaf, *plan.Registry){
		"taken back": func(t *testing.T, d *deaf, registry *plan.Registry) {
			d.takeBack(t, registry, plan.Options{Timeout: time.Second})
			if p, list := build(t, registry, plan.Execution{Strategy: strategyOf("{preprocess.x}", "deaf")}, plan.Options{}); p == nil {
				t.Error(list) // its time is not over yet
			}
			time.Sleep(2 * time.Second)
		},
		"waited for": func(t *testing.T, d *deaf, registry *plan.Registry) {
			go func() { <-d.began }()
			p, list := build(t, registry, plan.Execution{Strategy: strategyOf("{preprocess.x}", "deaf")}, plan.Options{Timeout: time.Second})
			if p != nil || len(list) != 1 || list[0].Code != diag.PreprocessorTimeout || list[0].Message != "the preprocessor `deaf` gave nothing: it took longer than 1s" {
				t.Errorf("%v, %v", p, list)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDeaf(1)
				registry := plan.NewRegistry(d)
				in := plan.Execution{Strategy: strategyOf("{preprocess.x}", "deaf")}
				for range 6 {
					d.waiting = []int32{d.calls.Load() + 1}
					begin(t, d, registry)
					synctest.Wait()
					for range 2 {
						p, list := build(t, registry, in, plan.Options{Timeout: time.Hour})
						if p != nil || len(list) != 1 || list[0].Code != diag.PreprocessorTimeout || list[0].Hint != "start the program again" {
							t.Errorf("%v, %v", p, list)
						}
					}
					d.release <- struct{}{}
					synctest.Wait()
					if p, list := build(t, registry, in, plan.Options{}); p == nil || p.Prompt != "X" {
						t.Error(list)
					}
				}
			})
		})
	}
}
