package main

import (
	"fmt"
	"path/filepath"

	"github.com/pertain-dev/pertain/stream"
	"github.com/pertain-dev/pertain/toolcall"
)

// piece is a part of the answer and the stream it belongs to.
type piece struct {
	source stream.Source
	text   string
	end    bool // nothing more comes to the stream
}

// calls are the tool calls of one answer.
type calls struct {
	root  string
	order []int // indexes, as they come
	list  map[int]*call
}

// call is a tool call that is being said. What it adds to each file is a stream of its own:
// rules watch the text, not the JSON around it.
type call struct {
	index  int
	tool   string
	reader *toolcall.Reader
}

// pieces tells apart what a delta holds.
func (c *calls) pieces(delta Delta) []piece {
	var out []piece
	if delta.Reasoning != "" {
		out = append(out, piece{source: stream.Source{Kind: stream.Thinking}, text: delta.Reasoning})
	}
	if delta.Content != "" {
		out = append(out, piece{source: stream.Source{Kind: stream.Text}, text: delta.Content})
	}
	for _, t := range delta.ToolCalls {
		at := c.at(t.Index, t.Function.Name)
		out = append(out, c.added(at, at.reader.Feed(t.Function.Arguments))...)
	}
	return out
}

// at gives a call; its name comes with its first piece.
func (c *calls) at(index int, name string) *call {
	if c.list == nil {
		c.list = map[int]*call{}
	}
	if c.list[index] == nil {
		c.order = append(c.order, index)
		c.list[index] = &call{index: index, tool: name, reader: toolcall.NewReader(name)}
	}
	return c.list[index]
}

// added are the streams that a call has added to. A file may be named after its text: then the
// watcher is told as soon as it is known.
func (c *calls) added(at *call, told []toolcall.Piece) []piece {
	var out []piece
	for _, p := range told {
		source := stream.Source{
			Kind: stream.Tool, Tool: at.tool, ID: fmt.Sprintf("%d.%d", at.index, p.Segment), Does: at.reader.KindOf(p.Segment),
		}
		if path := at.reader.Path(p.Segment); path != "" {
			source.Paths = []string{c.relative(path)}
		}
		out = append(out, piece{source: source, text: p.Text, end: p.End})
	}
	return out
}

// relative is a path from the project's folder on, with slashes.
func (c *calls) relative(path string) string {
	if filepath.IsAbs(path) {
		if rel, err := filepath.Rel(c.root, path); err == nil {
			path = rel
		}
	}
	return filepath.ToSlash(filepath.Clean(path))
}

// ends are what the end of an answer brings: the rest of its calls, and the ends of all streams.
func (c *calls) ends() []piece {
	out := []piece{{source: stream.Source{Kind: stream.Text}, end: true}, {source: stream.Source{Kind: stream.Thinking}, end: true}}
	for _, index := range c.order {
		at := c.list[index]
		out = append(out, c.added(at, at.reader.End())...)
	}
	return out
}
