package ask

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/pertain-dev/pertain/internal/writing"
)

// Agreements are what the user has agreed to send, and where to, in one file. A file that
// cannot be understood is an error, and is never overwritten.
type Agreements struct {
	Path string // absolute; "": there is no folder for it, and nobody can agree
}

// Subject is what a strategy sends.
type Subject struct {
	ID     string
	Source string   // its file: in another repository the same id is another strategy
	Reads  []string // what it reads, in sentences
}

// agreed is the form of the file.
type agreed struct {
	Version   int              `json:"version"`
	Upstreams []agreedUpstream `json:"upstreams"`
}

type agreedUpstream struct {
	Upstream   string           `json:"upstream"`
	Since      time.Time        `json:"since"`
	Strategies []agreedStrategy `json:"strategies"`
}

type agreedStrategy struct {
	ID     string   `json:"id"`
	Source string   `json:"source"`
	Reads  []string `json:"reads"`
}

const (
	agreedVersion = 1
	maxAgreed     = 4 << 20 // bytes of the file
)

var errNoFolder = errors.New("there is no folder to remember in what you agree to; set HOME to an absolute path")

// Upstream tells whether the user has agreed to an upstream at all.
func (a Agreements) Upstream(u Upstream) (bool, error) {
	file, err := a.read()
	return err == nil && file.find(u) != nil, err
}

// Missing is what a strategy reads that the user has not yet agreed to send to an
// upstream; known is false if not to that upstream at all.
func (a Agreements) Missing(u Upstream, s Subject) (missing []string, known bool, err error) {
	file, err := a.read()
	if err != nil {
		return nil, false, err
	}
	at := file.find(u)
	if at == nil {
		return s.Reads, false, nil
	}
	before := at.strategy(s)
	for _, sentence := range s.Reads {
		if before == nil || !slices.Contains(before.Reads, sentence) {
			missing = append(missing, sentence)
		}
	}
	return missing, true, nil
}

// Add remembers that the user agrees. Two calls at once do not lose one.
func (a Agreements) Add(ctx context.Context, u Upstream, s Subject, now time.Time) error {
	if a.Path == "" {
		return errNoFolder
	}
	return a.file().Change(ctx, func(file *agreed) bool {
		at := file.find(u)
		if at == nil {
			file.Upstreams = append(file.Upstreams, agreedUpstream{Upstream: u.identity(), Since: now.UTC().Truncate(time.Second)})
			at = &file.Upstreams[len(file.Upstreams)-1]
		}
		before := at.strategy(s)
		if before == nil {
			at.Strategies = append(at.Strategies, agreedStrategy{s.ID, s.Source, slices.Clone(s.Reads)})
			return true
		}
		for _, sentence := range s.Reads {
			if !slices.Contains(before.Reads, sentence) {
				before.Reads = append(before.Reads, sentence)
			}
		}
		return true
	})
}

func (a Agreements) file() writing.JSONFile[agreed] {
	return writing.JSONFile[agreed]{
		Path: a.Path, Limit: maxAgreed, Newest: agreedVersion, Version: func(f *agreed) *int { return &f.Version },
		Command: "pertain ask", Remedy: "and agree again",
	}
}

func (a Agreements) read() (agreed, error) {
	if a.Path == "" {
		return agreed{Version: agreedVersion}, nil
	}
	return a.file().Read()
}

func (f *agreed) find(u Upstream) *agreedUpstream {
	at := slices.IndexFunc(f.Upstreams, func(one agreedUpstream) bool { return one.Upstream == u.identity() })
	if at < 0 {
		return nil
	}
	return &f.Upstreams[at]
}

func (u *agreedUpstream) strategy(s Subject) *agreedStrategy {
	at := slices.IndexFunc(u.Strategies, func(one agreedStrategy) bool { return one.ID == s.ID && one.Source == s.Source })
	if at < 0 {
		return nil
	}
	return &u.Strategies[at]
}
