package strategy_test

import (
	"context"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/strategy"
)

// TestIDs holds docs/reference/strategies.md: what stays, what is prefixed, what is refused, what is derived.
func TestIDs(t *testing.T) {
	tests := []struct {
		provider, path, id string // id as written; empty: none
		want               string // empty: refused
		code               diag.Code
	}{
		{"user", "x.strategy.md", "user.a.b", "user.a.b", ""},
		{"user", "x.strategy.md", "USER.a", "USER.a", ""},
		{"user", "x.strategy.md", "user", "user", ""},
		{"user", "x.strategy.md", "a", "user.a", ""},
		{"user", "x.strategy.md", "users.a", "user.users.a", ""},
		{"user", "x.strategy.md", "userx", "user.userx", ""},
		{"user", "x.strategy.md", "file-manager.summarize_1", "user.file-manager.summarize_1", ""},
		{"user", "x.strategy.md", "überblick.日本", "user.überblick.日本", ""},
		{"user", "x.strategy.md", "u\u017Fer.a", "u\u017Fer.a", ""}, // a long s is an s, without case
		{"builtin", "x.strategy.md", "builtin.a", "builtin.a", ""},
		{"builtin", "x.strategy.md", "user.a", "", diag.StrategyReservedID},
		{"workspace", "x.strategy.md", "workspace.review", "workspace.review", ""},
		{"workspace", "x.strategy.md", "user.a", "", diag.StrategyReservedID},
		{"plugin.foo", "x.strategy.md", "plugin.foo.a", "plugin.foo.a", ""},
		{"plugin.foo", "x.strategy.md", "Plugin.Foo.a", "Plugin.Foo.a", ""},
		{"plugin.foo", "x.strategy.md", "plugin.bar.a", "", diag.StrategyReservedID},
		{"plugin.foo", "x.strategy.md", "plugin.foobar.a", "", diag.StrategyReservedID},
		{"plugin.foo", "x.strategy.md", "foo.a", "plugin.foo.foo.a", ""},

		{"user", "a.strategy.md", "", "user.a", ""},
		{"user", "A b.strategy.md", "", "user.A-b", ""},
		{"user", "sub/dir/a.strategy.md", "", "user.sub.dir.a", ""},
		{"user", "sub/a.b.strategy.md", "", "user.sub.a.b", ""},
		{"user", "user/a.strategy.md", "", "user.user.a", ""},       // always prefixed
		{"user", "builtin/a.strategy.md", "", "user.builtin.a", ""}, // so it is in nobody else's namespace
		{"user", "a(1)+.strategy.md", "", "user.a-1--", ""},
		{"user", "日本語.strategy.md", "", "user.日本語", ""},
		{"user", `back\slash.strategy.md`, "", "user.back-slash", ""},
		{"user", "X.Strategy.MD", "", "user.X", ""},
		{"plugin.foo", "a.strategy.md", "", "plugin.foo.a", ""},
		{"user", ".hidden.strategy.md", "", "", diag.StrategyInvalidID},
		{"user", "a..b.strategy.md", "", "", diag.StrategyInvalidID},
		{"user", ".strategy.md", "", "", diag.StrategyInvalidID},
	}
	for _, tt := range tests {
		front := "---\nname: x\n"
		if tt.id != "" {
			front += "id: \"" + tt.id + "\"\n"
		}
		origin := strategy.Origin{Provider: tt.provider, Path: tt.path, Trusted: true}
		s := new(strategy.Normalizer).Normalize(context.Background(), "/s/"+tt.path, []byte(front+"---\n"), origin)
		if tt.code != "" {
			if len(s.Diagnostics) != 1 || s.Diagnostics[0].Code != tt.code || s.Valid {
				t.Errorf("%s of %s in %s: %v, want %s", tt.id, tt.path, tt.provider, s.Diagnostics, tt.code)
			}
			continue
		}
		if s.ID != tt.want || !s.Valid {
			t.Errorf("%q of %s in %s = %q (%v), want %q", tt.id, tt.path, tt.provider, s.ID, s.Diagnostics, tt.want)
		}
	}
}

func TestIDsAreComparedWithoutCase(t *testing.T) {
	if strategy.Key("User.É") != strategy.Key("user.é") || strategy.Key("user.ß") == strategy.Key("user.ss") {
		t.Error("ids are folded simply")
	}
}

func TestDuplicate(t *testing.T) {
	first := normalize("---\nid: user.a\nname: x\n---\n")
	second := normalize("---\nname: x\nid: USER.A\n---\n")
	twin := second.Duplicate(first)
	if twin.Valid || !second.Valid || len(second.Diagnostics) != 0 {
		t.Errorf("valid: %v, %v", twin.Valid, second.Valid)
	}
	d := twin.Diagnostics[0]
	if d.Strategy != twin.ID {
		t.Errorf("it is told of %q", d.Strategy)
	}
	if got := short(twin.Diagnostics); got != "error strategy.duplicate_id 3:5\n" {
		t.Errorf("got %s", got)
	}
	if len(d.Related) != 1 || d.Related[0].Source != first.Source || d.Related[0].Span.Start != strings.Index(first.Source.Text(), "user.a") {
		t.Errorf("the first one is not named: %v", d.Related)
	}
	derived := normalize("---\nname: x\n---\n").Duplicate(first)
	if got := short(derived.Diagnostics); got != "error strategy.duplicate_id 1:1\n" {
		t.Errorf("a derived id has no place of its own: %s", got)
	}
}

// TestNoID: a file of which no id can be made is listed by a name nevertheless, which no other one is kept from.
func TestNoID(t *testing.T) {
	for path, want := range map[string]string{".hid.strategy.md": "user.hid", "noid..x.strategy.md": "user.noid-x", "a/.b.strategy.md": "user.a-b", "...strategy.md": "user.my-strategy"} {
		s := (&strategy.Normalizer{}).Normalize(context.Background(), "/s/"+path, []byte("---\nname: x\n---\n"), user(path))
		if s.Valid || s.ID != want || s.OwnKey() != "" || short(s.Diagnostics) != "error strategy.invalid_id 1:1\n" || s.Diagnostics[0].Strategy != want {
			t.Errorf("%s: %q %v", path, s.ID, s.Diagnostics)
		}
	}
}

func TestUnreadable(t *testing.T) {
	s := strategy.Unreadable("/s/a b.strategy.md", "permission is denied", user("a b.strategy.md"))
	if s.Valid || s.ID != "user.a-b" || short(s.Diagnostics) != "error strategy.invalid_encoding\n" || s.Diagnostics[0].Strategy != "user.a-b" {
		t.Errorf("%+v", s)
	}
}

// TestIDThatLooksLikeAField: what is said of an id does not stand for what is said of the field whose name it begins with.
func TestIDThatLooksLikeAField(t *testing.T) {
	s := normalize("---\nid: \"name` x\"\n---\nText.\n")
	if got, want := short(s.Diagnostics), "error strategy.invalid_id 2:5\nerror strategy.missing_name 1:1\n"; got != want {
		t.Errorf("got\n%s", got)
	}
}
