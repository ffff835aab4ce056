package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/pertain-dev/pertain/stream"
)

// Agent is one conversation.
type Agent struct {
	Endpoint Endpoint
	Watcher  *stream.Watcher
	Set      *stream.Set // that the watcher watches with
	Root     string      // the project's folder, absolute; rules' globs are relative to it
	Messages []Message
	Out      io.Writer // what the model says
	Notes    io.Writer // what happens to it
}

// maxAttempts bounds how often one request is sent. The watcher's own budget of
// interruptions is smaller.
const maxAttempts = 10

// Ask sends a request and prints the answer. Each time a rule interrupts it, the
// model is told the rule and starts again.
func (a *Agent) Ask(ctx context.Context, request string) error {
	a.Messages = append(a.Messages, Message{Role: "user", Content: request})
	a.Watcher.StartUserTurn()
	for range maxAttempts {
		a.Watcher.StartTurn()
		said, verdict, err := a.listen(ctx)
		if err != nil {
			return err
		}
		if said != "" && !(verdict.Interrupt && verdict.Discard) {
			a.Messages = append(a.Messages, Message{Role: "assistant", Content: said})
		}
		if block := verdict.Injection(); block != "" {
			// Without an interruption this is a reminder for the next request.
			a.Messages = append(a.Messages, Message{Role: "user", Content: block})
		}
		if !verdict.Interrupt {
			fmt.Fprintln(a.Out)
			return nil
		}
		for _, f := range verdict.Fired {
			fmt.Fprintf(a.Notes, "\n[interrupted by rule %s]\n", f.Trigger.Name)
		}
	}
	return fmt.Errorf("the answer was interrupted %d times", maxAttempts)
}

// listen sends the conversation and feeds the answer to the watcher as it comes.
// Leaving it ends the request. said is all text that has come, with the piece that was
// interrupted.
func (a *Agent) listen(ctx context.Context) (said string, verdict stream.Verdict, err error) {
	ctx, abort := context.WithCancel(ctx)
	defer abort()
	var text strings.Builder
	// judge adds a verdict to those before, which reminded; it says whether to go on.
	judge := func(v stream.Verdict, err error) (bool, error) {
		for _, u := range v.Undecided {
			fmt.Fprintf(a.Notes, "\n[rule %s may have missed something: %s]\n", a.Set.Trigger(u.Trigger).Name, u)
		}
		verdict.Fired = append(verdict.Fired, v.Fired...)
		verdict.Interrupt, verdict.Discard = v.Interrupt, v.Discard
		return err == nil && !v.Interrupt, err
	}
	calls := calls{root: a.Root}
	for delta, err := range a.Endpoint.Stream(ctx, a.Messages) {
		if err != nil {
			return "", verdict, err
		}
		for _, piece := range calls.pieces(delta) {
			isText := piece.source.Kind == stream.Text
			if isText {
				text.WriteString(piece.text)
			}
			if goOn, err := judge(a.watch(ctx, piece)); !goOn {
				return text.String(), verdict, err
			}
			if isText { // nobody is shown what a rule forbids
				fmt.Fprint(a.Out, piece.text)
			}
		}
	}
	for _, piece := range calls.ends() {
		if goOn, err := judge(a.watch(ctx, piece)); !goOn {
			return text.String(), verdict, err
		}
	}
	return text.String(), verdict, nil
}

// watch feeds a piece to the watcher, or tells it that a stream has ended.
func (a *Agent) watch(ctx context.Context, p piece) (stream.Verdict, error) {
	if p.end {
		return a.Watcher.End(ctx, p.source)
	}
	return a.Watcher.Feed(ctx, p.source, p.text)
}
