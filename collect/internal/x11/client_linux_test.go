package x11

import (
	"encoding/binary"
	"testing"
)

func TestProcessIn(t *testing.T) {
	answer := func(count, mask, length, pid uint32) []byte {
		b := make([]byte, 48)
		b[0] = 1
		for at, word := range map[int]uint32{8: count, 32: 0x400000, 36: mask, 40: length, 44: pid} {
			binary.LittleEndian.PutUint32(b[at:], word)
		}
		return b
	}
	for _, tt := range []struct {
		reply []byte
		want  int
	}{
		{answer(1, 2, 4, 4711), 4711},
		{answer(0, 2, 4, 4711), 0},
		{answer(1, 1, 4, 4711), 0},
		{answer(1, 2, 0, 4711), 0},
		{answer(1, 2, 4, 4711)[:46], 0},
		{nil, 0},
	} {
		if got := processIn(tt.reply); got != tt.want {
			t.Errorf("%v: %d, want %d", tt.reply, got, tt.want)
		}
	}
}
