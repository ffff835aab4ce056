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
		case o.do != nil:
			o.do(s)
		case errors:
			w.role = aloneWord
		default:
			w.role = o.role
		}
		return i + len(o.text)
	}
	return i + 1
}

// operators are what ends words, each before those that it begins with.
var operators = []struct {
	text string
	role wordRole        // of the word that follows
	do   func(s *script) // nil: it says what the next word is
}{
	{"<<<", stringWord, nil},
	{"<<-", tabsWord, nil},
	{"<<", markWord, nil},
	{"<(", 0, func(s *script) { s.nest(true) }},
	{"<", aloneWord, nil},
	{"&>>", fileWord, nil},
	{"&>", fileWord, nil},
	{">(", 0, func(s *script) { s.nest(true) }},
	{">>", fileWord, nil},
	{">|", fileWord, nil},
	{">&", outputWord, nil},
	{">", fileWord, nil},
	{"||", 0, func(s *script) {
		s.pipeline()
		s.folders.doubt()
		s.folders.instead = true
	}},
	{"&&", 0, func(s *script) { s.pipeline() }},
	{"|&", 0, (*script).pipe},
	{"|", 0, (*script).pipe},
	{"(", 0, func(s *script) {
		s.pipeline()
		s.nest(false)
	}},
	{")", 0, (*script).unnest},
	{"&", 0, (*script).list},
	{";", 0, (*script).list},
}
