package repository

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Limits of reading packs.
const (
	maxPacks      = 1024
	maxPackFolder = 8 * maxPacks // names in the folder of the packs
	maxCommit     = 1 << 20      // bytes of a commit that another one is told by
	maxDeltas     = 64           // commits told by each other
)

var errBadPack = errors.New("the pack cannot be understood")

// packedCommit is the start of a commit, or all of it, out of a pack.
func (r *Repository) packedCommit(name []byte) ([]byte, error) {
	folder := filepath.Join(r.Common, "objects", "pack")
	dir, err := openFolder(folder, true)
	if errors.Is(err, os.ErrNotExist) {
		return nil, errNoObject
	}
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(maxPackFolder)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	seen := 0
	for _, file := range names {
		stem, ok := strings.CutSuffix(file, ".idx")
		if !ok {
			continue
		}
		if seen++; seen > maxPacks {
			return nil, errors.New("there are too many packs")
		}
		p := pack{stem: filepath.Join(folder, stem), width: len(name)}
		if text, err := p.commit(name); !errors.Is(err, errNoObject) {
			return text, err
		}
	}
	if len(names) == maxPackFolder {
		return nil, errors.New("there are too many packs")
	}
	return nil, errNoObject
}

// pack is a file of objects and its index.
type pack struct {
	stem  string // the path without .idx and .pack
	width int    // bytes of an object's name
}

// commit reads one.
func (p pack) commit(name []byte) ([]byte, error) {
	index, err := openRegular(p.stem+".idx", true)
	if err != nil {
		return nil, err
	}
	defer index.Close()
	offset, err := p.find(index, name)
	if err != nil {
		return nil, err
	}
	data, err := openRegular(p.stem+".pack", true)
	if err != nil {
		return nil, err
	}
	defer data.Close()
	return p.object(index, data, offset, 0)
}

// find looks an object up in an index of either version.
func (p pack) find(index io.ReaderAt, name []byte) (int64, error) {
	var head [8]byte
	if _, err := index.ReadAt(head[:], 0); err != nil {
		return 0, errBadPack
	}
	base, row := int64(0), int64(p.width)+4 // version 1: offset and name by turns
	second := bytes.Equal(head[:4], []byte("\xfftOc"))
	if second {
		if binary.BigEndian.Uint32(head[4:]) != 2 {
			return 0, errBadPack
		}
		base, row = 8, int64(p.width)
	}
	var fan [256 * 4]byte
	if _, err := index.ReadAt(fan[:], base); err != nil {
		return 0, errBadPack
	}
	count := func(i int) int64 {
		if i < 0 {
			return 0
		}
		return int64(binary.BigEndian.Uint32(fan[4*i:]))
	}
	low, high, total := count(int(name[0])-1), count(int(name[0])), count(255)
	names := base + int64(len(fan))
	cell := make([]byte, row)
	for low < high {
		middle := low + (high-low)/2
		if _, err := index.ReadAt(cell, names+middle*row); err != nil {
			return 0, errBadPack
		}
		switch order := bytes.Compare(cell[row-int64(p.width):], name); {
		case order < 0:
			low = middle + 1
		case order > 0:
			high = middle
		case !second:
			return int64(binary.BigEndian.Uint32(cell)), nil
		default:
			return p.offset(index, names+total*(row+4), middle, total)
		}
	}
	return 0, errNoObject
}

// offset reads where an object is, in an index of version 2: an offset in four
// bytes, or the number of one in eight.
func (p pack) offset(index io.ReaderAt, table, row, total int64) (int64, error) {
	var cell [8]byte
	if _, err := index.ReadAt(cell[:4], table+4*row); err != nil {
		return 0, errBadPack
	}
	short := binary.BigEndian.Uint32(cell[:])
	if short>>31 == 0 {
		return int64(short), nil
	}
	if _, err := index.ReadAt(cell[:], table+4*total+8*int64(short&^(1<<31))); err != nil {
		return 0, errBadPack
	}
	if long := binary.BigEndian.Uint64(cell[:]); long < 1<<62 {
		return int64(long), nil
	}
	return 0, errBadPack
}

// Kinds of objects in a pack.
const (
	packCommit      = 1
	packOffsetDelta = 6 // told by an object before it
	packNameDelta   = 7 // told by an object with a name
)

// object reads a commit at an offset. Of one that others are told by, all of it is
// needed.
func (p pack) object(index, data io.ReaderAt, offset int64, depth int) ([]byte, error) {
	if depth > maxDeltas {
		return nil, errBadPack
	}
	var head [64]byte
	n, err := data.ReadAt(head[:], offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	rest := head[:n]
	kind, rest, ok := packKind(rest)
	if !ok {
		return nil, errBadPack
	}
	var base int64
	switch kind {
	case packCommit:
		at := offset + int64(n-len(rest))
		section := io.NewSectionReader(data, at, 1<<62-at)
		if depth == 0 {
			return inflate(section, commitStart, true)
		}
		return inflate(section, maxCommit, false)
	case packOffsetDelta:
		var back int64
		if back, rest, ok = deltaOffset(rest); !ok || back <= 0 || back >= offset {
			return nil, errBadPack
		}
		base = offset - back
	case packNameDelta:
		if len(rest) < p.width {
			return nil, errBadPack
		}
		if base, err = p.find(index, rest[:p.width]); err != nil {
			return nil, errBadPack // a pack on disk holds what its objects are told by
		}
		rest = rest[p.width:]
	default:
		return nil, errBadPack
	}
	source, err := p.object(index, data, base, depth+1)
	if err != nil {
		return nil, err
	}
	at := offset + int64(n-len(rest))
	delta, err := inflate(io.NewSectionReader(data, at, 1<<62-at), maxCommit, false)
	if err != nil {
		return nil, err
	}
	return applyDelta(source, delta)
}
