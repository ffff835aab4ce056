//go:build !race

package regex_test

const raceEnabled = false
