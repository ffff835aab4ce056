package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/pertain-dev/pertain/stream"
)

// Agent is one conversation.
type Agent struct {
	Endpoint Endpoint
	Watcher  *stream.Watcher
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
		if !verdict.Interrupt || !verdict.Discard {
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
// Leaving it ends the request.
func (a *Agent) listen(ctx context.Context) (said string, verdict stream.Verdict, err error) {
	ctx, abort := context.WithCancel(ctx)
	defer abort()
	var text strings.Builder
	calls := map[int]*call{}
	remind := func(v stream.Verdict) { verdict.Fired = append(verdict.Fired, v.Fired...) }
	for delta, err := range a.Endpoint.Stream(ctx, a.Messages) {
		if err != nil {
			return "", verdict, err
		}
		for _, piece := range a.pieces(delta, calls) {
			v, err := a.Watcher.Feed(ctx, piece.source, piece.text)
			if err != nil {
				return "", verdict, err
			}
			if v.Interrupt {
				return text.String(), v, nil
			}
			remind(v)
			if piece.source.Kind == stream.Text {
				text.WriteString(piece.text)
				fmt.Fprint(a.Out, piece.text)
			}
		}
	}
	for _, source := range sources(calls) {
		v, err := a.Watcher.End(ctx, source)
		if err != nil {
			return "", verdict, err
		}
		if v.Interrupt {
			return text.String(), v, nil
		}
		remind(v)
	}
	return text.String(), verdict, nil
}

// piece is a part of the answer and the stream it belongs to.
type piece struct {
	source stream.Source
	text   string
}

// call is a tool call that is being said.
type call struct {
	source    stream.Source
	arguments strings.Builder
}

func (a *Agent) pieces(delta Delta, calls map[int]*call) []piece {
	var out []piece
	if delta.Content != "" {
		out = append(out, piece{stream.Source{Kind: stream.Text}, delta.Content})
	}
	if delta.Reasoning != "" {
		out = append(out, piece{stream.Source{Kind: stream.Thinking}, delta.Reasoning})
	}
	for _, t := range delta.ToolCalls {
		c := calls[t.Index]
		if c == nil {
			c = &call{source: stream.Source{Kind: stream.Tool, Tool: t.Function.Name, ID: fmt.Sprint(t.Index)}}
			calls[t.Index] = c
		}
		c.arguments.WriteString(t.Function.Arguments)
		if c.source.Paths == nil {
			c.source.Paths = filesOf(c.arguments.String())
		}
		out = append(out, piece{c.source, t.Function.Arguments})
	}
	return out
}

// filesOf gives the file that a tool call names, as soon as its name has been said.
// The arguments are JSON that has no end yet.
func filesOf(arguments string) []string {
	for _, key := range []string{`"path"`, `"file_path"`, `"file"`} {
		_, rest, ok := strings.Cut(arguments, key)
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, " \t\n:")
		var path string
		if err := json.NewDecoder(strings.NewReader(rest)).Decode(&path); err == nil && path != "" {
			return []string{path}
		}
	}
	return nil
}

// sources are all streams of an answer that has ended.
func sources(calls map[int]*call) []stream.Source {
	out := []stream.Source{{Kind: stream.Text}, {Kind: stream.Thinking}}
	for i := range len(calls) {
		if c := calls[i]; c != nil {
			out = append(out, c.source)
		}
	}
	return out
}
