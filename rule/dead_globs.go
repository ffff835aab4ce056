package rule

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/glob"
)

// Coverage finds globs that match no file: it is shown every file once.
type Coverage struct {
	groups map[string]map[string][]unseen // by base, folded, and extension; "*" for any
	live   map[*Rule]bool                 // rules of which a glob has matched
	folds  bool
	weight int // of all globs
	steps  int // that looking at files has taken, at most
}

// maxCoverageSteps bounds looking for dead globs, to about a second: both the globs and the files are a stranger's. A glob that has matched
// costs nothing any more, so that it is some thousands of dead ones in some thousands of files.
const maxCoverageSteps = 150_000_000

// bytesPerWeight is how long a path is for which a glob takes as many steps as it weighs; a longer one takes more.
const bytesPerWeight = 64

// Exhausted tells that there is too much to look at: then nothing can be said.
func (c *Coverage) Exhausted() bool {
	return c.weight > maxGlobWeight || c.steps > maxCoverageSteps
}

type unseen struct {
	rule *Rule
	from *Rule // whose file has the glob
	text string
	glob pattern
}

// anyExtension stands for globs that may match every extension.
const anyExtension = "*"

// NewCoverage begins with the globs of the project's rules. A glob that matches
// everything, and one that takes files out, is never dead.
func NewCoverage(rules []*Rule, foldCase bool) *Coverage {
	c := &Coverage{groups: map[string]map[string][]unseen{}, live: map[*Rule]bool{}, folds: foldCase}
	told := map[string]bool{} // a rule that is kept for several tools is told of once
	for _, r := range rules {
		key := r.short + "\x00" + strings.Join(r.Globs, "\x00")
		if r.Level != Project || r.loose || r.isAlways() || r.Activation == Manual || told[key] {
			continue
		}
		told[key] = true
		for number, text := range r.Globs {
			from := r.GlobOrigins(number)[0]
			g, ok := compileGlob(from, text, foldCase)
			if !ok || g.negated {
				continue
			}
			if c.weight += g.weight(); c.Exhausted() {
				return c
			}
			base := c.fold(from.Base)
			byExt := c.groups[base]
			if byExt == nil {
				byExt = map[string][]unseen{}
				c.groups[base] = byExt
			}
			ext := anyExtension
			if len(g.pieces) == 1 && !from.Format.Gitignore {
				if exts := g.pieces[0].glob.Extensions(); len(exts) == 1 { // several: any of them will do, so it is looked at with all
					ext = exts[0]
				}
			}
			byExt[ext] = append(byExt[ext], unseen{r, from, text, g})
		}
	}
	return c
}

func (c *Coverage) fold(path string) string {
	if c.folds {
		return glob.Fold(path)
	}
	return path
}

// Empty tells whether all globs have matched.
func (c *Coverage) Empty() bool { return len(c.groups) == 0 }

// See shows a file; the path is absolute, with slashes.
func (c *Coverage) See(path string) {
	path = c.fold(path)
	for base, byExt := range c.groups {
		if !inside(base, path) {
			continue
		}
		rel := strings.TrimPrefix(path[len(base):], "/")
		for _, ext := range [2]string{extension(rel), anyExtension} {
			list := byExt[ext]
			kept := list[:0]
			for _, u := range list {
				c.steps += u.glob.weight() * (1 + len(rel)/bytesPerWeight)
				path := rel
				if u.from.Format.Gitignore {
					path = glob.Fold(rel)
				}
				switch {
				case c.live[u.rule]:
				case u.glob.match(path):
					c.live[u.rule] = true
				default:
					kept = append(kept, u)
				}
			}
			if byExt[ext] = kept; len(kept) == 0 {
				delete(byExt, ext)
			}
		}
		if len(byExt) == 0 {
			delete(c.groups, base)
		}
	}
}

func extension(rel string) string {
	i := strings.LastIndexByte(rel, '.')
	if i < 0 || strings.IndexByte(rel[i:], '/') >= 0 {
		return ""
	}
	return rel[i:]
}

// Dead reports the rules of which no glob has matched, at the first of them. A dead
// glob beside a live one is no mistake: people write down what may come.
func (c *Coverage) Dead() diag.List {
	dead := map[*Rule][]unseen{}
	for _, byExt := range c.groups {
		for _, group := range byExt {
			for _, u := range group {
				if !c.live[u.rule] {
					dead[u.rule] = append(dead[u.rule], u)
				}
			}
		}
	}
	var list diag.List
	for r, globs := range dead {
		number := make(map[string]int, len(r.Globs))
		for i, g := range slices.Backward(r.Globs) { // of several that are equal, the first
			number[g] = i
		}
		u := slices.MinFunc(globs, func(a, b unseen) int { return number[a.text] - number[b.text] })
		message := "the glob `" + u.text + "` matches no file of the repository"
		if len(globs) > 1 {
			message = "none of the globs matches a file of the repository; the first is `" + u.text + "`"
		}
		d := diag.At(u.from.Source, u.from.globSpan(u.text), diag.RuleDeadGlob, "%s", message)
		d.Provider = r.Provider
		if hint := triedHint(u.from, u.text); hint != "" {
			d = d.WithHint("%s", hint)
		}
		list.Add(d)
	}
	list.Sort()
	return list
}

// Unknown says, where the search was not finished, that it is not known whether the other globs match a file.
func (c *Coverage) Unknown() diag.List {
	if c.steps <= maxCoverageSteps {
		return nil // what is too heavy to begin with is told where the rules are read
	}
	rest := c.Dead()
	if len(rest) == 0 {
		return nil
	}
	d := rest[0]
	d.Message, d.Hint = "whether the globs of this rule match a file of the repository is not known: there are too many globs and files to look at", "name the files of a few rules to look at them alone"
	if more := len(rest) - 1; more > 0 {
		d.Message = fmt.Sprintf("whether the globs of this rule and of %d more match a file of the repository is not known: there are too many globs and files to look at", more)
	}
	return diag.List{d}
}

// quotedGlob finds what a hint proposes: the last text in backticks that is another than the glob itself.
var quotedGlob = regexp.MustCompile("`([^`]+)`")

// triedHint is a hint of which the tool's own matcher says that what it proposes can match what its author means.
func triedHint(r *Rule, text string) string {
	if plain := singleBraces(text); plain != text && (r.Format.Extglobs || r.Format.Alone) {
		return "braces around one item are a part of the name; write `" + plain + "`"
	}
	hint := globHint(r, text)
	for _, m := range quotedGlob.FindAllStringSubmatch(hint, -1) {
		proposed := m[1]
		if proposed == text || !strings.ContainsAny(proposed, "*/{") || strings.Contains(proposed, ": ") {
			continue
		}
		if g, ok := compileGlob(r, proposed, false); ok && !g.match(sample(proposed)) {
			return ""
		}
	}
	return hint
}

// sample is a path that a glob means to who reads it.
func sample(text string) string {
	for range maxBraces {
		open, end, items := firstBraces(text)
		if items == nil {
			break
		}
		text = text[:open] + items[0] + text[end:]
	}
	return strings.NewReplacer("**/", "d/", "/**", "/d", "*", "x", "?", "x", `\`, "").Replace(text)
}

// globHint is what the author of a glob that matches nothing probably meant; empty
// if nothing comes to mind.
func globHint(r *Rule, text string) string {
	for _, parts := range [][]string{severalGlobs(r.Format, text), commaGlobs(r.Format, text)} {
		if parts != nil {
			return separated(r.Format, parts)
		}
	}
	switch {
	case !r.Format.Extglobs && regexGroup.MatchString(text):
		m := regexGroup.FindStringSubmatch(text)
		return "alternatives are written in braces: `" + strings.TrimRight(m[1], "@+?*!") + "{" + strings.ReplaceAll(m[2], "|", ",") + "}" + m[3] + "`"
	case !r.Format.Extglobs && optionalEnd.MatchString(text):
		m := optionalEnd.FindStringSubmatch(text)
		return "alternatives are written in braces: `" + m[1] + "{" + m[2] + "," + m[2] + m[3] + "}`"
	case parameter.MatchString(text):
		return "`[…]` is one of these characters; write `" + parameter.ReplaceAllStringFunc(text, func(s string) string { return `\[` + s[1:len(s)-1] + `\]` }) + "` for the name itself"
	case strings.HasPrefix(text, ".") && !strings.ContainsAny(text, "*/") && strings.Count(text, ".") == 1:
		return "`" + text + "` is a file of this name; `**/*" + text + "` is every file that ends so"
	case r.Format.Gitignore: // where a folder's name means what is in it
		return ""
	case !strings.ContainsAny(text[strings.LastIndexByte(text, '/')+1:], "*?[{.") && !strings.HasSuffix(text, "/"):
		return "`" + text + "` is a file of this name; `" + text + "/**` is what is in a folder of it"
	case strings.HasSuffix(text, "/"):
		return "`" + text + "**` is what is in this folder"
	case strings.Contains(text, "/") || r.Format.BaseName:
		return ""
	}
	return "a glob without a slash matches only in the folder of the rules; `**/" + text + "` matches everywhere"
}

// globSpan is where a glob stands in the file.
func (r *Rule) globSpan(text string) diag.Span {
	for _, key := range r.Format.GlobKeys {
		n := r.Frontmatter.Get(key)
		if n == nil {
			continue
		}
		for _, item := range n.Items {
			if item.IsScalar() && strings.Contains(item.Text, text) {
				return item.Span()
			}
		}
		if i := strings.Index(n.Text, text); n.IsScalar() && i >= 0 {
			return n.SpanOf(i, i+len(text))
		}
		return n.Span()
	}
	return diag.NoSpan
}

var (
	regexGroup  = regexp.MustCompile(`^(.*)\(([\w|.]+\|[\w|.]+)\)(.*)$`) // *.(ts|tsx)
	optionalEnd = regexp.MustCompile(`^(.*\.)(\w+)\?\((\w+)\)$`)         // *.ts?(x)
	parameter   = regexp.MustCompile(`\[(\.{3})?\w*[A-Za-z]{2,}\w*\]`)   // [id], as routers name files
)
