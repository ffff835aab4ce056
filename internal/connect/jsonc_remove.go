package connect

import (
	"errors"
	"strings"

	"github.com/tailscale/hujson"
)

// maxOwn is how many items of ours are taken out of a file. Setup writes a few.
const maxOwn = 64

var errManyOwn = errors.New("it calls Pertain more than 64 times; take these calls out of it")

// removeOwn takes out every item that is ours, with the objects and arrays around it that are left without anything, and tells
// whether there was one.
func (j *jsonText) removeOwn(path []string, own func(name string, v hujson.Value) bool) (bool, error) {
	for found := false; ; found = true {
		v, err := j.parse()
		if err != nil {
			return found, err
		}
		chain := []hujson.Value{v}
		for _, step := range path {
			next, ok := member(v, step)
			if !ok {
				return found, nil
			}
			v = next
			chain = append(chain, v)
		}
		if !found {
			switch n := countOwn(v, own); {
			case n == 0:
				return false, nil
			case n > maxOwn: // each is taken out of the text by itself, which is read again then
				return true, errManyOwn
			}
		}
		outer, at, ok := findOwn(chain, own)
		if !ok {
			return found, nil
		}
		j.remove(outer, at)
	}
}

// countOwn is how many items below a value are ours.
func countOwn(v hujson.Value, own func(string, hujson.Value) bool) (n int) {
	for _, it := range itemsOf(v) {
		if own(it.name, it.value) {
			n++
		} else {
			n += countOwn(it.value, own)
		}
	}
	return n
}

// findOwn looks for an item that is ours below a value, and goes up from it as long as what is around holds nothing else.
func findOwn(chain []hujson.Value, own func(string, hujson.Value) bool) (container hujson.Value, at int, ok bool) {
	v := chain[len(chain)-1]
	for i, it := range itemsOf(v) {
		if own(it.name, it.value) {
			return upward(chain, i)
		}
		if outer, at, inside := findOwn(append(chain[:len(chain):len(chain)], it.value), own); inside {
			return outer, at, true
		}
	}
	return v, 0, false
}

// upward finds the outermost item that would be left empty. An object that has no more than a matcher beside it is empty.
func upward(chain []hujson.Value, at int) (hujson.Value, int, bool) {
	v := chain[len(chain)-1]
	for len(chain) > 1 {
		items := itemsOf(v)
		rest := 0
		for i, it := range items {
			if i != at && it.name != "matcher" {
				rest++
			}
		}
		if rest > 0 {
			break
		}
		outer := chain[len(chain)-2]
		index := -1
		for i, it := range itemsOf(outer) {
			if it.value.StartOffset == v.StartOffset {
				index = i
			}
		}
		if index < 0 {
			break
		}
		chain, v, at = chain[:len(chain)-1], outer, index
	}
	return v, at, true
}

// remove takes one item out, with the comma that goes with it and the line that is left.
func (j *jsonText) remove(container hujson.Value, at int) {
	items := itemsOf(container)
	it := items[at]
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
	if len(items) == 1 { // nothing but blanks is left, if there is no comment
		if rest := j.text[end : container.EndOffset-1]; strings.TrimSpace(rest) == "" && strings.TrimSpace(j.text[container.StartOffset+1:start]) == "" {
			start, end = container.StartOffset+1, container.EndOffset-1
		}
	}
	j.splice(start, j.text[start:end], "")
	if !comma && at > 0 { // the comma of the one before
		for i := items[at-1].end; i < start; i++ {
			if j.text[i] == ',' {
				j.splice(i, ",", "")
				return
			}
		}
	}
}
