package settings

import (
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
)

// standing is what a setting counts for in a file that a variable names and that lies in a folder which is not trusted.
type standing uint8

const (
	anyones  standing = iota // it does no harm
	ownAlone                 // it sends something somewhere, names a file of the user's, or shows what is private: it never counts
	guarding                 // it makes triggers watch less: it counts where the user asks what they would do, and not where they watch
	local                    // an address of models: it counts if it is on this machine
	adding                   // what is private: it adds to the user's own
	shorter                  // a time limit that no other one is within: it counts if it is no longer than the user's own
)

// own puts the user's own settings in the place of what a stranger's may not say, and tells which those were.
func (p Paths) own(tree files.Tree, values Settings, list diag.List) (Settings, diag.List) {
	if p.Config == "" || p.Usual() {
		return values, list
	}
	around, guarded := Around(tree, *p.By), p.By.Caller.Guarded
	own, folder := around.Own(), ""
	if own.Config != p.Config {
		folder = around.Stranger(p.Config)
	} else if i := slices.IndexFunc(around.bare, func(bare string) bool { return around.through(bare, p.Config) }); i >= 0 && !around.trusts(around.bare[i]) {
		own, folder, guarded = around.account(), around.bare[i], guarded && around.above(p.Config) != ""
	}
	elsewhere := false
	if folder == "" && guarded && p.By.Caller.Agent {
		own = around.account()
		folder, elsewhere = around.elsewhere(p.Config), true
	}
	if folder == "" || own.Config == p.Config {
		return values, list
	}
	mine, _, err := Load(tree, own.Config)
	if !elsewhere {
		values.Private.Broken = values.Private.Broken || err != nil || mine.Private.Broken
		values.Gateway.Broken = values.Gateway.Broken || mine.Gateway.Broken
	}
	if guarded {
		values.TTSR.Broken = mine.TTSR.Broken
	}
	normal := Default()
	var keys []string
	for _, r := range table() {
		if elsewhere && r.standing != guarding {
			continue
		}
		theirs := r.field(&values)
		if !r.counts(theirs, guarded) {
			if !same(theirs, r.field(&normal)) {
				keys = append(keys, "`"+r.key+"`")
			}
			assign(theirs, r.field(&mine))
		} else if r.standing == shorter {
			theirs, most := theirs.(*time.Duration), r.field(&mine).(*time.Duration)
			if *theirs > *most {
				*theirs = *most
				keys = append(keys, "`"+r.key+"`")
			}
		} else if r.standing == adding {
			texts := theirs.(*[]string)
			*texts = append(slices.Clone(*texts), *r.field(&mine).(*[]string)...)
		}
	}
	if len(keys) > 0 {
		verb := "are"
		if len(keys) == 1 {
			verb = "is"
		}
		list.Add(diag.At(diag.NewSource(p.Config, ""), diag.NoSpan, diag.StrategyUntrusted, "%s %s not taken from this settings file: a variable of the environment names it, and it lies in a folder that is not trusted", strings.Join(keys, ", "), verb).
			WithHint("run `pertain trust` in %s, or keep the file outside of it", folder))
	}
	return values, list
}

// Usual tells, without looking at the disk, that the settings file is where it always is, or that nobody knows who called.
func (p Paths) Usual() bool {
	if p.By == nil {
		return true
	}
	account := p.By.Caller.Account
	if p.Named || p.By.GOOS == "windows" || account != "" && p.Home != files.Unix.Clean(account) {
		return false
	}
	config, _ := p.By.Lookup("XDG_CONFIG_HOME")
	return config == ""
}

// counts tells whether what a stranger's file says of a setting holds.
func (r *row) counts(value any, guarded bool) bool {
	switch r.standing {
	case ownAlone:
		return false
	case guarding:
		return !guarded
	case local:
		text := value.(*string)
		return *text != "" && onThisMachine(*text)
	}
	return true
}

// onThisMachine tells whether an address is one of the loopback.
func onThisMachine(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	at, err := netip.ParseAddr(u.Hostname())
	return err == nil && at.IsLoopback() || u.Hostname() == "localhost"
}

func same(a, b any) bool {
	return reflect.DeepEqual(reflect.ValueOf(a).Elem().Interface(), reflect.ValueOf(b).Elem().Interface())
}

func assign(to, from any) { reflect.ValueOf(to).Elem().Set(reflect.ValueOf(from).Elem()) }
