package rule

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/toolcall"
)

// scopeWords are the scopes that name no tool.
var scopeWords = []string{"text", "thinking", "tool"}

const scopeHint = "a scope is text, thinking, tool, tool:NAME or tool:NAME(glob); without any, text and tools are watched"

// ScopeEntry is one of the streams that a rule's trigger watches.
type ScopeEntry struct {
	Text   string // as it is written, without the blanks around it
	Offset int    // of Text in what was read, in bytes
	Kind   string // text, thinking or tool; "" if the entry is wrong
	Tool   string // name of the tool; "": any
	// Globs are the files that a call of the tool touches; nil: any, and none. One
	// that begins with `!` leaves files out.
	Globs []string
	// Message says what is wrong, "" if nothing is, and Hint what would be right. At
	// is where, in bytes from Offset on.
	Message, Hint string
	At            int
}

// ReadScope reads a text of scopes, with commas between them; those in parentheses and
// in braces belong to a glob. Blanks around names mean nothing, and `tool:*` is any
// tool. `tool:` may be left out before a tool that agents have, and before parentheses.
func ReadScope(text string) []ScopeEntry {
	var out []ScopeEntry
	add := func(from, to int) {
		word := strings.TrimSpace(text[from:to])
		if word == "" {
			return
		}
		e := ScopeEntry{Text: word, Offset: from + strings.Index(text[from:to], word)}
		e.read()
		out = append(out, e)
	}
	start, ends := 0, closings(text)
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '(', '{':
			if end, ok := ends[i]; ok {
				i = end
			}
		case ',':
			add(start, i)
			start = i + 1
		}
	}
	add(start, len(text))
	return out
}

// closings maps the offset of each parenthesis and brace that is closed to the offset
// where it is.
func closings(text string) map[int]int {
	ends := map[int]int{}
	var open [2][]int // parentheses, braces
	for i := 0; i < len(text); i++ {
		kind := 0
		switch text[i] {
		case '\\':
			i++
			continue
		case '{', '}':
			kind = 1
		case '(', ')':
		default:
			continue
		}
		if text[i] == '(' || text[i] == '{' {
			open[kind] = append(open[kind], i)
		} else if n := len(open[kind]); n > 0 {
			ends[open[kind][n-1]] = i
			open[kind] = open[kind][:n-1]
		}
	}
	return ends
}

// String writes an entry in the one way in which all programs write it. One that is
// wrong stays as it is.
func (e ScopeEntry) String() string {
	switch {
	case e.Message != "":
		return e.Text
	case e.Kind != "tool" || e.Tool == "" && e.Globs == nil:
		return e.Kind
	}
	s := "tool:" + e.Tool
	if e.Tool == "" {
		s = "tool:*"
	}
	if e.Globs != nil {
		s += "(" + strings.Join(e.Globs, ",") + ")"
	}
	return s
}

func (e *ScopeEntry) read() {
	if slices.Contains(scopeWords, e.Text) {
		e.Kind = e.Text
		return
	}
	name, named := e.Text, false
	rest, ok := strings.CutPrefix(e.Text, "tool")
	if bare := bareTool(e.Text); bare != "" {
		name, rest, ok, named = bare, e.Text, true, true
	} else if ok {
		rest, named = strings.CutPrefix(strings.TrimSpace(rest), ":")
		name, _, _ = strings.Cut(rest, "(")
		name = strings.TrimSpace(name)
	}
	open := strings.IndexByte(e.Text, '(')
	switch {
	case !ok || !named && (open < 0 || name != "") || rest == "":
		e.wrong(0, "there is no such scope", unknownRemedy(e.Text))
	case open >= 0 && closings(e.Text)[open] != len(e.Text)-1:
		e.wrong(open, "the scope of a tool is not complete", "write tool:NAME(glob), with the parenthesis closed at the end; YAML splits a list in brackets at every comma, so put a scope with commas in quotes")
	case named && name == "":
		e.wrong(open, "the scope of a tool is not complete", "name the tool before the parenthesis; `tool:*"+e.Text[open:]+"` is any tool")
	case name != "*" && strings.ContainsAny(name, " \t\r\n*?[]{},\"'`"):
		e.wrong(strings.Index(e.Text, name), "no tool has such a name", "write an entry for each tool, such as tool:edit, or `tool` for all of them")
	default:
		e.Kind = "tool"
		if name != "*" {
			e.Tool = name
		}
		if open >= 0 {
			e.readGlobs(open + 1)
		}
	}
}

// bareTool is the tool that a scope names without `tool:` before it, as oh-my-pi lets
// rules do: one that is known, or any before files in parentheses. "" if there is none.
func bareTool(text string) string {
	name, _, files := strings.Cut(text, "(")
	name = strings.TrimSpace(name)
	if plain := strings.ToLower(name); strings.HasPrefix(plain, "tool") || slices.Contains(scopeWords, plain) {
		return "" // they mean something else, or are slips of it
	}
	word := name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	if word && (files || toolcall.Known(name)) {
		return name
	}
	return ""
}

// readGlobs reads what is in the parentheses.
func (e *ScopeEntry) readGlobs(from int) {
	for _, item := range glob.SplitList(e.Text[from : len(e.Text)-1]) {
		if _, bad := glob.CompilePath(item.Text); bad != nil {
			hint := bad.Hint
			if hint == "" {
				hint = scopeHint
			}
			e.wrong(from+item.Offset+bad.Offset, bad.Message, hint)
			return
		}
		e.Globs = append(e.Globs, item.Text)
	}
	if e.Globs == nil {
		all := strings.TrimSpace(e.Text[:from-1])
		e.wrong(from-1, "there is no glob in the parentheses", "write `"+all+"` for all files, or name them: `"+all+"(*.ts)`")
	}
}

func (e *ScopeEntry) wrong(at int, message, hint string) {
	*e = ScopeEntry{Text: e.Text, Offset: e.Offset, Message: message, Hint: hint, At: max(at, 0)}
}

// unknownRemedy says what to write instead of a scope that there is not.
func unknownRemedy(word string) string {
	if near := diag.DidYouMean(word, scopeWords); near != "" {
		return near
	}
	if strings.HasPrefix(strings.ToLower(word), "tool") { // some programs say toolcall
		return "did you mean `tool`?"
	}
	return scopeHint
}

// ScopeProblems are the scopes of the rule's triggers that name nothing. A rule
// that has no other scope never fires. They are among what [Read] returns.
func (r *Rule) ScopeProblems() diag.List {
	var list diag.List
	if len(r.Triggers) == 0 || len(r.Scope) == 0 {
		return nil
	}
	entries, nodes := r.scopeEntries()
	valid := slices.ContainsFunc(entries, func(e ScopeEntry) bool { return e.Message == "" })
	for i, e := range entries {
		if e.Message == "" {
			continue
		}
		effect := "the rule never fires"
		if valid {
			effect = "it watches nothing"
		}
		span := diag.NoSpan
		if nodes[i] != nil {
			span = nodes[i].SpanOf(e.Offset, e.Offset+len(e.Text))
		}
		d := diag.At(r.Source, span, diag.RuleInvalidField, "%s: `%s`; %s", e.Message, e.Text, effect)
		d.Hint, d.Provider = e.Hint, r.Provider
		list.Add(d)
	}
	return list
}

// scopeEntries are the scopes of a rule and, for each, what it is written in: nil if
// they are not those of the rule's file.
func (r *Rule) scopeEntries() (entries []ScopeEntry, nodes []*document.Node) {
	if n := r.Frontmatter.Get("scope"); n != nil {
		items := []*document.Node{n}
		if n.Kind == document.Sequence {
			items = n.Items
		}
		for _, item := range items {
			if item.Kind != document.String {
				continue
			}
			for _, e := range ReadScope(item.Text) {
				entries, nodes = append(entries, e), append(nodes, item)
			}
		}
		if slices.EqualFunc(entries, r.Scope, func(e ScopeEntry, word string) bool { return e.String() == word }) {
			return entries, nodes
		}
	}
	entries = nil
	for _, word := range r.Scope {
		entries = append(entries, ReadScope(word)...)
	}
	return entries, make([]*document.Node, len(entries))
}

// scope reads the field; what is wrong with it is told by ScopeProblems.
func (f *Fields) scope() []string {
	var out []string
	for _, text := range f.Texts("scope") {
		for _, e := range ReadScope(text) {
			out = append(out, e.String())
		}
	}
	return out
}
