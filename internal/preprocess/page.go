package preprocess

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strings"

	"codeberg.org/readeck/go-readability"
	"codeberg.org/readeck/go-readability/render"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/plan"
)

// Limits of what is read of a page.
const (
	maxPageBytes    = 8 << 20   // of HTML
	maxPageElements = 100_000   // for the article to be looked for
	maxPageWays     = 5_000_000 // from elements to those around them, for the article to be looked for
	maxPageDepth    = 1_000     // of elements inside each other
)

// Page is browser-active-page: address, title and readable text of the page in
// front, from its HTML in the context. Nothing is ever fetched.
type Page struct{}

// Info is the row of the table.
func (Page) Info() plan.Info {
	info, _ := plan.BuiltinInfo(plan.BrowserActivePage)
	return info
}

const activeTab = "extra.browser.active_tab"

// Process reads the page. Without its HTML there is no readable text, which is a
// failure only where a template wants it.
func (Page) Process(ctx context.Context, in plan.Execution) ([]plan.Variable, error) {
	row, _ := facts.Lookup(activeTab)
	tab := in.Snapshot.At(row)
	address, title, page := tab.Field("url"), tab.Field("title"), tab.Field("html")
	if address.Kind() != facts.String && title.Kind() != facts.String && page.Kind() != facts.String {
		return nil, plan.Lacking(in.Snapshot, activeTab+".url", "nothing is known of a page in the browser")
	}
	var out []plan.Variable
	add := func(name string, v facts.Value) {
		if v.Kind() == facts.String {
			out = append(out, plan.Variable{Name: "preprocess.browser." + name, Value: v})
		}
	}
	add("url", address)
	if page.Kind() != facts.String {
		if in.Uses("preprocess.browser.readable_text") {
			f := plan.Lacking(in.Snapshot, activeTab+".html", "the page itself is not in the context")
			f.Remedy = "put its HTML into `" + activeTab + ".html`; pages are never fetched"
			return nil, f
		}
		add("title", title)
		return out, nil
	}
	heading, text, err := readPage(ctx, page.Text(), address.Text())
	if err != nil {
		return nil, err
	}
	if title.Kind() != facts.String && heading != "" {
		title = facts.Text(heading)
	}
	add("title", title)
	add("readable_text", facts.Text(text))
	return out, nil
}

// readPage finds the title and the readable text: the article, or all that is
// visible on a page that has none.
func readPage(ctx context.Context, page, address string) (title, text string, err error) {
	if len(page) > maxPageBytes {
		return "", "", &plan.Failure{Code: diag.PreprocessorFailed, Path: activeTab + ".html", Reason: "the page is larger than 8 MiB"}
	}
	if tooDeep(page) {
		return "", "", &plan.Failure{Code: diag.PreprocessorFailed, Path: activeTab + ".html", Reason: "the page is nested too deeply to be read"}
	}
	parser := newPageParser(ctx)
	doc, err := parser.parse(page)
	if err != nil {
		return "", "", unread(ctx, err)
	}
	title = pageTitle(doc)
	whole := visibleText(doc) // before the article is looked for, which takes the tree apart
	if err := ctx.Err(); err != nil {
		return "", "", err
	}
	text, err = findArticle(parser, doc, address)
	if err != nil {
		return "", "", unread(ctx, err)
	}
	return title, cmp.Or(text, whole), nil
}

// findArticle is the text of the article on a page; empty: there is none, or the page is too large to look for one.
func findArticle(parser *pageParser, doc *html.Node, address string) (string, error) {
	if tooLaborious(doc) {
		return "", nil
	}
	if err := parseNoscript(parser, doc); err != nil {
		return "", err
	}
	base, err := url.Parse(address)
	if err != nil || !base.IsAbs() {
		base = nil
	}
	reader := readability.NewParser()
	article, err := reader.ParseAndMutate(doc, base)
	if err != nil || article.Node == nil {
		return "", nil //nolint:nilerr // no article, whatever the reason
	}
	return strings.TrimSpace(render.InnerText(article.Node)), nil
}

// unread is why a page was not read.
func unread(ctx context.Context, err error) error {
	if late := ctx.Err(); late != nil {
		return late
	}
	reason := "the page cannot be read as HTML"
	if errors.Is(err, errManyNodes) || errors.Is(err, errManySteps) {
		reason = err.Error()
	}
	return &plan.Failure{Code: diag.PreprocessorFailed, Path: activeTab + ".html", Reason: reason, Err: err}
}

// tooLaborious tells whether looking for the article would take too long, which cannot be ended: each element is looked
// at from each of those around it.
func tooLaborious(doc *html.Node) bool {
	elements, ways := 0, 0
	depth := 0
	for n := doc; n != nil; {
		if n.Type == html.ElementNode {
			elements, ways = elements+1, ways+depth
		}
		if elements > maxPageElements || ways > maxPageWays {
			return true
		}
		if n.FirstChild != nil {
			n, depth = n.FirstChild, depth+1
			continue
		}
		for n != nil && n.NextSibling == nil {
			n, depth = n.Parent, depth-1
		}
		if n != nil {
			n = n.NextSibling
		}
	}
	return false
}

// parseNoscript reads what is inside of <noscript> once within the bound: who looks for the article does it without one.
func parseNoscript(parser *pageParser, doc *html.Node) error {
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || n.Data != "noscript" {
			continue
		}
		var inside strings.Builder
		for below := range n.Descendants() {
			if below.Type == html.TextNode {
				inside.WriteString(below.Data)
			}
		}
		if _, err := parser.parse(inside.String()); err != nil && (parser.nodes < 0 || parser.steps < 0 || parser.ctx.Err() != nil) {
			return err // any other is that of a page without an image
		}
	}
	return nil
}

// tooDeep tells whether elements are open inside each other to a depth that no
// real page has: the parser's time grows with the square of it.
func tooDeep(page string) bool {
	tokens := html.NewTokenizer(strings.NewReader(page))
	depth := 0
	for {
		switch kind := tokens.Next(); kind {
		case html.ErrorToken:
			return false
		case html.StartTagToken, html.EndTagToken:
			name, _ := tokens.TagName()
			if unclosed[atom.Lookup(name)] {
				continue
			}
			if kind == html.EndTagToken {
				depth = max(depth-1, 0)
			} else if depth++; depth > maxPageDepth {
				return true
			}
		}
	}
}

// unclosed are elements that pages often leave open; they end by themselves.
var unclosed = map[atom.Atom]bool{
	atom.P: true, atom.Li: true, atom.Dt: true, atom.Dd: true, atom.Tr: true, atom.Td: true, atom.Th: true, atom.Thead: true, atom.Tbody: true,
	atom.Tfoot: true, atom.Option: true, atom.Optgroup: true, atom.Rp: true, atom.Rt: true, atom.Br: true, atom.Hr: true, atom.Img: true,
	atom.Input: true, atom.Meta: true, atom.Link: true, atom.Wbr: true, atom.Area: true, atom.Base: true, atom.Col: true, atom.Embed: true,
	atom.Source: true, atom.Track: true, atom.Param: true, atom.Body: true, atom.Html: true, atom.Head: true,
}

func pageTitle(doc *html.Node) string {
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Title && n.FirstChild != nil {
			return strings.Join(strings.Fields(n.FirstChild.Data), " ")
		}
	}
	return ""
}

// visibleText is the text of everything in the body that a reader would see.
func visibleText(doc *html.Node) string {
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Body {
			return strings.TrimSpace(render.InnerText(n))
		}
	}
	return ""
}
