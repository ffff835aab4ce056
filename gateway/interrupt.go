package gateway

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
	"github.com/pertain-dev/pertain/stream"
)

// What the model is told after the rules.
const (
	askAgain   = "Your answer was stopped because it was about to break what is said above. Nothing of that part was shown or run. Answer again, and keep to it."
	callAgain  = "A tool call that followed was stopped because it broke what is said above. It was not run. Where it is still needed, make it again, and keep to it."
	goOnAgain  = "What you went on with was stopped because it was about to break what is said above. Nothing of that part was shown. Go on, and keep to it."
	keepToThat = "Your last answer broke what is said above. Keep to it from now on."
)

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
	x.fires(v.Fired)
	if v.Interrupt {
		return true
	}
	actions := make([]Action, len(v.Fired))
	for i, f := range v.Fired {
		if x.workspace.Policy.Interrupts(f.Trigger, f.Source.Kind) { // but for the budget
			actions[i] = Passed
			if x.passed == nil {
				x.passed = make(map[string]bool)
			}
			x.passed[f.Trigger.Name] = true
			continue
		}
		actions[i] = Reminded
		x.reminders.Fired = append(x.reminders.Fired, f)
	}
	x.note(v.Fired, actions)
	return false
}

// fires says of earlier interruptions by rules that they were not heeded.
func (x *exchange) fires(fired []stream.Fired) {
	if len(x.heard)+len(x.talk.known.Waiting) == 0 {
		return
	}
	rules := make(map[string]bool, len(fired))
	for _, f := range fired {
		rules[f.Trigger.Name] = true
	}
	var entries []string
	x.heard = slices.DeleteFunc(x.heard, func(h heard) bool {
		if rules[h.rule] {
			entries = append(entries, h.entry)
		}
		return rules[h.rule]
	})
	over := map[Waiting]bool{}
	x.talk.known.Waiting = slices.DeleteFunc(x.talk.known.Waiting, func(w Waiting) bool {
		if rules[w.Rule] {
			entries = append(entries, w.Entry)
			over[w] = true
		}
		return rules[w.Rule]
	})
	x.heed(entries, false)
	if len(over) > 0 {
		x.remember(func(c *Conversation) { c.waitsFor(over) })
	}
}

// waitsFor forgets entries that nobody waits for any more.
func (c *Conversation) waitsFor(over map[Waiting]bool) {
	c.Waiting = slices.DeleteFunc(c.Waiting, func(w Waiting) bool { return over[w] })
}

// interrupt breaks the answer off for the client, and tells whether another is to be
// asked for. What was held is dropped.
func (s *streaming) interrupt(v stream.Verdict) (again bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop()
	blocks, calls := s.judge.released()
	heard := s.noteAll(v, Interrupted)
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
		said := s.injects(s.judge, v, stopped(v))
		if len(s.reminders.Fired) > 0 { // the answer does not come to its end, where they would be told
			reminder, shown := s.reminds()
			_ = s.judge.watcher.Injected(s.ctx(), shown) // turnMemory never fails
			said += "\n\n" + reminder
		}
		splice := Splice{Calls: calls, Answer: client, After: true, Steps: []Step{{Reminder: said}}}
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
	s.breaks(s.judge, v, blocks)
	return true
}

// injects gives what the model is told of an interruption, and takes note of the rules that it is shown.
func (x *exchange) injects(j *judge, v stream.Verdict, what string) string {
	reminder, shown := x.shows(v, what)
	_ = j.watcher.Injected(x.ctx(), shown) // turnMemory never fails
	x.interrupted = append(x.interrupted, shown.Fired...)
	return reminder
}

// breaks makes the request with which the model is asked again.
func (x *exchange) breaks(j *judge, v stream.Verdict, released []block) {
	step := Step{Reminder: x.injects(j, v, askAgain)}
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
		reminder, shown := x.reminds()
		_ = j.watcher.Injected(x.ctx(), shown) // turnMemory never fails
		after = &Splice{Calls: calls, Text: textHash(all), Answer: client, After: true, Steps: []Step{{Reminder: reminder}}}
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
	var entries []string
	for _, h := range x.heard {
		entries = append(entries, h.entry)
	}
	over := map[Waiting]bool{}
	for _, w := range x.talk.known.Waiting {
		entries = append(entries, w.Entry)
		over[w] = true
	}
	x.heard, x.talk.known.Waiting = nil, nil
	x.heed(entries, true)
	if len(over) > 0 {
		x.remember(func(c *Conversation) { c.waitsFor(over) })
	}
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
// are too many, or they are too long.
func (c *Conversation) add(s *Splice, most int) {
	if s == nil || len(s.Calls) == 0 && s.Text == "" && s.Answer == "" {
		return
	}
	c.Splices = append(c.Splices, *s)
	keep, size := len(c.Splices), 0
	for keep > 0 && len(c.Splices)-keep < most {
		text, err := json.Marshal(c.Splices[keep-1])
		if size += len(text); err != nil || size > maxSplices {
			break
		}
		keep--
	}
	c.Splices = slices.Delete(c.Splices, 0, keep)
}

// maxSplices is how much is remembered of all of a conversation, in bytes of JSON. A memory need not read what is much larger.
const maxSplices = 2 << 20

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
