//go:build race

package regex_test

// raceEnabled says that the race detector runs, with which everything takes ten
// times as long.
const raceEnabled = true
