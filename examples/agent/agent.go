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
			if err := a.Watcher.Injected(ctx, verdict); err != nil {
				return err
			}
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
	answer := answer{watcher: a.Watcher, root: a.Root}
	for delta, err := range a.Endpoint.Stream(ctx, a.Messages) {
		if err != nil {
			return "", verdict, err
		}
		if delta.Reasoning != "" {
			if goOn, err := judge(answer.reasoning(ctx, delta.Reasoning)); !goOn {
				return text.String(), verdict, err
			}
		}
		if delta.Content != "" {
			text.WriteString(delta.Content)
			if goOn, err := judge(answer.content(ctx, delta.Content)); !goOn {
				return text.String(), verdict, err
			}
			fmt.Fprint(a.Out, delta.Content) // not before: nobody is shown what a rule forbids
		}
		for _, call := range delta.ToolCalls {
			if goOn, err := judge(answer.call(ctx, call.Index, call.Function.Name, call.Function.Arguments)); !goOn {
				return text.String(), verdict, err
			}
		}
	}
	for _, end := range answer.ends() {
		if goOn, err := judge(end(ctx)); !goOn {
			return text.String(), verdict, err
		}
	}
	return text.String(), verdict, nil
}
