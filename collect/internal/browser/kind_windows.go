package browser

import "strings"

// IsChromiumProgram tells whether a program, by its name without .exe, is Chromium
// or a relative.
func IsChromiumProgram(name string) bool {
	return oneOfPrograms(name, "chrome", "chromium", "msedge", "brave", "vivaldi", "opera")
}

// IsFirefoxProgram is IsChromiumProgram for Firefox.
func IsFirefoxProgram(name string) bool {
	return oneOfPrograms(name, "firefox", "librewolf", "waterfox")
}

func oneOfPrograms(name string, known ...string) bool {
	for _, k := range known {
		if strings.EqualFold(k, name) {
			return true
		}
	}
	return false
}
