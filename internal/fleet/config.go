package fleet

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// ErrNone says that the settings name no fleet.
var ErrNone = errors.New("there is no fleet: set `fleet.url` in the settings file, such as `nats://10.0.0.1:4222`")

// Config says which fleet, and how it is reached. Only the user's own settings make one: a workspace has none.
type Config struct {
	URLs        []string
	Namespace   string
	Member      string // whose memory and journal this machine writes; empty: `shared`
	Credentials string // absolute path; empty: the servers ask for nothing
	CA          string // absolute path; empty: the system's certificates
	Name        string // what the servers call the connection; empty: `pertain`
	Limits      Limits // what is 0 has its default
}

// Limits bound waiting.
type Limits struct {
	Dial   time.Duration // one server, 0 means 2 s
	Create time.Duration // all tries to make a bucket or stream, 0 means 10 s: on a new cluster the first may fail until its nodes have agreed
	Ask    time.Duration // one question, 0 means 5 s
}

func (l Limits) filled() Limits {
	fill := func(d *time.Duration, normal time.Duration) {
		if *d <= 0 {
			*d = normal
		}
	}
	fill(&l.Dial, 2*time.Second)
	fill(&l.Create, 10*time.Second)
	fill(&l.Ask, 5*time.Second)
	return l
}

// Of reads the configuration out of settings. home is where `~/` leads.
func Of(s *settings.Fleet, home string) (Config, error) {
	if !s.Enabled() {
		return Config{}, ErrNone
	}
	c := Config{URLs: s.URL, Namespace: s.Namespace, Member: s.Member}
	var err error
	if c.Credentials, err = Path("fleet.credentials", s.Credentials, home); err != nil {
		return Config{}, err
	}
	if c.CA, err = Path("fleet.ca", s.CA, home); err != nil {
		return Config{}, err
	}
	return c, nil
}

// Path is the file that a setting names, absolute. Empty stays empty. A relative path would be another file in each folder, perhaps a stranger's.
func Path(setting, text, home string) (string, error) {
	flavor := files.Native()
	if rest, ok := strings.CutPrefix(text, "~/"); ok && home != "" {
		text = flavor.Join(home, rest)
	}
	if text == "" || flavor.IsAbs(text) {
		return text, nil
	}
	return "", fmt.Errorf("`%s` must be an absolute path, or begin with `~/`", setting)
}

// Names of what a fleet has on its servers. Kinds hold no `_`, so that no namespace reaches into another.
const (
	KindRules   = "rules"
	KindMemory  = "memory"
	KindJournal = "journal"
	KindTally   = "tally"
)

// member is the part of names that only one member writes.
func (c *Config) member() string {
	if c.Member == "" {
		return "shared"
	}
	return c.Member
}

// BucketName is that of a bucket, or of a stream, of a kind: `pertain_NAMESPACE_KIND`.
func (c *Config) BucketName(kind string) string {
	return "pertain_" + c.Namespace + "_" + kind
}
