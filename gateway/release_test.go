package gateway_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// releases takes note of what is told of.
type releases struct {
	mu   sync.Mutex
	list []gateway.Release
}

func (r *releases) add(one gateway.Release) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, one)
}

// TestRelease: of each call and text that the client gets it is told that it was watched, once, with the arguments that the
// model wrote; of what a rule has stopped, never.
func TestRelease(t *testing.T) {
	for _, api := range apis {
		for _, streamed := range []bool{true, false} {
			t.Run(fmt.Sprint(api, streamed), func(t *testing.T) {
				w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
					if reminded(r) == 0 {
						return modeltest.Answer{Text: "First. ", Calls: []modeltest.Call{write(violation)}, Piece: 7}
					}
					return modeltest.Answer{Text: "Second.", Calls: []modeltest.Call{write("one"), write("two")}, Piece: 7}
				})
				var told releases
				w.options.Release = told.add
				w.start()
				got := ask(t, w.server.URL, api, streamed, nil, ">hi")
				told.mu.Lock()
				defer told.mu.Unlock()
				var contents, ids, texts []string
				for _, r := range told.list {
					if r.Workspace != "/w" {
						t.Errorf("%+v", r)
					}
					if r.Tool == "" {
						texts = append(texts, r.Texts...)
						continue
					}
					var arguments struct{ Path, Content string }
					if err := json.Unmarshal([]byte(r.Arguments), &arguments); err != nil || arguments.Path != "/w/src/a.md" || r.Tool != "write" {
						t.Errorf("%+v: %v", r, err)
					}
					contents = append(contents, arguments.Content)
					ids = append(ids, r.IDs...)
				}
				want := []string{"one", "two"}
				same(t, "calls", contents, want)
				if !slices.Contains(texts, got.texts) || streamed != strings.HasPrefix(got.texts, "First. ") {
					t.Errorf("%q is not among %q", got.texts, texts)
				}
				if api != modeltest.Gemini {
					for _, id := range ids {
						if !strings.Contains(got.raw, `"`+id+`"`) {
							t.Errorf("the client has no call %q", id)
						}
					}
					if len(ids) != len(want) {
						t.Errorf("%q", ids)
					}
				}
			})
		}
	}
}
