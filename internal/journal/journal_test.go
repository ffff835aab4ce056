package journal_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/journal"
	"github.com/pertain-dev/pertain/internal/settings"
)

var noon = time.Date(2026, 11, 16, 12, 0, 0, 123456789, time.UTC)

func open(t *testing.T) (*journal.Journal, string) {
	t.Helper()
	state := filepath.Join(t.TempDir(), "state")
	j := journal.At(state)
	j.Now = func() time.Time { return noon }
	return j, filepath.Join(state, "journal.jsonl")
}

func entries(t *testing.T, j *journal.Journal, filter journal.Filter) []journal.Entry {
	t.Helper()
	list, err := j.Entries(t.Context(), filter)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestJournal(t *testing.T) {
	j, _ := open(t)
	if list := entries(t, j, journal.Filter{}); len(list) != 0 {
		t.Errorf("an empty journal has %v", list)
	}
	ids, err := j.Add(t.Context(),
		journal.Entry{Source: journal.Hook, Agent: journal.Text("claude"), Workspace: journal.Text("/w"), Conversation: journal.Conversation("claude", "c1"), Rule: "no-eval", Path: journal.Text("src/a.ts"), Action: journal.Denied},
		journal.Entry{Source: journal.Guard, Rule: "old", Action: journal.Passed, Time: noon.Add(-48 * time.Hour)},
	)
	if err != nil || len(ids) != 2 {
		t.Fatal(ids, err)
	}
	if err := j.Heed(t.Context(), true, ids[0], "0123456789abcdef"); err != nil {
		t.Fatal(err)
	}
	yes := true
	want := []journal.Entry{
		{ID: ids[0], Time: noon.Truncate(time.Millisecond), Source: "hook", Agent: journal.Text("claude"), Workspace: journal.Text("/w"), Conversation: journal.Conversation("claude", "c1"), Rule: "no-eval", Path: journal.Text("src/a.ts"), Action: "denied", Heeded: &yes},
	}
	if diff := cmp.Diff(want, entries(t, j, journal.Filter{Since: noon.Add(-time.Hour)})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if list := entries(t, j, journal.Filter{Rule: "old"}); len(list) != 1 || list[0].Heeded != nil || list[0].Path != nil {
		t.Errorf("%+v", list)
	}
	if list := entries(t, j, journal.Filter{Workspace: "/w"}); len(list) != 1 || list[0].Rule != "no-eval" {
		t.Errorf("%+v", list)
	}
}

func TestNoJournal(t *testing.T) {
	j := journal.At("")
	if ids, err := j.Add(t.Context(), journal.Entry{Rule: "r"}); err != nil || ids != nil {
		t.Error(ids, err)
	}
	if err := j.Heed(t.Context(), true, "x"); err != nil {
		t.Error(err)
	}
	if list := entries(t, j, journal.Filter{}); list != nil {
		t.Error(list)
	}
}

// TestNoText: what is longer than a path, or has line breaks, is no path.
func TestNoText(t *testing.T) {
	j, path := open(t)
	for _, text := range []string{"secret\nsecret", strings.Repeat("secret", 1000), "secret\x00"} {
		if _, err := j.Add(t.Context(), journal.Entry{Rule: "r", Agent: &text, Conversation: &text, Path: &text, Workspace: &text, Action: journal.Denied}); err != nil {
			t.Fatal(err)
		}
	}
	if data, _ := os.ReadFile(path); strings.Contains(string(data), "secret") {
		t.Errorf("the journal holds a text: %.200s", data)
	}
	if id := *journal.Conversation("claude", "secret"); strings.Contains(id, "secret") || id == *journal.Conversation("codex", "secret") {
		t.Errorf("a conversation is named %s", id)
	}
}

func TestModes(t *testing.T) {
	j, path := open(t)
	if _, err := j.Add(t.Context(), journal.Entry{Rule: "r"}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Error(info, err)
	}
}

// TestDamage: lines that nobody can read are passed over, and what is appended to half a line is not lost.
func TestDamage(t *testing.T) {
	j, path := open(t)
	if _, err := j.Add(t.Context(), journal.Entry{Rule: "first"}); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("\x00\xff\n[]\nnull\n{\"id\":1}\n{\"id\":\"x\",\"ru"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := j.Add(t.Context(), journal.Entry{Rule: "second"}); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries(t, j, journal.Filter{}) {
		names = append(names, e.Rule)
	}
	if diff := cmp.Diff([]string{"first", "second"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestFull: a journal never takes more than its size, the newest entries stay, and an entry that was put aside can still be
// heeded.
func TestFull(t *testing.T) {
	j, path := open(t)
	journal.SetSize(j, 2000)
	var last string
	for i := range 50 {
		ids, err := j.Add(t.Context(), journal.Entry{Rule: fmt.Sprint(i), Action: journal.Denied})
		if err != nil {
			t.Fatal(err)
		}
		last = ids[0]
		size := int64(0)
		for _, name := range []string{path, path + ".1"} {
			if info, err := os.Stat(name); err == nil {
				size += info.Size()
			}
		}
		if size > 2000 {
			t.Fatalf("after %d entries the journal has %d bytes", i+1, size)
		}
	}
	for { // until the file with the last entry is put aside
		if data, err := os.ReadFile(path); err != nil || !strings.Contains(string(data), last) {
			break
		}
		if err := j.Heed(t.Context(), false, "0123456789abcdef"); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Heed(t.Context(), true, last); err != nil {
		t.Fatal(err)
	}
	list := entries(t, j, journal.Filter{Rule: "49"})
	if len(list) != 1 || list[0].Heeded == nil || !*list[0].Heeded {
		t.Errorf("the last entry is %+v", list)
	}
}

const writer = "PERTAIN_TEST_JOURNAL"

// TestJournalWriter is not a test but a process of the next one.
func TestJournalWriter(t *testing.T) {
	state := os.Getenv(writer)
	if state == "" {
		t.Skip("it is for TestManyProcesses")
	}
	for n := 0; ; n++ {
		if _, err := journal.At(state).Add(context.Background(), journal.Entry{Rule: fmt.Sprintf("%d-%d", os.Getpid(), n)}); err != nil {
			t.Fatal(err)
		}
		fmt.Printf("added %d-%d\n", os.Getpid(), n)
	}
}

// TestManyProcesses: processes that write at once and are killed meanwhile lose nothing that they said was written.
func TestManyProcesses(t *testing.T) {
	state := t.TempDir()
	var mu sync.Mutex
	said := map[string]bool{}
	var wait sync.WaitGroup
	for range 4 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestJournalWriter$")
		cmd.Env = append(os.Environ(), writer+"="+state)
		output, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		wait.Go(func() {
			count := 0
			for lines := bufio.NewScanner(output); lines.Scan(); {
				name, ok := strings.CutPrefix(lines.Text(), "added ")
				if !ok {
					continue
				}
				mu.Lock()
				said[name] = true
				mu.Unlock()
				if count++; count == 40 {
					_ = cmd.Process.Kill()
				}
			}
			_, _ = io.Copy(io.Discard, output)
			_ = cmd.Wait() // killed
		})
	}
	wait.Wait()
	found := map[string]int{}
	for _, e := range entries(t, journal.At(state), journal.Filter{}) {
		found[e.Rule]++
	}
	for name := range said {
		if found[name] != 1 {
			t.Errorf("%s is there %d times", name, found[name])
		}
	}
	if len(said) < 160 {
		t.Errorf("only %d were written", len(said))
	}
}

func TestCount(t *testing.T) {
	yes, no := true, false
	got := journal.Count([]journal.Entry{
		{Rule: "a", Action: journal.Denied, Heeded: &yes, Time: noon},
		{Rule: "a", Action: journal.Denied, Heeded: &no, Time: noon.Add(-time.Hour)},
		{Rule: "a", Action: journal.Interrupted},
		{Rule: "a", Action: journal.Reminded},
		{Rule: "a", Action: journal.Given},
		{Rule: "a", Action: journal.Passed},
		{Rule: "b", Action: journal.Given, Time: noon},
	})
	want := map[string]journal.Stats{
		"a": {Denied: 2, Interrupted: 1, Reminded: 1, Given: 1, Passed: 1, Heeded: 1, Last: &noon},
		"b": {Given: 1, Last: &noon},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestKept: whether there is a journal is decided by the user's settings; a file that is missing says nothing against it.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	paths := settings.Paths{Config: filepath.Join(dir, "config.yaml"), State: filepath.Join(dir, "state")}
	if journal.Kept(paths) == nil {
		t.Error("no journal without a settings file")
	}
	for text, want := range map[string]bool{"journal: {enabled: true}": true, "journal: {enabled: false}": false} {
		if err := os.WriteFile(paths.Config, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := journal.Kept(paths) != nil; got != want {
			t.Errorf("%s: a journal is kept: %t", text, got)
		}
	}
}
