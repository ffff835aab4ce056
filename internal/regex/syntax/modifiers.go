package syntax

import "strings"

// flags is how a part of an ECMAScript expression is read.
type flags struct {
	fold      Folding
	multiline bool
	dotAll    bool
}

func (f *flags) set(flag rune, on bool) {
	switch flag {
	case 'i':
		f.fold = FoldNone
		if on {
			f.fold = foldECMAScript
		}
	case 'm':
		f.multiline = on
	case 's':
		f.dotAll = on
	}
}

// leadingFlags reads a group such as (?i) at the very start.
func (p *ecmaParser) leadingFlags() {
	if !strings.HasPrefix(p.src, "(?") {
		return
	}
	length := strings.IndexByte(p.src, ')') - 2
	if length <= 0 || !areFlags(p.src[2:2+length]) {
		return
	}
	for _, flag := range p.src[2 : 2+length] {
		p.set(flag, true)
	}
	p.pos = length + 3
}

// modifiers reads what is between the parenthesis and the colon of a group such as
// (?i:...) or (?s-im:...), and sets the flags for what is in it. ok is false if the
// group is no such group.
func (p *ecmaParser) modifiers() (ok bool) {
	text, end := modifiersOf(p.src[p.pos:])
	if end == 0 {
		return false
	}
	on, off, _ := strings.Cut(text, "-")
	for _, flag := range on {
		p.set(flag, true)
	}
	for _, flag := range off {
		p.set(flag, false)
	}
	p.pos += end
	return true
}

// modifiersOf gives the modifiers of a group whose text after the parenthesis is
// given, and how many bytes of it they take up with ? and colon: 0 if it has none.
func modifiersOf(rest string) (text string, end int) {
	colon := strings.IndexByte(rest, ':')
	if colon < 2 || colon > len("?ims-") || rest[0] != '?' {
		return "", 0
	}
	text = rest[1:colon]
	on, off, _ := strings.Cut(text, "-")
	if !areFlags(on + off) {
		return "", 0
	}
	return text, colon + 1
}

// areFlags says whether a text consists of flags, each once.
func areFlags(text string) bool {
	for i, flag := range text {
		if !strings.ContainsRune("ims", flag) || strings.ContainsRune(text[:i], flag) {
			return false
		}
	}
	return text != ""
}

// groupNames are names of groups, in the order in which they were read.
type groupNames struct {
	order []string
	has   map[string]bool
}

func (g *groupNames) count() int { return len(g.order) }

// add takes a name in; it says false if it was there.
func (g *groupNames) add(name string) bool {
	if g.has[name] {
		return false
	}
	if g.has == nil {
		g.has = make(map[string]bool)
	}
	g.has[name] = true
	g.order = append(g.order, name)
	return true
}

// forget drops all names but the first few, and gives what it dropped; the slice is
// good until the next name is added.
func (g *groupNames) forget(count int) []string {
	dropped := g.order[count:]
	for _, name := range dropped {
		delete(g.has, name)
	}
	g.order = g.order[:count]
	return dropped
}

// groupName reads the name of a capturing group. Two groups may have one name only
// if they are in different alternatives, so that never both take part in a match.
func (p *ecmaParser) groupName() {
	from := p.pos
	name, ok := p.identifier()
	switch {
	case !ok:
		p.fail(from, badGroupName, "a name starts with a letter, $ or _, goes on with those and digits, and ends with >")
	case !p.beside.add(name):
		p.fail(from, "two groups have the same name", "give each group a name of its own, unless they are in different alternatives")
	}
}
