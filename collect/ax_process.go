package collect

// axProcess is a program as the kernel of macOS lists it.
type axProcess struct {
	pid, parent int
	tty         int // device number of its terminal; -1 or 0: none
	front       int // process group that has the terminal
}

// axForeground finds, below a terminal's process, the one that has the
// terminal's attention. Of several terminals in one window the one started last
// counts: which tab is in front, the kernel does not know.
func axForeground(pid int, all []axProcess) (int, bool) {
	parents := make(map[int]int, len(all))
	own := 0
	for _, p := range all {
		parents[p.pid] = p.parent
		if p.pid == pid {
			own = p.tty
		}
	}
	below := func(p axProcess) bool {
		at := p.parent
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
		if p.tty > 0 && p.tty != own && p.pid == p.front && p.pid > best && below(p) {
			best = p.pid
		}
	}
	return best, best > 0
}
