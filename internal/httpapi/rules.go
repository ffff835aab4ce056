package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/surface"
	"github.com/pertain-dev/pertain/rule"
)

type rulesQuery struct {
	All    bool   `json:"all,omitempty" jsonschema:"also the rules that another one hides, and those that are disabled"`
	Nested bool   `json:"nested,omitempty" jsonschema:"look in all folders of the project"`
	Agent  string `json:"agent,omitempty" jsonschema:"only what this agent loads by itself, as it reads it: claude, codex, cursor, …; /api/v1/agents lists them"`
}

// agentOptions ask for the rules of an agent, or of all.
func agentOptions(name string) (pertain.RuleOptions, error) {
	if name == "" {
		return pertain.RuleOptions{}, nil
	}
	if pertain.CheckAgent(name) != nil {
		err := fail(http.StatusBadRequest, "unknown_agent", "there is no such agent; /api/v1/agents lists them")
		if near := diag.Nearest(strings.ToLower(name), pertain.AgentNames()); near != "" {
			err.message, err.nearest = fmt.Sprintf("there is no such agent; did you mean `%s`?", near), []string{near}
		}
		return pertain.RuleOptions{}, err
	}
	return pertain.RuleOptions{Agent: name}, nil
}

type agentsQuery struct{}

type agentsAnswer struct {
	Agents []agentName `json:"agents"`
}

type agentName struct {
	Name  string `json:"name" jsonschema:"as agent takes it"`
	Title string `json:"title" jsonschema:"as people call it"`
}

func (s *Server) agents(context.Context, agentsQuery) (agentsAnswer, error) {
	var out agentsAnswer
	for _, a := range agent.All() {
		out.Agents = append(out.Agents, agentName{a.Name, a.Title})
	}
	return out, nil
}

type rulesAnswer struct {
	Rules    []*rule.Rule `json:"rules"`
	Warnings diag.List    `json:"warnings"`
}

func (s *Server) rules(ctx context.Context, in rulesQuery) (rulesAnswer, error) {
	options, err := agentOptions(in.Agent)
	if err != nil {
		return rulesAnswer{}, err
	}
	options.Nested, options.Agents = in.Nested, true
	book, err := s.workspace.Rules(ctx, options)
	if err != nil {
		return rulesAnswer{}, err
	}
	list := book.Rules()
	if in.All {
		list = book.All()
	}
	return rulesAnswer{Rules: orEmpty(list), Warnings: book.Warnings()}, nil
}

type ruleTextQuery struct {
	Name  string `json:"name" jsonschema:"name of the rule, or rule://NAME"`
	Agent string `json:"agent,omitempty" jsonschema:"only what this agent loads by itself, as it reads it: claude, codex, cursor, …; /api/v1/agents lists them"`
}

type ruleTextAnswer = surface.RuleText

func (s *Server) ruleText(ctx context.Context, in ruleTextQuery) (ruleTextAnswer, error) {
	options, err := agentOptions(in.Agent)
	if err != nil {
		return ruleTextAnswer{}, err
	}
	r, book, unknown, err := surface.FindRule(ctx, in.Name, func(ctx context.Context, nested bool) (*pertain.Rulebook, error) {
		options.Nested, options.Named = nested, surface.RuleNames(in.Name)
		return s.workspace.Rules(ctx, options)
	})
	if err != nil {
		return ruleTextAnswer{}, err
	}
	if unknown != nil {
		err := fail(http.StatusNotFound, "unknown_rule", "there is no such rule; /api/v1/rules lists them")
		if near := diag.Nearest(strings.TrimPrefix(in.Name, rule.Scheme), book.Names()); near != "" {
			err.message, err.nearest = fmt.Sprintf("there is no such rule; did you mean `%s`?", near), []string{near}
		}
		return ruleTextAnswer{}, err
	}
	return surface.NewRuleText(r, r.Text()), nil
}

type rulesForQuery struct {
	File  []string `json:"file" jsonschema:"a path in the workspace, relative or absolute; repeatable, at most 100"`
	All   bool     `json:"all,omitempty" jsonschema:"also the rules that do not apply, and why not"`
	Agent string   `json:"agent,omitempty" jsonschema:"only what this agent loads by itself, as it reads it: claude, codex, cursor, …; /api/v1/agents lists them"`
}

type rulesForAnswer struct {
	Files    []fileRules `json:"files"`
	Warnings diag.List   `json:"warnings"`
}

type fileRules struct {
	Path  string         `json:"path"`
	Rules []rule.Verdict `json:"rules"`
}

// maxFiles is how many files one request may name.
const maxFiles = 100

func (s *Server) rulesFor(ctx context.Context, in rulesForQuery) (rulesForAnswer, error) {
	var out rulesForAnswer
	if len(in.File) == 0 || len(in.File) > maxFiles {
		return out, fail(http.StatusBadRequest, "bad_field", "name 1 to %d files with `file`", maxFiles)
	}
	paths := make([]string, len(in.File))
	for i, file := range in.File {
		path, ok := s.inside(file)
		if !ok {
			return out, fail(http.StatusBadRequest, "outside", "a file is outside of the workspace; name files in it")
		}
		paths[i] = path
	}
	options, err := agentOptions(in.Agent)
	if err != nil {
		return out, err
	}
	options.Files = paths
	book, err := s.workspace.Rules(ctx, options)
	if err != nil {
		return out, err
	}
	out.Warnings = book.Warnings()
	for i, verdicts := range book.ForPaths(paths, in.All) {
		out.Files = append(out.Files, fileRules{Path: in.File[i], Rules: orEmpty(verdicts)})
	}
	return out, nil
}

// inside makes a path of a client absolute; ok is false if it leads out of the
// workspace, be it by a link.
func (s *Server) inside(file string) (path string, ok bool) {
	if file == "" || strings.ContainsRune(file, 0) {
		return "", false
	}
	path = filepath.FromSlash(file)
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.workspace.Root(), path)
	}
	path = filepath.Clean(path)
	return path, files.Inside(s.workspace.Root(), path)
}
