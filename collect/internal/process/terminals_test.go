package process

import (
	"slices"
	"testing"
)

func TestTerminalsOf(t *testing.T) {
	all := []Listed{
		{PID: 1, Parent: 0, TTY: -1},
		{PID: 100, Parent: 1, TTY: -1, Front: 0}, // a terminal with three tabs
		{PID: 101, Parent: 100, Group: 101, TTY: 16, Front: 110},
		{PID: 102, Parent: 101, Group: 102, TTY: 16, Front: 110},
		{PID: 110, Parent: 102, Group: 110, TTY: 16, Front: 110},
		{PID: 120, Parent: 100, Group: 120, TTY: 17, Front: 121},
		{PID: 121, Parent: 120, Group: 121, TTY: 17, Front: 121},
		{PID: 130, Parent: 100, Group: 130, TTY: 18, Front: 131}, // cat x | less, where cat has ended
		{PID: 132, Parent: 130, Group: 131, TTY: 18, Front: 131},
		{PID: 200, Parent: 1, TTY: -1},                           // an editor
		{PID: 300, Parent: 102, Group: 300, TTY: 16, Front: 110}, // started from the terminal
		{PID: 301, Parent: 300, Group: 300, TTY: 16, Front: 110},
		{PID: 400, Parent: 401},
		{PID: 401, Parent: 400},
		{PID: 500, Parent: 1}, // a terminal with sudo, which makes one of its own
		{PID: 501, Parent: 500, Group: 501, TTY: 20, Front: 502},
		{PID: 502, Parent: 501, Group: 502, TTY: 20, Front: 502},
		{PID: 503, Parent: 502, Group: 503, TTY: 21, Front: 504},
		{PID: 504, Parent: 503, Group: 504, TTY: 21, Front: 504},
		{PID: 600, Parent: 1}, // a terminal with an editor that shows two itself
		{PID: 601, Parent: 600, Group: 601, TTY: 30, Front: 602},
		{PID: 602, Parent: 601, Group: 602, TTY: 30, Front: 602},
		{PID: 603, Parent: 602, Group: 603, TTY: 31, Front: 603},
		{PID: 604, Parent: 602, Group: 604, TTY: 32, Front: 604},
		{PID: 700, Parent: 1}, // a terminal whose shell has something of its own in the background
		{PID: 701, Parent: 700, Group: 701, TTY: 40, Front: 703},
		{PID: 702, Parent: 701, Group: 702, TTY: 41, Front: 702},
		{PID: 703, Parent: 701, Group: 703, TTY: 40, Front: 703},
	}
	for pid, want := range map[int][]Terminal{
		100: {{Shell: 101, Front: 110}, {Shell: 120, Front: 121}, {Shell: 130, Front: 132}},
		200: nil, 300: nil, 400: nil, 999: nil,
		500: {{Shell: 503, Front: 504}},
		600: {{Shell: 601, Front: 602}},
		700: {{Shell: 701, Front: 703}},
	} {
		if got := TerminalsOf(pid, all); !slices.Equal(got, want) {
			t.Errorf("below %d: %v, want %v", pid, got, want)
		}
	}
}
