package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/stream"
)

// exitTrigger is the exit code of guard when a trigger fired (CONTRACT §2).
const exitTrigger = 3

// guardEvent is one line of guard's JSON.
type guardEvent struct {
	Event  string   `json:"event"`
	Rules  []string `json:"rules"`
	Offset int64    `json:"offset"`
}

func (a *app) guardCommand() *cobra.Command {
	var keepGoing bool
	var options pertain.RuleOptions
	cmd := &cobra.Command{
		Use:   "guard",
		Short: "Copy a model's output and stop where a rule's trigger fires",
		Long: `Copy standard input to standard output as it arrives, and watch it with the
rules that have a trigger. At the first trigger guard stops, with exit code 3:
everything before the character that completed the match has been copied.

With --json the output is not the text but one line that says which rules fired
and where. With --keep-going everything is copied, each rule is reported once at
its first match, and the exit code at the end is 3 if any fired.`,
		Example: `  some-llm | pertain guard
  some-llm | pertain guard --keep-going > answer.md
  pertain guard --json < transcript.txt`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			set, err := a.triggers(cmd.Context(), options)
			if err != nil {
				return err
			}
			g := &guard{set: set, out: a.call.Stdout, notes: a.call.Stderr, json: a.json, keepGoing: keepGoing}
			fired, err := g.run(cmd.Context(), a.call.Stdin)
			if err != nil {
				return err
			}
			if fired {
				return &exit{exitTrigger, ""}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&keepGoing, "keep-going", false, "copy everything and report each rule at its first match")
	a.documentedFlag(cmd, &options)
	a.jsonFlag(cmd)
	return cmd
}

// triggers compiles the triggers of the rules here.
func (a *app) triggers(ctx context.Context, options pertain.RuleOptions) (*stream.Set, error) {
	book, err := a.rulebook(ctx, options)
	if err != nil {
		return nil, err
	}
	if !options.Documented { // a rule that cannot fire must not go unnoticed
		var broken diag.List
		for _, d := range book.Warnings() {
			if d.Code == diag.RuleInvalidTrigger {
				broken.Add(d)
			}
		}
		if err := diag.Lines(a.call.Stderr, broken, a.textOptions(a.call.Stderr)); err != nil {
			return nil, err
		}
	}
	set, _ := stream.Compile(a.bookTriggers(book), stream.Options{Documented: options.Documented})
	return set, nil
}

// bookTriggers are the triggers of a rulebook, in order of precedence.
func (a *app) bookTriggers(book *pertain.Rulebook) []stream.Trigger {
	rules := slices.Clone(book.Rules())
	for i, r := range rules {
		if filepath.Separator != '/' {
			copied := *r
			copied.Path = filepath.ToSlash(r.Path)
			rules[i] = &copied
		}
	}
	return stream.FromRules(rules, filepath.ToSlash(book.Root))
}

// guard copies a text and watches it.
type guard struct {
	set       *stream.Set
	out       io.Writer
	notes     io.Writer // for people, with keepGoing and without json
	json      bool
	keepGoing bool
}

// readSize is how much is read at once, in bytes. A pipe gives what there is.
const readSize = 64 << 10

// run copies from in until the end or the first trigger.
func (g *guard) run(ctx context.Context, in io.Reader) (fired bool, err error) {
	st := g.set.Stream()
	var held []byte           // the end of what was read, not yet copied
	var found []stream.Firing // what has fired, if more may fire at the same place
	for piece := range pieces(ctx, in) {
		if piece.err != nil {
			return fired, piece.err
		}
		held = append(held, piece.text...)
		found = g.watched(found, st.FeedBytes(piece.text))
		if piece.last {
			found = g.watched(found, st.End())
		}
		if len(found) > 0 && g.keepGoing {
			fired = true
			if err := g.report(found); err != nil {
				return fired, err
			}
			found = found[:0]
		}
		if len(found) > 0 {
			at := earliest(found)
			if piece.last || at < st.Whole() || !st.Pending() {
				return true, g.stop(found, at, held, st.Offset())
			}
		}
		keep := 0
		if !piece.last && !g.keepGoing {
			keep = int(st.Offset() - st.Whole())
			if len(found) > 0 || st.Pending() {
				keep += lastSize(held[:max(len(held)-keep, 0)])
			}
		}
		if err := g.copy(held[:len(held)-keep]); err != nil {
			return fired, err
		}
		held = append(held[:0], held[len(held)-keep:]...)
	}
	return fired, ctx.Err()
}

// input is a piece of what is read.
type input struct {
	text []byte
	last bool
	err  error
}

// pieces reads in the background, so that an interrupt is heeded while nothing
// arrives. A piece is good until the next.
func pieces(ctx context.Context, in io.Reader) iter.Seq[input] {
	return func(yield func(input) bool) {
		read, more := make(chan input), make(chan bool)
		defer close(more)
		go func() {
			buffer := make([]byte, readSize)
			for {
				n, err := in.Read(buffer)
				next := input{text: buffer[:n], last: errors.Is(err, io.EOF)}
				if err != nil && !next.last {
					next.err = fmt.Errorf("standard input cannot be read: %w", err)
				}
				select {
				case read <- next:
				case <-more: // nobody waits any more
					return
				}
				if err != nil || !<-more {
					return
				}
			}
		}()
		for {
			select {
			case <-ctx.Done():
				return
			case next := <-read:
				if !yield(next) || next.last || next.err != nil {
					return
				}
				more <- true
			}
		}
	}
}

// watched adds those that watch text.
func (g *guard) watched(found []stream.Firing, more []stream.Firing) []stream.Firing {
	for _, f := range more {
		if g.set.Watches(f.Trigger, stream.Source{Kind: stream.Text}) {
			found = append(found, f)
		}
	}
	return found
}

func earliest(found []stream.Firing) int64 {
	at := found[0].Offset
	for _, f := range found {
		at = min(at, f.Offset)
	}
	return at
}

// lastSize gives the size of the last character.
func lastSize(text []byte) int {
	_, size := utf8.DecodeLastRune(text)
	return size
}

// stop copies what comes before the character that completed the match, and
// reports everything that fired there. held ends at offset end of the text.
func (g *guard) stop(found []stream.Firing, at int64, held []byte, end int64) error {
	before := held[:max(int64(len(held))-(end-at), 0)]
	if err := g.copy(before[:len(before)-lastSize(before)]); err != nil {
		return err
	}
	return g.report(slices.DeleteFunc(found, func(f stream.Firing) bool { return f.Offset != at }))
}

func (g *guard) copy(text []byte) error {
	if g.json || len(text) == 0 {
		return nil
	}
	_, err := g.out.Write(text)
	return err
}

// report tells what fired: at one place together, or with keepGoing each on its own.
func (g *guard) report(found []stream.Firing) error {
	var lines []guardEvent
	if !g.keepGoing {
		slices.SortFunc(found, func(x, y stream.Firing) int { return x.Trigger - y.Trigger })
	}
	for _, f := range found {
		name := g.set.Trigger(f.Trigger).Name
		if !g.keepGoing && len(lines) > 0 {
			lines[0].Rules = append(lines[0].Rules, name)
			continue
		}
		lines = append(lines, guardEvent{Event: "trigger", Rules: []string{name}, Offset: f.Offset})
	}
	for _, line := range lines {
		if g.json {
			enc := json.NewEncoder(g.out)
			enc.SetEscapeHTML(false)
			if err := enc.Encode(line); err != nil {
				return err
			}
			continue
		}
		for _, name := range line.Rules {
			fmt.Fprintf(g.notes, "pertain: the trigger of rule %s fired at byte %d\n", clean(name), line.Offset)
		}
	}
	return nil
}
