package sse

import "sync"

// Piece is how much is asked of a source at a time, in bytes.
const Piece = 4 << 10

// Buffers are memory that many readers share, Piece bytes at a time. The zero value is ready for use.
type Buffers struct{ pool sync.Pool }

// Take gives memory, of which nothing is known.
func (b *Buffers) Take() []byte {
	if kept, ok := b.pool.Get().(*[Piece]byte); ok {
		return kept[:]
	}
	return make([]byte, Piece)
}

// Give takes memory back that nobody uses any more. That of another size is left alone.
func (b *Buffers) Give(memory []byte) {
	if len(memory) == Piece && cap(memory) == Piece {
		b.pool.Put((*[Piece]byte)(memory))
	}
}
