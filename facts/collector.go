package facts

import (
	"cmp"
	"context"
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// Collector reads parts of the context from the machine (docs/reference/paths.md). Several may
// serve one need; a [Gatherer] asks them in their order. It must be safe for
// concurrent use and must not panic.
type Collector interface {
	// Info describes the collector. It is asked once and never changes.
	Info() CollectorInfo

	// CanCollect tells whether asking makes sense here and now: the right
	// desktop, the right program in front. It is cheap: no waiting for other
	// programs.
	CanCollect(ctx context.Context, base *Snapshot, request Request) bool

	// Collect reads what is requested, in one call for all of it. The context
	// ends at the time limit; a collector that can give a part of the answer
	// returns that before. The base snapshot holds what was known before
	// anything was collected.
	//
	// An error should be a [CollectError]; of any other error nothing is shown,
	// since its text may hold what is on the screen.
	Collect(ctx context.Context, base *Snapshot, request Request) (Part, error)
}

// CollectorInfo describes a collector.
type CollectorInfo struct {
	ID         string   // such as linux.atspi; in diagnostics only, conditions cannot name it
	Serves     []string // needs such as clipboard.text, extra.browser, visual; clipboard stands for all below it
	Permission string   // what the user must allow, in words, such as "access to accessibility"; empty: nothing
}

func (i CollectorInfo) serves(need string) bool {
	for _, name := range i.Serves {
		if need == name || strings.HasPrefix(need, name) && need[len(name)] == '.' {
			return true
		}
	}
	return false
}

// Request says what a collector is asked for: some of what it serves.
type Request struct {
	Needs Needs
}

// Part is what a collector found. For each need of the request there are three
// answers:
//
//   - a value, or for [Visual] a tree: that is the fact;
//   - a field that is present with the absent Value: there certainly is none,
//     such as no text on the clipboard, and nobody else is asked;
//   - nothing: this collector does not know, and the next one is asked.
//
// Within a value, fields that are left out are missing data and no mistake.
// What nobody asked for is dropped, with one exception: with the tree comes
// attachments.visual.primary, which counts unless the user attached another.
type Part struct {
	Values  Value             // nested as in the file form of a context
	Tree    *Tree             // the visible elements
	Summary map[string]string // by need: a few words that say how much was found, such as "1 tab", never what; may be nil
	Lacks   []Lack            // what could not be told within an answer, where there is more to say than that; may be nil
}

// Lack is a value that a collector could not tell although it has an answer for
// the need above it: a browser may tell its address but not its page. It may
// also be the need itself, which then has no answer.
type Lack struct {
	Path   string    // such as extra.browser.active_tab.html
	Reason string    // a few words for people; never text from the context
	Remedy string    // what the user can do; empty: nothing is known
	Code   diag.Code // diag.ExtraProviderTimeout where time was too short; empty: diag.ExtraProviderUnavailable
}

func (l Lack) code() diag.Code { return cmp.Or(l.Code, diag.ExtraProviderUnavailable) }

// With returns the part with one more value, such as at clipboard.text.
func (p Part) With(name string, v Value) Part {
	p.Values = put(p.Values, strings.Split(name, "."), v)
	return p
}

// CollectError says why a collector has no answer.
type CollectError struct {
	// Code is diag.ExtraPermissionUnavailable, diag.ExtraProviderUnavailable or
	// diag.ExtraProviderTimeout; anything else is diag.ExtraProviderFailed.
	Code   diag.Code
	Reason string // a few words for people; never text from the context or of another error
	Remedy string // what the user can do, such as "start Chromium again"; empty: nothing is known
	Err    error  // the cause, for errors.Is; it is never shown
}

// Error is the reason alone.
func (e *CollectError) Error() string {
	if e.Reason == "" {
		return "the context could not be collected"
	}
	return e.Reason
}

// Unwrap is the cause.
func (e *CollectError) Unwrap() error { return e.Err }

// PermissionMissing is the error for what the user has not allowed.
func PermissionMissing(reason, remedy string) error {
	return &CollectError{Code: diag.ExtraPermissionUnavailable, Reason: reason, Remedy: remedy}
}

// Unavailable is the error for what this machine cannot tell now.
func Unavailable(reason, remedy string) error {
	return &CollectError{Code: diag.ExtraProviderUnavailable, Reason: reason, Remedy: remedy}
}
