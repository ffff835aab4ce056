package macos

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/pertain-dev/pertain/collect/internal/ax"
)

// TestValues takes texts and arrays to the system and back.
func TestValues(t *testing.T) {
	var c coreFoundation
	if err := c.load(); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "AXRole", "Grüße, 世界 🌍"} {
		ref := c.createString(text)
		if got := c.Text(ref, 100); got != text || c.Kind(ref) != ax.KindText {
			t.Errorf("%q, want %q", got, text)
		}
		c.Release(ref)
	}
	array := c.createStrings(ax.ListOfElement.Attributes())
	defer c.Release(array)
	if got := c.texts(array, 100); len(got) != len(ax.ListOfElement.Attributes()) || got[0] != string(ax.AttributeRole) || c.Kind(array) != ax.KindArray {
		t.Errorf("%v", got)
	}
	if got := c.Text(c.Item(array, 0), 2); got != "AX" {
		t.Errorf("two units: %q", got)
	}
}

// TestOwnProcess asks the kernel about this test.
func TestOwnProcess(t *testing.T) {
	p, err := OpenProcesses()
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
	if program, err := os.Executable(); err != nil || p.Program(os.Getpid()) != filepath.Base(program) {
		t.Errorf("program %q", p.Program(os.Getpid()))
	}
	found := false
	for _, one := range allProcesses() {
		found = found || one.PID == os.Getpid() && one.Parent == os.Getppid()
	}
	if !found {
		t.Error("this test is in no list")
	}
}

// TestMissingSymbols: what a system lacks is an error, and no crash.
func TestMissingSymbols(t *testing.T) {
	if err := loadSymbols(coreFoundationLibrary, []symbol{{"CFThereIsNoSuchThing", new(uintptr)}}); !errors.Is(err, errLibrary) {
		t.Errorf("a function that is not there: %v", err)
	}
	if err := loadSymbols("/there/is/no/such/library", nil); !errors.Is(err, errLibrary) {
		t.Errorf("a library that is not there: %v", err)
	}
}
