package process

import (
	"testing"
)

func TestForegroundOf(t *testing.T) {
	all := []Listed{
		{PID: 1, Parent: 0, TTY: -1},
		{PID: 100, Parent: 1, TTY: -1, Front: 0},     // a terminal
		{PID: 101, Parent: 100, TTY: 16, Front: 110}, // login
		{PID: 102, Parent: 101, TTY: 16, Front: 110}, // its shell
		{PID: 110, Parent: 102, TTY: 16, Front: 110}, // what runs in it
		{PID: 120, Parent: 100, TTY: 17, Front: 121}, // a second tab
		{PID: 121, Parent: 120, TTY: 17, Front: 121},
		{PID: 200, Parent: 1, TTY: -1},               // an editor
		{PID: 300, Parent: 102, TTY: 16, Front: 110}, // started from the terminal
		{PID: 301, Parent: 300, TTY: 16, Front: 110},
		{PID: 400, Parent: 401},
		{PID: 401, Parent: 400},
	}
	for pid, want := range map[int]int{100: 121, 200: 0, 300: 0, 400: 0, 999: 0} {
		if got, ok := ForegroundOf(pid, all); got != want || ok != (want != 0) {
			t.Errorf("below %d: %d, want %d", pid, got, want)
		}
	}
}
