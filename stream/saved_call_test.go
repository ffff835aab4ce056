package stream_test

import (
	"context"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestEndCallTwice: a call that has ended, complete or not, tells nothing when it ends again, nor in a turn that was restored, though an empty text would.
func TestEndCallTwice(t *testing.T) {
	ctx := context.Background()
	w := watch(t, stream.Policy{}, stream.Trigger{Name: "empty", Patterns: []string{"^$"}}, stream.Trigger{Name: "a", Patterns: []string{"a"}})
	call := stream.Call{Tool: "write", ID: "1"}
	if v, err := w.FeedCall(ctx, call, `{"path": "x", "content": "b`); told(t, v, err) != "" {
		t.Fatal(v)
	}
	for i := range 2 {
		if v, err := w.EndCall(ctx, call); told(t, v, err) != "" {
			t.Errorf("end %d: %+v", i, v)
		}
	}
	if err := w.Restore(w.Save()); err != nil {
		t.Fatal(err)
	}
	if v, err := w.FeedCall(ctx, call, "a"); told(t, v, err) != "" {
		t.Errorf("after the end: %+v", v)
	}
	if v, err := w.EndCall(ctx, call); told(t, v, err) != "" {
		t.Errorf("restored, it ends again: %+v", v)
	}
}
