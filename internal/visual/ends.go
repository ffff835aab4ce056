package visual

import "github.com/pertain-dev/pertain/facts"

// ends are the first and the last byte of a text that is not empty.
func ends(text string) uint32 { return uint32(text[0]) | uint32(text[len(text)-1])<<8 }

// setEnds takes the bits in which an ASCII character is equal to another.
func (n *needle) setEnds(bits uint32) {
	if n.text == "" {
		return
	}
	n.ends = ends(n.text)
	n.endBits = (bits | bits<<8) &^ notASCII(n.ends)
}

// notASCII has all bits of those ends that are not ASCII. Nothing is known of
// them: other spellings of ASCII letters have no byte below 0x80.
func notASCII(ends uint32) uint32 { return (ends & 0x8080 >> 7) * 0xFF }

// pickNamed picks the elements whose names are not ruled out by a look at their
// lengths and ends, into buffer, which list may be in. It does not branch on them:
// names are random, and a wrong guess of the processor costs more than the look.
func (n *needle) pickNamed(tree *facts.Tree, list, buffer []int32) []int32 {
	least, most, want, bits := n.least, n.most, n.ends, n.endBits
	count := 0
	for _, id := range list {
		buffer[count] = id
		name := tree.At(int(id)).Name
		if name == "" {
			count++ // it may be wanted
			continue
		}
		have := ends(name)
		differs := (have ^ want) & bits &^ notASCII(have)
		// The sign is set if the name is too short, too long or differs.
		unequal := int64(len(name)-least) | int64(most-len(name)) | -int64(differs)
		count += int(1 + unequal>>63)
	}
	return buffer[:count]
}
