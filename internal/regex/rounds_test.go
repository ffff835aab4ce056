package regex_test

import "testing"

// rounds gives how often to try something at random: less in short tests, and still
// less with the race detector, which is not what random expressions are for.
func rounds(normal int) int {
	switch {
	case raceEnabled:
		return max(normal/20, 1)
	case testing.Short():
		return max(normal/8, 1)
	default:
		return normal
	}
}
