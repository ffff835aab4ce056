package mark

import (
	"errors"
	"strings"
)

// Begin and End are the two lines that a person writes into a file to say where exported rules shall stand.
const (
	Begin = "<!-- pertain export -->"
	End   = "<!-- /pertain export -->"

	sectionBegin = "<!-- pertain export from "
	sectionHash  = "; sha256:"
)

// Section is the part of a hand-written file between two marks.
type Section struct {
	Mark
	Fresh bool // nothing was ever written into it
	// Start and Stop are the offsets of the first mark and after the second one, both whole lines.
	Start, Stop int
	Inner       string // what stands between the marks
}

// Problems of sections, for people.
var (
	ErrSections = errors.New("it has more than one pair of the marks `" + Begin + "` and `" + End + "`")
	ErrUnclosed = errors.New("its mark `" + Begin + "` has no `" + End + "` behind it, or the other way round")
)

// FindSection finds the section of a file; ok is false if there is none. Marks inside of fenced code are text.
func FindSection(text string) (s Section, ok bool, err error) {
	at, fence, open := 0, "", false
	begin, inner := 0, 0
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(strings.TrimPrefix(line, "\ufeff"), "\r\n")
		word := strings.TrimLeft(bare, " ")
		switch {
		case fence != "":
			if strings.HasPrefix(word, fence) && strings.Trim(word, fence[:1]+" ") == "" {
				fence = ""
			}
		case !open && (strings.HasPrefix(word, "```") || strings.HasPrefix(word, "~~~")):
			fence = word[:len(word)-len(strings.TrimLeft(word, word[:1]))]
		case isBegin(bare):
			if open || ok {
				return Section{}, false, ErrSections
			}
			open, begin, inner = true, at, at+len(line)
			s.Mark, s.Fresh = sectionMark(bare)
		case bare == End:
			if !open {
				return Section{}, false, ErrUnclosed
			}
			s.Start, s.Stop, s.Inner = begin, at+len(line), text[inner:at]
			open, ok = false, true
		}
		at += len(line)
	}
	if open {
		return Section{}, false, ErrUnclosed
	}
	if ok && !s.Fresh {
		s.Intact = s.Intact && sectionSum(text[s.Start:inner]) == hash(s.Inner)
	}
	return s, ok, nil
}

// Write is the section with another text in it, as it stands in the file.
func (s Section) Write(sources []string, inner string) string {
	return sectionBegin + list(sources) + sectionHash + hash(inner) + " -->\n" + inner + End + "\n"
}

// HoldsMark tells whether a text has a line that would be taken for a mark of a section.
func HoldsMark(text string) bool {
	for line := range strings.Lines(text) {
		if bare := strings.TrimRight(line, "\r\n"); isBegin(bare) || bare == End {
			return true
		}
	}
	return false
}

func isBegin(line string) bool {
	return line == Begin || strings.HasPrefix(line, sectionBegin) && strings.HasSuffix(line, " -->")
}

// sectionMark reads the first mark. One that cannot be read is not intact.
func sectionMark(line string) (m Mark, fresh bool) {
	if line == Begin {
		return Mark{}, true
	}
	names, sum, ok := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(line, sectionBegin), " -->"), sectionHash)
	return Mark{Sources: unlist(names), Intact: ok && isHash(sum)}, false
}

func sectionSum(line string) string {
	line = strings.TrimSuffix(strings.TrimRight(line, "\r\n"), " -->")
	return line[max(0, len(line)-hashLength):]
}
