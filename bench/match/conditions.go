package match

import (
	"fmt"
	"math/rand/v2"
)

// generator makes conditions; the same seed gives the same ones.
type generator struct {
	vocabulary
	r     *rand.Rand
	regex bool // one predicate in twenty is a regular expression
}

// conditions makes n conditions of two to four predicates. Seven in ten have a
// selective one, on a URL, an extension, a process or a text; the others are
// broad, such as the system, the locale or the model.
func conditions(v vocabulary, n int, regex bool) []condition {
	g := generator{vocabulary: v, r: rand.New(rand.NewPCG(7, 1)), regex: regex}
	out := make([]condition, n)
	for i := range out {
		out[i] = g.condition()
	}
	return out
}

func (g generator) condition() condition {
	c := make(condition, 2+g.r.IntN(3))
	special := -1
	if g.r.IntN(10) < 7 {
		special = g.r.IntN(len(c))
	}
	for i := range c {
		expression := g.r.IntN(20) == 0 && g.regex
		switch {
		case i == special && expression:
			c[i] = g.selectiveRegex()
		case i == special:
			c[i] = g.selective()
		case expression:
			c[i] = g.broadRegex()
		default:
			c[i] = g.broad()
		}
	}
	return c
}

// word is one that contexts use, or in half of the cases one that they do not:
// much of what is installed is about things that are not on the screen today.
func (g generator) word() string {
	if g.r.IntN(2) == 0 {
		return fmt.Sprintf("%s%d", pick(g.r, g.words), g.r.IntN(100000))
	}
	return pick(g.r, g.words)
}

func (g generator) host() string {
	if g.r.IntN(2) == 0 {
		return fmt.Sprintf("%s%d.example", ascii(pick(g.r, g.words)), g.r.IntN(100000))
	}
	return pick(g.r, g.domains)
}

func (g generator) some(list []string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = pick(g.r, list)
	}
	return out
}

func (g generator) selective() predicate {
	switch g.r.IntN(4) {
	case 0:
		switch g.r.IntN(4) {
		case 0:
			return predicate{field: domain, op: equals, texts: []string{g.host()}}
		case 1:
			return predicate{field: domain, op: in, texts: []string{g.host(), g.host(), g.host()}}
		case 2:
			return predicate{field: url, op: contains, texts: []string{"/" + ascii(g.word()) + "/"}}
		}
		return predicate{field: url, op: startsWith, texts: []string{"https://" + g.host() + "/"}}
	case 1:
		f := extension
		if g.r.IntN(2) == 0 {
			f = selected
		}
		if g.r.IntN(2) == 0 {
			return predicate{field: f, op: holds, texts: g.some(extensions, 1)}
		}
		return predicate{field: f, op: holdsAny, texts: g.some(extensions, 2+g.r.IntN(2))}
	case 2:
		return predicate{field: process, op: holds, texts: g.some(processes, 1)}
	}
	f := []field{clipboard, selection, attached, title}[g.r.IntN(4)]
	return predicate{field: f, op: contains, texts: []string{g.word()}}
}

func (g generator) selectiveRegex() predicate {
	f := []field{clipboard, selection, attached, title, url}[g.r.IntN(5)]
	word, other := ascii(g.word()), ascii(g.word())
	forms := []string{
		fmt.Sprintf(`\b%s\b`, word),
		fmt.Sprintf(`\b(%s|%s)\b`, word, other),
		fmt.Sprintf(`%s.{0,20}%s`, word, other),
		fmt.Sprintf(`%s[-_ ]?\d+`, word),
		fmt.Sprintf(`(re|fw)?:?\s*%s\s+%s`, word, other),
	}
	return predicate{field: f, op: matches, texts: []string{pick(g.r, forms)}}
}

// broadRegex is one of a few that many authors write.
func (g generator) broadRegex() predicate {
	f := []field{clipboard, selection, attached}[g.r.IntN(3)]
	forms := []string{
		`https?://\S+`, `\b\d{4}-\d{2}-\d{2}\b`, `\b(error|warning|fatal)\b`, `^\s*(def|class|func)\s`,
		`[a-z]{14,}`, `\$\d+`, `\b[\w.]+@[\w.]+\.[a-z]+\b`, `todo|fixme`,
	}
	return predicate{field: f, op: matches, texts: []string{pick(g.r, forms)}}
}

func (g generator) broad() predicate {
	text := func(f field, op operator, list []string) predicate {
		return predicate{field: f, op: op, texts: []string{pick(g.r, list)}}
	}
	switch g.r.IntN(20) {
	case 0, 1:
		return text(system, equals, systems)
	case 2:
		return predicate{field: zone, op: in, texts: g.some(zones, 2)}
	case 3:
		return text(architecture, equals, chips)
	case 4:
		return predicate{field: locale, op: startsWith, texts: []string{pick(g.r, locales)[:2]}}
	case 5:
		return text(locale, equals, locales)
	case 6:
		return text(zone, equals, zones)
	case 7:
		return text(modalities, holds, senses)
	case 8:
		return text(model, equals, models)
	case 9:
		return predicate{field: []field{toolCalls, hasText, hasImage, hasChanges}[g.r.IntN(4)], op: isTrue}
	case 10:
		return text(branch, startsWith, branches)
	case 11:
		return text(workspace, equals, g.workspaces)
	case 12, 13:
		f := []field{clipboard, selection, attached}[g.r.IntN(3)]
		return predicate{field: f, op: length, number: []int{40, 400, 900, 2000, 5000}[g.r.IntN(5)]}
	case 14:
		return predicate{field: files, op: count, number: 1 + g.r.IntN(4)}
	case 15:
		return text(kinds, holds, itemKinds)
	case 16:
		return predicate{field: itemSizes, op: anyMin, number: []int{1000, 1000000, 100000000}[g.r.IntN(3)]}
	case 17:
		return text(assistant, equals, assistants)
	case 18:
		return predicate{field: date, op: startsWith, texts: []string{fmt.Sprintf("2026-%02d", 1+g.r.IntN(12))}}
	}
	return text(folder, startsWith, []string{"/home/", "/work/", "/srv/", "/mnt/", "/tmp/"})
}
