package toolcall

import "strings"

// hereDocument is a text between `<<EOF` and `EOF`.
type hereDocument struct {
	end   string
	tabs  bool  // `<<-`: tabs at the beginning of lines do not count
	plain bool  // its end stood in quotes: variables are none
	joins bool  // the line before goes on in this one
	files []int // segments of the files that it becomes
	patch *patch
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
	d.close(s.reader)
	s.waiting = s.waiting[1:]
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
