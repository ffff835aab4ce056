package settings_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/settings"
)

// key is the one that minisign's page shows.
const key = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"

func TestFleet(t *testing.T) {
	parse := func(text string) (settings.Settings, diag.List) {
		return settings.Parse(diag.NewSource("/c.yaml", text))
	}
	s, list := parse("fleet:\n  url: nats://a:4222\n  keys: [" + key + ", RWnone]\n  credentials: ~/me.creds\n")
	want := settings.Fleet{URL: []string{"nats://a:4222"}, Namespace: "main", Keys: []string{key}, Credentials: "~/me.creds", Member: "shared", Journal: "off"}
	if diff := cmp.Diff(want, s.Fleet); diff != "" || len(list) != 1 || !s.Fleet.Enabled() {
		t.Errorf("%v (-want +got):\n%s", list, diff)
	}
	s, list = parse("fleet:\n  url: [nats://a:4222, 7, tls://b, http://c]\n  namespace: team-2_x\n")
	if diff := cmp.Diff([]string{"nats://a:4222", "tls://b"}, s.Fleet.URL); diff != "" || len(list) != 2 || s.Fleet.Namespace != "team-2_x" {
		t.Errorf("%v (-want +got):\n%s", list, diff)
	}
	if s := settings.Default(); s.Fleet.Enabled() {
		t.Error("there is a fleet without settings")
	}
}

// TestFleetMistakes: what is wrong is left out and told, without the text, which may hold a password.
func TestFleetMistakes(t *testing.T) {
	for _, text := range []string{
		"url: nats://me:hunter2@a", "url: hunter2", "url: nats://", "url: nats://a/hunter2", "url: nats://a?p=hunter2", `url: "nats://a:hunter2"`,
		"url: {a: hunter2}", "url: 7", "namespace: hunter2.x", "namespace: hunter2*", `namespace: ""`, "namespace: " + strings.Repeat("hunter2", 10),
		"keys: {a: hunter2}", "keys: RWhunter2", "credentials: [hunter2]", "member: hunter2.x",
	} {
		s, list := settings.Parse(diag.NewSource("/c.yaml", "fleet:\n  "+text+"\n"))
		if len(list) != 1 || s.Fleet.Enabled() || s.Fleet.Namespace != "main" || s.Fleet.Credentials != "" {
			t.Errorf("%s: %+v, %v", text, s.Fleet, list)
			continue
		}
		if d := list[0]; strings.Contains(d.Message+d.Hint, "hunter2") {
			t.Errorf("%s: told with its text: %s", text, d.Message)
		}
	}
}
