package lsp

import (
	"context"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/preprocess"
	"github.com/pertain-dev/pertain/internal/visual"
)

type hoverResult struct {
	Contents *markup   `json:"contents"`
	Range    textRange `json:"range"`
}

// subject is a name that the reference knows, and where it stands.
type subject struct {
	topic, name string
	title       string // what stands above the text; empty: the name
	span        diag.Span
}

// hover tells what the reference says about the name at an offset.
func (s *server) hover(ctx context.Context, params positionParams) (any, error) {
	b, by := s.open(params.TextDocument.URI)
	if b == nil {
		return nil, nil
	}
	at := b.subjectAt(b.text.offset(params.Position, by))
	text := explain(at.topic, at.name)
	if text == "" {
		return nil, ctx.Err()
	}
	title := at.title
	if title == "" {
		title = at.name
	}
	return hoverResult{
		Contents: markdown("`" + title + "`\n\n" + text),
		Range:    textRange{b.text.position(at.span.Start, by), b.text.position(at.span.End, by)},
	}, ctx.Err()
}

// subjectAt finds the name at an offset; one without a topic is none.
func (b *buffer) subjectAt(offset int) subject {
	where, start := b.partOf(offset)
	if where == body && b.kind == strategyFile {
		return b.placeholderAt(offset)
	}
	if where != fields {
		return subject{}
	}
	c := cursorAt(b.text.string, start, offset)
	if c.text {
		if b.kind == strategyFile {
			return b.placeholderAt(offset)
		}
		return subject{}
	}
	whole := strings.TrimSpace(b.text.string[c.whole.Start:c.whole.End])
	at := subject{span: c.whole, name: whole}
	switch b.kind {
	case settingsFile, contextFile:
		if c.key == "" && !c.item {
			at.topic = map[kind]string{settingsFile: "settings", contextFile: "paths"}[b.kind]
			at.name = strings.Join(append(c.keys[:len(c.keys):len(c.keys)], whole), ".")
		}
	case ruleFile:
		if c.key == "" && !c.item && len(c.keys) == 0 {
			at.topic = "rules"
			at.name = b.ruleField(whole)
			at.title = whole
		}
	case strategyFile:
		switch {
		case len(c.keys) > 0 && c.keys[0] == "when":
			return b.conditionSubject(c, at, offset)
		case c.item && slices.Equal(c.keys, []string{"preprocessors"}):
			at.topic = "preprocessors"
		case c.key == "" && !c.item && len(c.keys) == 0:
			at.topic = "strategies"
		}
	}
	return at
}

// conditionSubject is a name in a condition: of a key that joins several, the part at
// the offset.
func (b *buffer) conditionSubject(c cursor, at subject, offset int) subject {
	in := conditionAt(c.keys[1:])
	if c.key != "" || in.kind == inOperand {
		op := in
		if c.key != "" {
			op = in.step(c.key)
		}
		if op.op == "query" {
			return querySubject(b.text.string, c.whole, offset)
		}
		return subject{}
	}
	key := at.name
	switch in.kind {
	case inCondition, inPath:
		switch {
		case in.kind == inCondition && slices.Contains(composites, key):
			at.topic = "conditions"
			return at
		case slices.Contains(visualKeys, key):
			at.topic = "visual"
			return at
		}
		full, before := key, 0
		if in.kind == inPath {
			full, before = in.path+"."+key, len(in.path)+1
		}
		known, rest := longestPath(full)
		if known == nil {
			return subject{}
		}
		end := len(full) - before
		for _, part := range slices.Backward(rest) {
			start := end - len(part)
			if offset >= c.whole.Start+start && offset <= c.whole.Start+end {
				return subject{topic: "operators", name: part, span: diag.Span{Start: c.whole.Start + start, End: c.whole.Start + end}}
			}
			end = start - 1
		}
		return subject{topic: "paths", name: known.Row().Name, title: known.Name, span: diag.Span{Start: c.whole.Start, End: c.whole.Start + max(end, 0)}}
	case inItem:
		if in.array != nil {
			if field, ok := in.array.ItemField(key); ok {
				return subject{topic: "paths", name: field.Name, title: key, span: c.whole}
			}
		}
		at.topic = "operators"
	case inOperators, inRange, inVisual:
		at.topic = "operators"
	case inVisualKinds:
		at.topic, at.name = "visual", facts.Visual+"."+key
	}
	return at
}

// querySubject is a type, attribute or function in a visual query.
func querySubject(text string, whole diag.Span, offset int) subject {
	isWord := func(c byte) bool { return isNameByte(c) && c != '[' && c != ']' }
	start, end := offset, offset
	for start > whole.Start && isWord(text[start-1]) {
		start--
	}
	for end < whole.End && isWord(text[end]) {
		end++
	}
	name := text[start:end]
	at := subject{topic: "visual", name: name, span: diag.Span{Start: start, End: end}}
	switch {
	case start > whole.Start && text[start-1] == '@':
		at.name = "@" + name
		for _, a := range visual.Attributes() {
			if strings.EqualFold(a.String(), name) {
				at.name = "@" + a.String()
			}
		}
	case slices.Contains(visual.Functions(), name):
	default:
		if _, known := facts.ParseElementType(name); !known {
			return subject{}
		}
	}
	return at
}

// placeholderAt is a placeholder of a template.
func (b *buffer) placeholderAt(offset int) subject {
	text := b.text.string
	start, end := offset, offset
	for start > 0 && isNameByte(text[start-1]) {
		start--
	}
	for end < len(text) && isNameByte(text[end]) {
		end++
	}
	if start == 0 || text[start-1] != '{' || end == len(text) || text[end] != '}' {
		return subject{}
	}
	at := subject{topic: "paths", name: text[start:end], span: diag.Span{Start: start, End: end}}
	if p, ok := facts.Find(at.name); ok {
		at.name, at.title = p.Row().Name, at.name
		return at
	}
	registry := preprocess.Registry()
	for _, id := range registry.IDs() {
		if info, _ := registry.Info(id); slices.Contains(info.Variables, at.name) {
			return subject{topic: "preprocessors", name: id, title: at.name, span: at.span}
		}
	}
	if at.name == "Argument" {
		at.topic = "templates"
	}
	return at
}

// ruleField is a field of rules by the name that the reference has for it: tools call
// globs differently.
func (b *buffer) ruleField(name string) string {
	format, ok := b.format()
	if ok && slices.Contains(format.GlobKeys, name) {
		return "globs"
	}
	return name
}
