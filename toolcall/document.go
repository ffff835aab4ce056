package toolcall

import (
	"slices"
	"strings"
)

// hereDocument is a text between `<<EOF` and `EOF`.
type hereDocument struct {
	end   string
	tabs  bool // `<<-`: tabs at the beginning of lines do not count
	plain bool // its end stood in quotes: variables are none
	joins bool // the line before goes on in this one
	mark  int  // how many came before it in the script
	// source: it is what a command prints; feeds: the shell in this one that reads it has begun, and this is its number, from 1 on.
	source bool
	feeds  int
	text   *strings.Builder // of one that feeds that, or the next command; nil: it feeds none
	files  []int            // segments of the files that it becomes
	patch  *patch
	// printed: it becomes what the commands around it print.
	printed bool
	script  *script // it is one that a shell is given
}

// document reads a line of the here-document that is open.
func (s *script) document(text string, last bool) {
	d := &s.waiting[0]
	if d.tabs {
		text = strings.TrimLeft(text, "\t")
	}
	plain := strings.TrimSuffix(text, "\r")
	if plain == d.end {
		if d.joins {
			s.lose() // shells differ in whether this ends it
		}
		s.endDocument()
		return
	}
	switch {
	case d.script != nil:
		d.script.read(text)
	case d.patch != nil:
		d.patch.line(text, false)
	case text != "" || !last:
		end := "\n"
		if d.joins = !d.plain && !last && goesOn(text); d.joins {
			text, end = text[:len(text)-1], ""
		}
		if text = s.filled(d, text) + end; d.printed {
			s.printed = append(s.printed, text)
		}
		if d.text != nil {
			d.text.WriteString(text)
		}
		s.fill(d.files, text)
	}
}

// goesOn tells whether a line of a document goes on in the next one.
func goesOn(text string) bool {
	return (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1
}

// endDocument ends the here-document that is open.
func (s *script) endDocument() {
	d := &s.waiting[0]
	if d.script != nil {
		d.script.finish()
		if text := d.script.taken(0); text != nil && d.printed {
			s.printed = append(s.printed, *text)
		}
	}
	if d.text != nil && d.feeds <= len(s.nests) {
		c := &s.command
		if d.feeds > 0 {
			c = &s.nests[d.feeds-1].command
		}
		text := d.text.String()
		if c.prints != nil {
			text = s.both(*c.prints, text)
		}
		c.prints = &text
	}
	d.close(s.reader)
	s.waiting = s.waiting[1:]
}

// wait makes a document the next, or one after those that came before it.
func (s *script) wait(d hereDocument) {
	at := len(s.waiting)
	for at > 0 && s.waiting[at-1].mark > d.mark {
		at--
	}
	s.waiting = slices.Insert(s.waiting, at, d)
}

// feedNext makes the documents of a pipeline wait that goes on in the next line: what that reads comes before it.
func (s *script) feedNext() {
	for _, d := range s.line1 {
		if s.command.passes || d.source {
			d.text = &strings.Builder{}
		}
		s.wait(d)
	}
	s.line1 = nil
	s.feed()
}

// feed makes documents wait that a shell in this one reads which goes on in the next line.
func (s *script) feed() {
	for i := range s.nests {
		n := &s.nests[i]
		for _, d := range n.line1 {
			if n.command.passes || d.source {
				d.feeds, d.text = i+1, &strings.Builder{}
			}
			s.wait(d)
		}
		n.line1 = nil
	}
}

// printedSince are the documents that commands print which began after some others: whoever is around those gets them.
func (s *script) printedSince(mark int) (list []hereDocument) {
	s.waiting = slices.DeleteFunc(s.waiting, func(d hereDocument) bool {
		if d.mark <= mark || !d.printed {
			return false
		}
		d.printed = false
		list = append(list, d)
		return true
	})
	return list
}

// maxDocuments is how many here-documents of a script are followed at once.
const maxDocuments = 1000

// Limits of how many files texts may become.
const (
	maxFiles  = 1000     // one text
	maxNamed  = 64 << 10 // all texts of a script
	maxCopies = 16       // one text, where much was copied
	maxCopied = 64 << 20 // bytes
	pieceSize = 40       // bytes that a piece takes beside its text
)

// written are segments for files that the pipeline writes. All have the same text, but for those that are too many where it is long.
func (s *script) written(files []file) (segments []int) {
	s.rest = 0
	segments = s.reader.openFiles(Write, files, nil, s.scope, s.further)
	s.named += len(segments)
	first, others := copies(segments)
	s.reader.join(first)
	s.reader.join(others)
	return segments
}

// copies are the segments that get all of a text, and those that do not where much was copied.
func copies(segments []int) (first, others []int) {
	at := min(len(segments), maxCopies)
	return segments[:at], segments[at:]
}

// fill adds a text to files.
func (s *script) fill(segments []int, text string) {
	first, others := copies(segments)
	s.reader.add(text, first...)
	if len(others) > 0 && s.copied > maxCopied {
		if s.rest == 0 { // each of the others gets the same
			s.rest = s.anyFile(s.further)
		}
		s.reader.add(text, s.rest)
		segments, others = first, nil
	}
	s.copied += len(segments) * (len(text) + pieceSize)
	s.reader.add(text, others...)
}

// filled is a line of a here-document with what variables hold in it.
func (s *script) filled(d *hereDocument, text string) string {
	if d.plain || len(s.values) == 0 && !s.full || strings.IndexByte(text, '$') < 0 {
		return text
	}
	outside := s.word
	s.word = word{quote: '"', role: markWord}
	for i := 0; i < len(text); {
		at := strings.IndexByte(text[i:], '$')
		if at < 0 {
			s.word.add(text[i:])
			break
		}
		s.word.add(text[i : i+at])
		i += at
		rest := text[i+1:]
		size := nameSize(rest)
		name := rest[:size]
		if strings.HasPrefix(rest, "{") {
			if end := strings.IndexByte(rest[:min(len(rest), maxAhead)], '}'); end > 0 {
				name, size = rest[1:end], end+1
			}
		}
		if name == "" {
			s.word.add("$")
			i++
			continue
		}
		s.variable(name, text[i:i+1+size])
		i += 1 + size
	}
	out := string(s.word.text)
	s.word = outside
	return out
}

func (d *hereDocument) close(r *Reader) {
	if d.patch != nil {
		d.patch.line("", true)
	}
	for _, segment := range d.files {
		r.close(segment)
	}
}
