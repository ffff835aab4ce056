package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/facts"
)

// maxReasons is how many parts of a condition are named in a list.
const maxReasons = 3

// reasonTime is how long a list may take to say why, of all that it has; without an end
// to it, many strategies that are each slow would keep the list from its reader.
const reasonTime = 2 * time.Second

// reason is why a strategy is or is not recommended, in a few words.
func (a *app) reason(ctx context.Context, engine *pertain.Engine, snapshot *facts.Snapshot, c pertain.Candidate) string {
	s := c.Strategy
	switch {
	case !s.Valid:
		return "has mistakes; see `pertain lint`"
	case !s.Trusted:
		return "the workspace is not trusted; look at it, then run `pertain trust`"
	case !s.Enabled:
		return "disabled"
	}
	x, ok, err := engine.ExplainContext(ctx, s.ID, snapshot, pertain.ExplainOptions{})
	if !ok || err != nil {
		return ""
	}
	parts := reasons(x.Tree)
	if len(parts) > maxReasons {
		parts = append(parts[:maxReasons], "…")
	}
	joined := strings.Join(parts, ", ")
	switch {
	case joined == "" && !wholeTree(x.Tree):
		return "its condition is too long to say why"
	case c.Result == cond.True && joined == "":
		return "always"
	case c.Result == cond.True:
		return "because " + joined
	case c.Result == cond.Null && joined == "":
		return "could not be decided"
	case c.Result == cond.Null:
		return "unknown: " + joined
	case joined == "":
		return "never"
	}
	return "does not hold: " + joined
}

// reasons are the parts of a condition that decided it, in words and in the order
// of the file. What was compared is told by what the condition says of it, never
// by its own text.
func reasons(tree *cond.Trace) []string {
	var out []string
	for t, negated := range tree.Deciding() {
		part := pathReason(t, negated)
		if t.Kind == "visual" {
			part = negation(negated) + strings.Replace(t.Label, "visual.exists ", "the window has ", 1)
		}
		if !slices.Contains(out, part) {
			out = append(out, part)
		}
	}
	return out
}

// wholeTree tells whether all parts of a condition are in its tree.
func wholeTree(t *cond.Trace) bool {
	if t.Kind == "path" || t.Kind == "visual" {
		return true
	}
	return t.Unlisted == 0 && !slices.ContainsFunc(t.Children, func(child *cond.Trace) bool { return !wholeTree(child) })
}

func negation(negated bool) string {
	if negated {
		return "not: "
	}
	return ""
}

// pathReason says of a path what its deciding operators say.
func pathReason(t *cond.Trace, negated bool) string {
	subject := subjectOf(t.Label)
	if t.Result == cond.Null {
		return subject
	}
	var said, items []string
	for _, child := range t.Children {
		if child.Kind != "operator" || child.Result != t.Result {
			continue
		}
		if quantity, ok := quantities[child.Label]; ok {
			items = append(items, quantity+" of "+subject+itemWords(child))
		} else {
			said = append(said, operatorWords(child))
		}
	}
	if len(said) > 0 {
		items = append([]string{subject + " " + strings.Join(said, " and ")}, items...)
	}
	if len(items) == 0 {
		items = []string{subject}
	}
	return negation(negated) + strings.Join(items, " and ")
}

// quantities are the operators on items.
var quantities = map[string]string{"any": "one", "all": "all", "none": "none"}

// itemWords says what items are asked for, by the first of them.
func itemWords(operator *cond.Trace) string {
	if len(operator.Children) == 0 {
		return ""
	}
	item := operator.Children[0]
	var said []string
	if _, field, ok := strings.Cut(item.Label, " ."); ok {
		said = append(said, field+" "+operatorsWords(item.Children))
	} else {
		for _, child := range item.Children {
			if child.Kind == "path" {
				said = append(said, child.Label+" "+operatorsWords(child.Children))
			}
		}
	}
	if len(said) == 0 {
		return " " + operatorsWords(item.Children)
	}
	return ": " + strings.Join(said, ", ")
}

func operatorsWords(operators []*cond.Trace) string {
	var said []string
	for _, operator := range operators {
		said = append(said, operatorWords(operator))
	}
	return strings.Join(said, " and ")
}

// subjects are what people call the paths that strategies ask for most.
var subjects = map[string]string{
	"attachments.selection.text":         "the selection",
	"attachments.text":                   "the attached text",
	"attachments.files":                  "the attached files",
	"clipboard.text":                     "the clipboard",
	"clipboard.files":                    "the copied files",
	"clipboard.hasImage":                 "an image on the clipboard",
	"environment.os":                     "the system",
	"environment.locale":                 "the language",
	"extra.browser.active_tab.url":       "the page's address",
	"extra.browser.active_tab.domain":    "the page's site",
	"extra.browser.active_tab.title":     "the page's title",
	"extra.file_manager.selection.items": "the selected files",
	"extra.file_manager.current_folder":  "the folder shown",
	"activeProcess.name":                 "the program in front",
	"extra.workspace.git.branch":         "the branch",
	"extra.workspace.git.hasChanges":     "uncommitted changes",
}

func subjectOf(path string) string {
	if words, ok := subjects[path]; ok {
		return words
	}
	return path
}

// verbs are the operators as one reads them aloud.
var verbs = map[string]string{
	"equals": "is", "in": "is one of", "contains": "contains", "containsAny": "contains one of", "containsAll": "contains all of",
	"startsWith": "begins with", "endsWith": "ends with", "regex": "fits", "glob": "fits", "min": "is at least", "max": "is at most",
}

// operatorWords says an operator as a trace labels it: its name, a blank, its
// operand.
func operatorWords(t *cond.Trace) string {
	name, operand, _ := strings.Cut(t.Label, " ")
	switch name {
	case "not":
		return "not (" + operatorsWords(t.Children) + ")"
	case "length":
		return rangeWords(operand, "character")
	case "count":
		return rangeWords(operand, "item")
	}
	verb, ok := verbs[name]
	if !ok {
		return t.Label
	}
	return strings.TrimSpace(verb + " " + operand)
}

// rangeWords says a range, `min 20, max 20000`, in words.
func rangeWords(bounds, unit string) string {
	side := map[string]string{}
	for part := range strings.SplitSeq(bounds, ", ") {
		name, number, _ := strings.Cut(part, " ")
		side[name] = number
	}
	smallest, largest := side["min"], side["max"]
	switch exact, ok := side["equals"]; {
	case ok:
		return "has exactly " + thousands(exact) + " " + plurals(exact, unit)
	case smallest != "" && largest != "":
		return "is " + thousands(smallest) + " to " + thousands(largest) + " " + plurals(largest, unit)
	case smallest != "":
		return "has at least " + thousands(smallest) + " " + plurals(smallest, unit)
	case largest != "":
		return "has at most " + thousands(largest) + " " + plurals(largest, unit)
	}
	return "has a number of " + unit + "s"
}

func plurals(number, unit string) string {
	if number == "1" {
		return unit
	}
	return unit + "s"
}

// thousands puts commas into the digits of a whole number.
func thousands(number string) string {
	if strings.Trim(number, "0123456789") != "" {
		return number
	}
	for at := len(number) - 3; at > 0; at -= 3 {
		number = number[:at] + "," + number[at:]
	}
	return number
}
