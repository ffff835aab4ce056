package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/stream"
)

// piece is a part of the answer and the stream it belongs to.
type piece struct {
	source stream.Source
	text   string
}

// calls are the tool calls of one answer.
type calls struct {
	root  string
	order []int // indexes, as they come
	list  map[int]*call
}

// call is a tool call that is being said.
type call struct {
	source    stream.Source
	arguments strings.Builder
}

// earlyPath is how much of a call's arguments, in bytes, is searched for its file with
// every piece. A file that is named later is found when the call has ended: in time,
// since nothing is done before.
const earlyPath = 16 << 10

// pieces tells apart what a delta holds.
func (c *calls) pieces(delta Delta) []piece {
	var out []piece
	if delta.Reasoning != "" {
		out = append(out, piece{stream.Source{Kind: stream.Thinking}, delta.Reasoning})
	}
	if delta.Content != "" {
		out = append(out, piece{stream.Source{Kind: stream.Text}, delta.Content})
	}
	for _, t := range delta.ToolCalls {
		at := c.at(t.Index, t.Function.Name)
		at.arguments.WriteString(t.Function.Arguments)
		if at.source.Paths == nil && at.arguments.Len() < earlyPath {
			at.source.Paths = filesOf(at.arguments.String(), c.root)
		}
		out = append(out, piece{at.source, t.Function.Arguments})
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
		c.list[index] = &call{source: stream.Source{Kind: stream.Tool, Tool: name, ID: fmt.Sprint(index)}}
	}
	return c.list[index]
}

// sources are all streams of an answer that has ended.
func (c *calls) sources() []stream.Source {
	out := []stream.Source{{Kind: stream.Text}, {Kind: stream.Thinking}}
	for _, index := range c.order {
		at := c.list[index]
		if at.source.Paths == nil {
			at.source.Paths = filesOf(at.arguments.String(), c.root)
		}
		out = append(out, at.source)
	}
	return out
}

// fileKeys are the names that tools have for the file they touch.
var fileKeys = []string{"path", "file_path", "file", "filename"}

// filesOf gives the file that a tool call names, relative to the project, as soon as
// its name has been said. The arguments are JSON that has no end yet.
func filesOf(arguments, root string) []string {
	decoder := json.NewDecoder(strings.NewReader(arguments))
	if open, err := decoder.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil
		}
		var value any
		if decoder.Decode(&value) != nil { // it has not been said yet
			return nil
		}
		name, _ := key.(string)
		path, isText := value.(string)
		if !isText || path == "" || !slices.Contains(fileKeys, name) {
			continue
		}
		if filepath.IsAbs(path) {
			if relative, err := filepath.Rel(root, path); err == nil {
				path = relative
			}
		}
		return []string{filepath.ToSlash(filepath.Clean(path))}
	}
	return nil
}
