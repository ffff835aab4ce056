package mcpserver

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pertain-dev/pertain/skill"
)

// skillTemplate is the address of any file of a skill.
const skillTemplate = skill.Scheme + "{+address}"

// enabledSkills are those that the user lets agents see. A skill that is
// disabled is neither listed nor read here.
func (c *session) enabledSkills(ctx context.Context) ([]*skill.Skill, error) {
	spaces, err := c.workspaces(ctx)
	if err != nil {
		return nil, err
	}
	var out []*skill.Skill
	for _, w := range spaces {
		registry, err := w.Skills().Load(ctx)
		if err != nil {
			return nil, err
		}
		for _, s := range registry.Skills() {
			if s.Enabled && s.Valid && !slices.ContainsFunc(out, func(o *skill.Skill) bool { return o.ID == s.ID }) {
				out = append(out, s)
			}
		}
	}
	return out, nil
}

func (c *session) listSkills(ctx context.Context, next map[string]*resource) error {
	skills, err := c.enabledSkills(ctx)
	if err != nil {
		return err
	}
	for _, s := range skills {
		uri := skill.Address(s.ID)
		_, odd := url.Parse(uri)
		next[uri] = &resource{text: s.Source.Text(), odd: odd != nil, Resource: mcp.Resource{
			URI: uri, Name: s.ID, Title: s.Name, MIMEType: "text/markdown", Size: int64(len(s.Source.Text())),
			Description: shorten(s.Description, skill.MaxDescription),
		}}
	}
	return nil
}

// readSkill reads a file of a skill. The library never leaves the skill's folder.
func (c *session) readSkill(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	library, err := c.library(ctx, uri)
	if err != nil {
		return nil, err
	}
	found, err := library.Read(ctx, uri)
	if err != nil {
		return nil, notFound(uri, err)
	}
	content := &mcp.ResourceContents{URI: uri, MIMEType: found.MediaType}
	if utf8.Valid(found.Data) {
		content.Text = string(found.Data)
	} else {
		content.Blob = found.Data
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{content}}, nil
}

// library is the one that has the skill of an address, enabled.
func (c *session) library(ctx context.Context, uri string) (skill.Library, error) {
	name, _, err := skill.ParseAddress(uri)
	if err != nil {
		return skill.Library{}, notFound(uri, err)
	}
	spaces, err := c.workspaces(ctx)
	if err != nil {
		return skill.Library{}, err
	}
	why := error(nil)
	for _, w := range spaces {
		library := w.Skills()
		registry, err := library.Load(ctx)
		if err != nil {
			return skill.Library{}, err
		}
		s, unknown := registry.Find(name)
		switch {
		case unknown != nil:
			why = cmp.Or(why, unknown)
		case s.Enabled && s.Valid:
			return library, nil
		default:
			why = fmt.Errorf("the skill is disabled; the user can run `pertain skills enable %s`", s.ID)
		}
	}
	return skill.Library{}, notFound(uri, why)
}

// skillNames are the ids that begin with a text.
func (c *session) skillNames(ctx context.Context, text string) ([]string, error) {
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
