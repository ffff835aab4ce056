//go:build unix

package collect

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestLateLooksAreNoNews holds that what is known stays where a look ends for want of time, unless that goes on.
func TestLateLooksAreNoNews(t *testing.T) {
	folder := t.TempDir()
	slow := filepath.Join(folder, "slow")
	path := folder + string(os.PathListSeparator) + os.Getenv("PATH")
	r := newWatchedRepository(t, Options{
		Trusted: func(string) bool { return true },
		Env:     func(name string) string { return map[string]string{"PATH": path}[name] },
	})
	script := "#!/bin/sh\n[ -e '" + slow + "' ] && exec sleep 600\nexec '" + r.git + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(folder, "git"), []byte(script), 0o700); err != nil { //nolint:gosec // it is a program
		t.Fatal(err)
	}
	r.ask()
	if told := r.machine.told.Load(); !told.git.Known || told.late {
		t.Fatalf("%+v", told)
	}
	w := workspaceWatch{machine: r.machine, limit: time.Minute}
	look := func(want bool, what string) {
		t.Helper()
		w.began = time.Time{} // it is due
		if got, _ := w.look(t.Context()); got != want {
			t.Errorf("%s: told %t", what, got)
		}
	}
	look(false, "as it was told")
	if err := os.WriteFile(slow, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.limit = 200 * time.Millisecond
	look(false, "one look that had too little time")
	if err := os.Remove(slow); err != nil {
		t.Fatal(err)
	}
	w.limit = time.Minute
	look(false, "a look that had enough")
	if err := os.WriteFile(slow, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.limit = 200 * time.Millisecond
	look(false, "one again")
	look(true, "two in a row")
}
