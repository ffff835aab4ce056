package toolcall

import "strings"

// script reads a command line by line and finds the here-documents that write
// files or are patches. What it cannot follow, it passes over: the command itself is
// watched anyway.
type script struct {
	reader  *Reader
	quote   byte // of a text in quotes that goes on in the next line
	wrapped byte // of a script in quotes that a shell is given
	waiting []hereDocument
	command command
	line1   []hereDocument // of the pipeline that is read
	folders folders
	scope   *scope // of the call, which may name a folder
	leaving bool   // the script in quotes ends with the pipeline
}

// hereDocument is a text between `<<EOF` and `EOF`.
type hereDocument struct {
	end   string
	tabs  bool  // `<<-`: tabs at the beginning of lines do not count
	files []int // segments of the files that it becomes
	patch *patch
}

// command is a pipeline as far as it matters here.
type command struct {
	words   []string            // of the command that is read
	passes  bool                // a command of the pipeline passes on or writes what it reads
	patches func(string) string // or takes a patch, whose files are meant so; nil: it does not
	files   []string            // that it writes
	change  []string            // the words of a command that changes the folder
	piped   bool                // there are several commands, each in a shell of its own
}

func newScript(r *Reader, scope *scope) *script { return &script{reader: r, scope: scope} }

func (s *script) line(text string, last bool) {
	if len(s.waiting) > 0 {
		s.document(text, last)
	} else {
		s.scan(text)
	}
	if last {
		for _, d := range s.waiting {
			d.close(s.reader)
		}
		s.waiting = nil
	}
}

// document reads a line of the here-document that is open.
func (s *script) document(text string, last bool) {
	d := &s.waiting[0]
	if d.tabs {
		text = strings.TrimLeft(text, "\t")
	}
	plain := strings.TrimSuffix(text, "\r")
	if s.wrapped != 0 && plain == d.end+string(s.wrapped) {
		plain = d.end
		s.wrapped = 0
		s.folders.leave()
	}
	if plain == d.end {
		d.close(s.reader)
		s.waiting = s.waiting[1:]
		return
	}
	switch {
	case d.patch != nil:
		d.patch.line(text, false)
	case text != "" || !last:
		for _, segment := range d.files {
			s.reader.add(segment, text+"\n")
		}
	}
}

func (d *hereDocument) close(r *Reader) {
	if d.patch != nil {
		d.patch.line("", true)
	}
	for _, segment := range d.files {
		r.close(segment)
	}
}

// scan reads a line outside of here-documents.
func (s *script) scan(text string) {
	if at := strings.Index(text, "*** Begin Patch"); at >= 0 && s.quote == 0 { // apply_patch with the patch as its argument
		s.before(strings.TrimRight(text[:at], `'"`))
		p := s.patch(s.folders.at.join)
		p.line("*** Begin Patch", false)
		s.waiting = append(s.waiting, hereDocument{end: "*** End Patch", patch: p})
		return
	}
	s.tokens(text)
	if s.quote == 0 && !strings.HasSuffix(text, `\`) {
		chained := strings.HasSuffix(strings.TrimRight(text, " \t\r"), "&&")
		if s.pipeline(); !chained {
			s.folders.doubt()
		}
	}
}

func (s *script) tokens(text string) {
	for i := 0; i < len(text); {
		i = s.token(text, i)
	}
}

// before reads what stands before a patch that is an argument: the folder may be changed there.
func (s *script) before(text string) {
	s.tokens(text)
	if s.quote == 0 && len(s.line1) == 0 {
		s.command = command{}
	}
}

// patch is one whose files are meant in some way.
func (s *script) patch(place func(string) string) *patch {
	p := newPatch(s.reader, nil)
	p.place, p.folder = place, s.scope
	return p
}

// token reads on from a place and returns where the next token begins.
func (s *script) token(text string, i int) int {
	c := text[i]
	switch {
	case s.quote != 0:
		end := strings.IndexByte(text[i:], s.quote)
		if end < 0 {
			return len(text)
		}
		s.quote = 0
		return i + end + 1
	case c == ' ' || c == '\t' || c == '\r':
		return i + 1
	case c == '#':
		return len(text)
	case strings.HasPrefix(text[i:], "<<<"):
		return i + 3
	case strings.HasPrefix(text[i:], "<<"):
		return s.here(text, i+2)
	case c == '>':
		return s.redirect(text, i+1)
	case c == '<':
		return i + 1
	case c == '&' && strings.HasPrefix(text[i:], "&>"):
		return i + 1
	case strings.HasPrefix(text[i:], "||"):
		s.pipeline()
		s.folders.doubt()
		s.folders.instead = true
		return i + 2
	case strings.HasPrefix(text[i:], "&&"):
		s.pipeline()
		return i + 2
	case c == '|':
		s.next()
		s.command.piped = true
		return i + 1
	case c == '(':
		s.pipeline()
		s.folders.enter()
		return i + 1
	case c == ')':
		s.pipeline()
		s.folders.leave()
		return i + 1
	case c == '&' || c == ';' || c == '{' || c == '}':
		s.pipeline()
		s.folders.doubt()
		return i + 1
	case s.wrapped != 0 && c == s.wrapped:
		s.wrapped = 0
		s.leaving = true
		return i + 1
	case (c == '\'' || c == '"') && s.wraps():
		s.wrapped = c
		s.command.words = nil
		s.folders.enter()
		return i + 1
	}
	word, end := s.word(text, i)
	s.command.words = append(s.command.words, word)
	return end
}

// wraps tells whether a script in quotes comes next, as after `bash -c`.
func (s *script) wraps() bool {
	w := s.command.words
	if s.wrapped != 0 || len(w) < 2 {
		return false
	}
	last := w[len(w)-1]
	return strings.HasPrefix(last, "-") && strings.HasSuffix(last, "c") && isShell(w[0])
}

func isShell(name string) bool {
	switch base(name) {
	case "sh", "bash", "zsh", "dash", "ksh":
		return true
	}
	return false
}

// word reads a word, without its quotes.
func (s *script) word(text string, i int) (string, int) {
	var b strings.Builder
	for i < len(text) {
		switch c := text[i]; c {
		case ' ', '\t', '\r', '|', '&', ';', '<', '>', '(', ')':
			return b.String(), i
		case '\\':
			if i+1 < len(text) {
				b.WriteByte(text[i+1])
			}
			i += 2
		case '\'', '"':
			if c == s.wrapped {
				return b.String(), i
			}
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 { // it goes on in the next line
				s.quote = c
				b.WriteString(text[i+1:])
				return b.String(), len(text)
			}
			b.WriteString(text[i+1 : i+1+end])
			i += end + 2
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String(), min(i, len(text))
}

// here reads what follows `<<`.
func (s *script) here(text string, i int) int {
	d := hereDocument{}
	if i < len(text) && text[i] == '-' {
		d.tabs = true
		i++
	}
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	word, end := s.word(text, i)
	if word == "" {
		return max(end, i)
	}
	d.end = word
	s.line1 = append(s.line1, d)
	return end
}

// redirect reads what follows `>`.
func (s *script) redirect(text string, i int) int {
	if i < len(text) && (text[i] == '>' || text[i] == '|') {
		i++
	}
	if i < len(text) && text[i] == '&' {
		return i + 1
	}
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	word, end := s.word(text, i)
	if w := s.command.words; len(w) > 0 && isDigit(w[len(w)-1]) && w[len(w)-1] != "1" {
		return max(end, i) // errors
	}
	if word != "" && word != "/dev/null" {
		s.command.files = append(s.command.files, s.folders.at.files(word)...)
	}
	return max(end, i)
}

func isDigit(word string) bool { return len(word) == 1 && word[0] >= '0' && word[0] <= '9' }

// next ends a command of a pipeline.
func (s *script) next() {
	words, at := stripped(s.command.words, s.folders.at)
	s.command.words = nil
	if len(words) == 0 {
		return
	}
	if place, ok := patched(words, at); ok {
		s.command.patches = place
		return
	}
	switch base(words[0]) {
	case "cat":
		s.command.passes = true
	case "tee":
		s.command.passes = true
		for _, word := range words[1:] {
			if !strings.HasPrefix(word, "-") && word != "/dev/null" {
				s.command.files = append(s.command.files, at.files(word)...)
			}
		}
	default:
		s.command.change = words
		if len(words) > 2 && isShell(words[0]) && strings.HasSuffix(words[1], "c") { // the words of a list: bash -lc SCRIPT
			s.command.words = words[2:]
			s.next()
		}
	}
}

// maxFiles is how many files a here-document may become.
const maxFiles = 16

// pipeline ends a pipeline: its here-documents are what follows.
func (s *script) pipeline() {
	s.next()
	for _, d := range s.line1 {
		switch {
		case s.command.patches != nil:
			d.patch = s.patch(s.command.patches)
		case s.command.passes:
			for _, file := range s.command.files[:min(len(s.command.files), maxFiles)] {
				segment := s.reader.open(Write, file, nil)
				s.reader.segments[segment].folder = s.scope
				d.files = append(d.files, segment)
			}
		}
		s.waiting = append(s.waiting, d)
	}
	if len(s.command.change) > 0 && !s.command.piped {
		s.folders.change(s.command.change)
	}
	s.folders.instead = false
	if s.leaving {
		s.folders.leave()
	}
	s.line1, s.leaving = nil, false
	s.command = command{}
}

// base is the name of a program without its folders.
func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
