package cli

import "testing"

// TestCommandsWithoutValues: what may be a secret in a command line of somebody else's is not shown, and the rest is.
func TestCommandsWithoutValues(t *testing.T) {
	for command, want := range map[string]string{
		"pertain hook claude --fail-closed":                            "pertain hook claude --fail-closed",
		"/opt/x/pertain hook claude || true":                           "/opt/x/pertain hook claude || true",
		"API_KEY=SECRET pertain hook claude":                           "API_KEY=… pertain hook claude",
		`A="SEC RET" B='SEC RET'SECRET C=SEC\ RET pertain hook claude`: "A=… B=… C=… pertain hook claude",
		"env -i A=SECRET B=$(cat SECRET) pertain hook claude":          "env -i A=… B=… pertain hook claude",
		`sh -c "export KEY='SECRET'; pertain hook claude"`:             `sh -c "export KEY=…; pertain hook claude"`,
		`A="SECRET`: "A=…",
		"pertain-proxy --api-key SECRET --token=SECRET hook claude":          "pertain-proxy --api-key … --token=… hook claude",
		"curl -u me:SECRET https://h/x; pertain hook claude":                 "curl -u … https://h/x; pertain hook claude",
		"curl --user me:SECRET https://me:SECRET@h/x && pertain hook claude": "curl --user … https://…@h/x && pertain hook claude",
		`curl -H "Authorization: Bearer SECRET" -H 'x-api-key: SECRET' h`:    `curl -H "Authorization: …" -H 'x-api-key: …' h`,
		"wrapper --monkey-business pertain hook claude":                      "wrapper --monkey-business pertain hook claude",
		`x --config {"apiKey":"SECRET"} && python -u pertain hook claude`:    `x --config {"apiKey":"…"} && python -u pertain hook claude`,
	} {
		if got := withoutValues(command); got != want {
			t.Errorf("%s\n becomes %s\n want    %s", command, got, want)
		}
	}
}
