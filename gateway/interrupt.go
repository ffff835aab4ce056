package gateway

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
	"github.com/pertain-dev/pertain/internal/markup"
	"github.com/pertain-dev/pertain/internal/visible"
	"github.com/pertain-dev/pertain/stream"
)

// What the model is told after the rules.
const (
	askAgain   = "Your answer was stopped because it was about to break what is said above. Nothing of that part was shown or run. Answer again, and keep to it."
	callAgain  = "A tool call that followed was stopped because it broke what is said above. It was not run. Where it is still needed, make it again, and keep to it."
	goOnAgain  = "What you went on with was stopped because it was about to break what is said above. Nothing of that part was shown. Go on, and keep to it."
	keepToThat = "Your last answer broke what is said above. Keep to it from now on."
)

// reminder is what the model is told about rules that fired.
func (x *exchange) reminder(v stream.Verdict, what string) string {
	text := v.Injection() + "\n\n"
	var names []string
	others := false
	for _, f := range v.Fired {
		if x.workspace.Binding[f.Trigger.Name] {
			names = append(names, strings.ReplaceAll(visible.Line(visible.Strip(f.Trigger.Name)), "`", "'"))
		} else {
			others = true
		}
	}
	if comply := markup.Comply(names, others); comply != "" {
		text += comply + "\n\n"
	}
	return text + what
}

// stopped is what the model is told that went on after a call which the agent runs.
func stopped(v stream.Verdict) string {
	for _, f := range v.Fired {
		if f.Source.Kind != stream.Tool {
			return goOnAgain
		}
	}
	return callAgain
}

// judged takes note of what fired, and tells whether the answer is to be broken off.
func (x *exchange) judged(v stream.Verdict) bool {
	for _, f := range v.Fired {
		x.fires(f.Trigger.Name)
	}
	if v.Interrupt {
		x.interrupted = append(x.interrupted, v.Fired...)
		return true
	}
	for _, f := range v.Fired {
		one := stream.Verdict{Fired: []stream.Fired{f}}
		if x.workspace.Policy.Interrupts(f.Trigger, f.Source.Kind) { // but for the budget
			x.note(one, Passed)
			x.passed = append(x.passed, f.Trigger.Name)
			continue
		}
		x.note(one, Reminded)
		x.reminders.Fired = append(x.reminders.Fired, f)
	}
	return false
}

// fires says of earlier interruptions by a rule that they were not heeded.
func (x *exchange) fires(rule string) {
	x.heard = slices.DeleteFunc(x.heard, func(h heard) bool {
		if h.rule == rule {
			x.heed(h.entry, false)
		}
		return h.rule == rule
	})
	x.talk.known.Waiting = slices.DeleteFunc(x.talk.known.Waiting, func(w Waiting) bool {
		if w.Rule == rule {
			x.heed(w.Entry, false)
			x.remember(func(c *Conversation) { c.Waiting = without(c.Waiting, w) })
		}
		return w.Rule == rule
	})
}

func without(list []Waiting, w Waiting) []Waiting {
	return slices.DeleteFunc(list, func(other Waiting) bool { return other == w })
}

// note writes into the journal what rules did.
func (x *exchange) note(v stream.Verdict, action Action) []heard {
	ctx, done := background(x.ctx())
	defer done()
	var out []heard
	for _, f := range v.Fired {
		e := Entry{Agent: x.agent(), Workspace: x.workspace.Dir, Conversation: x.talk.id, Rule: f.Trigger.Name, Action: action}
		e.Path = x.workspace.touched(f.Source)
		id, err := x.gateway.journal.Add(ctx, e)
		if err != nil {
			x.gateway.logger.Warn("the journal cannot be written", "error", err)
		}
		x.gateway.logger.Info("rule", "rule", e.Rule, "action", string(action), "api", x.to.api.name(), "workspace", e.Workspace, "conversation", e.Conversation, "path", e.Path)
		out = append(out, heard{id, e.Rule})
	}
	x.gateway.seen.intervenes(x, v, action, out)
	return out
}

func (x *exchange) heed(entry string, heeded bool) {
	x.gateway.seen.heeds(entry, heeded)
	if entry == "" {
		return
	}
	ctx, done := background(x.ctx())
	defer done()
	if err := x.gateway.journal.Heed(ctx, entry, heeded); err != nil {
		x.gateway.logger.Warn("the journal cannot be written", "error", err)
	}
}

// interrupt breaks the answer off for the client, and tells whether another is to be
// asked for. What was held is dropped.
func (s *streaming) interrupt(v stream.Verdict) (again bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop()
	blocks, calls := s.judge.released()
	_ = s.judge.watcher.Injected(s.ctx(), v) // turnMemory never fails
	heard := s.note(v, Interrupted)
	if len(calls) > 0 { // the agent runs them: what is to say is said after their results
		repeated := s.answers.repeated()
		s.write(s.answers.ended())
		client, real := s.answers.ids()
		if s.ask.chained {
			end := s.ask.ends(client, repeated)
			s.gateway.endings.add(s.owned(client), end)
			if s.ask.kept != "" {
				s.gateway.endings.add(s.owned(keptID(s.ask.kept)), end)
			}
		}
		splice := Splice{Calls: calls, Answer: client, After: true, Steps: []Step{{Reminder: s.reminder(v, stopped(v))}}}
		s.remember(func(c *Conversation) {
			s.keepRecord(c)
			c.add(s.steppedSplice(calls, ""), s.gateway.limits.Splices)
			c.add(&splice, s.gateway.limits.Splices)
			for _, h := range heard {
				c.Waiting = append(c.Waiting, Waiting{h.entry, h.rule})
			}
		})
		s.answered(client, real)
		s.heeded()
		return false
	}
	s.write(s.answers.broken())
	s.flushNow()
	s.heard = append(s.heard, heard...)
	s.breaks(v, blocks)
	return true
}

// breaks makes the request with which the model is asked again.
func (x *exchange) breaks(v stream.Verdict, released []block) {
	step := Step{Reminder: x.reminder(v, askAgain)}
	for _, b := range released {
		step.Released = append(step.Released, newPart(&b))
		if b.kind == textBlock {
			x.texts = append(x.texts, b.text)
		}
	}
	x.steps = append(x.steps, step)
	var entries [][]byte
	if !v.Discard {
		entries = x.to.api.said(released)
	}
	x.body = x.ask.with(x.body, append(entries, x.to.api.reminder(step.Reminder))...)
	if root, ok := jsontext.Parse(x.body); ok {
		x.ask = x.to.api.asks(root, plainPath(x.path))
	}
	x.remember(x.keepRecord)
}

// conclude writes down what has to be known when the agent asks next.
func (x *exchange) conclude(j *judge, ids func() (client, real string)) {
	if x.ask.kept != "" { // the provider has what was sent with the request
		x.gateway.endings.over(x.owned(keptID(x.ask.kept)))
	}
	calls, text := j.all()
	all := strings.Join(x.texts, "") + text
	j.tellEnd(x.texts, text)
	splice := x.steppedSplice(calls, all)
	client, real := ids()
	defer func() { x.answered(client, real) }()
	var after *Splice
	if len(x.reminders.Fired) > 0 {
		_ = j.watcher.Injected(x.ctx(), x.reminders) // turnMemory never fails
		after = &Splice{Calls: calls, Text: textHash(all), Answer: client, After: true, Steps: []Step{{Reminder: x.reminder(x.reminders, keepToThat)}}}
	}
	x.heeded()
	if splice == nil && after == nil {
		return
	}
	x.remember(func(c *Conversation) {
		x.keepRecord(c)
		c.add(splice, x.gateway.limits.Splices)
		c.add(after, x.gateway.limits.Splices)
	})
}

// heeded says of interruptions whose rules have not fired since that they were heeded.
func (x *exchange) heeded() {
	for _, h := range x.heard {
		x.heed(h.entry, true)
	}
	x.heard = nil
	waiting := x.talk.known.Waiting
	if len(waiting) == 0 {
		return
	}
	x.talk.known.Waiting = nil
	for _, w := range waiting {
		x.heed(w.Entry, true)
	}
	x.remember(func(c *Conversation) {
		for _, w := range waiting {
			c.Waiting = without(c.Waiting, w)
		}
	})
}

// steppedSplice is how the answers that were broken off are remembered; nil: there were
// none.
func (x *exchange) steppedSplice(calls []string, text string) *Splice {
	if len(x.steps) == 0 {
		return nil
	}
	return &Splice{Calls: calls, Text: textHash(text), Keep: x.workspace.Policy.ContextMode == stream.Keep, Steps: x.steps}
}

func textHash(text string) string {
	if size(text) == 0 {
		return ""
	}
	return hash(text)
}

// add remembers a splice, if it can be found again, and forgets the oldest when there
// are too many.
func (c *Conversation) add(s *Splice, most int) {
	if s == nil || len(s.Calls) == 0 && s.Text == "" && s.Answer == "" {
		return
	}
	c.Splices = append(c.Splices, *s)
	if more := len(c.Splices) - most; more > 0 {
		c.Splices = slices.Delete(c.Splices, 0, more)
	}
}

// agents are how programs name themselves in the header User-Agent.
var agents = []struct{ begins, agent string }{
	{"claude-cli/", "claude"},
	{"codex", "codex"},
	{"GeminiCLI", "gemini"},
	{"GitHubCopilot", "copilot"},
	{"copilot", "copilot"},
	{"opencode", "opencode"},
	{"QwenCode", "qwen"},
	{"factory-cli", "droid"},
	{"pi/", "pi"},
}

// agent is who asks, as far as it is known.
func (x *exchange) agent() string {
	if x.gateway.options.Agent != "" {
		return x.gateway.options.Agent
	}
	for _, a := range agents {
		if strings.HasPrefix(strings.ToLower(x.r.UserAgent()), strings.ToLower(a.begins)) {
			return a.agent
		}
	}
	return ""
}
