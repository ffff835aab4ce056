package connect

import (
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// amend makes a member that is there the one that is wanted, where it stands: what is missing is added, what differs is replaced,
// and everything else stays, such as variables that the user sets for a server. One that is not ours is the user's to decide about.
func (j *jsonText) amend(entry jsonEntry, c Caller) error {
	wanted, err := hujson.Parse([]byte(entry.value))
	if err != nil {
		return err
	}
	for _, want := range itemsOf(wanted) {
		have, there, err := j.at(append(entry.path[:len(entry.path):len(entry.path)], entry.name))
		if err != nil || !there {
			return err
		}
		if !holdsOwn(have, c) {
			return fmt.Errorf("it has a server `%s` already, at `%s`, that is not this one; rename it or take it out", entry.name, strings.Join(entry.path, "."))
		}
		text := string(want.value.Pack())
		old, there := member(have, want.name)
		switch {
		case !there && want.name == entry.optional, there && same(old, want.value):
		case !there:
			err = j.insert(have, quote(want.name)+":"+text)
		default:
			j.splice(old.StartOffset, j.text[old.StartOffset:old.EndOffset], text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// at is the value at a path.
func (j *jsonText) at(path []string) (v hujson.Value, there bool, err error) {
	if v, err = j.parse(); err != nil {
		return v, false, err
	}
	for _, step := range path {
		if v, there = member(v, step); !there {
			return v, false, nil
		}
	}
	return v, true, nil
}
