package service_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/service"
)

// TestSentOf: what decides an answer goes along, and nothing else.
func TestSentOf(t *testing.T) {
	got := service.SentOf([]string{
		"HOME=/home/u", "LC_ALL=C", "XDG_CONFIG_HOME=/c", "CODEX_HOME=/x", "PATH=/bin", "EMPTY", "TZ=", "PERTAIN_CONFIG=/p", "OPENAI_API_KEY=secret", "PERTAIN_TOKEN=secret", "AWS_SECRET_ACCESS_KEY=secret", "DISPLAY=:1=2",
	})
	want := map[string]string{"HOME": "/home/u", "LC_ALL": "C", "XDG_CONFIG_HOME": "/c", "CODEX_HOME": "/x", "PATH": "/bin", "PERTAIN_CONFIG": "/p", "DISPLAY": ":1=2"}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestUnit: the program's path stands in the unit as systemd reads it.
func TestUnit(t *testing.T) {
	for path, want := range map[string]string{
		"/usr/bin/pertain":    `ExecStart="/usr/bin/pertain" service run`,
		`/my "tools"/$x%h\p`:  `ExecStart="/my \"tools\"/$$x%%h\\p" service run`,
		"/home/ü/go/bin/prog": `ExecStart="/home/ü/go/bin/prog" service run`,
	} {
		text, err := service.Unit(path)
		if err != nil || !strings.Contains(text, want+"\n") || !service.IsOwnUnit(text) {
			t.Errorf("%s: %v\n%s", path, err, text)
		}
	}
	for _, path := range []string{"pertain", "", "/a\nExecStartPre=/bin/evil", "/a\x7f"} {
		if text, err := service.Unit(path); err == nil {
			t.Errorf("%q: %s", path, text)
		}
	}
	if service.IsOwnUnit("[Unit]\n") {
		t.Error("a stranger's unit is taken for ours")
	}
}
