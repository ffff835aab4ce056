package toolcall

import (
	"bytes"
	"strings"
)

// word is one of a script while it is read: quotes may go on over lines. What stands in a variable that the script does not set, or is
// what another command prints, is not known and stays as it is written.
type word struct {
	name  []byte // as it names a file
	text  []byte // as it is printed
	quote byte   // that is open; '$' for $'…'; 0: none
	begun bool   // there is one, though it may be empty
	here  int    // from where on name counts from the present folder, which is not written; 0: nowhere, else the offset and 1
	raw   bool   // some of it stood in quotes
	role  wordRole

	descriptor string // of an openWord
}

// wordRole is what a word is for.
type wordRole uint8

const (
	argumentWord wordRole = iota
	fileWord              // what is printed goes into it
	aloneWord             // a file or number that does not matter
	openWord              // after `3>`: what is printed there goes into it
	outputWord            // after `>&`: a number, or a file that what is printed goes into
	markWord              // the end of a here-document
	tabsWord              // the same, with `<<-`
	stringWord            // after `<<<`
)

func (w *word) add(text string) {
	w.begun = true
	w.name, w.text = append(w.name, text...), append(w.text, text...)
}

// token reads on from an offset and returns where to go on.
func (s *script) token(text string, i int) int {
	w, c := &s.word, text[i]
	if w.quote != 0 {
		return s.quoted(text, i)
	}
	switch c {
	case ' ', '\t', '\r':
		s.endWord()
		return i + 1
	case '\\':
		if i+1 < len(text) {
			w.add(text[i+1 : i+2])
		} else {
			s.goesOn = true
		}
		return i + 2
	case '\'', '"':
		w.begun, w.raw, w.quote = true, true, c
		return i + 1
	case '`':
		return s.backticks(text, i)
	case '$':
		return s.dollar(text, i)
	case '#':
		if !w.begun {
			return len(text)
		}
	case '{', '}':
		if !w.begun && (i+1 == len(text) || strings.IndexByte(" \t\r;&|)<>", text[i+1]) >= 0) && s.commandBegins() {
			if c == '{' {
				s.begins("}")
			} else {
				s.ends("}")
			}
			return i + 1
		}
	case '<', '>', '|', '&', ';', '(', ')':
		return s.operator(text, i)
	}
	end := i + 1
	for end < len(text) && !isSpecial(text[end]) {
		end++
	}
	w.add(text[i:end])
	return end
}

// isSpecial tells a character that means something outside of quotes.
func isSpecial(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\\', '\'', '"', '$', '`', '#', '<', '>', '|', '&', ';', '(', ')', '{', '}':
		return true
	}
	return false
}

// quoted reads on in quotes.
func (s *script) quoted(text string, i int) int {
	w := &s.word
	stops := `"\$` + "`"
	switch w.quote {
	case '\'':
		stops = `'`
	case '$':
		stops = `'\`
	}
	at := strings.IndexAny(text[i:], stops)
	if at < 0 {
		w.add(text[i:])
		return len(text)
	}
	w.add(text[i : i+at])
	i += at
	switch c := text[i]; {
	case c == '\\' && i+1 == len(text): // the line goes on
		s.goesOn = true
		return i + 1
	case c == '\\' && w.quote == '$':
		decoded, size := escape(text[i:])
		w.add(decoded)
		return i + size
	case c == '\\':
		if strings.IndexByte("\"\\$`", text[i+1]) < 0 {
			w.add(`\`)
		}
		w.add(text[i+1 : i+2])
		return i + 2
	case c == '$':
		return s.dollar(text, i)
	case c == '`':
		return s.backticks(text, i)
	}
	w.quote = 0
	return i + 1
}

// backticks reads what a command prints.
func (s *script) backticks(text string, i int) int {
	end := strings.IndexByte(text[i+1:], '`')
	if end < 0 {
		s.word.add("`")
		return i + 1
	}
	if end += i + 1; text[i+1:end] == "pwd" {
		s.here(text[i : end+1])
	} else {
		s.word.add(text[i : end+1])
	}
	return end + 1
}

// dollar reads what begins with a dollar sign.
func (s *script) dollar(text string, i int) int {
	rest := text[i+1:]
	switch {
	case strings.HasPrefix(rest, "'") && s.word.quote == 0:
		s.word.begun, s.word.raw, s.word.quote = true, true, '$'
		return i + 2
	case s.role() == markWord || s.role() == tabsWord:
		if rest != "" && strings.IndexByte("({[", rest[0]) >= 0 { // a word of several, which ends a document as it is written
			s.lose()
		}
	case strings.HasPrefix(rest, "(("):
		if end := strings.Index(rest[:min(len(rest), maxAhead)], "))"); end >= 0 { // a number
			s.word.add(text[i : i+1+end+2])
			return i + 1 + end + 2
		}
	case strings.HasPrefix(rest, "["):
		return s.arithmetic(text, i, "]")
	case strings.HasPrefix(rest, "(pwd)"):
		s.here(text[i : i+1+len("(pwd)")])
		return i + 1 + len("(pwd)")
	case strings.HasPrefix(rest, "("):
		if s.nest(true) {
			return i + 2
		}
	case strings.HasPrefix(rest, "{"):
		return s.expansion(text, i)
	default:
		size := nameSize(rest)
		if size == 0 && rest != "" && isPositional(rest[:1]) {
			size = 1
		}
		if size > 0 {
			s.variable(rest[:size], text[i:i+1+size])
			return i + 1 + size
		}
	}
	s.word.add("$")
	return i + 1
}

// arithmetic reads a number that is calculated, up to what ends it, as a part of the word. In it `<<` begins no document.
func (s *script) arithmetic(text string, i int, closing string) int {
	end := strings.Index(text[i:min(len(text), i+maxAhead)], closing)
	if end < 0 { // it goes on in another line, or is none
		s.lose()
		s.word.add(text[i : i+1])
		return i + 1
	}
	if strings.ContainsAny(text[i:i+end], "'\"`\\") || strings.Contains(text[i+1:i+end], "$") && strings.ContainsAny(text[i+1:i+end], "({") {
		s.lose() // what ends it may stand in something else
	}
	s.word.add(text[i : i+end+len(closing)])
	return i + end + len(closing)
}

// expansion reads `${…}`. Where quotes, or other expansions, are in it that the first brace does not leave, it is not known
// where it ends.
func (s *script) expansion(text string, i int) int {
	end := strings.IndexByte(text[i:min(len(text), i+maxAhead)], '}')
	if end < 0 {
		s.lose()
		s.word.add("$")
		return i + 1
	}
	inside := text[i+2 : i+end]
	if strings.Count(inside, "'")%2+strings.Count(inside, `"`)%2 > 0 || strings.ContainsAny(inside, "\\`") || strings.Contains(inside, "${") || strings.Contains(inside, "$(") {
		s.lose()
		end = expansionEnd(text[i:min(len(text), i+maxAhead)], end)
		inside = text[i+2 : i+end]
	}
	s.variable(inside, text[i:i+end+1])
	return i + end + 1
}

// expansionEnd is where `${…}` ends that has quotes or other expansions in it, or else first.
func expansionEnd(text string, first int) int {
	quote, open := byte(0), 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '{':
			open++
		case c == '}':
			if open--; open == 0 {
				return i
			}
		}
	}
	return first
}

// maxAhead is how far the end of an expansion is looked for, in bytes.
const maxAhead = 256

func (s *script) role() wordRole { return s.word.role }

// nameSize is how long the name of a variable is that a text begins with.
func nameSize(text string) int {
	for i := range len(text) {
		if c := text[i]; c != '_' && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (i == 0 || c < '0' || c > '9') {
			return i
		}
	}
	return len(text)
}

// here puts the folder that the script works in into the word. At its beginning that says nothing about a file.
func (s *script) here(written string) {
	w := &s.word
	w.begun = true
	w.text = append(w.text, written...)
	isSet := len(w.name) > 1 && w.name[len(w.name)-1] == '=' && nameSize(string(w.name)) == len(w.name)-1
	if s.folders.at.known().unknown || w.here > 0 || len(w.name) > 0 && !isSet {
		w.name = append(w.name, written...)
		return
	}
	w.here = len(w.name) + 1
}

// named is the word as the name of a file.
func (w *word) named() string {
	if w.here == 0 {
		return string(w.name)
	}
	before, after := w.name[:w.here-1], bytes.TrimLeft(w.name[w.here-1:], "/")
	if len(after) == 0 {
		after = []byte(".")
	}
	return string(before) + string(after)
}

// escape decodes an escape as in $'…', and gives how long it is.
func escape(text string) (decoded string, size int) {
	if len(text) < 2 {
		return text, len(text)
	}
	switch c := text[1]; c {
	case 'n':
		return "\n", 2
	case 't':
		return "\t", 2
	case 'r':
		return "\r", 2
	case '\\', '\'', '"', '?':
		return text[1:2], 2
	case 'x':
		return number(text, 2, 2, 16)
	case 'u':
		return number(text, 2, 4, 16)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return number(text, 1, 4, 8)
	}
	return text[:2], 2
}

// number decodes the number of a character, of at most some digits.
func number(text string, from, most int, base rune) (decoded string, size int) {
	var r rune
	i := from
	for ; i < len(text) && i-from < most; i++ {
		digit := rune(unhex(text[i]))
		if digit < 0 || digit >= base {
			break
		}
		r = r*base + digit
	}
	if i == from {
		return text[:from], from
	}
	return string(r), i
}
