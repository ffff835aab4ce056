package cli_test

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// screen is as much of a terminal as the picker's output needs.
type screen struct {
	cells       [][]rune
	styles      map[[2]int]string // of cells that were written in one: b bold, f faint, c coloured
	style       string
	x, y        int
	top, bottom int // scroll region
	last        rune
	rest        string // of a sequence that has not arrived whole
	colors      bool   // a colour was set
}

func newScreen(width, height int) *screen {
	s := &screen{bottom: height - 1, styles: map[[2]int]string{}}
	for range height {
		s.cells = append(s.cells, blank(width))
	}
	return s
}

func blank(width int) []rune { return []rune(strings.Repeat(" ", width)) }

func (s *screen) width() int { return len(s.cells[0]) }

// String is what is seen, without blanks at the ends of lines.
func (s *screen) String() string {
	lines := make([]string, len(s.cells))
	for i, line := range s.cells {
		lines[i] = strings.TrimRight(string(line), " ")
	}
	return strings.Join(lines, "\n")
}

// Write takes what a program sends.
func (s *screen) Write(data []byte) (int, error) {
	text := s.rest + string(data)
	s.rest = ""
	for text != "" {
		n := s.next(text)
		if n == 0 {
			s.rest = text
			break
		}
		text = text[n:]
	}
	return len(data), nil
}

// next takes one character or sequence and returns its length, 0 if it is not
// whole.
func (s *screen) next(text string) int {
	switch text[0] {
	case '\x1b':
		return s.escape(text)
	case '\r':
		s.x = 0
	case '\n':
		s.feed()
	case '\b':
		s.x = max(s.x-1, 0)
	case '\t':
		s.x = min(s.x/8*8+8, s.width()-1)
	default:
		if !utf8.FullRuneInString(text) {
			return 0
		}
		r, size := utf8.DecodeRuneInString(text)
		if r >= ' ' {
			s.put(r)
		}
		return size
	}
	return 1
}

func (s *screen) put(r rune) {
	if s.x >= s.width() {
		s.x = 0
		s.feed()
	}
	s.cells[s.y][s.x] = r
	s.styles[[2]int{s.y, s.x}] = s.style
	s.x++
	s.last = r
}

func (s *screen) feed() {
	if s.y == s.bottom {
		s.scroll(s.top, 1)
		return
	}
	s.y = min(s.y+1, len(s.cells)-1)
}

// scroll moves the lines from a line to the bottom of the region up by n, or
// down if n is negative.
func (s *screen) scroll(from, n int) {
	for ; n > 0; n-- {
		copy(s.cells[from:s.bottom+1], s.cells[from+1:s.bottom+1])
		s.cells[s.bottom] = blank(s.width())
	}
	for ; n < 0; n++ {
		copy(s.cells[from+1:s.bottom+1], s.cells[from:s.bottom])
		s.cells[from] = blank(s.width())
	}
}

func (s *screen) escape(text string) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '[':
		for i := 2; i < len(text); i++ {
			if text[i] >= '@' && text[i] <= '~' {
				s.control(text[2:i], text[i])
				return i + 1
			}
		}
		return 0
	case ']', 'P', '_', '^': // a string for the terminal itself
		for i := 2; i < len(text); i++ {
			if text[i] == '\a' {
				return i + 1
			}
			if text[i] == '\x1b' && i+1 < len(text) {
				return i + 2
			}
		}
		return 0
	case '(', ')':
		return min(3, len(text))
	case 'M':
		if s.y == s.top {
			s.scroll(s.top, -1)
		} else {
			s.y--
		}
	}
	return 2
}

func (s *screen) control(args string, final byte) {
	if strings.ContainsAny(args, "?<>=$!") {
		return // modes and questions
	}
	var n []int
	for part := range strings.SplitSeq(args, ";") {
		v, _ := strconv.Atoi(part)
		n = append(n, v)
	}
	one := max(n[0], 1)
	switch final {
	case 'A':
		s.y = max(s.y-one, 0)
	case 'B', 'e':
		s.y = min(s.y+one, len(s.cells)-1)
	case 'C', 'a':
		s.x = min(s.x+one, s.width()-1)
	case 'D':
		s.x = max(s.x-one, 0)
	case 'E':
		s.x, s.y = 0, min(s.y+one, len(s.cells)-1)
	case 'F':
		s.x, s.y = 0, max(s.y-one, 0)
	case 'G', '`':
		s.x = min(one, s.width()) - 1
	case 'd':
		s.y = min(one, len(s.cells)) - 1
	case 'H', 'f':
		s.y, s.x = min(one, len(s.cells))-1, 0
		if len(n) > 1 {
			s.x = min(max(n[1], 1), s.width()) - 1
		}
	case 'I':
		s.x = min((s.x/8+one)*8, s.width()-1)
	case 'Z':
		s.x = max((s.x+7)/8-one, 0) * 8
	case 'J', 'K':
		s.erase(n[0], final == 'J')
	case 'X':
		s.clear(s.y, s.x, s.x+one)
	case 'P':
		line := s.cells[s.y]
		copy(line[s.x:], line[min(s.x+one, len(line)):])
		s.clear(s.y, len(line)-one, len(line))
	case '@':
		line := s.cells[s.y]
		copy(line[min(s.x+one, len(line)):], line[s.x:])
		s.clear(s.y, s.x, s.x+one)
	case 'b':
		for range one {
			s.put(s.last)
		}
	case 'L':
		s.scroll(s.y, -one)
	case 'M':
		s.scroll(s.y, one)
	case 'S':
		s.scroll(s.top, one)
	case 'T':
		s.scroll(s.top, -one)
	case 'r':
		s.top, s.bottom = one-1, len(s.cells)-1
		if len(n) > 1 && n[1] > 0 {
			s.bottom = n[1] - 1
		}
		s.x, s.y = 0, 0
	case 'm':
		for _, v := range n {
			s.setStyle(v)
		}
	}
}

func (s *screen) setStyle(v int) {
	switch {
	case v == 0:
		s.style = ""
	case v == 1:
		s.style += "b"
	case v == 2:
		s.style += "f"
	case v == 22:
		s.style = strings.NewReplacer("b", "", "f", "").Replace(s.style)
	case v == 39:
		s.style = strings.ReplaceAll(s.style, "c", "")
	case v >= 30 && v != 49:
		s.style += "c"
		s.colors = true
	}
}

func (s *screen) clear(y, from, to int) {
	for x := max(from, 0); x < min(to, s.width()); x++ {
		s.cells[y][x] = ' '
		delete(s.styles, [2]int{y, x})
	}
}

// erase clears a part of the line, or of the screen.
func (s *screen) erase(which int, lines bool) {
	from, to := s.x, s.width()
	if which == 1 {
		from, to = 0, s.x+1
	} else if which >= 2 {
		from = 0
	}
	s.clear(s.y, from, to)
	for y := range s.cells {
		if lines && (which >= 2 || which == 0 && y > s.y || which == 1 && y < s.y) {
			s.clear(y, 0, s.width())
		}
	}
}
