package collect

import (
	"os"
	"testing"

	"github.com/pertain-dev/pertain/facts"
)

// TestActivePart proves what is told of the program in front, and that what is
// not known of it is left out.
func TestActivePart(t *testing.T) {
	for _, tt := range []struct {
		pid        int
		name, file string
		want       string
	}{
		{4711, "code", "/usr/bin/code", `{"activeProcess":{"name":"code","path":"/usr/bin/code","id":4711}}`},
		{4711, "", "", `{"activeProcess":{"id":4711}}`},
		{0, "code", "code", `{"activeProcess":{"name":"code"}}`},
		{0, "", "", `{"activeProcess":null}`},
	} {
		got, err := activePart(tt.pid, tt.name, tt.file).Values.MarshalJSON()
		if err != nil || string(got) != tt.want {
			t.Errorf("%d %q %q: %s, %v, want %s", tt.pid, tt.name, tt.file, got, err, tt.want)
		}
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if got := (*desktop)(nil).programFile(os.Getpid()); got != own {
		t.Errorf("the file of this process is %q, not %q", got, own)
	}
	if got := (*desktop)(nil).programFile(0); got != "" {
		t.Errorf("the file of no process is %q", got)
	}
	if info := (active{}).Info(); info.ID != "linux.active" || len(info.Serves) != 1 || info.Serves[0] != facts.ActiveProcess {
		t.Errorf("%+v", info)
	}
}
