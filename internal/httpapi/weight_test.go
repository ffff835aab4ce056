package httpapi

import (
	"strings"
	"testing"
	"time"
)

// TestWeightIsWhatAServerTakes: what a request is counted as is about what a server was seen to grow by that answered four of
// them at a time, and a large context that people have is not refused.
func TestWeightIsWhatAServerTakes(t *testing.T) {
	const mib = 1 << 20
	for name, test := range map[string]struct {
		unit string
		size int // MiB
		took int // MiB for each
	}{
		"text":            {`A b c `, 16, 84},
		"other letters":   {`Äö`, 16, 95},
		"escaped letters": {`\u00c4`, 16, 128},
		"line breaks":     {`\n`, 16, 140},
		"short texts":     {`"ab",`, 2, 168},
		"numbers":         {`1,`, 2, 353},
		"empty objects":   {`{},`, 2, 294},
		"files":           {`{"path":"/home/user/some/file.txt","extension":".txt","mimeType":"text/plain"},`, 8, 143},
		"elements":        {`{"type":"Button","name":"some button name","bounds":{"x":1,"y":2,"width":3,"height":4}},`, 8, 125},
		"small elements":  {`{"type":"Button"},`, 8, 284},
	} {
		body := []byte(strings.Repeat(test.unit, test.size*mib/len(test.unit)))
		weight := weightOf(body)
		if weight < int64(test.took)*mib*9/10 {
			t.Errorf("%s: %d MiB take %d MiB, and count as %d", name, test.size, test.took, weight/mib)
		}
		if most := (Limits{}).filled().Held; name == "elements" && weight*2 > most {
			t.Errorf("%s: 16 MiB count as %d of %d MiB", name, weight*2/mib, most/mib)
		}
	}
}

// TestAServerEndsSoon: whoever tells a server to end does not wait for a request that takes long.
func TestAServerEndsSoon(t *testing.T) {
	if drain := (Limits{}).filled().Drain; drain > time.Second/2 {
		t.Errorf("requests may hold up the end for %s", drain)
	}
}
