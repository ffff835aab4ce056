package gateway_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// TestManyPathKeys: of several arguments that can be the path of a call, all count, wherever they stand.
func TestManyPathKeys(t *testing.T) {
	narrow := fire
	narrow.Globs = []string{"*.ts"}
	for arguments, interrupted := range map[string]bool{
		`{"file_path":"a.txt","content":"` + violation + `"}`:                                            false,
		`{"path":"a.txt","file_path":"a.ts","content":"` + violation + `"}`:                              true,
		`{"file_path":"a.txt","file_path":"a.ts","content":"` + violation + `"}`:                         true,
		`{"file_path":"a.txt","file\u005fpath":"a.ts","content":"` + violation + `"}`:                    true,
		`{"file_path":"a.txt","content":"` + violation + `","file_path":"a.ts"}`:                         true,
		`{"file_path":"a.txt","content":"ok","file_path":"a.ts","content":"` + violation + `"}`:          true,
		`{"file_path":"a.ts","edits":[{"path":"a.txt","content":"` + violation + `"}]}`:                  true,
		`{"content":"` + violation + `","path":"/w` + strings.Repeat("/q/..", 20_000) + `/a.ts"}`:        true,
		strings.Repeat(`{"a":`, 70) + `{"content":"` + violation + `"}` + strings.Repeat("}", 70):        true,
		`{"file_path":"a.txt","content":"` + violation + `","uri":"file:///w/a.ts","file_path":"b.txt"}`: true,
	} {
		for _, api := range apis {
			w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
				if reminded(r) > 0 {
					return modeltest.Answer{Text: "Better."}
				}
				return modeltest.Answer{Calls: []modeltest.Call{{Name: "write", Arguments: arguments}}, Piece: 1000}
			}, narrow)
			r := w.ask(api, true, ">hello")
			if strings.Contains(r.raw, "Better.") != interrupted || interrupted && r.hasViolation() {
				t.Errorf("%v, %.100s: %.300q", api, arguments, r.raw)
			}
		}
	}
}
