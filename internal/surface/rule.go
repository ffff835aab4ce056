package surface

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/rule"
)

// RuleText is the JSON form of a rule's text.
type RuleText struct {
	URI         string `json:"uri"`
	Name        string `json:"name"`
	Path        string `json:"path"`
	ContentType string `json:"contentType"`
	Content     string `json:"content"`
}

// NewRuleText is the form of a rule with this content.
func NewRuleText(r *rule.Rule, content string) RuleText {
	return RuleText{URI: r.URI(), Name: r.Name, Path: r.Path, ContentType: rule.MediaType, Content: content}
}

// FindRule finds a rule by its address or bare name among those that load gives. If it
// is not known there, and names a folder, the rules of all folders of the project are
// loaded. The book is the last that was asked; unknown is what the first one said, and
// err is one of load.
func FindRule(ctx context.Context, address string, load func(ctx context.Context, nested bool) (*pertain.Rulebook, error)) (r *rule.Rule, book *pertain.Rulebook, unknown, err error) {
	for _, nested := range []bool{false, true} {
		if nested && !NamesFolder(address) {
			break
		}
		if book, err = load(ctx, nested); err != nil {
			return nil, nil, nil, err
		}
		found, missing := book.Open(address)
		if missing == nil {
			return found, book, nil, nil
		}
		if unknown == nil {
			unknown = missing
		}
	}
	return nil, book, unknown, nil
}

// NamesFolder tells whether a rule's address or bare name names a folder, which may be
// one of the project: a slash may be written as %2F.
func NamesFolder(address string) bool {
	return slices.ContainsFunc(RuleNames(address), func(name string) bool { return strings.Contains(name, "/") })
}

// RuleNames are the names that a rule's address, or bare name, may stand for: as it is written, and percent-decoded.
func RuleNames(address string) []string {
	names := []string{strings.TrimPrefix(address, rule.Scheme)}
	if decoded, err := url.PathUnescape(names[0]); err == nil && decoded != names[0] {
		names = append(names, decoded)
	}
	return names
}
