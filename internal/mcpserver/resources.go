package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/surface"
	"github.com/pertain-dev/pertain/internal/visible"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/skill"
)

// ruleTemplate is the address of any rule, also of those that are not listed.
const ruleTemplate = rule.Scheme + "{+name}"

// resource is one that was listed.
type resource struct {
	mcp.Resource
	odd bool // its address is none to the SDK, which would panic
}

// addTemplates adds the ways to read what is not listed.
func (c *session) addTemplates() {
	c.server.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "rule", Title: "Rule", URITemplate: ruleTemplate, MIMEType: rule.MediaType,
		Description: "A rule of this repository by its name. Rules of nested folders bear the folder: rule://packages/api/AGENTS. Of several roots, the first that has it is meant, or the one that the address names: rule://AGENTS?root=FOLDER",
	}, c.readRule)
	c.server.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "skill", Title: "Skill", URITemplate: skillTemplate,
		Description: "The instructions of a skill by its id, skill://claude.pdf, or a file in its folder, skill://claude.pdf/references/x.md",
	}, c.readSkill)
}

// address of a rule. Names are file names, so anything may be in them.
func address(name string) string {
	segments := strings.Split(name, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return rule.Scheme + strings.Join(segments, "/")
}

func (c *session) readRule(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	r, err := c.rule(ctx, req.Params.URI)
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: rule.MediaType, Text: r.Text()}}}, nil
}

// rule finds a rule by its address. The error lists what there is.
func (c *session) rule(ctx context.Context, uri string) (*rule.Rule, error) {
	return newShelf(c, uri).rule(ctx, uri)
}

// shelf is the rules of all workspaces as they are now, loaded when they are
// first asked for.
type shelf struct {
	session *session
	names   []string                     // that are looked for; nil: all
	books   map[bool][]*pertain.Rulebook // by whether all folders of the project count
}

// newShelf makes one for the rules of some addresses: a root may be a whole disk, of which no more is looked through than they name.
func newShelf(c *session, uris ...string) *shelf {
	s := &shelf{session: c}
	for _, uri := range uris {
		if i := strings.LastIndex(uri, rootPart); i >= 0 {
			uri = uri[:i]
		}
		s.names = append(s.names, surface.RuleNames(ownScheme(uri))...)
	}
	return s
}

func (s *shelf) load(ctx context.Context, nested bool) ([]*pertain.Rulebook, error) {
	if books, ok := s.books[nested]; ok {
		return books, nil
	}
	spaces, err := s.session.workspaces(ctx)
	if err != nil {
		return nil, err
	}
	var books []*pertain.Rulebook
	for _, w := range spaces {
		book, err := w.Rules(ctx, pertain.RuleOptions{Nested: nested, Named: s.names})
		if err != nil {
			return nil, err
		}
		books = append(books, book)
	}
	if s.books == nil {
		s.books = map[bool][]*pertain.Rulebook{}
	}
	s.books[nested] = books
	return books, nil
}

func (s *shelf) rule(ctx context.Context, uri string) (*rule.Rule, error) {
	spaces, err := s.session.workspaces(ctx)
	if err != nil {
		return nil, err
	}
	bare, at, err := rootOf(spaces, uri)
	if err != nil {
		return nil, err
	}
	var unknown error
	for _, nested := range []bool{false, true} {
		if nested && !surface.NamesFolder(ownScheme(bare)) {
			break
		}
		books, err := s.load(ctx, nested)
		if err != nil {
			return nil, err
		}
		if at >= 0 && at < len(books) {
			books = books[at : at+1]
		}
		for _, book := range books {
			r, err := book.Open(ownScheme(bare))
			if err == nil {
				return r, nil
			}
			if unknown == nil {
				unknown = err
			}
		}
	}
	return nil, notFound(uri, unknown)
}

// errScheme is for an address of another kind.
var errScheme = errors.New("write rule://NAME or skill://ID; resources/list names them")

// ownScheme writes the scheme of an address as this program does: it has no case.
func ownScheme(uri string) string {
	for _, scheme := range []string{rule.Scheme, skill.Scheme} {
		if len(uri) >= len(scheme) && strings.EqualFold(uri[:len(scheme)], scheme) {
			return scheme + uri[len(scheme):]
		}
	}
	return uri
}

// notFound is the protocol's error for an address that leads nowhere.
func notFound(uri string, why error) error {
	data, _ := json.Marshal(map[string]string{"uri": shorten(uri, 200)}) // strings always marshal
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Resource not found: " + shorten(why.Error(), 2000), Data: data}
}

// updateResources makes the list of rules and skills again, and tells of texts that are
// others now.
func (c *session) updateResources(ctx context.Context) error {
	c.listing.Lock()
	defer c.listing.Unlock()
	next, err := c.listRules(ctx)
	if err != nil {
		return err
	}
	if err := c.listSkills(ctx, next); err != nil {
		return err
	}
	var gone []string
	for uri, old := range c.resources {
		if next[uri] == nil && !old.odd {
			gone = append(gone, uri)
		}
	}
	if c.resources != nil && !maps.EqualFunc(c.resources, next, sameResource) {
		c.tellResources.Store(true)
		c.addTemplates() // the SDK announces that, and knows nothing of odd ones
	}
	if len(gone) > 0 {
		c.server.RemoveResources(gone...)
	}
	for uri, r := range next {
		old := c.resources[uri]
		if !r.odd && (old == nil || !sameResource(old, r)) {
			c.server.AddResource(&r.Resource, c.reader(uri))
		}
	}
	c.resources = next
	return c.tellSubscribers(ctx)
}

func (c *session) listRules(ctx context.Context) (map[string]*resource, error) {
	spaces, err := c.workspaces(ctx)
	if err != nil {
		return nil, err
	}
	next, listed := map[string]*resource{}, map[string]bool{}
	for i, w := range spaces {
		book, err := w.Rules(ctx, pertain.RuleOptions{})
		if err != nil {
			return nil, err
		}
		for _, r := range book.Rules() {
			uri := addressIn(spaces, w, address(r.Name))
			if listed[r.Path] {
				continue // one of the user's: each root has it
			}
			listed[r.Path] = true
			_, odd := url.Parse(uri)
			next[uri] = &resource{odd: odd != nil, Resource: mcp.Resource{
				URI: uri, Name: visible.Strip(r.Name), MIMEType: rule.MediaType, Size: int64(len(r.Text())), Description: visible.Strip(describe(r)),
			}}
			if i > 0 && r.Level != rule.User {
				next[uri].Title = fmt.Sprintf("%s (%s)", r.Name, rootName(spaces, w))
			}
		}
	}
	return next, nil
}

// describe says what a rule is for and when it counts.
func describe(r *rule.Rule) string {
	var parts []string
	if r.Description != nil {
		parts = append(parts, shorten(strings.Join(strings.Fields(*r.Description), " "), 300))
	}
	switch {
	case r.Bucket == rule.Always:
		parts = append(parts, "Applies to everything.")
	case r.Bucket == rule.TTSR:
		parts = append(parts, "Counts when its trigger appears in what you write.")
	case len(r.Globs) > 0:
		parts = append(parts, fmt.Sprintf("For files that match %s.", shorten(strings.Join(r.Globs, ", "), 200)))
	}
	return strings.Join(parts, " ")
}

// reader reads resources of an address's kind.
func (c *session) reader(uri string) mcp.ResourceHandler {
	if strings.HasPrefix(uri, skill.Scheme) {
		return c.readSkill
	}
	return c.readRule
}

func sameResource(a, b *resource) bool {
	return a.Description == b.Description && a.Size == b.Size && a.Name == b.Name && a.Title == b.Title
}

// oddResources are those that the SDK does not list.
func (c *session) oddResources() []*mcp.Resource {
	c.listing.Lock()
	defer c.listing.Unlock()
	var out []*mcp.Resource
	for _, r := range c.resources {
		if r.odd {
			out = append(out, &r.Resource)
		}
	}
	slices.SortFunc(out, func(a, b *mcp.Resource) int { return strings.Compare(a.URI, b.URI) })
	return out
}

func (c *session) hasResources() bool { return c.resources != nil }

func shorten(s string, limit int) string {
	if r := []rune(s); len(r) > limit {
		return string(r[:limit-1]) + "…"
	}
	return s
}
