package mcpserver

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pertain-dev/pertain/internal/visible"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/skill"
)

// maxCompletions is the protocol's limit for one answer.
const maxCompletions = 100

// complete offers names of rules and ids of skills for the templates.
func (c *session) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	names := []string{}
	var err error
	if ref := req.Params.Ref; ref != nil {
		switch ref.URI {
		case ruleTemplate:
			names, err = c.ruleNames(ctx, req.Params.Argument.Value)
		case skillTemplate:
			names, err = c.skillNames(ctx, req.Params.Argument.Value)
		}
	}
	if err != nil {
		return nil, err
	}
	// A name that a reader cannot see all of can only be written whole.
	names = slices.DeleteFunc(names, func(name string) bool { return visible.Strip(name) != name })
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{
		Values: names[:min(len(names), maxCompletions)], Total: len(names), HasMore: len(names) > maxCompletions,
	}}, nil
}

// nestedTime is how long a client that completes a name waits for the rules of
// nested folders: the whole project is looked through for them.
const nestedTime = 2 * time.Second

// ruleNames are the names that begin with a text, then those that hold it; of
// nested folders, only once there is a text.
func (c *session) ruleNames(ctx context.Context, text string) ([]string, error) {
	rules := &shelf{session: c}
	spaces, err := c.workspaces(ctx)
	if err != nil {
		return nil, err
	}
	books, err := rules.load(ctx, false)
	if err != nil {
		return nil, err
	}
	if text != "" {
		ctx, stop := context.WithTimeout(ctx, nestedTime)
		defer stop()
		if nested, err := rules.load(ctx, true); err == nil { // else those above must do
			books = slices.Concat(books, nested)
		}
	}
	text = strings.ToLower(text)
	first, others := []string{}, []string{}
	known := map[string]string{} // the file, by name
	for i, book := range books {
		for _, name := range book.Names() {
			r, err := book.Open(rule.Scheme + url.PathEscape(name))
			if err != nil {
				continue // never: it is one of the names
			}
			if file, ok := known[name]; ok && file != r.Path {
				name = addressIn(spaces, spaces[i%len(spaces)], name)
			}
			lower := strings.ToLower(name)
			switch {
			case known[name] != "":
			case strings.HasPrefix(lower, text):
				first = append(first, name)
			case strings.Contains(lower, text):
				others = append(others, name)
			}
			known[name] = r.Path
		}
	}
	return append(first, others...), nil
}

// skillNames are the ids that begin with a text, or after an id and a slash, the
// files and folders of that skill.
func (c *session) skillNames(ctx context.Context, text string) ([]string, error) {
	if strings.Contains(text, "/") {
		return c.skillFiles(ctx, text)
	}
	skills, err := c.enabledSkills(ctx)
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, s := range skills {
		if strings.HasPrefix(s.ID, strings.ToLower(text)) {
			names = append(names, s.ID)
		}
	}
	return names, nil
}

// skillFiles are what can be read, or leads further, below a folder of a skill.
func (c *session) skillFiles(ctx context.Context, text string) ([]string, error) {
	names := []string{}
	folder, begin := text[:strings.LastIndexByte(text, '/')], text[strings.LastIndexByte(text, '/')+1:]
	name, path, err := skill.ParseAddress(skill.Scheme + folder)
	if err != nil {
		return names, nil //nolint:nilerr // a text that is no address has no end
	}
	library, _, err := c.library(ctx, skill.Scheme+folder)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return names, nil // there is no such skill
	}
	location, path, err := library.Find(ctx, name, path)
	if err != nil {
		return nil, err
	}
	begins := func(entry string) bool { return strings.HasPrefix(strings.ToLower(entry), strings.ToLower(begin)) }
	inside, folders := library.Names(location, path...)
	for _, entry := range inside {
		if begins(entry) {
			names = append(names, folder+"/"+entry)
		}
	}
	for _, entry := range folders {
		if begins(entry) {
			names = append(names, folder+"/"+entry+"/")
		}
	}
	slices.Sort(names)
	return names, nil
}
