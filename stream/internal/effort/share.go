package effort

// A turn may have thousands of streams: a tool call with many files has one for each. What a stream may do at once, whatever the
// length of its text, is therefore shared by all streams of a turn; what it may do for each KiB of its text is not.

// Owners is how many parties share apart: the user's own triggers, and those of others.
const Owners = 2

// Share is how much of what a stream may do at once it has, in parts of Whole, by owner.
type Share [Owners]int64

// Whole is the share of a stream that has all of it.
const Whole = 1 << 10

// WholeShare is that of a stream which is alone.
func WholeShare() Share { return Share{Whole, Whole} }

// TurnShare is what all streams of a turn have together.
func TurnShare() Share { return Share{2 * Whole, 2 * Whole} }

// Take gives a stream that begins half of what is left, so that there is always something for the next.
func (s *Share) Take() Share {
	var out Share
	for i := range s {
		out[i] = min(Whole, s[i]/2)
		s[i] -= out[i]
	}
	return out
}

// GiveBack takes what a stream that has ended did not use.
func (s *Share) GiveBack(had, used Share) {
	for i := range s {
		s[i] += had[i] - min(used[i], had[i])
	}
}

// Of gives what a party may have done when so much text has come.
func (s *Share) Of(a Allowance, owner int, offset int64) int64 {
	a.Once = a.Once * s[owner] / Whole
	return a.At(offset)
}

// Spent is what was done in a stream, by owner, in the units of [Effort].
type Spent [Owners]struct{ Tried, Followed, Explored, Met int64 }

// Share gives how much of what could be done at once was done when so much text has come.
func (s *Spent) Share(offset int64) Share {
	var out Share
	beyond := func(n int64, all Allowance, more int64) int64 {
		return max(n-all.Each*offset>>10, 0) * Whole / (all.Once + more)
	}
	for i, n := range s {
		out[i] = max(beyond(n.Tried, TryAll, LastAll), beyond(n.Followed, FollowAll, 0), beyond(n.Explored, exploreAll, 0), beyond(n.Met, MeetAll, 0))
	}
	return out
}
