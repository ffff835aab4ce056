package cli

import (
	"context"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/internal/service"
)

// answer answers one command.
func (h *host) answer(ctx context.Context, caller *service.Caller) {
	frame, ok := caller.Next(ctx)
	if !ok || frame.Kind != service.KindQuestion {
		return
	}
	var question service.Question
	if err := frame.Decode(&question); err != nil {
		_ = caller.Send(service.KindRefused, "the question cannot be read")
		return
	}
	if question.Protocol == service.Protocol && question.Ask == service.AskStatus {
		_ = caller.Send(service.KindStatus, h.status())
		return
	}
	if why := h.refuses(caller, question); why != "" {
		h.count("")
		_ = caller.Send(service.KindRefused, why)
		if question.Build != h.build && h.outdated != nil && h.outdated() {
			h.replaced.Store(true)
			h.end()
		}
		return
	}
	if caller.Send(service.KindTaken, nil) == nil {
		h.run(ctx, caller, question)
	}
	h.rest()
}

// refuses says why a question is not answered here; "": it is.
func (h *host) refuses(caller *service.Caller, q service.Question) string {
	switch {
	case q.Protocol != service.Protocol || q.Build == "" || q.Build != h.build:
		return "another version of the program"
	case q.Ask != service.AskRun && q.Ask != service.AskPick:
		return "an unknown question"
	case !caller.SameFiles:
		return "a program that sees other files"
	case q.Env["DISPLAY"] == "" && q.Env["WAYLAND_DISPLAY"] == "":
		return "no desktop"
	}
	return ""
}

// run does a command for its caller. What it prints goes there in one piece, at the
// end; where something goes wrong that is not the caller's, nothing does.
func (h *host) run(ctx context.Context, caller *service.Caller, q service.Question) {
	defer func() {
		if recover() != nil {
			_ = caller.Send(service.KindRefused, "it failed")
		}
	}()
	g := &guest{host: h, caller: caller, question: q}
	defer g.leave()
	said := &transcript{}
	stdout, stderr := &relayedOutput{is: q.Stdout, said: said}, &relayedOutput{is: q.Stderr, said: said, toError: true}
	code := Main(ctx, Invocation{Args: q.Args, Stdout: stdout, Stderr: stderr, Env: g.env, Dir: q.Dir, Account: h.app.call.Account, guest: g})
	switch {
	case ctx.Err() != nil:
		return
	case g.unsent.Load():
		_ = caller.Send(service.KindRefused, "it depends on more than was sent")
	case said.full:
		_ = caller.Send(service.KindRefused, errRelayFull.Error())
	default:
		if caller.Send(service.KindAnswer, service.Answer{Code: code, Said: said.pieces}) == nil {
			h.count(commandOf(q.Args))
			return
		}
	}
	h.count("")
}

// commandOf is the command among arguments, for counting.
func commandOf(args []string) string {
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			switch arg {
			case "match", "context", "query", "pick":
				return arg
			}
		}
	}
	return "other"
}

// count counts an answer by its command; "": there was none.
func (h *host) count(command string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if command == "" {
		h.refused++
		return
	}
	h.answered[command]++
}

// restTime is how long after an answer memory is given back.
const restTime = 5 * time.Second

// rest gives memory back once nobody asks any more: also what was read of the desktop
// for an answer is gone then.
func (h *host) rest() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.quiet == nil {
		h.quiet = time.AfterFunc(restTime, debug.FreeOSMemory)
		return
	}
	h.quiet.Reset(restTime)
}

// status is how the service is.
func (h *host) status() service.Status {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := service.Status{
		PID: os.Getpid(), Version: Version(), Since: h.since.Format(time.RFC3339), Answered: map[string]int{}, Refused: h.refused,
	}
	for name, n := range h.answered {
		s.Answered[name] = n
	}
	if h.desk != nil {
		s.Desktop = h.desk.display
	}
	if n := len(h.engines); n > 0 {
		if e := h.engines[n-1].engine.Load(); e != nil {
			s.Strategies = len(e.Catalog().Strategies())
		}
	}
	s.Memory, s.CPU = service.Used()
	return s
}
