package lsp

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// edited is a text after changes in their order, each seen from the text after the one
// before.
func edited(content string, changes []contentChange, by encoding) string {
	for i, change := range slices.Backward(changes) {
		if change.Range == nil { // whatever was before is gone
			content, changes = change.Text, changes[i+1:]
			break
		}
	}
	if len(changes) == 0 {
		return content
	}
	d := newDraft(content, by)
	for _, change := range changes {
		start := d.offset(change.Range.Start)
		end := start
		if change.Range.End != change.Range.Start {
			end = d.offset(change.Range.End)
		}
		d.replace(min(start, end), max(start, end), change.Text)
	}
	return d.String()
}

// draft is a text while the edits of a message are made in it. One message may have a
// hundred thousand edits of a text of megabytes, or of a single line as long: so the text
// is cut into chunks that know what they hold, and an edit walks and copies only those
// that it touches.
type draft struct {
	by     encoding
	chunks []chunk
	sums   []extent // of each sumChunks chunks
	looked int      // bytes and extents looked at so far, which tests count
}

// Sizes of a draft: a chunk is cut when it has more than twice its size.
const (
	chunkSize = 1 << 10 // bytes
	sumChunks = 128
)

// chunk is a part of the text that is not empty and begins where a character does.
type chunk struct {
	text string
	extent
}

// extent is how much there is in some text.
type extent struct {
	bytes  int
	units  int // as the editor counts
	breaks int // line breaks that begin in it
	feed   bool
	cr     bool // it begins with a line feed, and ends with a carriage return, which are one break with those beside
}

// and is the extent of two texts that follow each other.
func (e extent) and(next extent) extent {
	if e.bytes == 0 {
		return next
	}
	if next.bytes == 0 {
		return e
	}
	breaks := e.breaks + next.breaks
	if e.cr && next.feed {
		breaks--
	}
	return extent{e.bytes + next.bytes, e.units + next.units, breaks, e.feed, next.cr}
}

func newDraft(content string, by encoding) *draft {
	d := &draft{by: by}
	d.chunks = d.cut(content)
	d.sum(0)
	return d
}

// String is the text.
func (d *draft) String() string {
	var b strings.Builder
	size := 0
	for _, c := range d.chunks {
		size += c.bytes
	}
	b.Grow(size)
	for _, c := range d.chunks {
		b.WriteString(c.text)
	}
	return b.String()
}

// cut makes chunks of a text.
func (d *draft) cut(s string) []chunk {
	var chunks []chunk
	for len(s) > 0 {
		size := len(s)
		if size > 2*chunkSize {
			size = chunkSize
			for !utf8.RuneStart(s[size]) {
				size--
			}
		}
		chunks = append(chunks, chunk{s[:size], d.measure(s[:size])})
		s = s[size:]
	}
	return chunks
}

func (d *draft) measure(s string) extent {
	d.looked += len(s)
	e := extent{bytes: len(s), units: d.units(s), feed: s[0] == '\n', cr: s[len(s)-1] == '\r'}
	for i := range len(s) {
		if s[i] == '\r' || s[i] == '\n' && (i == 0 || s[i-1] != '\r') {
			e.breaks++
		}
	}
	return e
}

func (d *draft) units(s string) int {
	if d.by == utf8s {
		return len(s)
	}
	return unitsIn(s)
}

// sum renews the sums from that of a chunk on.
func (d *draft) sum(from int) {
	d.sums = d.sums[:from/sumChunks]
	for at := len(d.sums) * sumChunks; at < len(d.chunks); at += sumChunks {
		d.sums = append(d.sums, d.sumAt(at))
	}
}

func (d *draft) sumAt(from int) extent {
	var e extent
	for _, c := range d.chunks[from:min(from+sumChunks, len(d.chunks))] {
		d.looked++
		e = e.and(c.extent)
	}
	return e
}

// find is the first chunk with which everything up to its end is enough, and what is
// before it. If all is not enough, it is the number of chunks.
func (d *draft) find(enough func(extent) bool) (number int, before extent) {
	for _, sum := range d.sums {
		d.looked++
		with := before.and(sum)
		if enough(with) {
			break
		}
		before, number = with, number+sumChunks
	}
	for number = min(number, len(d.chunks)); number < len(d.chunks); number++ {
		d.looked++
		with := before.and(d.chunks[number].extent)
		if enough(with) {
			break
		}
		before = with
	}
	return number, before
}

// offset is where a position is, moved to the nearest that there is, as [text.offset] has it.
func (d *draft) offset(p position) int {
	if p.Line < 0 {
		return 0
	}
	start := 0
	if p.Line > 0 {
		at, ok := d.breakAt(p.Line)
		if !ok {
			return at
		}
		start = at + 1
		if d.byteAt(at) == '\r' && d.byteAt(start) == '\n' {
			start++
		}
	}
	end, _ := d.breakAt(p.Line + 1)
	return d.column(start, end, p.Character)
}

// breakAt is where the break with a number, from 1 on, begins; ok is false if there are
// not so many, and the offset then the end.
func (d *draft) breakAt(number int) (offset int, ok bool) {
	i, before := d.find(func(e extent) bool { return e.breaks >= number })
	if i == len(d.chunks) {
		return before.bytes, false
	}
	s, left, cr := d.chunks[i].text, number-before.breaks, before.cr
	for at := range len(s) {
		if s[at] == '\r' || s[at] == '\n' && !cr {
			left--
		}
		if left == 0 {
			d.looked += at
			return before.bytes + at, true
		}
		cr = s[at] == '\r'
	}
	return before.bytes, false // cannot be: the chunk has it
}

// byteAt is the byte at an offset; 0: the text ends there.
func (d *draft) byteAt(offset int) byte {
	i, before := d.find(func(e extent) bool { return e.bytes > offset })
	if i == len(d.chunks) {
		return 0
	}
	return d.chunks[i].text[offset-before.bytes]
}

// column is where so many units after the start of a line are, at most its end.
func (d *draft) column(start, end, units int) int {
	units = min(max(units, 0), end-start)
	i, before := d.find(func(e extent) bool { return e.bytes > start })
	if i == len(d.chunks) {
		return start
	}
	lead := d.chunks[i].text[:start-before.bytes]
	d.looked += len(lead)
	want := before.units + d.units(lead) + units
	i, before = d.find(func(e extent) bool { return e.units > want })
	if i == len(d.chunks) {
		return end
	}
	at := column(d.chunks[i].text, want-before.units, d.by)
	d.looked += at
	return min(before.bytes+at, end)
}

// replace puts a text in the place of another one.
func (d *draft) replace(start, end int, with string) {
	first, before := d.find(func(e extent) bool { return e.bytes > start })
	if first == len(d.chunks) && first > 0 { // at the end of the last one
		first--
		before.bytes -= d.chunks[first].bytes
	}
	last, beforeLast := d.find(func(e extent) bool { return e.bytes >= end })
	if last <= first {
		last, beforeLast = first, before
	}
	var head, tail string
	after := first
	if first < len(d.chunks) {
		head, tail = d.chunks[first].text[:start-before.bytes], d.chunks[last].text[end-beforeLast.bytes:]
		after = last + 1
	}
	chunks := d.cut(head + with + tail)
	if len(chunks) == after-first && first/sumChunks == last/sumChunks {
		copy(d.chunks[first:], chunks)
		if len(chunks) > 0 {
			d.sums[first/sumChunks] = d.sumAt(first / sumChunks * sumChunks)
		}
		return
	}
	d.chunks = slices.Replace(d.chunks, first, after, chunks...)
	d.sum(first)
}
