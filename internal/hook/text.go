package hook

import (
	"fmt"
	"strings"

	"github.com/pertain-dev/pertain/internal/journal"
	"github.com/pertain-dev/pertain/internal/markup"
	"github.com/pertain-dev/pertain/internal/quota"
	"github.com/pertain-dev/pertain/internal/visible"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
)

// part is something that a model is told whole or not at all.
type part struct {
	text  string
	rule  *rule.Rule
	whole bool // it is the rule's text, not a line about it
}

// told is a text for a model.
type told struct {
	text  string
	given []part // what is in it
	named []part // what did not fit, and is named
}

// section is a group of parts, with what stands around them.
type section struct {
	head, tail string
	parts      []part
}

// compose puts sections together as far as they fit, whole parts alone, by the ranks of their rules.
func compose(lead string, sections []section, ranks func(*rule.Rule) rank) told {
	for left := quota.Told; ; {
		out, body := fit(sections, left, ranks)
		if len(out.given)+len(out.named) == 0 {
			return told{}
		}
		out.text = lead + body + leftOut(out.named) + comply(out.given, ranks)
		over := len(out.text) - quota.Told
		if over <= 0 || len(out.given) == 0 {
			return out
		}
		left = len(body) - over // the names of what does not fit count, too
	}
}

// fit takes parts as long as they fit into so many bytes: by rank, whatever section they are in, then in order; a smaller one may fit
// where a larger one did not.
func fit(sections []section, left int, ranks func(*rule.Rule) rank) (told, string) {
	var out told
	bodies := make([]strings.Builder, len(sections))
	for at := ownRank; at <= strangeRank; at++ {
		for i, s := range sections {
			for _, p := range s.parts {
				if ranks(p.rule) != at {
					continue
				}
				need := len(p.text)
				if bodies[i].Len() == 0 {
					need += len(s.head) + len(s.tail)
				}
				if need > left {
					out.named = append(out.named, p)
					continue
				}
				bodies[i].WriteString(p.text)
				left -= need
				out.given = append(out.given, p)
			}
		}
	}
	var b strings.Builder
	for i, s := range sections {
		if bodies[i].Len() > 0 {
			b.WriteString(s.head + bodies[i].String() + s.tail)
		}
	}
	return out, b.String()
}

// leftOut names what did not fit.
func leftOut(parts []part) string {
	if len(parts) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\nThese did not fit; read one with `pertain read rule://NAME` when it concerns the work:\n")
	for i, p := range parts {
		line := "- " + rule.Scheme + visible.Word(p.rule.Name) + "\n"
		if b.Len()+len(line) > quota.Names-80 {
			fmt.Fprintf(&b, "- and %d more, which `pertain rules` lists\n", len(parts)-i)
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

// comply says which rules bind the model: those of the user's own and of workspaces that the user trusts. What a stranger's
// repository says is shown, but nobody vouches for it.
func comply(parts []part, ranks func(*rule.Rule) rank) string {
	var names []string
	size, others := 0, false
	for _, p := range parts {
		if ranks(p.rule) == strangeRank {
			others = true
			continue
		}
		name := line(p.rule.Name)
		if size += len(name) + 4; size < quota.Names-300 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "\n" + markup.Comply(names, others) + "\n"
}

// line is a text on one line that shows what it is.
func line(s string) string { return markup.Name(visible.Line(visible.Strip(s))) }

// whole is a rule with its text.
func (s *session) whole(r *rule.Rule) part { return s.untoldPart(r, r.Text()) }

// untoldPart is a rule with that of its text which the model does not have yet.
func (s *session) untoldPart(r *rule.Rule, text string) part {
	return part{`<rule name="` + markup.Attribute(visible.Strip(r.Name)) + `" path="` + markup.Attribute(visible.Strip(s.shown(r.Path))) + "\">\n" + markup.Rule.Body(text) + "\n</rule>\n", r, true}
}

// listed is a rule that can be read, by its address.
func (s *session) listed(r *rule.Rule) part {
	var b strings.Builder
	b.WriteString(`<rule name="` + markup.Attribute(visible.Strip(visible.Word(r.Name))) + `" path="` + markup.Attribute(visible.Strip(s.shown(r.Path))) + "\">\n")
	if r.Description != nil {
		b.WriteString(markup.Text(visible.Strip(*r.Description)) + "\n")
	}
	for _, g := range r.Globs {
		b.WriteString("<glob>" + markup.Text(visible.Strip(g)) + "</glob>\n")
	}
	b.WriteString("</rule>\n")
	return part{b.String(), r, false}
}

// violated is a rule that a call breaks, with where.
func (s *session) violated(h hit) part {
	t := *h.trigger
	return part{stream.Injection(&t) + "\n", s.rules[t.Name], true}
}

// where names the locations of violations, never what stands there.
func where(hits []hit) string {
	var b strings.Builder
	for _, h := range hits {
		location := fmt.Sprintf("its input, line %d of what is added", h.line)
		switch {
		case h.said:
			location = fmt.Sprintf("line %d of the message", h.line)
		case journal.IsPath(h.path):
			location = fmt.Sprintf("%s, line %d of what is added", line(h.path), h.line)
		}
		fmt.Fprintf(&b, "- %s: rule `%s`\n", location, line(h.trigger.Name))
		if b.Len() > quota.Names {
			break
		}
	}
	return b.String()
}
