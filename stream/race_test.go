//go:build race

package stream_test

// raceEnabled says that the race detector runs, with which everything takes ten
// times as long.
const raceEnabled = true
