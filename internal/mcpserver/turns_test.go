package mcpserver_test

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/mcpserver"
)

// gated is a workspace that counts how many ask for its rules at the same time, and answers none of them until it is opened.
type gated struct {
	mcpserver.Workspace
	opened chan struct{}
	came   chan struct{} // one for each that has asked

	mu          *sync.Mutex
	inside, max *int
}

func (g gated) Rules(ctx context.Context, o pertain.RuleOptions) (*pertain.Rulebook, error) {
	g.count(1)
	defer g.count(-1)
	g.came <- struct{}{}
	select {
	case <-g.opened:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	for range 100 { // others that may come in, come in
		runtime.Gosched()
	}
	return g.Workspace.Rules(ctx, o)
}

func (g gated) count(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	*g.inside += n
	*g.max = max(*g.max, *g.inside)
}

// TestTurns holds that however many requests a client sends at once, few are worked on at the same time, that the others are
// answered later, that one that is taken back while it waits keeps nobody, and that a sign of life is not kept waiting.
func TestTurns(t *testing.T) {
	const few, many = 4, 200
	options := (&bench{}).options(t, world(t, map[string]string{".cursor/rules/types.mdc": ruleText}))
	var inside, most int
	space := gated{opened: make(chan struct{}), came: make(chan struct{}, 10*many), mu: &sync.Mutex{}, inside: &inside, max: &most}
	open := options.Open
	options.Open = func(ctx context.Context, folder string) (mcpserver.Workspace, error) {
		w, err := open(ctx, folder)
		own := space
		own.Workspace = w
		return own, err
	}
	in, feed := io.Pipe()
	back, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- mcpserver.New(options).Serve(t.Context(), in, out) }()
	answers, all := make(chan string, 10*many), make(chan string, 1)
	go func() {
		var text strings.Builder
		buffer := make([]byte, 1<<20)
		for {
			n, err := back.Read(buffer) // a line each
			if n > 0 {
				answers <- string(buffer[:n])
				text.Write(buffer[:n])
			}
			if err != nil {
				all <- text.String()
				return
			}
		}
	}()
	say := func(lines string) {
		if _, err := io.WriteString(feed, lines); err != nil {
			t.Fatal(err)
		}
	}
	say(fmt.Sprintf(hello, legacy, "{}"))
	for i := range many {
		say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"rules_for_files","arguments":{"files":["a%d.ts"]}}}`+"\n", i, i))
	}
	for range few {
		<-space.came
	}
	for i := few * 2; i < many; i++ { // most of those that wait, and perhaps one that does not
		say(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`+"\n", i))
	}
	say(ping)
	for answer := ""; !strings.Contains(answer, `"ping"`); {
		answer = <-answers
	}
	close(space.opened)
	feed.Close()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the server does not end")
	}
	out.Close()
	if most > few {
		t.Errorf("%d were worked on at the same time", most)
	}
	text := <-all
	for i := range few * 2 {
		if !strings.Contains(text, fmt.Sprintf(`"id":%d,`, i)) {
			t.Errorf("request %d has no answer", i)
		}
	}
}
