package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/ask"
	"github.com/pertain-dev/pertain/internal/menu"
	"github.com/pertain-dev/pertain/stream"
)

// answer sends a question and hands the answer on.
func (a *app) answer(ctx context.Context, q question, options ask.Options, flags askFlags) error {
	heard := &hearing{app: a, quiet: a.json, anew: options.Rules.Policy.ContextMode != stream.Keep}
	if flags.to == toTerminal && !a.json {
		heard.show = func(text string) error {
			_, err := fmt.Fprint(a.call.Stdout, text)
			return err
		}
		heard.mixed = onTerminal(a.call.Stdout) && onTerminal(a.call.Stderr)
	}
	var shown *menu.Window
	asking := ctx
	if flags.to == toMenu {
		viewer, err := a.menuDesk().Find(flags.menu)
		if err != nil {
			return usage("--menu: %s", err)
		}
		shown, asking = viewer.Window(ctx, menuTitle)
		defer shown.Close()
		if shown.Streams() {
			heard.show = shown.Write
		}
	}
	about, err := ask.Ask(asking, q.plan, options, heard)
	var told *ask.Error
	if a.json && (err == nil || errors.As(err, &told)) {
		if err := a.writeJSON(heard.document(q, options.Upstream, about, err)); err != nil {
			return err
		}
	}
	heard.end()
	switch {
	case errors.As(err, &told):
		return negative("%s", err)
	case err != nil && shown != nil && ctx.Err() == nil:
		return errNothingChosen // the window was closed before the answer was whole
	case err != nil:
		return err
	}
	if about.Cut && !a.json {
		fmt.Fprintln(a.call.Stderr, "pertain: the answer was cut at the length that the model may have; the setting ask.maxTokens is for Anthropic's")
	}
	switch {
	case shown != nil:
		if !shown.Streams() {
			if err := shown.Write(heard.text.String()); err != nil {
				return menuProblem(err)
			}
		}
		if err := shown.Wait(ctx); err != nil {
			return menuProblem(err)
		}
	case flags.to == toClipboard:
		if err := a.copyText(ctx, heard.text.String()); err != nil {
			if !a.json && ctx.Err() == nil { // it was paid for, and must not be lost
				_, _ = fmt.Fprint(a.call.Stdout, withBreak(heard.text.String()))
			}
			return err
		}
		if flags.asker != nil {
			// Not a word of the answer: messages are kept, and shown on locked screens.
			_ = a.menuDesk().Notify(ctx, menuTitle, "The answer is on the clipboard ("+plural(utf8.RuneCountInString(heard.text.String()), "character")+").")
		}
	}
	return nil
}

// hearing is an answer as it comes.
type hearing struct {
	app   *app
	show  func(text string) error // nil: it is kept only
	quiet bool                    // nothing is told on standard error
	mixed bool                    // the answer and what is told of it are on one terminal
	anew  bool                    // an answer that was interrupted begins anew
	text  strings.Builder
	rules []ruleEvent
}

// ruleEvent is what a rule did.
type ruleEvent struct {
	Rule   string         `json:"rule"`
	Action gateway.Action `json:"action"`
}

// Piece is [ask.Listener.Piece].
func (h *hearing) Piece(text string) error {
	if h.show != nil {
		h.text.WriteString(text)
		return h.show(text)
	}
	if h.text.Len() == 0 { // what it began anew with was put apart from what is gone
		text = strings.TrimLeft(text, "\n")
	}
	h.text.WriteString(text)
	return nil
}

// Rule is [ask.Listener.Rule].
func (h *hearing) Rule(name string, action gateway.Action) {
	h.rules = append(h.rules, ruleEvent{name, action})
	if action == gateway.Interrupted && h.anew && h.show == nil {
		h.text.Reset() // a reader has seen what came before; who gets the whole has not
	}
	if h.quiet {
		return
	}
	told := map[gateway.Action]string{
		gateway.Interrupted: "interrupted the answer; the model was reminded and is asked again",
		gateway.Passed:      "was broken again, and the answer goes on: it was interrupted as often as ttsr.budget allows",
		gateway.Reminded:    "was broken, and does not interrupt",
	}[action]
	if h.mixed && h.open() {
		fmt.Fprintln(h.app.call.Stderr)
	}
	fmt.Fprintf(h.app.call.Stderr, "pertain: the rule %s %s\n", clean(diag.Short(name)), told)
}

// open tells whether the last line has not ended.
func (h *hearing) open() bool {
	text := h.text.String()
	return text != "" && !strings.HasSuffix(text, "\n")
}

// end ends the last line.
func (h *hearing) end() {
	if h.show != nil && h.open() {
		_ = h.show("\n") // who cannot write it has said so
	}
}

// answerJSON is the documented form.
type answerJSON struct {
	ID          string       `json:"id"`
	Upstream    upstreamJSON `json:"upstream"`
	Answer      string       `json:"answer"`
	Complete    bool         `json:"complete"`
	Error       string       `json:"error,omitempty"`
	Cut         bool         `json:"cut"`
	Stop        string       `json:"stop,omitempty"`
	Usage       *usageJSON   `json:"usage"`
	Rules       []ruleEvent  `json:"rules"`
	LeftOut     []string     `json:"leftOut"`
	Permissions []string     `json:"permissions"`
	Diagnostics diag.List    `json:"diagnostics"`
}

type upstreamJSON struct {
	API   string `json:"api"`
	URL   string `json:"url"`
	Model string `json:"model"`
}

type usageJSON struct {
	Input  int64 `json:"input"`
	Output int64 `json:"output"`
}

func (h *hearing) document(q question, u ask.Upstream, about ask.Answer, err error) answerJSON {
	d := answerJSON{
		ID: q.plan.ID, Upstream: shownUpstream(u), Answer: h.text.String(), Complete: err == nil && about.Whole, Cut: about.Cut, Stop: about.Stop,
		Rules: append([]ruleEvent{}, h.rules...), LeftOut: append([]string{}, q.leftOut...),
		Permissions: append([]string{}, q.plan.Permissions...), Diagnostics: append(diag.List{}, q.plan.Diagnostics...),
	}
	if err != nil {
		d.Error = err.Error()
	}
	if about.Output > 0 {
		d.Usage = &usageJSON{about.Input, about.Output}
	}
	return d
}

func shownUpstream(u ask.Upstream) upstreamJSON { return upstreamJSON{u.API, u.URL.String(), u.Model} }

// outgoingJSON is what would be sent.
type outgoingJSON struct {
	ID          string            `json:"id"`
	Upstream    upstreamJSON      `json:"upstream"`
	Method      string            `json:"method"`
	URL         string            `json:"url"`
	Headers     map[string]string `json:"headers"`
	KeyVariable *string           `json:"keyVariable"`
	Body        json.RawMessage   `json:"body"`
	LeftOut     []string          `json:"leftOut"`
	Permissions []string          `json:"permissions"`
}

// showOutgoing prints what would be sent: the body on standard output, byte for byte,
// and what it is sent with on standard error.
func (a *app) showOutgoing(ctx context.Context, q question, options ask.Options) error {
	out, err := ask.Show(ctx, q.plan, options)
	if err != nil {
		return err
	}
	headers := map[string]string{}
	for name, values := range out.Header {
		headers[name] = strings.Join(values, ", ")
	}
	u := options.Upstream
	if a.json {
		shown := outgoingJSON{
			ID: q.plan.ID, Upstream: shownUpstream(u), Method: out.Method, URL: out.URL, Headers: headers, Body: out.Body,
			LeftOut: append([]string{}, q.leftOut...), Permissions: append([]string{}, q.plan.Permissions...),
		}
		if u.KeyVariable != "" {
			shown.KeyVariable = &u.KeyVariable
		}
		return a.writeJSON(shown)
	}
	fmt.Fprintf(a.call.Stderr, "%s %s\n", out.Method, clean(out.URL))
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		fmt.Fprintf(a.call.Stderr, "%s: %s\n", name, clean(headers[name]))
	}
	if u.KeyVariable != "" {
		fmt.Fprintf(a.call.Stderr, "and the key of %s\n", u.KeyVariable)
	}
	for _, what := range q.leftOut {
		fmt.Fprintln(a.call.Stderr, "pertain: not sent: "+clean(what))
	}
	_, err = fmt.Fprintf(a.call.Stdout, "%s\n", bytes.TrimRight(out.Body, "\n"))
	return err
}
