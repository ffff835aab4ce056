package syntax

import (
	"strings"
	"unicode"
)

// ecmaParser reads the ECMAScript dialect: the standard's grammar with its
// Annex B, where most of what is odd is an ordinary character.
type ecmaParser struct {
	parser
	flags
	groups int              // capturing groups in all
	names  map[string][]int // numbers of the groups of each name; nil if there is none
	opened int              // capturing groups read so far
	beside groupNames       // of groups that may take part in a match together with the next one
	refers bool             // there is a back-reference
}

func parseECMAScript(pattern string, options Options) (*Tree, *SyntaxError) {
	p := &ecmaParser{parser: parser{src: pattern}}
	if options.IgnoreCase {
		p.fold = foldECMAScript
	}
	if options.InlineFlags {
		p.leadingFlags()
	}
	p.countGroups()
	root := p.disjunction()
	if p.err == nil && p.more() {
		p.fail(p.pos, unopenedGroup, hintEscapeParen)
	}
	if p.err != nil {
		return nil, p.err
	}
	if p.refers {
		dropUnset(root, p.groups+1)
	}
	return &Tree{Dialect: ECMAScript, Root: root, Groups: p.groups + 1}, nil
}

// countGroups finds all capturing groups and their names beforehand: both decide
// what an escape means, wherever it stands.
func (p *ecmaParser) countGroups() {
	back := p.pos
	for p.more() && p.err == nil {
		c := p.src[p.pos]
		p.pos++
		switch c {
		case '\\':
			p.pos++
		case '[':
			for p.more() && !p.at(']') {
				if p.at('\\') {
					p.pos++
				}
				p.pos++
			}
		case '(':
			if !p.at('?') {
				p.groups++
				continue
			}
			if p.peek(1) != '<' || p.peek(2) == '=' || p.peek(2) == '!' {
				continue
			}
			p.pos += 2
			name, _ := p.identifier()
			p.groups++
			if p.names == nil {
				p.names = make(map[string][]int)
			}
			p.names[name] = append(p.names[name], p.groups)
		}
	}
	p.pos = back
}

func (p *ecmaParser) disjunction() *Node {
	start := p.pos
	outside := p.beside.count()
	branches := []*Node{p.alternative()}
	var apart []string // names of the branches before, which no match shares with this one
	for p.err == nil && p.accept('|') {
		apart = append(apart, p.beside.forget(outside)...)
		branches = append(branches, p.alternative())
	}
	for _, name := range apart {
		p.beside.add(name)
	}
	return p.choice(branches, start)
}

func (p *ecmaParser) alternative() *Node {
	start := p.pos
	var parts []*Node
	for p.err == nil && p.more() && !p.at('|') && !p.at(')') {
		atom, repeatable := p.term()
		if p.err != nil {
			break
		}
		if p.atQuantifier() {
			if !repeatable {
				p.fail(p.pos, nothingToRepeat, hintEscapeQuantifier)
				break
			}
			atom = p.quantify(atom)
		}
		parts = append(parts, atom)
	}
	return p.sequence(parts, start)
}

func (p *ecmaParser) quantify(atom *Node) *Node {
	start := p.pos
	// Numbers beyond 32 bits are fine in ECMAScript; no text is that long.
	least, most, _ := p.quantifier()
	lazy := p.accept('?')
	if most != Unlimited && least > most {
		p.fail(start, reversedCounts, "swap the two numbers")
	}
	if p.err == nil && p.atQuantifier() {
		hint := "put the part before it in a group: (?:...)"
		if p.at('+') {
			hint = "ECMAScript has no possessive quantifiers"
		}
		p.fail(p.pos, "a quantifier follows another quantifier", hint)
	}
	return p.repeat(atom, least, most, lazy)
}

// term reads one atom or assertion; repeatable says whether a quantifier may follow.
func (p *ecmaParser) term() (n *Node, repeatable bool) {
	start := p.pos
	if p.atQuantifier() {
		p.fail(start, nothingToRepeat, hintEscapeQuantifier)
		return nil, false
	}
	switch r := p.next(); r {
	case '^':
		if p.multiline {
			return p.assertion(BeginLineAny, start), false
		}
		return p.assertion(BeginText, start), false
	case '$':
		if p.multiline {
			return p.assertion(EndLineAny, start), false
		}
		return p.assertion(EndText, start), false
	case '.':
		if p.dotAll {
			return p.named(everything, false, start), true
		}
		return p.named(ecmaLineEnds, true, start), true
	case '(':
		return p.group(start)
	case '[':
		n := p.node(KindClass, start)
		n.Class = p.class(start)
		return n, true
	case '\\':
		return p.escape(start)
	default:
		return p.literal(r, p.fold, start), true
	}
}

// group reads a group whose opening parenthesis was read.
func (p *ecmaParser) group(start int) (n *Node, repeatable bool) {
	if !p.enter(start) {
		return nil, false
	}
	defer p.leave()
	repeatable = true
	switch rest := p.src[p.pos:]; {
	case strings.HasPrefix(rest, "?:"):
		p.pos += 2
	case strings.HasPrefix(rest, "?=") || strings.HasPrefix(rest, "?!"):
		n = p.node(KindLook, start)
		n.Negate = rest[1] == '!'
		p.pos += 2
	case strings.HasPrefix(rest, "?<=") || strings.HasPrefix(rest, "?<!"):
		n = p.node(KindLook, start)
		n.Negate, n.Behind = rest[2] == '!', true
		p.pos += 3
		repeatable = false
	case strings.HasPrefix(rest, "?<"):
		p.pos += 2
		n = p.capture(start)
		p.groupName()
	case strings.HasPrefix(rest, "?"):
		outside := p.flags
		if !p.modifiers() {
			p.fail(start, badGroup, p.groupHint(rest[1:]))
			return nil, false
		}
		defer func() { p.flags = outside }()
	default:
		n = p.capture(start)
	}
	inside := p.disjunction()
	if p.err == nil && !p.accept(')') {
		p.fail(start, unclosedGroup, hintEscapeParen)
	}
	if n == nil {
		return inside, repeatable
	}
	n.Subs = []*Node{inside}
	return n, repeatable
}

func (p *ecmaParser) groupHint(rest string) string {
	switch {
	case strings.HasPrefix(rest, "P<"):
		return "in ECMAScript a named group is (?<name>...)"
	case strings.HasPrefix(rest, ">"):
		return "ECMAScript has no atomic groups"
	case strings.HasPrefix(rest, "#"):
		return "ECMAScript has no comments in expressions"
	case rest != "" && strings.ContainsRune("imsxn-", rune(rest[0])):
		return "flags are i, m and s, each once: (?i) at the very begin for all of it, (?i:...) or (?-i:...) for a part"
	default:
		return "kinds of groups are (?:...), (?<name>...), (?i:...), (?=...), (?!...), (?<=...) and (?<!...)"
	}
}

func (p *ecmaParser) capture(start int) *Node {
	n := p.node(KindCapture, start)
	p.opened++
	n.Group = p.opened
	return n
}

// identifier reads a group's name up to and with the closing >.
func (p *ecmaParser) identifier() (name string, ok bool) {
	var b strings.Builder
	for p.more() {
		r := p.next()
		switch {
		case r == '>':
			return b.String(), b.Len() > 0
		case r == '\\':
			if !p.accept('u') {
				return "", false
			}
			if r, ok = p.codePoint(); !ok {
				return "", false
			}
		}
		if !isIdentifier(r, b.Len() == 0) {
			return "", false
		}
		b.WriteRune(r)
	}
	return "", false
}

// codePoint reads what follows \u in a name: four digits, a pair, or braces.
func (p *ecmaParser) codePoint() (rune, bool) {
	if !p.accept('{') {
		r, ok := p.hex(4)
		return p.joinSurrogates(r), ok
	}
	var r rune
	for hexValue(p.peek(0)) >= 0 && r <= unicode.MaxRune {
		r = r<<4 | rune(hexValue(p.peek(0)))
		p.pos++
	}
	return r, p.accept('}') && r <= unicode.MaxRune
}

func isIdentifier(r rune, first bool) bool {
	switch {
	case r == '$' || r == '_' || unicode.IsLetter(r) || unicode.In(r, unicode.Nl, unicode.Other_ID_Start):
		return r != 0x2E2F // a letter that is also Pattern_Syntax
	case first:
		return false
	default:
		return r == 0x200C || r == 0x200D || unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue)
	}
}
