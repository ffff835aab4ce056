package connect

import (
	"bytes"
	"encoding/json"
	"regexp"
	"testing"
)

// TestVerified: what real agents were seen to do is about agents that can be connected, in their order, and none of it is more
// than they are said to be able to do.
func TestVerified(t *testing.T) {
	decoder := json.NewDecoder(bytes.NewReader(verifiedResults))
	decoder.DisallowUnknownFields()
	var all []verified
	if err := decoder.Decode(&all); err != nil {
		t.Fatal(err)
	}
	last := ""
	for _, v := range all {
		agent, ok := Named(v.Agent)
		able, hooked := abilities[v.Agent]
		switch {
		case !ok || v.Agent <= last:
			t.Errorf("%s is not known, or out of order", v.Agent)
		case !regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+$`).MatchString(v.Version):
			t.Errorf("%s has the version %q", v.Agent, v.Version)
		case v.MCP && !agent.Has(MCP):
			t.Errorf("%s is connected by no MCP", v.Agent)
		case (v.Deny || v.Told || v.Context) && !hooked, v.Deny && able.deny == "", v.Told && able.deny != "", v.Context && able.context == "":
			t.Errorf("hooks of %s do not do that", v.Agent)
		}
		last = v.Agent
	}
}
