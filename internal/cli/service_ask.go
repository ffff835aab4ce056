package cli

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/service"
)

// How long a command waits for the service before it looks itself: until it says that
// it has the question, which takes it a fraction of a millisecond, and until it has
// answered, which takes longer only where a program on the desktop is slow.
const (
	takenTime  = 100 * time.Millisecond
	answerTime = 1500 * time.Millisecond
)

// askService lets the service answer a command that is about what is on the screen now.
// done is false where there is none, or it has nothing to say in time: the command does
// it itself then.
func (a *app) askService(cmd *cobra.Command, where situation) (done bool, err error) {
	conn := a.toService(cmd.Context(), where, service.AskRun)
	if conn == nil {
		return false, nil
	}
	defer conn.Close()
	defer context.AfterFunc(cmd.Context(), conn.Close)()
	frame, err := conn.Receive(answerTime)
	if err := cmd.Context().Err(); err != nil {
		return true, err
	}
	var answer service.Answer
	if err != nil || frame.Kind != service.KindAnswer || frame.Decode(&answer) != nil {
		return false, nil
	}
	if err := a.say(answer); err != nil {
		return true, err
	}
	if answer.Code != exitDone {
		return true, &exit{code: answer.Code}
	}
	return true, nil
}

// say prints what the service has said for this command.
func (a *app) say(answer service.Answer) error {
	for _, piece := range answer.Said {
		to := a.call.Stdout
		if piece.Error {
			to = a.call.Stderr
		}
		if _, err := unscreened(to).Write(piece.Text); err != nil {
			return err
		}
	}
	return nil
}

// toService puts a question to the service; nil: nobody answers it.
func (a *app) toService(ctx context.Context, where situation, ask string) *service.Conn {
	if a.call.guest != nil || a.call.Environ == nil || where.file != "" || where.stdin {
		return nil
	}
	if reader, err := where.stdinReader(); err != nil || reader != "" {
		return nil
	}
	if a.call.Env("DISPLAY") == "" && a.call.Env("WAYLAND_DISPLAY") == "" {
		return nil // there is nothing that is watched
	}
	endpoint, err := service.Find(a.call.Env)
	if err != nil {
		return nil
	}
	conn, err := endpoint.Dial(ctx, takenTime)
	if err != nil {
		return nil
	}
	question := service.Question{
		Protocol: service.Protocol, Build: service.Build(), Ask: ask, Args: a.call.Args, Dir: a.call.Dir, Env: a.sentEnv(),
		Stdout: outputOf(a.given.stdout), Stderr: outputOf(a.given.stderr),
	}
	if conn.Send(service.KindQuestion, question, takenTime) == nil {
		if frame, err := conn.Receive(takenTime); err == nil && frame.Kind == service.KindTaken {
			return conn
		}
	}
	conn.Close()
	return nil
}

// sentEnv is the part of the environment that goes along with a question, as this call believes it: what it has told of a variable
// is not told again.
func (a *app) sentEnv() map[string]string {
	sent := service.SentOf(a.call.Environ)
	for name := range sent {
		if sent[name] = a.call.Env(name); sent[name] == "" {
			delete(sent, name)
		}
	}
	return sent
}

// outputOf tells what an output is.
func outputOf(w io.Writer) service.Output {
	f, ok := w.(*os.File)
	if !ok {
		return service.Output{}
	}
	info, err := f.Stat()
	return service.Output{Terminal: isTerminal(f), Device: err == nil && info.Mode()&os.ModeCharDevice != 0}
}

// unscreened is an output for what has been made safe and legible by the service.
func unscreened(w io.Writer) io.Writer {
	if plain, ok := w.(asciiWriter); ok {
		w = plain.to
	}
	if s, ok := w.(*screen); ok {
		_ = s.flush() // what comes after fails as well, and tells
		return s.plain()
	}
	return w
}

// problem is the error of a command that the service could not do for the caller's own
// reasons, as if it had been found here.
func (a *app) problem(body json.RawMessage) error {
	var answer service.Answer
	if json.Unmarshal(body, &answer) != nil || answer.Code == exitDone {
		return nil //nolint:nilerr // it is no answer, and this command can do without
	}
	if len(answer.Said) == 1 && answer.Said[0].Error {
		if text, ok := strings.CutPrefix(string(answer.Said[0].Text), "pertain: "); ok && strings.Count(text, "\n") == 1 {
			return &exit{answer.Code, strings.TrimSuffix(text, "\n")}
		}
	}
	if err := a.say(answer); err != nil {
		return err
	}
	return &exit{code: answer.Code}
}
