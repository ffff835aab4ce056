//go:build unix && !darwin

package settings

import "testing"

func TestHomeOf(t *testing.T) {
	accounts := "root:x:0:0:root:/root:/bin/bash\nbroken\nme:x:1000:1000:Me,,,:/home/me/:/bin/sh\nyou:x:1001:1001::relative:/bin/sh\n"
	for user, want := range map[string]string{"0": "/root", "1000": "/home/me", "1001": "", "100": "", "": ""} {
		if got := homeOf(accounts, user); got != want {
			t.Errorf("%q: %q, want %q", user, got, want)
		}
	}
}
