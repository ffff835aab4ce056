package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pertain-dev/pertain/internal/visible"
	"github.com/pertain-dev/pertain/skill"
)

// skillTemplate is the address of any file of a skill.
const skillTemplate = skill.Scheme + "{+address}"

// sharedSkill is a skill that the user lets agents see.
type sharedSkill struct {
	*skill.Skill
	root string // of which it is, where that is not the first; empty: the first, or the user's
	uri  string
}

// enabledSkills are those that the user lets agents see. A skill that is
// disabled is neither listed nor read here.
func (c *session) enabledSkills(ctx context.Context) ([]sharedSkill, error) {
	spaces, err := c.workspaces(ctx)
	if err != nil {
		return nil, err
	}
	var out []sharedSkill
	for i, w := range spaces {
		registry, err := w.Skills().Load(ctx)
		if err != nil {
			return nil, err
		}
		for _, s := range registry.Skills() {
			if !s.Enabled || !s.Valid || slices.ContainsFunc(out, func(o sharedSkill) bool { return o.Source.Name() == s.Source.Name() }) {
				continue // one of the user's is found in each root
			}
			next := sharedSkill{Skill: s, uri: skill.Address(s.ID)}
			if i > 0 {
				next.root, next.uri = rootName(spaces, w), addressIn(spaces, w, next.uri)
			}
			out = append(out, next)
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
		_, odd := url.Parse(s.uri)
		next[s.uri] = &resource{odd: odd != nil, Resource: mcp.Resource{
			URI: s.uri, Name: s.ID, Title: visible.Strip(s.Name), MIMEType: "text/markdown", Size: int64(len(s.Source.Text())),
			Description: shorten(visible.Strip(s.Description), skill.MaxDescription),
		}}
		if s.root != "" {
			next[s.uri].Title = visible.Strip(fmt.Sprintf("%s (%s)", s.Name, s.root))
		}
	}
	return nil
}

// readSkill reads a file of a skill.
func (c *session) readSkill(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	found, err := c.skillFile(ctx, req.Params.URI)
	if err != nil {
		return nil, err
	}
	content := &mcp.ResourceContents{URI: req.Params.URI, MIMEType: found.MediaType}
	if utf8.Valid(found.Data) {
		content.Text = visible.Strip(string(found.Data))
	} else {
		content.Blob, content.MIMEType = found.Data, binaryType(found)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{content}}, nil
}

// skillFile reads what the address of a skill leads to. The library never leaves
// the skill's folder.
func (c *session) skillFile(ctx context.Context, uri string) (skill.Resource, error) {
	library, bare, err := c.library(ctx, uri)
	if err != nil {
		return skill.Resource{}, err
	}
	found, err := library.Read(ctx, ownScheme(bare))
	if err != nil {
		return skill.Resource{}, notFound(uri, err)
	}
	return found, nil
}

// binaryType is the media type of what is no text, by its name or else by how it
// begins.
func binaryType(found skill.Resource) string {
	if kind, _, err := mime.ParseMediaType(mime.TypeByExtension(filepath.Ext(found.File))); err == nil && !strings.HasPrefix(kind, "text/") {
		return kind
	}
	kind, _, _ := mime.ParseMediaType(http.DetectContentType(found.Data)) // what it returns can be read
	if strings.HasPrefix(kind, "text/") {
		return "application/octet-stream"
	}
	return kind
}

// library is the one that has the skill of an address, enabled. bare is the
// address without the root.
func (c *session) library(ctx context.Context, uri string) (found skill.Library, bare string, err error) {
	spaces, err := c.workspaces(ctx)
	if err != nil {
		return skill.Library{}, "", err
	}
	bare, at, err := rootOf(spaces, uri)
	if err != nil {
		return skill.Library{}, "", err
	}
	if at >= 0 {
		spaces = spaces[at : at+1]
	}
	name, path, err := skill.ParseAddress(bare)
	if err != nil {
		return skill.Library{}, "", notFound(uri, err)
	}
	why := error(nil)
	var enabled []string
	for _, w := range spaces {
		library := w.Skills()
		registry, err := library.Load(ctx)
		if err != nil {
			return skill.Library{}, "", err
		}
		for _, s := range registry.Skills() {
			if s.Enabled && s.Valid {
				enabled = append(enabled, s.ID)
			}
		}
		s, unknown := registry.Find(name)
		if unknown != nil && len(path) > 0 { // skill://SOURCE/FOLDER
			if other, err := registry.Find(name + "." + path[0]); err == nil {
				s, unknown = other, nil
			}
		}
		switch {
		case unknown != nil:
			why = cmp.Or(why, unknown)
		case s.Enabled && s.Valid:
			return library, bare, nil
		default:
			why = fmt.Errorf("the skill is disabled; the user can run `pertain skills enable %s`", s.ID)
		}
	}
	if unknown := (*skill.UnknownError)(nil); errors.As(why, &unknown) && len(enabled) > 0 {
		why = fmt.Errorf("there is no skill `%s`; available: %s", shorten(name, 200), strings.Join(enabled, ", "))
	}
	return skill.Library{}, "", notFound(uri, why)
}
