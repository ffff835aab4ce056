package collect

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/collect/internal/git"
	"github.com/pertain-dev/pertain/facts"
)

// TestDiffers holds what a look has to see that watchers are told: what became known or
// unknown, but for what there was no time for.
func TestDiffers(t *testing.T) {
	var (
		clean   = toldWorkspace{root: "/w", git: git.State{Branch: "main", Known: true}, took: time.Second}
		changed = toldWorkspace{root: "/w", git: git.State{Branch: "main", Known: true, Changes: true}, took: time.Second}
		unknown = toldWorkspace{root: "/w", git: git.State{Branch: "main", Missing: "its index is split in two"}, took: time.Second}
		other   = toldWorkspace{root: "/w", git: git.State{Branch: "main", Missing: "its index cannot be read"}, took: time.Second}
		late    = toldWorkspace{root: "/w", git: git.State{Branch: "main", Missing: "git took too long"}, took: time.Second, late: true}
		side    = toldWorkspace{root: "/w", git: git.State{Branch: "side", Missing: "git took too long"}, took: time.Second, late: true}
		quick   = toldWorkspace{root: "/w", git: clean.git, took: time.Second / 4}
		none    = toldWorkspace{root: "/w"}
		nowhere = toldWorkspace{}
	)
	for _, tt := range []struct {
		name      string
		now, told toldWorkspace
		want      bool
	}{
		{"as it was", clean, clean, false},
		{"as it was, but sooner", quick, clean, false},
		{"changed", changed, clean, true},
		{"known to unknown", unknown, clean, true},
		{"unknown to known", clean, unknown, true},
		{"unknown for another reason", other, unknown, true},
		{"no repository any more", none, clean, true},
		{"no workspace any more", nowhere, none, true},
		{"known to late", late, clean, false},
		{"unknown to late", late, unknown, false},
		{"late, on another branch", side, clean, true},
		{"late to known, in as much time", clean, late, false},
		{"late to known, in less time", quick, late, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.now.differs(tt.told); got != tt.want {
				t.Error(got)
			}
		})
	}
}

// TestLooksForChangesAreDue holds that a look which something hints at comes sooner.
func TestLooksForChangesAreDue(t *testing.T) {
	at := time.Unix(1_000_000, 0)
	for _, tt := range []struct {
		took, since   time.Duration
		same, another bool
	}{
		{0, time.Millisecond, true, true},
		{100 * time.Millisecond, 400 * time.Millisecond, false, false},
		{100 * time.Millisecond, time.Second, false, true},
		{100 * time.Millisecond, 6 * time.Second, true, true},
		{5 * time.Second, 9 * time.Second, false, false},
		{5 * time.Second, 11 * time.Second, true, true}, // glanceMost
	} {
		w := workspaceWatch{marks: "same", took: tt.took, began: at}
		if got := w.due("same", at.Add(tt.since)); got != tt.same {
			t.Errorf("%v after a look of %v, without a hint: %t", tt.since, tt.took, got)
		}
		if got := w.due("another", at.Add(tt.since)); got != tt.another {
			t.Errorf("%v after a look of %v, with a hint: %t", tt.since, tt.took, got)
		}
	}
}

// watchedRepository is one that is watched, of which others ask.
type watchedRepository struct {
	t        *testing.T
	root     string
	git      string // where the program is
	machine  *Machine
	gatherer *facts.Gatherer
}

func newWatchedRepository(t *testing.T, options Options) *watchedRepository {
	t.Helper()
	program, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	r := &watchedRepository{t: t, git: program}
	if r.root, err = filepath.EvalSymlinks(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	r.write("a", "a")
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"-c", "user.name=n", "-c", "user.email=e@example.org", "commit", "-q", "-m", "first"}} {
		r.run(args...)
	}
	path := os.Getenv("PATH")
	if options.Env == nil {
		options.Env = func(name string) string { return map[string]string{"PATH": path}[name] } // no desktop
	}
	options.Dir = r.root
	r.machine = Open(options)
	t.Cleanup(r.machine.Close)
	r.gatherer = facts.NewGatherer(r.machine.Collectors()...)
	return r
}

func (r *watchedRepository) run(args ...string) {
	r.t.Helper()
	if out, err := exec.CommandContext(r.t.Context(), r.git, append([]string{"-C", r.root}, args...)...).CombinedOutput(); err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (r *watchedRepository) write(name, text string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.root, name), []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// ask is somebody who wants to know whether there are changes.
func (r *watchedRepository) ask() {
	r.t.Helper()
	var needs facts.Needs
	needs.Add("extra.workspace.git.hasChanges")
	if _, err := r.gatherer.Gather(r.t.Context(), needs, facts.Parts{}, 0); err != nil {
		r.t.Fatal(err)
	}
}

// watch is another who watches, at a time of its own: a look for changes is always due.
func (r *watchedRepository) watch() func(want bool, what string) {
	w := workspaceWatch{machine: r.machine, limit: time.Minute}
	return func(want bool, what string) {
		r.t.Helper()
		w.began = time.Time{}
		if got, _ := w.look(r.t.Context()); got != want {
			r.t.Errorf("%s: told %t", what, got)
		}
	}
}

// TestEachWatcherIsTold holds that a change is told to all who watch, whoever has asked in between or was told before.
func TestEachWatcherIsTold(t *testing.T) {
	r := newWatchedRepository(t, Options{})
	one, two := r.watch(), r.watch()
	one(false, "nobody has asked")
	r.ask()
	one(false, "as it was told")
	two(false, "as it was told")
	r.write("a", "other")
	r.ask()
	one(true, "a change that somebody else asked about")
	one(false, "nobody has asked since")
	two(true, "the same for another")
	r.ask()
	one(false, "as it was told again")
	two(false, "as it was told again")
	r.run("update-index", "--split-index")
	one(true, "unknown")
	one(false, "unknown, and nobody has asked since")
	r.ask() // who was told
	two(true, "unknown, after another was told and asked")
	r.ask()
	r.run("update-index", "--no-split-index")
	one(true, "known again")
	two(true, "known again, before anybody asked")
}
