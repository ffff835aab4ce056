package environment

import (
	"path"
	"strings"
	"time"
)

// timeZone is the IANA name of the zone that now is in, or "". Go knows the
// name of a zone that a variable or a program chose; the system's own is only
// called Local, and its name is where the system keeps it.
func (h host) timeZone(now time.Time) string {
	if name := now.Location().String(); name != "Local" {
		return zoneName(name)
	}
	if h.goos == "windows" { // TZ has no meaning there
		return zoneName(h.zone())
	}
	if name := h.lookup("TZ"); name != "" && name != "/etc/localtime" && name != ":/etc/localtime" {
		return zoneName(name)
	}
	if name := h.linkedZone("/etc/localtime"); name != "" {
		return name
	}
	text, err := h.readFile("/etc/timezone") // Debian's, where localtime is a copy
	if err != nil {
		return ""
	}
	name, _, _ := strings.Cut(string(text), "\n")
	return zoneName(strings.TrimSpace(name))
}

// linkedZone follows links until one leads into the zone database.
func (h host) linkedZone(file string) string {
	for range 8 { // more is a circle
		target, err := h.readlink(file)
		if err != nil {
			return ""
		}
		if !path.IsAbs(target) {
			target = path.Join(path.Dir(file), target)
		}
		if strings.Contains(target, database) {
			return zoneName(target)
		}
		file = target
	}
	return ""
}

// database is the folder of the zone files, wherever a system keeps it.
const database = "/zoneinfo/"

// zoneName is the IANA name in a name or a file's path, or "": abbreviations
// such as CEST and POSIX rules such as CET-1CEST name no zone.
func zoneName(name string) string {
	name = strings.TrimPrefix(name, ":")
	if i := strings.LastIndex(name, database); i >= 0 {
		name = name[i+len(database):]
		name = strings.TrimPrefix(strings.TrimPrefix(name, "posix/"), "right/")
	}
	switch name {
	case "UTC", "UCT", "Universal", "Zulu", "Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu":
		return "UTC"
	case "", "Local", "Factory", "localtime", "posixrules", "Etc/Unknown": // placeholders
		return ""
	}
	segments := strings.Split(name, "/")
	for _, s := range segments {
		if s == "" || !isLetters(s[:1]) || strings.ContainsFunc(s, func(r rune) bool {
			return !isAlphanumeric(string(r)) && r != '_' && r != '-' && r != '+'
		}) {
			return ""
		}
	}
	if len(segments) > 3 {
		return ""
	}
	if len(segments) == 1 { // Japan is a zone, JST is none: only the database knows
		if _, err := time.LoadLocation(name); err != nil {
			return ""
		}
	}
	return name
}
