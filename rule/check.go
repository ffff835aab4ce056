package rule

import (
	"regexp"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/internal/regex"
)

// Check tells an author what is probably not meant in a rule that was read
// without mistakes: that nothing can bring it to a model, that its fields
// contradict each other, fields that its tool does not know, its length.
func Check(r *Rule) diag.List {
	list := append(diag.List(nil), r.Remarks...)
	if r.Format.Whole || r.Format.Memory {
		return list
	}
	list = append(list, r.checkReach()...)
	list = append(list, r.checkActivation()...)
	list = append(list, r.checkTriggers()...)
	for i := range list {
		list[i].Provider = r.Provider
	}
	return list
}

func (r *Rule) checkReach() diag.List {
	if r.Bucket != None || r.Activation == Manual || r.Activation == Never {
		return nil
	}
	if r.Format.DropFalse && len(r.Globs) == 0 && r.Frontmatter.Get("alwaysApply") != nil {
		return nil // Cursor calls it a rule that is applied manually
	}
	fields := []string{"`description: …`"}
	if r.Format.ModeKey == "alwaysApply" {
		fields = append(fields, "`alwaysApply: true`")
	}
	if len(r.Format.GlobKeys) > 0 {
		fields = append(fields, "`"+r.Format.GlobKeys[0]+": …`")
	}
	hint := "add " + strings.Join(fields, " or ")
	switch {
	case r.Activation == OnDescription:
		return diag.List{diag.At(r.Source, r.block(), diag.RuleUnreachable, "the model decides by the description whether the rule applies, and there is none").
			WithHint("add `description: …`")}
	case len(r.Globs) == 0:
		return diag.List{diag.At(r.Source, r.block(), diag.RuleUnreachable, "nothing brings this rule to a model: it has no description, globs, trigger or `alwaysApply`").
			WithHint("%s", hint)}
	}
	return nil
}

func (r *Rule) checkActivation() diag.List {
	var list diag.List
	always := isTrue(r.AlwaysApply) || r.Activation == AlwaysActive && r.Frontmatter.Get(r.Format.ModeKey) != nil
	switch {
	case always && len(r.Triggers) > 0:
		list.Add(diag.At(r.Source, r.keySpan("ttsr_trigger", "condition"), diag.RuleConflictingActivation,
			"the rule always applies and has a trigger; the trigger decides").WithHint("keep one of the two"))
	case always && len(r.Globs) > 0 && !slices.ContainsFunc(r.Globs, matchesAll):
		list.Add(diag.At(r.Source, r.keySpan(r.Format.GlobKeys...), diag.RuleConflictingActivation,
			"the rule always applies, so its globs are not looked at").WithHint("%s", r.alwaysHint()))
	case r.Activation == Manual && len(r.Globs) > 0:
		list.Add(diag.At(r.Source, r.keySpan(r.Format.GlobKeys...), diag.RuleConflictingActivation,
			"the rule applies only when asked for, so its globs are not looked at").WithHint("remove the globs, or let them decide"))
	}
	return list
}

// checkTriggers tells of triggers that are valid and surely mean something else.
func (r *Rule) checkTriggers() diag.List {
	if r.Frontmatter == nil || len(r.Triggers) == 0 {
		return nil
	}
	narrowed := len(r.Globs) > 0 || slices.ContainsFunc(r.Scope, func(s string) bool { return strings.Contains(s, "(") })
	var list diag.List
	for _, key := range []string{"ttsr_trigger", "condition"} {
		node := r.Frontmatter.Get(key)
		if node == nil {
			continue
		}
		for _, n := range append([]*document.Node{node}, node.Items...) {
			if n.Kind != document.String || !slices.Contains(r.Triggers, n.Text) {
				continue
			}
			if at, hint := controlCharacter(n.Text); at >= 0 {
				list.Add(diag.At(r.Source, n.SpanOf(at, at+1), diag.RuleInvalidTrigger, "in a trigger, a control character stands here, which no model writes").WithHint("%s", hint))
			}
			for _, s := range regex.Suspects(n.Text, triggerOptions(false)) {
				if s.Broad && narrowed {
					continue // whatever is written to such a file
				}
				list.Add(diag.At(r.Source, n.SpanOf(s.From, s.To), diag.RuleInvalidTrigger, "in a trigger, %s", s.Message).WithHint("%s", s.Hint))
			}
		}
	}
	return list
}

// alwaysHint says what to write instead of both.
func (r *Rule) alwaysHint() string {
	switch key := r.Format.ModeKey; {
	case key == "alwaysApply":
		return "remove the globs, or write `alwaysApply: false` to let them decide"
	case key == "trigger" && isTrue(r.AlwaysApply):
		return "in " + r.Format.Tool + " `trigger` decides: write `trigger: always_on`, or `trigger: glob`"
	}
	return "remove the globs, or let them decide"
}

// matchesAll tells whether a glob means every file: then it contradicts nothing.
func matchesAll(g string) bool {
	return g == "*" || g == "**" || g == "**/*" || g == "./**" || g == "/**"
}

// keySpan is where the first of these fields stands.
func (r *Rule) keySpan(keys ...string) diag.Span {
	if r.Frontmatter != nil {
		for _, key := range keys {
			for _, e := range r.Frontmatter.Entries {
				if e.Key.Text == key {
					return e.Key.Span()
				}
			}
		}
	}
	return diag.NoSpan
}

// block is the first line of the frontmatter, or the whole file.
func (r *Rule) block() diag.Span {
	if text := r.Source.Text(); r.Frontmatter != nil && strings.HasPrefix(text, "---") {
		return diag.Span{Start: 0, End: 3}
	}
	return diag.NoSpan
}

// Coverage finds globs that match no file: it is shown every file once.
type Coverage struct {
	groups map[string]map[string][]unseen // by base and extension; "*" for any
	live   map[*Rule]bool                 // rules of which a glob has matched
	folds  bool
	weight int // of all globs
	steps  int // that looking at files has taken, at most
}

// maxCoverageSteps bounds looking for dead globs: both the globs and the files are a stranger's.
const maxCoverageSteps = 2_000_000_000

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
			byExt := c.groups[from.Base]
			if byExt == nil {
				byExt = map[string][]unseen{}
				c.groups[from.Base] = byExt
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

// Empty tells whether all globs have matched.
func (c *Coverage) Empty() bool { return len(c.groups) == 0 }

// See shows a file; the path is absolute, with slashes.
func (c *Coverage) See(path string) {
	folded := path
	if c.folds {
		folded = glob.Fold(path)
	}
	for base, byExt := range c.groups {
		if !inside(base, path) {
			continue
		}
		rel := strings.TrimPrefix(folded[len(base):], "/")
		for _, ext := range [2]string{extension(rel), anyExtension} {
			list := byExt[ext]
			kept := list[:0]
			for _, u := range list {
				c.steps += u.glob.weight()
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
		number := func(u unseen) int { return slices.Index(r.Globs, u.text) }
		slices.SortFunc(globs, func(a, b unseen) int { return number(a) - number(b) })
		u := globs[0]
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

var (
	regexGroup  = regexp.MustCompile(`^(.*)\(([\w|.]+\|[\w|.]+)\)(.*)$`) // *.(ts|tsx)
	optionalEnd = regexp.MustCompile(`^(.*\.)(\w+)\?\((\w+)\)$`)         // *.ts?(x)
	parameter   = regexp.MustCompile(`\[(\.{3})?\w*[A-Za-z]{2,}\w*\]`)   // [id], as routers name files
)

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

// controlCharacter finds the first character that nobody types, and says how it came
// there: YAML reads `\b` in double quotes as a backspace. at is -1 if there is none.
func controlCharacter(text string) (at int, hint string) {
	at = strings.IndexFunc(text, func(c rune) bool { return c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f })
	if at < 0 {
		return at, ""
	}
	if i := strings.IndexByte("\x00\x07\b\v\f\x1b", text[at]); i >= 0 {
		escape := "`\\" + "0abvfe"[i:i+1] + "`"
		return at, "in double quotes YAML reads " + escape + " as this character; write the expression in single quotes"
	}
	return at, "write the expression in single quotes, without it"
}
