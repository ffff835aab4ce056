package gateway_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// recut gives the answers of a model in other pieces.
type recut struct{ cut func(body []byte) io.Reader }

func (r recut) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	response.Body = io.NopCloser(r.cut(body))
	return response, err
}

// singly gives one event with each call.
type singly struct{ rest []byte }

func (s *singly) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		return 0, io.EOF
	}
	end := bytes.Index(s.rest, []byte("\n\n"))
	if end = end + 2; end < 2 {
		end = len(s.rest)
	}
	n := copy(p, s.rest[:end])
	s.rest = s.rest[n:]
	return n, nil
}

// usage is how many tokens were used: more were read of an answer that was broken off, if they came together.
var usage = regexp.MustCompile(`("\w*[tT]oken\w*"): ?\d+`)

// TestTogether: events that come together are passed on, held, broken off and written down as
// they are when each comes by itself.
func TestTogether(t *testing.T) {
	triggers := []stream.Trigger{
		fire,
		{Name: "mild", Body: "Mind the tone.", Patterns: []string{`\bmild\b`}, InterruptMode: stream.InterruptNever},
		{Name: "greek", Body: "No Greek.", Patterns: []string{`gam+a`}},
		{Name: "long", Body: "No spans.", Patterns: []string{`omega[^!]{0,300}!`}},
		{Name: "ahead", Body: "No such pairs.", Patterns: []string{`alpha(?=beta)`}}, // this one and the next look around
		{Name: "again", Body: "Not twice.", Patterns: []string{`(\d\d)-\1`}},
	}
	words := []string{"plain ", "text, ", "mild", " ", "alpha", "beta ", "gam", "ma ", "12-", "13 ", "44-44", "omega ", "! ", "é", "😀", "ЖЩ", "ЮЯ", "\n"}
	seeds := uint64(80)
	if testing.Short() {
		seeds = 12
	}
	for seed := range seeds {
		api := apis[seed%4]
		r := rand.New(rand.NewPCG(seed, 7))
		var said []string
		for range 4 {
			var b strings.Builder
			for range 1 + r.IntN(120) {
				if r.IntN(3) == 0 {
					b.WriteString(words[r.IntN(len(words))])
				} else {
					b.WriteString("so ")
				}
			}
			said = append(said, b.String())
		}
		piece := 1 + r.IntN(12)
		run := func(cut func([]byte) io.Reader) string {
			asked := 0
			w := open(t, stream.Policy{}, func(*modeltest.Request) modeltest.Answer {
				text := "Well."
				if asked < len(said) {
					text = said[asked]
				}
				asked++
				return modeltest.Answer{Thinking: "hm, " + text, Text: text, Piece: piece}
			}, triggers[:len(triggers)-2*int(seed/4%2)]...)
			w.options.Transport, w.options.Limits = recut{cut}, gateway.Limits{Wait: time.Hour}
			w.start()
			got := w.ask(api, true, ">hello")
			var sent []string
			for _, request := range w.model.Requests() {
				sent = append(sent, string(request.Body))
			}
			return fmt.Sprintf("%s\n%q\n%s\n%v", usage.ReplaceAllString(got.raw, "$1"), w.journal.told(), strings.Join(sent, "\n"), got.err)
		}
		want := run(func(body []byte) io.Reader { return &singly{body} })
		for name, cut := range map[string]func([]byte) io.Reader{
			"together": func(body []byte) io.Reader { return bytes.NewReader(body) },
			"anyhow":   func(body []byte) io.Reader { return &cutReader{strings.NewReader(string(body)), r} },
		} {
			if got := run(cut); got != want {
				at := 0
				for at < min(len(got), len(want)) && got[at] == want[at] {
					at++
				}
				t.Fatalf("%s, seed %d, %s, from byte %d on: %.1500s\n\nnot %.1500s", api, seed, name, at, got[max(at-300, 0):], want[max(at-300, 0):])
			}
		}
	}
}
