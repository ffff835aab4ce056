// Command agent is a small chat with a model behind any OpenAI-compatible endpoint
// in which the rules of the working directory are enforced while the model speaks:
// when a rule's trigger fires, the request is aborted, the model is told the rule,
// and the request is sent again. What a trigger does is up to the settings under
// `ttsr`; see docs/config.md.
//
//	go run ./examples/agent -url http://localhost:11434/v1 -model llama3.2 'Write a parser.'
//
// With -memory FILE it is kept which rules the model was shown, and when, so that the
// next call does not show them again before the settings say so.
//
// A key is taken from OPENAI_API_KEY, if the endpoint needs one.
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
)

func main() {
	url := flag.String("url", "http://localhost:11434/v1", "where the endpoint's API begins")
	model := flag.String("model", "llama3.2", "which model to ask")
	keep := flag.Bool("keep", false, "keep what was said before an interruption, whatever the settings say")
	memory := flag.String("memory", "", "keep in this `FILE` which rules the model was shown")
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "memory" })
	if given && *memory == "" {
		fmt.Fprintln(os.Stderr, "agent: -memory has an empty name; name a file, or leave it out")
		os.Exit(2)
	}
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "agent: say what you want: go run ./examples/agent [flags] REQUEST")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	endpoint := Endpoint{URL: *url, Model: *model, Key: os.Getenv("OPENAI_API_KEY"), Client: http.DefaultClient}
	if err := run(ctx, endpoint, options{keep: *keep, memory: *memory}, strings.Join(flag.Args(), " ")); err != nil {
		fmt.Fprintln(os.Stderr, "agent:", err)
		os.Exit(1)
	}
}

// options are what the flags say.
type options struct {
	keep   bool   // what was said before an interruption stays
	memory string // file of what the model was shown; "": it is forgotten
}

func run(ctx context.Context, endpoint Endpoint, options options, request string) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	agent, err := open(ctx, endpoint, pertain.Environment{Dir: dir, Env: os.Getenv}, options)
	if err != nil {
		return err
	}
	agent.Out, agent.Notes = os.Stdout, os.Stderr
	return agent.Ask(ctx, request)
}

// open begins a conversation with the rules and the settings of an environment.
func open(ctx context.Context, endpoint Endpoint, env pertain.Environment, options options) (*Agent, error) {
	book, err := pertain.OpenRules(ctx, env, pertain.RuleOptions{})
	if err != nil {
		return nil, err
	}
	policy, wrong, err := pertain.StreamPolicy(env)
	if err != nil {
		return nil, err
	}
	if err := diag.Lines(os.Stderr, slices.Concat(book.Warnings(), wrong), diag.TextOptions{}); err != nil {
		return nil, err
	}
	if options.keep {
		policy.ContextMode = stream.Keep
	}
	set, problems := stream.Compile(stream.FromRules(book.Rules(), filepath.ToSlash(book.Root)), stream.Options{})
	for _, p := range problems {
		fmt.Fprintf(os.Stderr, "agent: rule %s: %s\n", set.Trigger(p.Trigger).Name, p)
	}
	var memory stream.Memory // nil: forgotten with the process
	if options.memory != "" {
		if memory, err = stream.OpenFileMemory(options.memory); err != nil {
			return nil, err
		}
	}
	watcher, err := stream.NewWatcher(ctx, set, memory, policy)
	if err != nil {
		return nil, err
	}
	agent := &Agent{Endpoint: endpoint, Watcher: watcher, Set: set, Root: book.Root}
	if rules := book.Prompt(rule.PromptOptions{}); rules != "" {
		agent.Messages = append(agent.Messages, Message{Role: "system", Content: rules})
	}
	return agent, nil
}
