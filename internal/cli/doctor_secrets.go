package cli

import "regexp"

// withoutValues is a command of others as it may be shown: people send what doctor prints to strangers. Values of variables, of options
// and headers that are called like a key, and names and passwords in addresses are left out.
func withoutValues(command string) string {
	const value = `(?:"(?:\\.|[^"\\])*"?|'[^']*'?|\\.|\$\([^)]*\)?|[^\s"';&|\\])+`
	for _, form := range []string{
		`(?P<kept>\b[A-Za-z_][\w-]*=)` + value,
		`(?i)(?P<kept>(?:^|\s)-[\w-]*(?:key|token|secret|passw(?:or)?d|pass|auth|credentials?|user)[\s:]+)` + value,
		`(?i)(?P<kept>\b[\w-]*(?:key|token|secret|passw(?:or)?d|authorization)["']?\s*:\s*["']?)(?:(?:bearer|basic|token)\s+)?[^\s"']+`,
		`(?i)(?P<kept>\b(?:bearer|basic)\s+)[^\s"']+`,
		`(?P<kept>(?:^|\s)-u\s*)[^\s:]+:` + value,
		`(?P<kept>://)[^\s"'/]+(?P<end>@)`,
	} {
		command = regexp.MustCompile(form).ReplaceAllString(command, "${kept}…${end}")
	}
	return command
}
