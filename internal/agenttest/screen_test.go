//go:build agents && linux

package agenttest_test

import (
	"fmt"
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// screen is a terminal as far as agents use one: text, colours, where the cursor goes, what is erased and scrolled.
type screen struct {
	width, height int
	cells         [][]cell
	x, y          int
	savedX        int
	savedY        int
	pen           style
	rest          []byte // of a sequence, or a character, that has come in part
	answers       []byte // to what the program asked the terminal
}

type cell struct {
	r     rune
	style style
}

type style struct {
	color   string // of the text; "": the usual one
	bold    bool
	dim     bool
	inverse bool
}

func newScreen(width, height int) *screen {
	s := &screen{width: width, height: height}
	for range height {
		s.cells = append(s.cells, s.blank())
	}
	return s
}

func (s *screen) blank() []cell {
	line := make([]cell, s.width)
	for i := range line {
		line[i].r = ' '
	}
	return line
}

// Write takes what a program writes.
func (s *screen) Write(data []byte) (int, error) {
	s.rest = append(s.rest, data...)
	for len(s.rest) > 0 {
		n := s.take(s.rest)
		if n == 0 {
			break
		}
		s.rest = s.rest[n:]
	}
	return len(data), nil
}

// take takes one character or sequence, and tells its length; 0: it is not whole.
func (s *screen) take(b []byte) int {
	switch b[0] {
	case 0x1b:
		return s.escape(b)
	case '\r':
		s.x = 0
	case '\n':
		s.down()
	case '\b':
		s.x = max(s.x-1, 0)
	case '\t':
		s.x = min((s.x/8+1)*8, s.width-1)
	default:
		if b[0] < ' ' {
			return 1
		}
		if !utf8.FullRune(b) {
			return 0
		}
		r, n := utf8.DecodeRune(b)
		s.put(r)
		return n
	}
	return 1
}

func (s *screen) put(r rune) {
	if r == 0xfe0f || r == 0x200b { // nothing that takes room
		return
	}
	if s.x >= s.width {
		s.x = 0
		s.down()
	}
	s.cells[s.y][s.x] = cell{r, s.pen}
	s.x++
}

func (s *screen) down() {
	if s.y++; s.y >= s.height {
		s.y = s.height - 1
		s.cells = append(s.cells[1:], s.blank())
	}
}

func (s *screen) escape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				s.control(string(b[2:i]), b[i])
				return i + 1
			}
		}
		return 0
	case ']', 'P', '_', '^': // a text for the terminal itself
		for i := 2; i < len(b); i++ {
			if b[i] == 0x07 {
				return i + 1
			}
			if b[i] == 0x1b && i+1 < len(b) && b[i+1] == '\\' {
				return i + 2
			}
		}
		return 0
	case '(', ')', '#':
		if len(b) < 3 {
			return 0
		}
		return 3
	case '7':
		s.savedX, s.savedY = s.x, s.y
	case '8':
		s.x, s.y = s.savedX, s.savedY
	}
	return 2
}

func (s *screen) control(args string, final byte) {
	if strings.HasPrefix(args, ">") || strings.HasPrefix(args, "?") || strings.HasPrefix(args, "<") || strings.HasPrefix(args, "=") {
		if args == "?1049" && final == 'h' {
			s.erase(0, 0, s.height-1, s.width-1)
		}
		return
	}
	var numbers []int
	for _, part := range strings.FieldsFunc(args, func(r rune) bool { return r == ';' || r == ':' }) {
		n, _ := strconv.Atoi(part)
		numbers = append(numbers, n)
	}
	at := func(i, usual int) int {
		if i < len(numbers) && numbers[i] > 0 {
			return numbers[i]
		}
		return usual
	}
	clamp := func(v, most int) int { return min(max(v, 0), most) }
	switch final {
	case 'A':
		s.y = clamp(s.y-at(0, 1), s.height-1)
	case 'B':
		s.y = clamp(s.y+at(0, 1), s.height-1)
	case 'C':
		s.x = clamp(s.x+at(0, 1), s.width-1)
	case 'D':
		s.x = clamp(s.x-at(0, 1), s.width-1)
	case 'E', 'F':
		s.x = 0
		s.y = clamp(s.y+map[byte]int{'E': 1, 'F': -1}[final]*at(0, 1), s.height-1)
	case 'G':
		s.x = clamp(at(0, 1)-1, s.width-1)
	case 'd':
		s.y = clamp(at(0, 1)-1, s.height-1)
	case 'H', 'f':
		s.y, s.x = clamp(at(0, 1)-1, s.height-1), clamp(at(1, 1)-1, s.width-1)
	case 'J':
		switch at(0, 0) {
		case 0:
			s.erase(s.y, s.x, s.height-1, s.width-1)
		case 1:
			s.erase(0, 0, s.y, s.x)
		default:
			s.erase(0, 0, s.height-1, s.width-1)
		}
	case 'K':
		switch at(0, 0) {
		case 0:
			s.erase(s.y, s.x, s.y, s.width-1)
		case 1:
			s.erase(s.y, 0, s.y, s.x)
		default:
			s.erase(s.y, 0, s.y, s.width-1)
		}
	case 'X':
		s.erase(s.y, s.x, s.y, min(s.x+at(0, 1), s.width)-1)
	case 'c':
		s.answers = append(s.answers, "\x1b[?62;22c"...)
	case 'n':
		s.answers = fmt.Appendf(s.answers, "\x1b[%d;%dR", s.y+1, s.x+1)
	case 'm':
		s.paint(numbers)
	}
}

// erase clears from a cell to another, both included.
func (s *screen) erase(y, x, toY, toX int) {
	for ; y <= toY; y++ {
		to := s.width - 1
		if y == toY {
			to = toX
		}
		for ; x <= min(to, s.width-1); x++ {
			s.cells[y][x] = cell{r: ' '}
		}
		x = 0
	}
}

// palette are the sixteen colours that have numbers.
var palette = []string{"#5c6370", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d8dee9", "#7f8896", "#ff7b85", "#a9d68a", "#f0d399", "#82c1ff", "#d99aec", "#76d0dc", "#ffffff"}

func (s *screen) paint(n []int) {
	if len(n) == 0 {
		s.pen = style{}
	}
	for i := 0; i < len(n); i++ {
		switch code := n[i]; {
		case code == 0:
			s.pen = style{}
		case code == 1:
			s.pen.bold = true
		case code == 2:
			s.pen.dim = true
		case code == 7:
			s.pen.inverse = true
		case code == 22:
			s.pen.bold, s.pen.dim = false, false
		case code == 27:
			s.pen.inverse = false
		case code >= 30 && code <= 37:
			s.pen.color = palette[code-30]
		case code >= 90 && code <= 97:
			s.pen.color = palette[code-90+8]
		case code == 39:
			s.pen.color = ""
		case (code == 38 || code == 48) && i+2 < len(n) && n[i+1] == 5:
			if code == 38 {
				s.pen.color = indexed(n[i+2])
			}
			i += 2
		case (code == 38 || code == 48) && i+4 < len(n) && n[i+1] == 2:
			if code == 38 {
				s.pen.color = fmt.Sprintf("#%02x%02x%02x", n[i+2]&255, n[i+3]&255, n[i+4]&255)
			}
			i += 4
		}
	}
}

// indexed is one of 256 colours.
func indexed(n int) string {
	switch {
	case n < 16:
		return palette[max(n, 0)]
	case n >= 232:
		return fmt.Sprintf("#%02x%02x%02x", 8+(n-232)*10, 8+(n-232)*10, 8+(n-232)*10)
	}
	part := func(v int) int {
		if v == 0 {
			return 0
		}
		return 55 + v*40
	}
	n -= 16
	return fmt.Sprintf("#%02x%02x%02x", part(n/36%6), part(n/6%6), part(n%6))
}

// String is the text, a line each.
func (s *screen) String() string {
	var b strings.Builder
	for _, line := range s.cells {
		var text strings.Builder
		for _, c := range line {
			text.WriteRune(c.r)
		}
		b.WriteString(strings.TrimRight(text.String(), " ") + "\n")
	}
	return b.String()
}

// frame is the screen as lines of SVG text.
func (s *screen) frame() string {
	var b strings.Builder
	for y, line := range s.cells {
		end := len(line)
		for end > 0 && line[end-1].r == ' ' && !line[end-1].style.inverse {
			end--
		}
		if end == 0 {
			continue
		}
		fmt.Fprintf(&b, `<text y="%d">`, y*18+18)
		for x := 0; x < end; {
			to := x
			var text strings.Builder
			for to < end && line[to].style == line[x].style {
				text.WriteString(common(line[to].r))
				to++
			}
			b.WriteString(line[x].style.span(html.EscapeString(text.String())))
			x = to
		}
		b.WriteString("</text>\n")
	}
	return b.String()
}

// common is a sign that most fonts have.
func common(r rune) string {
	switch r {
	case '⎿':
		return "└"
	case '⏵':
		return "▸"
	}
	return string(r)
}

func (p style) span(text string) string {
	var marks []string
	if p.bold {
		marks = append(marks, `font-weight="bold"`)
	}
	if p.dim {
		marks = append(marks, `opacity="0.65"`)
	}
	if p.color != "" {
		marks = append(marks, `fill="`+p.color+`"`)
	}
	if len(marks) == 0 {
		return text
	}
	return "<tspan " + strings.Join(marks, " ") + ">" + text + "</tspan>"
}
