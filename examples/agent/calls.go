package main

import (
	"context"
	"path/filepath"
	"strconv"

	"github.com/pertain-dev/pertain/stream"
)

// answer is one answer of the model, of which text, thinking and tool calls arrive in
// turn.
type answer struct {
	watcher *stream.Watcher
	root    string
	calls   []stream.Call // as they come
	known   map[int]stream.Call
}

// reasoning, content and call watch a piece of the answer.
func (a *answer) reasoning(ctx context.Context, text string) (stream.Verdict, error) {
	return a.watcher.Feed(ctx, stream.Source{Kind: stream.Thinking}, text)
}

func (a *answer) content(ctx context.Context, text string) (stream.Verdict, error) {
	return a.watcher.Feed(ctx, stream.Source{Kind: stream.Text}, text)
}

// call hands the arguments over as the model writes them: the watcher reads from them
// what the call adds to which file. The tool's name comes with the first piece.
func (a *answer) call(ctx context.Context, index int, name, arguments string) (stream.Verdict, error) {
	call, ok := a.known[index]
	if !ok {
		call = stream.Call{Tool: name, ID: strconv.Itoa(index), Relative: a.relative}
		if a.known == nil {
			a.known = map[int]stream.Call{}
		}
		a.known[index] = call
		a.calls = append(a.calls, call)
	}
	return a.watcher.FeedCall(ctx, call, arguments)
}

// ends says that all streams of the answer have ended, one after the other.
func (a *answer) ends() []func(context.Context) (stream.Verdict, error) {
	var out []func(context.Context) (stream.Verdict, error)
	for _, kind := range []stream.Kind{stream.Text, stream.Thinking} {
		out = append(out, func(ctx context.Context) (stream.Verdict, error) {
			return a.watcher.End(ctx, stream.Source{Kind: kind})
		})
	}
	for _, call := range a.calls {
		out = append(out, func(ctx context.Context) (stream.Verdict, error) { return a.watcher.EndCall(ctx, call) })
	}
	return out
}

// relative is a path from the project's folder on, with slashes.
func (a *answer) relative(path string) string {
	if filepath.IsAbs(path) {
		if rel, err := filepath.Rel(a.root, path); err == nil {
			path = rel
		}
	}
	return filepath.ToSlash(filepath.Clean(path))
}
