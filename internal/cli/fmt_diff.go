package cli

import (
	"fmt"
	"strings"

	"github.com/pertain-dev/pertain/internal/patch"
)

// maxCompared is how many pairs of lines are compared for a diff; more are shown as
// one change.
const maxCompared = 1 << 22

// lineDiff shows what changed between two texts as a unified diff with three lines
// around each change.
func lineDiff(name, before, after string) string {
	old, updated := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	if n := len(old) - 1; old[n] == "" { // what follows the last line break is no line
		old = old[:n]
	}
	if n := len(updated) - 1; updated[n] == "" {
		updated = updated[:n]
	}
	type line struct {
		sign string
		text string
	}
	first, last := 0, 0 // lines that are the same at the beginning, and at the end
	for first < min(len(old), len(updated)) && old[first] == updated[first] {
		first++
	}
	for last < min(len(old), len(updated))-first && old[len(old)-1-last] == updated[len(updated)-1-last] {
		last++
	}
	const around = 3
	from, until := max(0, first-around), min(last, around)
	var lines []line
	for _, l := range old[from:first] {
		lines = append(lines, line{" ", l})
	}
	removed, added := old[first:len(old)-last], updated[first:len(updated)-last]
	common := commonLines(removed, added)
	for len(removed)+len(added) > 0 {
		switch {
		case len(common) > 0 && len(removed) > 0 && removed[0] == common[0] && len(added) > 0 && added[0] == common[0]:
			lines = append(lines, line{" ", common[0]})
			removed, added, common = removed[1:], added[1:], common[1:]
		case len(removed) > 0 && (len(common) == 0 || removed[0] != common[0]):
			lines = append(lines, line{"-", removed[0]})
			removed = removed[1:]
		default:
			lines = append(lines, line{"+", added[0]})
			added = added[1:]
		}
	}
	for _, l := range old[len(old)-last : len(old)-last+until] {
		lines = append(lines, line{" ", l})
	}
	var b strings.Builder
	b.WriteString(patch.Header(name, name))
	fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n",
		from+1, len(old)-last+until-from, from+1, len(updated)-last+until-from)
	for _, l := range lines {
		writeLine(&b, l.sign, l.text)
	}
	return b.String()
}

// commonLines is a longest list of lines that both have in this order.
func commonLines(a, b []string) []string {
	if len(a)*len(b) > maxCompared {
		return nil
	}
	lengths := make([][]int, len(a)+1)
	for i := range lengths {
		lengths[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for k := len(b) - 1; k >= 0; k-- {
			if a[i] == b[k] {
				lengths[i][k] = lengths[i+1][k+1] + 1
			} else {
				lengths[i][k] = max(lengths[i+1][k], lengths[i][k+1])
			}
		}
	}
	var out []string
	for i, k := 0, 0; i < len(a) && k < len(b); {
		switch {
		case a[i] == b[k]:
			out = append(out, a[i])
			i, k = i+1, k+1
		case lengths[i+1][k] >= lengths[i][k+1]:
			i++
		default:
			k++
		}
	}
	return out
}
