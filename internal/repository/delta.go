package repository

// packKind reads the head of an object in a pack, and returns what follows. Its
// size, which is told too, is not needed.
func packKind(b []byte) (kind int, rest []byte, ok bool) {
	for i, c := range b {
		if i == 0 {
			kind = int(c>>4) & 7
		}
		if c&0x80 == 0 {
			return kind, b[i+1:], true
		}
	}
	return 0, nil, false
}

// deltaOffset reads how far before an object the one is that it is told by.
func deltaOffset(b []byte) (back int64, rest []byte, ok bool) {
	for i, c := range b {
		if i > 0 {
			back++
		}
		if back > 1<<54 {
			return 0, nil, false
		}
		back = back<<7 | int64(c&0x7f)
		if c&0x80 == 0 {
			return back, b[i+1:], true
		}
	}
	return 0, nil, false
}

// deltaSize reads one of the two sizes at the start of a delta.
func deltaSize(b []byte) (size int64, rest []byte, ok bool) {
	for i, c := range b {
		if i > 7 {
			break
		}
		size |= int64(c&0x7f) << (7 * i)
		if c&0x80 == 0 {
			return size, b[i+1:], true
		}
	}
	return 0, nil, false
}

// applyDelta makes an object out of another: pieces of that one, and new ones.
func applyDelta(source, delta []byte) ([]byte, error) {
	from, rest, ok := deltaSize(delta)
	if !ok || from != int64(len(source)) {
		return nil, errBadPack
	}
	size, rest, ok := deltaSize(rest)
	if !ok || size > maxCommit {
		return nil, errBadPack
	}
	out := make([]byte, 0, size)
	for len(rest) > 0 {
		op := rest[0]
		rest = rest[1:]
		var piece []byte
		if op&0x80 == 0 {
			if op == 0 || int(op) > len(rest) {
				return nil, errBadPack
			}
			piece, rest = rest[:op], rest[op:]
		} else {
			var at, length int64
			for i := range 7 {
				if op&(1<<i) == 0 {
					continue
				}
				if len(rest) == 0 {
					return nil, errBadPack
				}
				if i < 4 {
					at |= int64(rest[0]) << (8 * i)
				} else {
					length |= int64(rest[0]) << (8 * (i - 4))
				}
				rest = rest[1:]
			}
			if length == 0 {
				length = 1 << 16
			}
			if at+length > int64(len(source)) {
				return nil, errBadPack
			}
			piece = source[at : at+length]
		}
		if int64(len(out)+len(piece)) > size {
			return nil, errBadPack
		}
		out = append(out, piece...)
	}
	if int64(len(out)) != size {
		return nil, errBadPack
	}
	return out, nil
}
