package mcpserver_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/mcpserver"
)

// leaving is a workspace whose context is there only when the client has taken its
// request back.
type leaving struct {
	mcpserver.Workspace
	asked chan<- struct{}
}

func (l leaving) Snapshot(ctx context.Context, id string) (*facts.Snapshot, diag.List, error) {
	l.asked <- struct{}{}
	<-ctx.Done()
	return l.Workspace.Snapshot(context.WithoutCancel(ctx), id)
}

// TestExplainTakenBack holds that an explanation ends when the client takes the request
// back, whatever limits the strategy has set itself, and with it the server.
func TestExplainTakenBack(t *testing.T) {
	const slow = "---\nname: Slow\noptions: {matchingTimeout: 100000s, conditionTimeout: 100000s, regexTimeout: 100000s}\n" +
		"when: {attachments.selection.text: {regex: '^(?:(a+)+\\1)+$'}}\n---\nx\n"
	options := (&bench{}).options(t, world(t, map[string]string{"strategies/slow.strategy.md": slow}))
	open, asked := options.Open, make(chan struct{}, 1)
	options.Open = func(ctx context.Context, folder string) (mcpserver.Workspace, error) {
		w, err := open(ctx, folder)
		return leaving{w, asked}, err
	}
	in, feed := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- mcpserver.New(options).Serve(t.Context(), in, &written{}) }()
	say := func(lines string) {
		if _, err := io.WriteString(feed, lines); err != nil {
			t.Fatal(err)
		}
	}
	say(fmt.Sprintf(hello, legacy, "{}"))
	say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"explain_strategy","arguments":{"id":"user.slow","selection":"` + strings.Repeat("a", 100) + `b"}}}` + "\n")
	<-asked
	say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n")
	feed.Close()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("the explanation goes on, and the server with it")
	}
}
