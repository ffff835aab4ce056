package tally

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/internal/journal"
)

// Detail is how much of a journal a fleet gets.
type Detail string

const (
	Numbers Detail = "counts"  // numbers of rules and agents; a repository is told from others, and not named
	Entries Detail = "entries" // the entries as well, with the names of repositories, and the paths in them
)

// Entry is an entry of a journal as a fleet gets it: no folder of a machine is in it.
type Entry struct {
	ID           string         `json:"id,omitempty"`
	Time         time.Time      `json:"time,omitzero"`
	Source       journal.Source `json:"source,omitempty"`
	Agent        string         `json:"agent,omitempty"`
	Repository   string         `json:"repository,omitempty"`
	Conversation string         `json:"conversation,omitempty"` // a hash
	Rule         string         `json:"rule,omitempty"`
	Path         string         `json:"path,omitempty"` // in the repository; none that leads out of it
	Action       journal.Action `json:"action,omitempty"`
	Heed         string         `json:"heed,omitempty"` // the id of the entry that Heeded is about
	Heeded       *bool          `json:"heeded,omitempty"`
}

// event is what a line of the journal changes.
type event struct {
	number uint64
	at     time.Time // of the entry
	name   Name
	counts Counts // may be negative: an entry that was not heeded is, after all
	entry  Entry
}

// counted reads a journal from its first line, numbered first, and gives what the lines after a number change. names say how a
// repository is called.
func counted(lines []journal.Line, first, after uint64, name func(workspace string) string) []event {
	type known struct {
		at     time.Time
		name   Name
		heeded *bool
	}
	entries := make(map[string]*known, len(lines))
	var out []event
	for i := range lines {
		l := &lines[i]
		number := first + uint64(i)
		e := event{number: number}
		switch {
		case l.Heed != "":
			about := entries[l.Heed]
			if about == nil {
				continue // its entry is gone
			}
			heeded := *l.Heeded
			if about.heeded != nil {
				if *about.heeded == heeded {
					continue
				}
				e.counts = heeding(*about.heeded, -1)
			}
			now := heeding(heeded, 1)
			e.counts.add(&now)
			about.heeded = &heeded
			e.at, e.name = about.at, about.name
			e.entry = Entry{Heed: l.Heed, Heeded: &heeded}
		case l.ID != "":
			counts, ok := count(l.Action)
			if !ok {
				continue
			}
			e.at, e.counts = l.Time.UTC(), counts
			e.name = Name{Rule: l.Rule, Agent: text(l.Agent), Repository: name(text(l.Workspace))}
			if entries[l.ID] != nil {
				continue // twice the same id: a copy of a line
			}
			entries[l.ID] = &known{at: e.at, name: e.name}
			e.entry = Entry{
				ID: l.ID, Time: l.Time, Source: l.Source, Agent: e.name.Agent, Repository: e.name.Repository,
				Conversation: text(l.Conversation), Rule: l.Rule, Path: inside(text(l.Path)), Action: l.Action,
			}
		default:
			continue
		}
		if number > after {
			out = append(out, e)
		}
	}
	return out
}

func heeding(heeded bool, n int) Counts {
	if heeded {
		return Counts{Heeded: n}
	}
	return Counts{Unheeded: n}
}

func text(field *string) string {
	if field == nil {
		return ""
	}
	return *field
}

// inside is a path in a repository; empty for one that leads out of it and so names folders of a machine.
func inside(p string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	if p == "" || path.IsAbs(p) || len(p) > 1 && p[1] == ':' || strings.HasPrefix(p, "~") || strings.HasPrefix(path.Clean(p)+"/", "../") {
		return ""
	}
	return p
}

// repository is how a fleet calls the folder of a workspace: by its own name, without those it is in, or by a hash that only tells it from others.
func repository(detail Detail, namespace, workspace string) string {
	if workspace == "" {
		return ""
	}
	base := path.Base(strings.TrimRight(strings.ReplaceAll(workspace, `\`, "/"), "/"))
	if detail == Entries {
		return base
	}
	sum := sha256.Sum256([]byte(namespace + "\x00" + base))
	return "repo-" + hex.EncodeToString(sum[:4])
}

// find gives the index of the first line after a mark: 0 if its entry is gone, and with it every line before it.
func find(lines []journal.Line, mark Mark) int {
	if mark.Number == 0 {
		return 0
	}
	if mark.Entry == "" { // nothing but what became of entries that are gone
		return min(mark.After, len(lines))
	}
	for i := len(lines) - 1; i >= 0; i-- {
		if lines[i].ID == mark.Entry && lines[i].Heed == "" {
			return min(i+1+mark.After, len(lines))
		}
	}
	return 0
}

// markOf is the mark after all lines, the first of which has a number.
func markOf(lines []journal.Line, first uint64) Mark {
	m := Mark{Number: first + uint64(len(lines)) - 1}
	for i := len(lines) - 1; i >= 0; i-- {
		if lines[i].ID != "" && lines[i].Heed == "" {
			m.Entry = lines[i].ID
			break
		}
		m.After++
	}
	return m
}
