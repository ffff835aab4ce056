package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/skill"
)

const readDescription = `Reads the text of a rule (rule://NAME) or of a skill or a file in its folder (skill://ID, skill://ID/FILE), for hosts that do not let you read resources.`

type readInput struct {
	URI string `json:"uri" jsonschema:"rule://NAME or skill://ID"`
}

type readOutput struct {
	URI  string `json:"uri"`
	Path string `json:"path,omitempty"`
	Text string `json:"text"`
}

// read is what resources/read does, for hosts that show a model nothing but tools.
func (c *session) read(ctx context.Context, in readInput) (readOutput, error) {
	out := readOutput{URI: in.URI}
	uri := ownScheme(strings.TrimSpace(in.URI))
	switch {
	case strings.HasPrefix(uri, rule.Scheme):
		r, err := c.rule(ctx, uri)
		if err != nil {
			return out, plainly(err)
		}
		spaces, err := c.workspaces(ctx)
		if err != nil {
			return out, err
		}
		out.Path, out.Text = fileIn(spaces, r.Path), r.Text()
		return out, nil
	case strings.HasPrefix(uri, skill.Scheme):
		found, err := c.readSkill(ctx, &mcp.ReadResourceRequest{Params: &mcp.ReadResourceParams{URI: uri}})
		if err != nil {
			return out, plainly(err)
		}
		content := found.Contents[0]
		if content.Blob != nil {
			return out, fmt.Errorf("the file is no text, but %s", content.MIMEType)
		}
		out.Text = content.Text
		return out, nil
	}
	return out, errors.New("write rule://NAME or skill://ID; rules_for_files names the rules")
}

// plainly takes the words of the protocol off an error that a model reads.
func plainly(err error) error {
	if wire := (*jsonrpc.Error)(nil); errors.As(err, &wire) {
		return errors.New(strings.TrimPrefix(wire.Message, "Resource not found: "))
	}
	return err
}
