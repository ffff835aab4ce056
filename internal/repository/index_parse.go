package repository

import (
	"encoding/binary"
	"strings"
)

// indexReader reads an index from its start. Whatever does not fit sets bad.
type indexReader struct {
	text  string
	at    int
	names int // bytes of the paths so far
	bad   bool
}

func (r *indexReader) take(n int) string {
	if r.bad || n < 0 || n > len(r.text)-r.at {
		r.bad = true
		return strings.Repeat("\x00", max(min(n, 64), 0))
	}
	r.at += n
	return r.text[r.at-n : r.at]
}

func (r *indexReader) uint32() uint32 { return binary.BigEndian.Uint32([]byte(r.take(4))) }
func (r *indexReader) uint16() uint16 { return binary.BigEndian.Uint16([]byte(r.take(2))) }

// parseIndex reads an index of version 2, 3 or 4.
func parseIndex(data []byte, width int) (*index, error) {
	width, err := indexWidth(data, width)
	if err != nil {
		return nil, err
	}
	r := &indexReader{text: string(data[:len(data)-width])}
	if r.take(4) != "DIRC" {
		return nil, errBadIndex
	}
	version, count := r.uint32(), int(r.uint32())
	if version < 2 || version > 4 {
		return nil, errBadIndex
	}
	if count > maxEntries {
		return nil, unknown("its index is too large")
	}
	if count > len(r.text)/(42+width) { // what an entry takes at least
		return nil, errBadIndex
	}
	x := &index{width: width, entries: make([]entry, 0, count)}
	for range count {
		e, ok := r.entry(version, width, x.last())
		if r.names > maxNames {
			return nil, unknown("its index is too large")
		}
		if !ok {
			return nil, errBadIndex
		}
		x.entries = append(x.entries, e)
	}
	if err := r.extensions(x); err != nil {
		return nil, err
	}
	return x, x.check()
}

func (x *index) last() *entry {
	if len(x.entries) == 0 {
		return &entry{}
	}
	return &x.entries[len(x.entries)-1]
}

// entry reads one; v4 tells its path by that of the one before.
func (r *indexReader) entry(version uint32, width int, before *entry) (entry, bool) {
	begin := r.at
	var e entry
	e.changed = r.uint32()
	r.take(4)
	e.seconds, e.nanos = r.uint32(), r.uint32()
	r.take(4)
	e.inode, e.mode = r.uint32(), r.uint32()
	r.take(8)
	e.size = r.uint32()
	e.object = r.take(width)
	e.flags = r.uint16()
	if e.flags&0x4000 != 0 {
		if version < 3 {
			return e, false
		}
		e.extended = r.uint16()
	}
	if version == 4 {
		drop := r.varint()
		if drop < 0 || drop > len(before.path) {
			return e, false
		}
		e.path = before.path[:len(before.path)-drop] + r.untilNul()
	} else {
		e.path = r.untilNul()
		r.take((8 - (r.at-begin)%8) % 8) // the first byte of the padding was the end of the path
	}
	r.names += len(e.path)
	return e, !r.bad
}

// varint reads a number as packs and indexes of version 4 write it; -1: there is none.
func (r *indexReader) varint() int {
	n := 0
	for i := range 4 {
		c := r.take(1)[0]
		if i > 0 {
			n++
		}
		n = n<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return n
		}
	}
	return -1
}

func (r *indexReader) untilNul() string {
	end := strings.IndexByte(r.text[r.at:], 0)
	if r.bad || end < 0 || end > maxPath {
		r.bad = true
		return ""
	}
	return r.take(end + 1)[:end]
}

// validEntry refuses what would lead out of the work tree, or into .git.
func validEntry(e *entry) bool {
	path := e.path
	switch e.kind() {
	case modeRegular, modeLink, modeGitlink:
	case modeFolder:
		var ok bool
		if path, ok = strings.CutSuffix(path, "/"); !ok {
			return false
		}
	default:
		return false
	}
	if len(path) > maxPath {
		return false
	}
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") {
			return false
		}
	}
	return true
}

// check refuses entries that git does not write, and an order that is not theirs.
// It comes last: where the index is split in two, entries are not what they seem.
func (x *index) check() error {
	for i := range x.entries {
		e := &x.entries[i]
		if !validEntry(e) || e.kind() == modeFolder && !x.sparse {
			return errBadIndex
		}
		if i == 0 {
			continue
		}
		last := &x.entries[i-1]
		if order := strings.Compare(last.path, e.path); order > 0 || order == 0 && (last.stage() == 0 || last.stage() >= e.stage()) {
			return errBadIndex
		}
	}
	return nil
}

// extensions looks at what follows the entries. Those with a small letter change
// what the entries mean.
func (r *indexReader) extensions(x *index) error {
	for r.at < len(r.text) {
		name := r.take(4)
		r.take(int(min(r.uint32(), 1<<30)))
		switch {
		case r.bad:
			return errBadIndex
		case name[0] >= 'A' && name[0] <= 'Z':
		case name == "sdir":
			x.sparse = true
		case name == "link":
			return unknown("its index is split in two")
		default:
			return unknown("its index has parts that are not known here")
		}
	}
	return nil
}
