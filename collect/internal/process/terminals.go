package process

import "slices"

// Listed is a program as the kernel lists it.
type Listed struct {
	PID, Parent int
	Group       int // process group
	TTY         int // device number of its terminal; -1 or 0: none
	Front       int // process group that has the terminal
}

// Terminal is one of the terminals that a program shows, such as a tab.
type Terminal struct {
	Shell int // the first process in it
	Front int // the one that has its attention
}

// TerminalsOf finds the terminals that a program shows, the oldest shell first: those
// that processes below it run in. One inside another, as that of script or sudo, stands
// for the outer one, if the process in front there has it alone.
func TerminalsOf(pid int, all []Listed) []Terminal {
	b := below(pid, all)
	var found []Terminal
	for _, t := range b.terminals() {
		if t.inside == 0 {
			found = append(found, b.innermost(t).Terminal)
		}
	}
	return found
}

// family is the processes below one that run in terminals, by their numbers.
type family struct {
	parents map[int]int
	members []Listed // in the order of their numbers
}

// below finds the processes below another. One in the terminal that this was started in
// itself is not shown by it.
func below(pid int, all []Listed) family {
	f := family{parents: make(map[int]int, len(all))}
	own := 0
	for _, p := range all {
		f.parents[p.PID] = p.Parent
		if p.PID == pid {
			own = p.TTY
		}
	}
	for _, p := range all {
		if p.TTY > 0 && p.TTY != own && p.PID != pid && f.descends(p.PID, pid) {
			f.members = append(f.members, p)
		}
	}
	slices.SortFunc(f.members, func(a, b Listed) int { return a.PID - b.PID })
	return f
}

// descends tells whether a process is another or below it.
func (f family) descends(pid, ancestor int) bool {
	for range len(f.parents) + 1 { // numbers of parents may go in a circle, since they are used again
		if pid == ancestor {
			return true
		}
		up, ok := f.parents[pid]
		if !ok {
			return false
		}
		pid = up
	}
	return false
}

// shown is a terminal, and where it is.
type shown struct {
	Terminal
	tty    int
	inside int // the terminal that its shell was started from; 0: none
}

func (f family) terminals() []shown {
	var found []shown
	for _, p := range f.members {
		if !slices.ContainsFunc(found, func(t shown) bool { return t.tty == p.TTY }) {
			found = append(found, f.terminal(p.TTY))
		}
	}
	return found
}

// terminal describes one: of a row of programs whose first has ended, the next is in
// front.
func (f family) terminal(tty int) shown {
	t := shown{tty: tty}
	for _, p := range f.members {
		if p.TTY != tty {
			continue
		}
		if t.Shell == 0 || f.descends(t.Shell, p.PID) {
			t.Shell = p.PID
		}
		if p.PID == p.Front || p.Group == p.Front && p.Front > 0 && t.Front == 0 {
			t.Front = p.PID
		}
	}
	if t.Front == 0 {
		t.Front = t.Shell
	}
	for up, steps := f.parents[t.Shell], 0; up != 0 && steps <= len(f.parents); up, steps = f.parents[up], steps+1 {
		if at := slices.IndexFunc(f.members, func(p Listed) bool { return p.PID == up && p.TTY != tty }); at >= 0 {
			t.inside = f.members[at].TTY
			break
		}
	}
	return t
}

// innermost is the terminal that is seen in another.
func (f family) innermost(t shown) shown {
	for range f.members {
		var nested []shown
		for _, other := range f.terminals() {
			if other.inside == t.tty && f.descends(other.Shell, t.Front) {
				nested = append(nested, other)
			}
		}
		if len(nested) != 1 {
			return t
		}
		t = nested[0]
	}
	return t
}
