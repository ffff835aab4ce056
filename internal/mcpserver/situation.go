package mcpserver

import (
	"context"
	"errors"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/surface"
)

// situation is what a client knows of the context, laid over what is collected.
// There is no way to name a whole context here: preprocessors read files that
// the context names, and those must be in the workspace.
type situation struct {
	Text      string   `json:"text,omitempty" jsonschema:"attached text"`
	Selection string   `json:"selection,omitempty" jsonschema:"selected text"`
	Files     []string `json:"files,omitempty" jsonschema:"attached files"`
}

// now is the workspace for strategies and the context of a call: what matching
// needs, or with an id, what running that strategy reads.
func (c *session) now(ctx context.Context, id string, given *situation) (Workspace, *facts.Snapshot, error) {
	w, err := c.workspace(ctx)
	if err != nil {
		return nil, nil, err
	}
	snapshot, _, err := w.Snapshot(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	snapshot, err = c.attach(ctx, snapshot, given)
	return w, snapshot, err
}

// attach lays a situation over a snapshot. given may be nil.
func (c *session) attach(ctx context.Context, snapshot *facts.Snapshot, given *situation) (*facts.Snapshot, error) {
	if given == nil {
		return snapshot, nil
	}
	if given.Text != "" {
		snapshot = snapshot.With("attachments.text", facts.Text(given.Text))
	}
	if given.Selection != "" {
		snapshot = snapshot.With("attachments.selection.text", facts.Text(given.Selection))
	}
	if len(given.Files) == 0 {
		return snapshot, nil
	}
	spaces, err := c.workspaces(ctx)
	if err != nil {
		return nil, err
	}
	if err := limitFiles(given.Files); err != nil {
		return nil, err
	}
	named, err := find(spaces, given.Files)
	if err != nil {
		return nil, err
	}
	if named.doubt != "" { // the prompt would hold one of several files
		return nil, errors.New(named.doubt)
	}
	files := make([]facts.Value, len(named.paths))
	for i, path := range named.paths {
		files[i] = surface.Attachment(path)
	}
	return snapshot.With("attachments.files", facts.List(files...)), nil
}
