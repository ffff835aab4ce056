package cli

import (
	"fmt"
	"regexp"

	"github.com/pertain-dev/pertain/diag"
)

// maxAlike is how many findings that say the same are shown to a person one by one.
const maxAlike = 5

// firstAlike keeps of findings that say the same the first, and says in lines how many more
// there are: whoever has made a mistake in a hundred files has understood it after a few.
func firstAlike(list diag.List) (shown diag.List, lines []string) {
	quoted := regexp.MustCompile("`[^`]*`|'[^']*'|\\d+") // the parts of a message that differ from file to file
	key := func(d *diag.Diagnostic) string { return string(d.Code) + quoted.ReplaceAllString(d.Message, "") }
	count, seen := map[string]int{}, map[string]int{}
	for i := range list {
		count[key(&list[i])]++
	}
	for i := range list {
		d := &list[i]
		k := key(d)
		seen[k]++
		rest := count[k] - maxAlike
		switch {
		case d.Severity == diag.Error || rest <= 1 || seen[k] <= maxAlike: // one more would take the line that says so
			shown = append(shown, *d)
		case seen[k] == maxAlike+1:
			lines = append(lines, fmt.Sprintf("and %d more like this: %s [%s]", rest, d.Message, d.Code))
		}
	}
	return shown, lines
}
