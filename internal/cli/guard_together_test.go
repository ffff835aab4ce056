package cli_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pertain-dev/pertain/internal/cli"
)

// TestGuardCallsAtOnce: calls that share a memory and run at once are turns of one
// conversation all the same; a rule fires in one of them.
func TestGuardCallsAtOnce(t *testing.T) {
	dir := t.TempDir()
	rules := filepath.Join(dir, ".omp", "rules")
	if err := os.MkdirAll(rules, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(rules, "foo.md"), []byte("---\nttsr_trigger: foo\n---\nF.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	const calls = 12
	var fired atomic.Int32
	var group, begun sync.WaitGroup
	begun.Add(calls)
	for range calls {
		group.Go(func() {
			// Nothing is said before all calls have read the memory.
			in := &lateReader{begun: &begun, text: strings.NewReader("a foo b")}
			var out, notes strings.Builder
			code := cli.Main(t.Context(), cli.Invocation{
				Args: []string{"guard", "--memory", "talk.json"}, Dir: dir, Stdin: in, Stdout: &out, Stderr: &notes,
				Env: func(name string) string {
					return map[string]string{"HOME": dir, "USERPROFILE": dir}[name]
				},
			})
			switch {
			case code == 3 && out.String() == "a fo":
				fired.Add(1)
			case code != 0 || out.String() != "a foo b":
				t.Errorf("exit code %d, copied %q: %s", code, out.String(), notes.String())
			}
		})
	}
	group.Wait()
	if n := fired.Load(); n != 1 {
		t.Errorf("%d calls were stopped, want 1", n)
	}
	record, err := os.ReadFile(filepath.Join(dir, "talk.json"))
	if err != nil || !strings.Contains(string(record), fmt.Sprintf(`"turn":%d`, calls)) {
		t.Errorf("the memory is %s, %v; want turn %d", record, err, calls)
	}
}

type lateReader struct {
	begun *sync.WaitGroup
	once  sync.Once
	text  io.Reader
}

func (r *lateReader) Read(p []byte) (int, error) {
	r.once.Do(func() { r.begun.Done(); r.begun.Wait() })
	return r.text.Read(p)
}
