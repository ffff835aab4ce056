package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/surface"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
	"github.com/pertain-dev/pertain/toolcall"
)

// checkedText is a text with what it is meant for.
type checkedText struct {
	text string
	file string        // as the model names it; "": none
	tool string        // that adds it; "": it is no tool call
	does toolcall.Kind // what the call does to the file
	// anywhere: the folder of the file is not known.
	anywhere bool
}

// texts are what is to be checked: the text, or what a tool call adds.
func (in *checkTextInput) texts() ([]checkedText, error) {
	arguments, _ := in.Arguments.(string)
	if in.Arguments != nil && arguments == "" {
		data, err := json.Marshal(in.Arguments)
		if err != nil {
			return nil, errors.New("`arguments` cannot be read")
		}
		arguments = string(data)
	}
	switch {
	case in.Text != nil && in.Tool != "":
		return nil, errors.New("give a `text`, or a `tool` with its `arguments`, not both")
	case in.Text == nil && in.Tool == "":
		return nil, errors.New("give a `text`, or a `tool` with its `arguments`")
	case in.Text != nil && in.Arguments != nil:
		return nil, errors.New("`arguments` are those of a `tool`; name it, or leave them out")
	case in.Tool != "" && in.File != "":
		return nil, errors.New("a tool call says itself which files it is for; leave `file` out")
	case in.Text != nil && len(*in.Text) > maxChecked:
		return nil, errors.New("the text is longer than 1 MiB; check it in parts")
	case len(arguments) > maxChecked:
		return nil, errors.New("the arguments are longer than 1 MiB")
	case in.Text != nil:
		return []checkedText{{text: *in.Text, file: in.File}}, nil
	}
	var out []checkedText
	for _, s := range toolcall.Read(in.Tool, arguments) {
		for _, file := range append([]string{s.Path}, s.Others...) { // each may be meant
			out = append(out, checkedText{text: s.Text, file: file, tool: in.Tool, does: s.Kind, anywhere: s.Anywhere})
		}
	}
	return out, nil
}

// watchingRule is a rule with a trigger, and its address.
type watchingRule struct {
	*rule.Rule
	uri string
}

// watching are the rules whose triggers watch text, or text for a file. The note says
// how that file was understood if it may be another, and what was left out.
func (c *session) watching(ctx context.Context, text *checkedText) (found []watchingRule, note string, err error) {
	spaces, err := c.workspaces(ctx)
	if err != nil {
		return nil, "", err
	}
	if text.file == "" {
		unread := 0
		for _, w := range spaces {
			book, err := w.Rules(ctx, pertain.RuleOptions{})
			if err != nil {
				return nil, "", err
			}
			unread += len(book.LeftOut())
			others := found
			for _, r := range book.Bucket(rule.TTSR) {
				known := slices.ContainsFunc(others, func(other watchingRule) bool { return other.Path == r.Path }) // one of the user's
				if !known && watchesText(r) {
					found = append(found, watchingRule{r, addressIn(spaces, w, address(r.Name))})
				}
			}
		}
		return found, leftOut(unread), nil
	}
	named, err := find(spaces, []string{text.file})
	if err != nil {
		return nil, "", err
	}
	readings, err := files.Readings(named.written[0])
	if err != nil {
		return nil, "", errors.New("it cannot be found out where the path leads; write it without `..`")
	}
	book, err := named.spaces[0].Rules(ctx, pertain.RuleOptions{Files: readings})
	if err != nil {
		return nil, "", err
	}
	set, _ := stream.Compile(stream.FromRules(book.Rules(), filepath.ToSlash(book.Root)), stream.Options{})
	namer := files.NewNamer(book.Root)
	applies, paths, own := map[string]bool{}, namer.Names(named.written[0]), namer.OwnNames(named.written[:1])
	for i := range set.Len() {
		applies[set.Trigger(i).Name] = surface.WatchesFile(set, i, paths, own)
	}
	for _, v := range slices.Concat(book.ForPaths(readings, false)...) {
		if len(v.Rule.Triggers) > 0 && applies[v.Rule.Name] {
			applies[v.Rule.Name] = false // once
			found = append(found, watchingRule{v.Rule, addressIn(spaces, named.spaces[0], address(v.Rule.Name))})
		}
	}
	return found, joinNotes(named.doubt, leftOut(len(book.LeftOut()))), nil
}

// watchesText tells whether a rule's scope has what a model says.
func watchesText(r *rule.Rule) bool { return r.Scope == nil || slices.Contains(r.Scope, "text") }
