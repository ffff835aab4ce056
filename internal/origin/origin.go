// Package origin tells by the headers of a request whether a page of another site made a browser send it. Servers on
// this machine ask it before they do anything: a browser sends such requests for whoever has a page open.
//
// Use [CrossSite]; what a browser says of the `Origin` is the server's own to judge, since some have pages and some have none.
package origin

// CrossSite tells whether a browser says that a request was sent for another site, also by what shows no `Origin`: pictures,
// scripts, frames, links. public is for addresses that hold nothing of the user's and do nothing: a link to one may be followed,
// and nothing else. header holds its names in the canonical form, as that of net/http does.
//
// Programs send no Sec-Fetch-Site; those that are built on a browser's fetch send Sec-Fetch-Mode alone.
func CrossSite(header map[string][]string, public bool) bool {
	for _, site := range header["Sec-Fetch-Site"] {
		switch site {
		case "", "same-origin", "none":
		default:
			if !public || first(header["Sec-Fetch-Mode"]) != "navigate" {
				return true
			}
			target := first(header["Sec-Fetch-Dest"]) // which some browsers leave out
			return target != "" && target != "document"
		}
	}
	return false
}

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}
