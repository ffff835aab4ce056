package process

// Listed is a program as the kernel of macOS lists it.
type Listed struct {
	PID, Parent int
	TTY         int // device number of its terminal; -1 or 0: none
	Front       int // process group that has the terminal
}

// ForegroundOf finds, below a terminal's process, the one that has the
// terminal's attention. Of several terminals in one window the one started last
// counts: which tab is in front, the kernel does not know.
func ForegroundOf(pid int, all []Listed) (int, bool) {
	parents := make(map[int]int, len(all))
	own := 0
	for _, p := range all {
		parents[p.PID] = p.Parent
		if p.PID == pid {
			own = p.TTY
		}
	}
	below := func(p Listed) bool {
		at := p.Parent
		for range all {
			if at == pid {
				return true
			}
			up, ok := parents[at]
			if !ok || up == at {
				return false
			}
			at = up
		}
		return false
	}
	best := 0
	for _, p := range all {
		// One in the terminal that the program itself was started in is not shown by it.
		if p.TTY > 0 && p.TTY != own && p.PID == p.Front && p.PID > best && below(p) {
			best = p.PID
		}
	}
	return best, best > 0
}
