package environment

import (
	"errors"
	"io/fs"
	"regexp"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

func TestLanguage(t *testing.T) {
	tests := []struct {
		variables map[string]string
		system    string
		want      string
	}{
		{nil, "", ""},
		{map[string]string{"LANG": "de_DE.UTF-8"}, "", "de-DE"},
		{map[string]string{"LANG": "de_DE.UTF-8@euro"}, "", "de-DE"},
		{map[string]string{"LANG": "de_DE@euro"}, "", "de-DE"},
		{map[string]string{"LANG": "en_US", "LC_MESSAGES": "fr_CA"}, "", "fr-CA"},
		{map[string]string{"LANG": "en_US", "LC_MESSAGES": "fr_CA", "LC_ALL": "pt_BR"}, "", "pt-BR"},
		{map[string]string{"LANG": "en_US", "LC_CTYPE": "fr_CA"}, "", "en-US"},
		{map[string]string{"LANG": "de_DE", "LC_ALL": "C"}, "", ""},
		{map[string]string{"LANG": "C.UTF-8"}, "de-DE", ""},
		{map[string]string{"LANG": "POSIX"}, "", ""},
		{map[string]string{"LANG": "en_US_POSIX"}, "", "en-US"},
		{map[string]string{"LANG": "sr_RS@latin"}, "", "sr-Latn-RS"},
		{map[string]string{"LANG": "ca_ES.UTF-8@valencia"}, "", "ca-ES-valencia"},
		{map[string]string{"LANG": "es_419"}, "", "es-419"},
		{map[string]string{"LANG": "zh_Hans_CN"}, "", "zh-Hans-CN"},
		{map[string]string{"LANG": "ZH-hant-tw"}, "", "zh-Hant-TW"},
		{map[string]string{"LANG": "eo"}, "", "eo"},
		{map[string]string{"LANG": "haw_US"}, "", "haw-US"},
		{map[string]string{"LANG": "english"}, "", ""},
		{map[string]string{"LANG": "UTF-8"}, "", ""},
		{map[string]string{"LANG": "de_GERMANY_X"}, "", ""},
		{map[string]string{"LANG": "déjà"}, "", ""},
		{nil, "de-AT", "de-AT"},
		{map[string]string{"LANG": "it_IT"}, "de-AT", "it-IT"},
	}
	for _, tt := range tests {
		h := host{lookup: func(name string) string { return tt.variables[name] }, locale: func() string { return tt.system }}
		if got := h.language(); got != tt.want {
			t.Errorf("%v, system %q: %q, want %q", tt.variables, tt.system, got, tt.want)
		}
	}
}

func FuzzLanguageTag(f *testing.F) {
	for _, seed := range []string{"de_DE.UTF-8@euro", "C", "sr_RS@latin", "zh_Hans_CN", "en_US_POSIX", "a-b-c", "de__DE", "@.@_", "sl_IT_nedis_1994"} {
		f.Add(seed)
	}
	form := regexp.MustCompile(`^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9]{4}))?$`)
	f.Fuzz(func(t *testing.T, locale string) {
		tag := languageTag(locale)
		if tag != "" && !form.MatchString(tag) {
			t.Errorf("%q gives %q, which is no language tag", locale, tag)
		}
		if again := languageTag(tag); again != tag {
			t.Errorf("%q gives %q, and that gives %q", locale, tag, again)
		}
	})
}

func TestTimeZone(t *testing.T) {
	berlin := time.FixedZone("Europe/Berlin", 3600) // a name is all that counts, so no zone database is needed
	tests := []struct {
		name  string
		goos  string
		zone  *time.Location
		tz    string
		links map[string]string
		file  string // /etc/timezone
		own   string // Windows' answer
		want  string
	}{
		{name: "now has a zone", zone: berlin, tz: "Asia/Tokyo", want: "Europe/Berlin"},
		{name: "now is in UTC", zone: time.UTC, tz: "Asia/Tokyo", want: "UTC"},
		{name: "now has an abbreviation", zone: time.FixedZone("XYZT", 3600), tz: "Asia/Tokyo", want: ""},
		{name: "now has a zone by its file", zone: time.FixedZone("/usr/share/zoneinfo/Asia/Tokyo", 9*3600), want: "Asia/Tokyo"},
		{name: "TZ", tz: "America/Argentina/Ushuaia", links: map[string]string{"/etc/localtime": "/usr/share/zoneinfo/Europe/Paris"}, want: "America/Argentina/Ushuaia"},
		{name: "TZ with a colon", tz: ":America/New_York", want: "America/New_York"},
		{name: "TZ with a path", tz: ":/usr/share/zoneinfo/posix/Asia/Tokyo", want: "Asia/Tokyo"},
		{name: "TZ with a rule", tz: "CET-1CEST,M3.5.0/2,M10.5.0/3", file: "Europe/Berlin", want: ""},
		{name: "TZ with another path", tz: "/home/me/zone", want: ""},
		{name: "TZ is the link", tz: ":/etc/localtime", links: map[string]string{"/etc/localtime": "/usr/share/zoneinfo/Europe/Paris"}, want: "Europe/Paris"},
		{name: "link", links: map[string]string{"/etc/localtime": "/usr/share/zoneinfo/Etc/GMT+3"}, file: "Europe/Rome", want: "Etc/GMT+3"},
		{name: "relative link", links: map[string]string{"/etc/localtime": "../usr/share/zoneinfo/Europe/Paris"}, want: "Europe/Paris"},
		{name: "macOS", goos: "darwin", links: map[string]string{"/etc/localtime": "/var/db/timezone/zoneinfo/Europe/Paris"}, want: "Europe/Paris"},
		{name: "link to a link", links: map[string]string{"/etc/localtime": "static/localtime", "/etc/static/localtime": "/etc/zoneinfo/Europe/Paris"}, want: "Europe/Paris"},
		{name: "circle", links: map[string]string{"/etc/localtime": "localtime"}, file: "Europe/Rome", want: "Europe/Rome"},
		{name: "UTC by its other name", links: map[string]string{"/etc/localtime": "/usr/share/zoneinfo/Etc/UTC"}, want: "UTC"},
		{name: "copy", file: "Europe/Rome\n", want: "Europe/Rome"},
		{name: "broken file", file: "not a zone\n", want: ""},
		{name: "placeholder", links: map[string]string{"/etc/localtime": "/usr/share/zoneinfo/Factory"}, want: ""},
		{name: "nothing", want: ""},
		{name: "Windows", goos: "windows", tz: "Asia/Tokyo", own: "Europe/Berlin", want: "Europe/Berlin"},
		{name: "Windows without the library", goos: "windows", want: ""},
		{name: "Windows without a zone", goos: "windows", own: "Etc/Unknown", want: ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := host{
				goos:   tt.goos,
				lookup: func(string) string { return tt.tz },
				readlink: func(name string) (string, error) {
					if target, ok := tt.links[name]; ok {
						return target, nil
					}
					return "", fs.ErrNotExist
				},
				readFile: func(string) ([]byte, error) {
					if tt.file == "" {
						return nil, errors.New("no such file")
					}
					return []byte(tt.file), nil
				},
				zone: func() string { return tt.own },
			}
			zone := tt.zone
			if zone == nil {
				zone = time.FixedZone("Local", 0)
			}
			if got := h.timeZone(time.Unix(0, 0).In(zone)); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestEnvironmentOfHosts(t *testing.T) {
	for goos, want := range map[string]string{"linux": "linux", "windows": "windows", "darwin": "macos", "freebsd": ""} {
		h := host{goos: goos, goarch: "arm64", lookup: func(string) string { return "" }, locale: func() string { return "" }}
		v := h.environment(time.Date(2026, 11, 15, 23, 30, 0, 0, time.FixedZone("", -3600)))
		if got := v.Field("os"); got.Text() != want || got.IsAbsent() != (want == "") {
			t.Errorf("%s: os is %q", goos, got.Text())
		}
		if got := v.Field("currentDate").Text(); got != "2026-11-15" {
			t.Errorf("the date is %s; it should be the local one", got)
		}
		for _, f := range v.Fields() {
			if f.Value.Kind() != facts.String || f.Name == "locale" || f.Name == "timeZone" {
				t.Errorf("%s: %s is %q; what is not known is left out", goos, f.Name, f.Value.Text())
			}
		}
	}
}

// TestDateOfTheCaller: the date is that of the zone which is told, whatever zone the process is in: a service answers for others.
func TestDateOfTheCaller(t *testing.T) {
	now := time.Date(2026, 11, 16, 15, 30, 0, 0, time.UTC).In(time.Local)
	for zone, want := range map[string]string{"Asia/Tokyo": "2026-11-17", "UTC": "2026-11-16", "Pacific/Kiritimati": "2026-11-17", "America/New_York": "2026-11-16"} {
		if _, err := time.LoadLocation(zone); err != nil {
			t.Skip("there is no zone database here")
		}
		h := host{goos: "linux", goarch: "arm64", lookup: func(name string) string {
			if name == "TZ" {
				return zone
			}
			return ""
		}, locale: func() string { return "" }}
		if date, _ := field(h.environment(now), "currentDate"); date.Text() != want {
			t.Errorf("%s: %s, want %s", zone, date.Text(), want)
		}
	}
}
