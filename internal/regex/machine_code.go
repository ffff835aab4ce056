package regex

import (
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// mop is what an instruction of the backtracking machine does.
type mop uint8

const (
	mopChar      mop = iota // one character: char
	mopSet                  // one character of set
	mopString               // the bytes of str
	mopRepeatSet            // set, least to most times, as one instruction
	mopSplit                // go on at x, on failure at y
	mopJump                 // go on at x
	mopOpen                 // note the offset in register reg
	mopClose                // group is from the offset in reg to here
	mopBalance              // the same, and pop group2
	mopClear                // forget groups from group up to, without, group2
	mopLoopBegin            // registers reg and reg+1 count a loop's rounds
	mopLoop                 // one more round at x, or leave at y
	mopRound                // a round of the loop begins
	mopMark                 // note the offset and the height of the stack in reg, reg+1
	mopMarkElse             // the same, and on failure go on at y
	mopLookEnd              // drop what was stacked since the mark, go back to its offset
	mopCutFail              // drop what was stacked since the mark, and fail
	mopCut                  // drop what was stacked since the mark
	mopBackref              // what group matched
	mopIfGroup              // go on at x if group has matched, else at y
	mopAssert               //
	mopFail                 //
	mopMatch                //
)

// minst is an instruction of the backtracking machine.
type minst struct {
	op     mop
	assert syntax.Assertion
	fold   syntax.Folding
	back   bool // match towards the start of the text, inside a look-behind
	lazy   bool
	char   rune
	x, y   int32
	reg    int32
	group  int32
	group2 int32
	least  int32
	most   int32 // math.MaxInt32 for no bound
	set    *charSet
	str    string
	// stop is the byte that must follow a repeat, so that giving back characters
	// can skip the offsets where it does not; -1 if that is not known.
	stop int16
}

// charSet is a set of characters that answers for ASCII without a search. It
// keeps the class as it was written: resolved, ten thousand classes of a hostile
// expression would take tens of megabytes.
type charSet struct {
	ascii [2]uint64
	class *syntax.Class
}

func newCharSet(c *syntax.Class) *charSet {
	set := &charSet{class: c}
	for r := rune(0); r < utf8.RuneSelf; r++ {
		if c.Has(r) {
			set.ascii[r>>6] |= 1 << (r & 63)
		}
	}
	return set
}

func (c *charSet) has(r rune) bool {
	if r < utf8.RuneSelf {
		return c.ascii[r>>6]&(1<<(r&63)) != 0
	}
	return c.class.Has(r)
}

// machineCode is an expression as the backtracking machine runs it.
type machineCode struct {
	insts     []minst
	groups    int
	registers int
	balance   bool // some group is balanced off, so captures are kept as stacks
	ecma      bool
	anchored  bool
	first     *[256]bool // bytes that a match can start with; nil for any
}
