package pertain

import "time"

const (
	// settleTime is how long a strategy that vanished or broke keeps its last good
	// form: editors replace files, and write them in pieces.
	settleTime = 300 * time.Millisecond
	// settleMost is how long it does while more and more is written.
	settleMost = time.Second
)

// patience knows the files that vanished or broke, to be looked at again when
// they had time to settle.
type patience struct {
	settle time.Duration
	files  map[string]unsettled
}

type unsettled struct{ since, until time.Time }

// waits tells whether a file may keep its last good form. A nil function is no
// patience at all.
func (p *patience) waits(name string) bool {
	file, known := p.files[name]
	return !known || time.Now().Before(file.until)
}

// await keeps the files that wait now and returns when the first of them has had
// its time; 0: there is none.
func (p *patience) await(names []string) (next time.Duration) {
	now := time.Now()
	before := p.files
	p.files = make(map[string]unsettled, len(names))
	for _, name := range names {
		since := before[name].since
		if since.IsZero() {
			since = now
		}
		until := now.Add(p.settle)
		if most := since.Add(max(settleMost, p.settle)); until.After(most) {
			until = most
		}
		p.files[name] = unsettled{since, until}
		if wait := max(until.Sub(now), time.Millisecond); next == 0 || wait < next {
			next = wait
		}
	}
	return next
}
