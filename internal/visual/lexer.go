package visual

import (
	"unicode"
	"unicode/utf8"
)

// tokenKind is what a token is.
type tokenKind uint8

const (
	atEnd tokenKind = iota
	word            // a type, an attribute, a function, true, false, and, or, …
	number
	quoted     // a string with its quotes
	unclosed   // a string without its closing quote, up to the end
	slash      // /
	twoSlashes // //
	dot        // .
	twoDots    // ..
	star       // *
	at         // @
	open       // [
	shut       // ]
	openParen  // (
	shutParen  // )
	comma      // ,
	equals     // =
	axisMark   // ::
	colon      // :
	operator   // != < <= > >= == + - |, which the language does not have (- may begin a number)
	stray      // any other character
)

// token is a piece of the query: src[offset:end].
type token struct {
	kind   tokenKind
	offset int
	end    int
	text   string // as written; of a string without the quotes
}

// is says whether the token is a certain mark, and not a string of that text.
func (t token) is(mark string) bool {
	return (t.kind == operator || t.kind == stray) && t.text == mark
}

// lexer cuts a query into tokens.
type lexer struct {
	src string
	pos int
}

// marks are the tokens that are always spelled the same, longer ones first.
var marks = []struct {
	text string
	kind tokenKind
}{
	{"//", twoSlashes},
	{"..", twoDots},
	{"::", axisMark},
	{"!=", operator},
	{"<=", operator},
	{">=", operator},
	{"==", operator},
	{"/", slash},
	{".", dot},
	{"*", star},
	{"@", at},
	{"[", open},
	{"]", shut},
	{"(", openParen},
	{")", shutParen},
	{",", comma},
	{"=", equals},
	{":", colon},
	{"<", operator},
	{">", operator},
	{"+", operator},
	{"-", operator},
	{"|", operator},
}

func (l *lexer) next() token {
	for l.pos < len(l.src) {
		r, size := utf8.DecodeRuneInString(l.src[l.pos:])
		if !unicode.IsSpace(r) {
			break
		}
		l.pos += size
	}
	start := l.pos
	if start == len(l.src) {
		return token{kind: atEnd, offset: start, end: start}
	}
	switch c := l.src[start]; {
	case c == '\'' || c == '"':
		return l.string(c)
	case isDigit(l.src, start), c == '.' && isDigit(l.src, start+1):
		return l.number()
	}
	if isLetter(l.src, start) {
		return l.word()
	}
	for _, m := range marks {
		if len(l.src)-start >= len(m.text) && l.src[start:start+len(m.text)] == m.text {
			return l.cut(m.kind, start+len(m.text))
		}
	}
	_, size := utf8.DecodeRuneInString(l.src[start:])
	return l.cut(stray, start+size)
}

// cut makes a token of everything up to end.
func (l *lexer) cut(kind tokenKind, end int) token {
	t := token{kind: kind, offset: l.pos, end: end, text: l.src[l.pos:end]}
	l.pos = end
	return t
}

func (l *lexer) string(quote byte) token {
	start := l.pos
	for i := start + 1; i < len(l.src); i++ {
		if l.src[i] == quote {
			t := l.cut(quoted, i+1)
			t.text = l.src[start+1 : i]
			return t
		}
	}
	return l.cut(unclosed, len(l.src))
}

func (l *lexer) number() token {
	i := l.pos
	for isDigit(l.src, i) {
		i++
	}
	if i < len(l.src) && l.src[i] == '.' && isDigit(l.src, i+1) {
		i++
		for isDigit(l.src, i) {
			i++
		}
	}
	return l.cut(number, i)
}

// word reads letters, digits and _, and between them . (bounds.width) and -
// (starts-with) where a letter follows, so that `@bounds.x-5` is seen as the
// arithmetic that it is.
func (l *lexer) word() token {
	i := l.pos
	for i < len(l.src) {
		r, size := utf8.DecodeRuneInString(l.src[i:])
		joins := (r == '.' || r == '-') && isLetter(l.src, i+1)
		if !joins && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			break
		}
		i += size
	}
	return l.cut(word, i)
}

func isDigit(s string, i int) bool { return i < len(s) && '0' <= s[i] && s[i] <= '9' }

func isLetter(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return r == '_' || unicode.IsLetter(r)
}
