package document

// reading is what it took to read a document.
type reading struct {
	effort int // bytes that were given to the library, see add, and those that aliases stand for
	kept   int // bytes that aliases stand for in the parts of the document that are read already
	last   int // the same, with the part that was read last, which may have to be read again
}

const (
	longText   = 2 << 10   // bytes
	hugeText   = 256 << 10 // bytes
	perReading = 256       // what reading again takes beside the text, as if it were bytes of it
)

// How often bytes count that are longer than people write them.
const (
	asLong = 2
	asHuge = 4
)

// add counts a text. What is read again counts again, and what is longer than people write it counts twice, or four times: it may be
// what takes the library longest.
func (r *reading) add(text string) {
	if r.effort > 0 {
		r.effort += perReading
	}
	switch n := len(text); {
	case n > hugeText:
		r.effort += asHuge * n
	case n > longText:
		r.effort += asLong * n
	default:
		r.effort += n
	}
}

// addAliased counts what aliases stand for, with that of the parts before: written out, it would make of most files that have much of it
// huge ones. Reading it takes the library nothing, and everybody else as much as what is written.
func (r *reading) addAliased(bytes int) {
	r.effort += asHuge * (bytes - r.kept)
	r.last = bytes
}

// keep says that the part that was read last is one of the document: what its aliases stand for counts towards what those of the next may.
func (r *reading) keep() { r.kept = r.last }
