package stream_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestScansKeepLittle: what a set keeps of expressions that scans have met stays bounded, however many they are, and what
// was dropped is made again.
func TestScansKeepLittle(t *testing.T) {
	const most = 64 << 10 // instructions
	var patterns []string
	for i := range 30 {
		patterns = append(patterns, fmt.Sprintf("[ab]{2900}c%d|x", i), fmt.Sprintf("(?=[ab]{2900}c%d|x)x", i))
	}
	set := compiled(t, true, patterns...)
	scanner := stream.ScanLinear(set.Scanner())
	for range 2 {
		if found := scanner.Scan("an x"); len(found) != len(patterns) || found[0].Start != 3 || found[0].End != 4 {
			t.Fatal(found)
		}
		var traced, programs int
		_, last, _ := strings.Cut(set.Compiled(), "\ntraced ")
		if n, err := fmt.Sscanf(last, "%d, look programs %d", &traced, &programs); n != 2 || err != nil {
			t.Fatal(last, err)
		}
		if traced < 2900 || traced > most || programs < 2900 || programs > most {
			t.Errorf("%d instructions of traces and %d of look-around are kept", traced, programs)
		}
	}
}
