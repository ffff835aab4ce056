package collect

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// TestLibraries finds every function that is called on this system.
func TestLibraries(t *testing.T) {
	d := newDesktop(Options{})
	if _, err := d.accessibility(); err != nil {
		t.Error(err)
	}
	if _, err := d.appKit(); err != nil {
		t.Error(err)
	}
	if _, err := d.windows(); err != nil {
		t.Error(err)
	}
	if _, err := d.processes(); err != nil {
		t.Error(err)
	}
	if err := loadSymbols(coreFoundationLibrary, []symbol{{"CFThereIsNoSuchThing", new(uintptr)}}); !errors.Is(err, errLibrary) {
		t.Errorf("a function that is not there: %v", err)
	}
	if err := loadSymbols("/there/is/no/such/library", nil); !errors.Is(err, errLibrary) {
		t.Errorf("a library that is not there: %v", err)
	}
}

// TestValues takes texts and arrays to the system and back.
func TestValues(t *testing.T) {
	var c coreFoundation
	if err := c.load(); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "AXRole", "Grüße, 世界 🌍"} {
		ref := c.createString(text)
		if got := c.text(ref, 100); got != text || c.kind(ref) != axText {
			t.Errorf("%q, want %q", got, text)
		}
		c.release(ref)
	}
	array := c.createStrings(axOfElement.attributes())
	defer c.release(array)
	if got := c.texts(array, 100); len(got) != len(axOfElement.attributes()) || got[0] != string(axRole) || c.kind(array) != axArray {
		t.Errorf("%v", got)
	}
	if got := c.text(c.item(array, 0), 2); got != "AX" {
		t.Errorf("two units: %q", got)
	}
}

// TestOwnProcess asks the kernel about this test.
func TestOwnProcess(t *testing.T) {
	p, err := loadProcesses()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if want, err = filepath.EvalSymlinks(want); err != nil {
		t.Fatal(err)
	}
	if got := p.folder(os.Getpid()); got != want {
		t.Errorf("folder %q, want %q", got, want)
	}
	if program, err := os.Executable(); err != nil || p.program(os.Getpid()) != filepath.Base(program) {
		t.Errorf("program %q", p.program(os.Getpid()))
	}
	found := false
	for _, one := range allProcesses() {
		found = found || one.PID == os.Getpid() && one.Parent == os.Getppid()
	}
	if !found {
		t.Error("this test is in no list")
	}
}

// TestCollectorsAnswer asks every collector once: whatever this machine allows,
// each answers, or says why not in words of its own.
func TestCollectorsAnswer(t *testing.T) {
	needs := facts.Needs{}
	for _, need := range []string{facts.Visual, selectedText, "clipboard.text", "clipboard.hasText", "clipboard.hasImage", "clipboard.files", "extra.file_manager", "extra.browser"} {
		needs.Add(need)
	}
	d := newDesktop(Options{})
	defer d.close()
	for _, c := range d.collectors() {
		request := facts.Request{Needs: needs}
		if !c.CanCollect(t.Context(), nil, request) {
			t.Logf("%s: no desktop", c.Info().ID)
			continue
		}
		began := time.Now()
		part, err := c.Collect(t.Context(), nil, request)
		var known *facts.CollectError
		if err != nil && !errors.As(err, &known) {
			t.Errorf("%s: %v", c.Info().ID, err)
		}
		t.Logf("%s: %v, %v, %v", c.Info().ID, time.Since(began), part.Summary, err)
	}
}
