package toolcall

import "strings"

// operator reads what ends a word and is none.
func (s *script) operator(text string, i int) int {
	rest, w := text[i:], &s.word
	descriptor := ""
	switch {
	case strings.HasPrefix(rest, "((") && !w.begun && s.calculates():
		return s.arithmetic(text, i, "))")
	case strings.HasPrefix(rest, "<<") && w.begun && !w.raw && isElement(string(w.name)):
		s.lose() // an element of a list, mostly
		w.add("<<")
		return i + 2
	case strings.HasPrefix(rest, "<<") && !strings.HasPrefix(rest, "<<<") && w.begun && !w.raw && isNumber(string(w.name)) && string(w.name) != "0":
		s.lose() // who reads it is not known
	}
	if c := rest[0]; (c == '<' || c == '>') && w.begun && !w.raw && isNumber(string(w.name)) {
		if c == '>' && string(w.name) != "1" {
			descriptor = string(w.name)
		}
		*w = word{}
	}
	s.endWord()
	for _, o := range operators {
		if !strings.HasPrefix(rest, o.text) {
			continue
		}
		switch {
		case o.effect != noEffect:
			s.effect(o.effect)
		case descriptor != "" && o.text == ">&":
			w.role = aloneWord
		case descriptor != "":
			w.role, w.descriptor = openWord, descriptor
		default:
			w.role = o.role
		}
		return i + len(o.text)
	}
	return i + 1
}

// calculates tells whether two parentheses that come next begin a calculation, and not two shells.
func (s *script) calculates() bool {
	words := s.command.words
	return s.commandBegins() || len(words) == 1 && words[0] == "for"
}

// isElement tells a word that begins as an element of a list does whose number is not over: `a[1`.
func isElement(word string) bool {
	size := nameSize(word)
	return size > 0 && size < len(word) && word[size] == '[' && strings.IndexByte(word, ']') < 0
}

// effect is what an operator does to the commands around it.
type effect uint8

const (
	noEffect    effect = iota // it says what the next word is
	readEffect                // a shell that stands for a file which the command reads
	writeEffect               // or writes
	shellEffect               // a shell
	endShellEffect
	elseEffect // what follows may not be run
	andEffect
	pipeEffect
	listEffect
)

// operators are what ends words, each before those that it begins with.
var operators = []struct {
	text   string
	role   wordRole // of the word that follows
	effect effect
}{
	{"<<<", stringWord, noEffect},
	{"<<-", tabsWord, noEffect},
	{"<<", markWord, noEffect},
	{"<(", 0, readEffect},
	{"<", aloneWord, noEffect},
	{"&>>", fileWord, noEffect},
	{"&>", fileWord, noEffect},
	{">(", 0, writeEffect},
	{">>", fileWord, noEffect},
	{">|", fileWord, noEffect},
	{">&", outputWord, noEffect},
	{">", fileWord, noEffect},
	{"||", 0, elseEffect},
	{"&&", 0, andEffect},
	{"|&", 0, pipeEffect},
	{"|", 0, pipeEffect},
	{"(", 0, shellEffect},
	{")", 0, endShellEffect},
	{"&", 0, listEffect},
	{";", 0, listEffect},
}

func (s *script) effect(e effect) {
	switch e {
	case readEffect, writeEffect:
		if s.nest(true) {
			s.nests[len(s.nests)-1].stands = [...]byte{readEffect: '<', writeEffect: '>'}[e]
		}
	case shellEffect:
		s.command = s.given()
		s.nest(false)
	case endShellEffect:
		s.unnest()
	case elseEffect:
		s.pipeline()
		s.folders.doubt()
		s.folders.instead = true
	case andEffect:
		s.pipeline()
	case pipeEffect:
		s.pipe()
	case listEffect:
		s.list()
	case noEffect:
	}
}
