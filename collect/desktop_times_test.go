//go:build desktop && linux

package collect_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/collect"
	"github.com/pertain-dev/pertain/facts"
)

// lookup reads the session's environment.
func (s *session) lookup(name string) string {
	for _, entry := range slices.Backward(s.env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

// times logs how long each part takes: cold, which is a new process each time,
// and warm, which is one that watches the desktop.
func times(s *session, project, _ string) {
	defer s.start("nemo", project).end()
	s.selects(project, "sub,a.txt", func() { s.keys("Home", "shift+Right") })
	s.feed("some text", "xclip", "-selection", "clipboard")
	cold := map[string][]float64{}
	for range 15 {
		var v seen
		if err := json.Unmarshal([]byte(s.pertain("context", "--json", "--cwd", project)), &v); err != nil {
			s.t.Fatal(err)
		}
		for _, p := range v.Parts {
			cold[p.Path] = append(cold[p.Path], p.DurationMs)
		}
	}
	machine := collect.Open(collect.Options{Env: s.lookup, Dir: project})
	defer machine.Close()
	gatherer := facts.NewGatherer(machine.Collectors()...)
	ctx, cancel := context.WithCancel(s.t.Context())
	watched := make(chan error, 1)
	go func() { watched <- machine.Watch(ctx, func() {}) }()
	defer func() {
		cancel()
		if err := <-watched; err != nil {
			s.t.Error(err)
		}
	}()
	for _, need := range []string{facts.Visual, "clipboard.text", "extra.file_manager", "extra.browser", "extra.workspace", "attachments.selection.text"} {
		var needs facts.Needs
		needs.Add(need)
		var warm []float64
		summary := ""
		for range 15 {
			began := time.Now()
			out, err := gatherer.Gather(ctx, needs, facts.Parts{}, 200*time.Millisecond)
			if err != nil {
				s.t.Fatal(err)
			}
			warm = append(warm, float64(time.Since(began).Microseconds())/1000)
			summary = out.Parts[0].Summary
			time.Sleep(20 * time.Millisecond)
		}
		s.t.Logf("%-28s cold %6.1f ms   warm %6.1f ms   %s", need, median(cold[need]), median(warm), summary)
	}
}
