package connect

import (
	"errors"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// maxOwn is how many items of ours are taken out of a file. Setup writes a few.
const maxOwn = 64

var errManyOwn = errors.New("it calls Pertain more than 64 times; take these calls out of it")

// pathItem is an item of a container; the way to one is a list of them, from the outermost.
type pathItem struct {
	container *hujson.Value
	at        int
}

// removeOwn takes out every item that is ours, with the objects and arrays around it that are left without anything, and tells
// whether there was one. All are found first and the last is taken out first, so that the text is read once: what stands before an
// item does not move, and what holds it grows smaller by what is taken out.
func (j *jsonText) removeOwn(path []string, own func(name string, v hujson.Value) bool) (bool, error) {
	if _, err := j.parse(); err != nil {
		return false, err
	}
	v := j.root
	var way []pathItem
	for _, step := range path {
		at := indexOf(*v, step)
		if at < 0 {
			return false, nil
		}
		way = append(way, pathItem{v, at})
		v = valueAt(v, at)
	}
	found := findOwn(v, way, own, maxOwn+1)
	if len(found) > maxOwn {
		return true, errManyOwn
	}
	var gone []pathItem
	for _, way := range slices.Backward(found) {
		if len(gone) > 0 && len(way) > len(gone) && way[len(gone)-1] == gone[len(gone)-1] {
			continue // it stood in what is gone
		}
		gone = upward(way)
		j.remove(gone)
	}
	return len(found) > 0, nil
}

// findOwn gives the ways to the items below a value that are ours, in order, at most so many.
func findOwn(v *hujson.Value, way []pathItem, own func(string, hujson.Value) bool, most int) (out [][]pathItem) {
	for i, it := range itemsOf(*v) {
		if len(out) >= most {
			break
		}
		inner := append(way, pathItem{v, i})
		if own(it.name, it.value) {
			out = append(out, slices.Clone(inner))
		} else {
			out = append(out, findOwn(valueAt(v, i), inner, own, most-len(out))...)
		}
	}
	return out
}

// upward is the way to the outermost item that would be left empty. An object that has no more than a matcher beside it is empty.
func upward(way []pathItem) []pathItem {
	for len(way) > 1 {
		last := way[len(way)-1]
		for i, it := range itemsOf(*last.container) {
			if i != last.at && it.name != "matcher" {
				return way
			}
		}
		way = way[:len(way)-1]
	}
	return way
}

// remove takes one item out, with the comma that goes with it and the line that is left.
func (j *jsonText) remove(way []pathItem) {
	container, at := *way[len(way)-1].container, way[len(way)-1].at
	it := itemAt(container, at)
	start := it.start
	for start > 0 && strings.ContainsRune(" \t\r\n", rune(j.text[start-1])) && start-1 > container.StartOffset {
		start--
	}
	end, comma := it.end, false
	for i := it.end; i < container.EndOffset-1; i++ {
		if j.text[i] == ',' {
			end, comma = i+1, true
			break
		}
		if !strings.ContainsRune(" \t\r\n", rune(j.text[i])) {
			break
		}
	}
	if lengthOf(container) == 1 { // nothing but blanks is left, if there is no comment
		if rest := j.text[end : container.EndOffset-1]; strings.TrimSpace(rest) == "" && strings.TrimSpace(j.text[container.StartOffset+1:start]) == "" {
			start, end = container.StartOffset+1, container.EndOffset-1
		}
	}
	before := len(j.text)
	j.splice(start, j.text[start:end], "")
	if !comma && at > 0 { // the comma of the one before
		from := itemAt(container, at-1).end
		if i := strings.IndexByte(j.text[from:start], ','); i >= 0 {
			j.splice(from+i, ",", "")
		}
	}
	for _, p := range way {
		p.container.EndOffset -= before - len(j.text)
	}
	switch c := container.Value.(type) {
	case *hujson.Object:
		c.Members = slices.Delete(c.Members, at, at+1)
	case *hujson.Array:
		c.Elements = slices.Delete(c.Elements, at, at+1)
	}
}
