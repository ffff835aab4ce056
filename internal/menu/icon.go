package menu

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"strings"
)

// icons are the pictures of the Lucide icon set (lucide.dev, version 1.62, ISC):
// on each line the names, a tab, and what stands inside of <svg>.
//
//go:embed icons.txt.gz
var icons []byte

// iconColor is one that can be seen on light and on dark menus.
const iconColor = "#8a8f98"

// Pictures are the SVG files of some icons, by their names in Pascal form
// (`FileText`), as strategies have them. Names that are none are left out.
func Pictures(names []string) map[string]string {
	wanted := map[string]string{}
	for _, name := range names {
		wanted[strings.ToLower(name)] = name
	}
	out := map[string]string{}
	packed, err := gzip.NewReader(bytes.NewReader(icons))
	if err != nil {
		return out // it is embedded, and a test reads it
	}
	for lines := bufio.NewScanner(packed); len(out) < len(wanted) && lines.Scan(); {
		list, inside, _ := strings.Cut(lines.Text(), "\t")
		for name := range strings.SplitSeq(list, ",") {
			if name, ok := wanted[strings.ReplaceAll(name, "-", "")]; ok {
				out[name] = picture(inside)
			}
		}
	}
	return out
}

func picture(inside string) string {
	return `<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 0 24 24" fill="none" stroke="` + iconColor +
		`" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">` + strings.ReplaceAll(inside, "currentColor", iconColor) + "</svg>\n"
}

// FileName is the name of an icon's file.
func FileName(name string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
	return safe + ".svg"
}
