package stream

import (
	"context"
	"path"
	"strings"

	"github.com/pertain-dev/pertain/toolcall"
)

// Call names a tool call of a turn whose arguments are fed as the model writes them.
// What it adds to each file is a stream of its own: triggers see that text, decoded,
// and not the JSON around it nor what is replaced; see package toolcall.
type Call struct {
	Tool string // its name, as the model says it
	ID   string // tells the calls of a turn apart
	// Relative makes a path of the call one that is relative to the project, with
	// slashes. nil: paths are relative to it as they stand.
	Relative func(path string) string
	// Names, if it is not nil, is asked in place of Relative, and gives all names that a
	// file has in the project: a link may lead to it.
	Names func(path string) []string
	// OwnNames, if it is not nil, gives more names of a file, which count for triggers of
	// the user's own alone; see [Source].OwnPaths.
	OwnNames func(path string) []string
	// Lost, if it is not nil, tells whether nobody knows where a path leads: then it may
	// be that of any file.
	Lost func(path string) bool
}

// watchedCall is a call while its arguments arrive.
type watchedCall struct {
	tool      string
	reader    *toolcall.Reader
	arguments strings.Builder // all of them, so that a turn can be saved
	ended     bool
}

// FeedCall takes the next piece of a call's arguments. The name of the tool counts with
// the first. Like [Watcher.Feed], it tells what fires up to the first interruption.
func (w *Watcher) FeedCall(ctx context.Context, call Call, piece string) (Verdict, error) {
	return w.take(ctx, false, func() []portion {
		c := w.call(call)
		if c.ended {
			return nil
		}
		c.arguments.WriteString(piece)
		return c.portions(call, c.reader.Feed(piece))
	})
}

// EndCall says that the arguments of a call have ended, complete or not. What was held
// back, in this call and elsewhere, is told with what the end decides.
func (w *Watcher) EndCall(ctx context.Context, call Call) (Verdict, error) {
	return w.take(ctx, true, func() []portion {
		c := w.call(call)
		c.ended = true
		return c.portions(call, c.reader.End()) // nothing, if it has ended before
	})
}

func (w *Watcher) call(call Call) *watchedCall {
	c := w.calls[call.ID]
	if c == nil {
		c = &watchedCall{tool: call.Tool, reader: toolcall.NewReader(call.Tool)}
		w.calls[call.ID] = c
	}
	return c
}

// portions are what a piece of the arguments adds to the streams of the call.
func (c *watchedCall) portions(call Call, pieces []toolcall.Piece) []portion {
	out := make([]portion, len(pieces))
	for i, p := range pieces {
		source := Source{Kind: Tool, Tool: c.tool, ID: call.ID, Does: c.reader.KindOf(p.Segment), Anywhere: c.reader.Anywhere(p.Segment)}
		for _, name := range c.reader.Paths(p.Segment) {
			source.Paths = append(source.Paths, call.names(name)...)
			if call.OwnNames != nil {
				source.OwnPaths = append(source.OwnPaths, call.OwnNames(name)...)
			}
			source.Anywhere = source.Anywhere || call.Lost != nil && call.Lost(name)
		}
		out[i] = portion{source, p.Segment + 1, p.Text, p.End}
	}
	return out
}

func (c Call) names(name string) []string {
	switch {
	case c.Names != nil:
		return c.Names(name)
	case c.Relative != nil:
		return []string{c.Relative(name)}
	}
	return []string{path.Clean(strings.ReplaceAll(name, `\`, "/"))}
}

// base is how many bytes the call adds to the file of a segment before the segment, of
// which 1 is the first; 0 for streams that are no part of a call.
func (w *Watcher) base(s *watched) int64 {
	c := w.calls[s.source.ID]
	if s.segment == 0 || c == nil {
		return 0
	}
	if all := c.reader.Segments(); s.segment <= len(all) {
		return int64(all[s.segment-1].Base)
	}
	return 0
}
