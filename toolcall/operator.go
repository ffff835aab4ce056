package toolcall

import "strings"

// operator reads what ends a word and is none.
func (s *script) operator(text string, i int) int {
	rest, w := text[i:], &s.word
	errors := false
	if c := rest[0]; (c == '<' || c == '>') && w.begun && !w.raw && isNumber(string(w.name)) {
		errors = c == '>' && string(w.name) != "1"
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
		case errors:
			w.role = aloneWord
		default:
			w.role = o.role
		}
		return i + len(o.text)
	}
	return i + 1
}

// effect is what an operator does to the commands around it.
type effect uint8

const (
	noEffect         effect = iota // it says what the next word is
	substituteEffect               // a shell whose files or text stand in the command
	shellEffect                    // a shell
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
	{"<(", 0, substituteEffect},
	{"<", aloneWord, noEffect},
	{"&>>", fileWord, noEffect},
	{"&>", fileWord, noEffect},
	{">(", 0, substituteEffect},
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
	case substituteEffect:
		s.nest(true)
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
