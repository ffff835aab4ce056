// Package effort bounds what is done with the expressions of a set that the automaton does not decide by itself: by
// backtracking, and by the states of look-around. A stranger's rules may have any number of such expressions, and a tool call any number of
// files, each a stream of its own; so there is a bound on all of them together.
//
// [New] says what one expression of a set may do, [Share] how much of it a stream has where a turn has many.
package effort

// Allowance is how much may be done: so much at once, and so much more for each KiB of a text.
type Allowance struct{ Once, Each int64 }

// At gives what may have been used when so much text has come.
func (a Allowance) At(offset int64) int64 { return a.Once + a.Each*offset>>10 }

// among gives what each of so many may where all of them together may so much.
func (a Allowance) among(n int, all Allowance) Allowance {
	count := int64(max(n, 1))
	return Allowance{min(a.Once, all.Once/count), min(a.Each, all.Each/count)}
}

// Effort is what may be done in a stream with one expression. What would take more is put off until
// more text has come, or left to what takes less. The more expressions a set has, the less each may. Those of the user's
// own rules share among themselves, and so do those that package look follows and that need the backtracking machine only if
// their states grow too large.
//
// The share of one does not depend on what others use: they take turns with each piece, and
// what is told must not depend on how the text was cut.
type Effort struct {
	Try   Allowance // of the backtracking machine, in steps of some nanoseconds
	Start Allowance // of what starts at one offset, for each KiB of the window; an offset that takes more is given up
	// Follow is for the states of package look, and Explore for telling what is certain, in its unit of work, some hundred nanoseconds. An expression
	// whose states take more is left to the backtracking machine; where telling takes more, a match is told when it needs nothing of
	// what follows, which may be later.
	Follow, Explore Allowance
	// Meet is for candidates. Of an expression that has more of them the rest is not looked at: each is a few dozen nanoseconds,
	// and a set of thousands may have one of each with every character.
	Meet Allowance
}

// What one expression may, and all of a group together.
var (
	trySteps                = Allowance{2 << 20, 64 << 10}
	followWork, exploreWork = Allowance{1 << 20, 32 << 10}, Allowance{1 << 20, 32 << 10}
	startAll                = Allowance{4 << 20, 2 << 20}
	exploreAll              = Allowance{4 << 20, 64 << 10}
)

// TryAll is what the backtracking machine may do with all expressions of a group.
var TryAll = Allowance{16 << 20, 256 << 10}

// StartSteps is what it may do with one expression at one offset.
var StartSteps = Allowance{64 << 10, 32 << 10}

// FollowAll is what the states of all expressions of an owner may take.
var FollowAll = Allowance{4 << 20, 64 << 10}

// MeetAll is how many candidates all expressions of an owner may have.
var MeetAll = Allowance{16 << 20, 256 << 10}

// LastSteps is what the backtracking machine may use with one expression at the end and before the window moves, when nothing can be put off any
// more, and LastAll and MoveAll what it may with all of a group.
const LastSteps, LastAll, MoveAll = 2 << 20, 8 << 20, 4 << 20

// LeastStart is what starts at one offset may take where a stream has no share any more, in steps.
const LeastStart = 1 << 10

// New gives that of an expression that shares the machine with so many, itself among them, package look with so many, and a stream with so many.
func New(machines, followed, all int) Effort {
	return Effort{
		Meet: MeetAll.among(all, MeetAll),
		Try:  trySteps.among(machines, TryAll), Start: StartSteps.among(machines, startAll),
		Follow: followWork.among(followed, FollowAll), Explore: exploreWork.among(followed, exploreAll),
	}
}
