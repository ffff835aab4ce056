package hook

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/toolcall"
)

// Call is one call of a hook.
type Call struct {
	Args   []string // what stands after `pertain hook`
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Env    func(name string) string
	Dir    string // the working directory, absolute

	Account string // the user's home as the system knows it; empty: what the environment says
}

// Limits of a call.
const maxInput = 64 << 20 // bytes

// patience is how long a call may take.
type patience struct {
	own   time.Duration // then the user's own rules are asked beside all others
	alone time.Duration // then they decide, if they have something to say
	all   time.Duration // then the agent gets an answer that says nothing
}

func usual() patience { return patience{2 * time.Second, 4 * time.Second, 5 * time.Second} }

// Agents are the agents whose hooks are known, sorted.
func Agents() []string {
	var out []string
	for name := range dialects() {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// Run answers one call, and returns the exit code: 0, whatever happens, since some agents deny every call otherwise. Windsurf
// alone knows a denial as 2.
func Run(ctx context.Context, call Call) int { return run(ctx, call, usual()) }

func run(ctx context.Context, call Call, patience patience) int {
	started, startedIn := now(), call.Dir
	agent, event, dir, failClosed, wrong := arguments(call.Args)
	if filepath.IsAbs(dir) {
		call.Dir = dir
	} else if dir != "" {
		call.Dir = filepath.Join(call.Dir, dir)
	}
	known, ok := dialects()[agent]
	if !ok {
		if wrong == "" {
			wrong = fmt.Sprintf("the agent %s is not known; write one of %s", quoted(agent), strings.Join(Agents(), ", "))
		}
		fmt.Fprintln(call.Stderr, "pertain: hook: "+wrong)
		fmt.Fprint(call.Stdout, nothing)
		return 0
	}
	s := &session{
		agent: agent, dialect: known, started: started, sample: call.Env(SampleVariable) != "",
		environment: pertain.Environment{Dir: call.Dir, Env: call.Env}, account: call.Account, startedIn: startedIn,
	}
	s.paths = locatedBy(call.Env, call.Account)
	late := *s // for when s is still at work
	outcome := s.guarded(ctx, call.Stdin, event, patience)
	given := outcome.answer
	if outcome.err == nil && !given.deny {
		outcome.err = outcome.lack
	}
	if outcome.err != nil && failClosed && (outcome.request.moment == before || outcome.request.moment == unknown) {
		outcome.request.moment = before
		given = answer{deny: true, reason: "Pertain could not check this call (" + outcome.err.Error() + "), and is set up to deny what it cannot check. Tell the user; `pertain doctor` says more."}
	}
	code, told := call.deliver(known, outcome.request, given)
	if !told {
		outcome.problems = append(outcome.problems, errOutput)
	}
	problems := late.conclude(outcome, told && given == outcome.answer, patience)
	if wrong != "" {
		fmt.Fprintln(call.Stderr, "pertain: hook: "+wrong)
	} else if len(problems) > 0 {
		fmt.Fprintln(call.Stderr, "pertain: hook: "+problems[0].Error())
	}
	return code
}

// arguments reads the words of the command. What is wrong with them is told, and does not keep it from an answer.
func arguments(args []string) (agent, event, dir string, failClosed bool, wrong string) {
	var words []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		named, isDir := strings.CutPrefix(arg, "--cwd=")
		switch {
		case isDir:
			dir = named
		case arg == "--cwd" && i+1 < len(args):
			i++
			dir = args[i]
		case arg == "--fail-closed" || arg == "--fail-closed=true":
			failClosed = true
		case strings.HasPrefix(arg, "-"):
			wrong = fmt.Sprintf("the flag %s is not known; `pertain hook --help` lists them", quoted(arg))
		default:
			words = append(words, arg)
		}
	}
	switch {
	case len(words) == 0:
		return "", "", "", failClosed, "name the agent, such as `pertain hook claude`"
	case len(words) > 2:
		wrong = "there are more words than an agent and an event"
	}
	agent = words[0]
	if len(words) > 1 {
		event = words[1]
	}
	return agent, event, dir, failClosed, wrong
}

func quoted(word string) string { return "`" + line(diag.Short(word)) + "`" }

// outcome is what came of a call.
type outcome struct {
	request  request
	answer   answer
	session  *session // whose memory is open; nil: none is
	final    bool     // no other session answers this call
	err      error    // why there is no answer, or not the one of all rules
	lack     error    // why the answer is not the one of all rules
	problems []error
}

// guarded decides in the background, so that a slow disk does not keep the agent waiting, and whatever goes wrong is told.
func (s *session) guarded(ctx context.Context, in io.Reader, event string, patience patience) outcome {
	ctx, cancel := context.WithTimeout(ctx, patience.all)
	defer cancel()
	s.ctx, s.located = ctx, make(chan *session, 1)
	s.turn = new(atomic.Bool)
	done := s.background(func() (answer, error) { return s.answer(in, event) })
	select {
	case out := <-done:
		return out
	case <-time.After(patience.own):
	}
	own := s.ownAnswer(ctx, time.After(max(patience.alone-patience.own, 0)))
	for {
		select {
		case out := <-done:
			return out
		case out := <-own:
			if out.final {
				return out
			}
			own = nil
		case <-ctx.Done():
			return outcome{err: errTime, problems: []error{errTime}}
		}
	}
}

// background runs what decides, whatever goes wrong in it.
func (s *session) background(decide func() (answer, error)) <-chan outcome {
	done := make(chan outcome) // who takes it concludes it
	go func() {
		out := outcome{}
		defer func() {
			if recover() != nil { // what it says may hold text of the call
				out.err, out.answer = errPanic, answer{}
				s.forget()
			}
			if s.variables.Refused() {
				s.problem(errVariable)
			}
			out.request, out.final, out.session = s.request, s.answers, s
			out.problems, out.lack = s.problems, s.lack
			if out.err != nil {
				out.problems = append([]error{out.err}, s.problems...)
			}
			select {
			case done <- out:
			case <-s.ctx.Done():
				s.forget()
			}
		}()
		out.answer, out.err = decide()
	}()
	return done
}

// answer reads a call and decides.
func (s *session) answer(in io.Reader, event string) (answer, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	switch {
	case err != nil:
		return answer{}, errInput
	case len(data) > maxInput:
		return answer{}, errLarge
	}
	o, ok := parse(data)
	if !ok {
		return answer{}, errInput
	}
	s.request = s.dialect.read(o, event)
	switch s.request.moment {
	case unknown:
		return answer{}, errEvent
	case ignored:
		return answer{}, nil
	}
	if err := s.locate(); err != nil {
		return answer{}, err
	}
	if m := s.request.moment; m == before || m == after {
		s.segments = toolcall.Read(s.request.tool, s.request.arguments)
	}
	s.located <- s.alone()
	return s.decide()
}

// now is the clock.
func now() time.Time { return time.Now() }
