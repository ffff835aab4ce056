package rule

import (
	"encoding/json"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/visible"
)

// Level is whose rule it is.
type Level string

const (
	Project Level = "project"
	User    Level = "user"
)

// Bucket is the way by which a rule reaches a model (docs/reference/rules.md).
type Bucket string

const (
	None     Bucket = "none"     // by name, or by the file that is worked on
	Rulebook Bucket = "rulebook" // its description is in the prompt, its text behind rule://
	TTSR     Bucket = "ttsr"     // when the model is about to break it
	Always   Bucket = "always"   // whole, in every prompt
)

// Activation is what a tool's own fields say about when a rule applies.
type Activation uint8

const (
	ByFields      Activation = iota // alwaysApply, globs and description decide
	AlwaysActive                    // whatever is worked on
	OnDescription                   // when the model finds it relevant; globs don't count
	Manual                          // only when somebody asks for it
	Never                           // switched off
)

// Rule is one rule. Rules are immutable once they are in a [Set]. A nil field
// was absent, or was dropped by normalization.
type Rule struct {
	Name    string // identity: of several rules with one name the first wins
	Path    string // absolute path of the file
	Content string // the text for the model: the body without frontmatter, trimmed

	Description *string
	Globs       []string
	AlwaysApply *bool
	Trigger     *string  // ttsr_trigger, or the first condition
	Triggers    []string // all expressions that stop a stream; each is valid ECMAScript unless documented

	Scope    []string // streams that the triggers watch, each as [ScopeEntry.String] writes it; nil: the usual ones
	Examples Examples // texts by which the author checks the triggers
	// InterruptMode says where the triggers interrupt, for this rule alone: always,
	// prose-only, tool-only or never; "": as the settings say.
	InterruptMode string
	// Disabled says that the rule switches itself off (`enabled: false`): it is found, and
	// never used, so it hides no other either.
	Disabled bool

	Provider   string // id, such as cursor
	Level      Level
	Bucket     Bucket
	Activation Activation
	Shadowed   bool
	ShadowedBy *Rule // the rule that won; nil: this one did

	// Base is the folder that globs are relative to, absolute, with slashes.
	Base string
	// Within is the folder whose files the rule is for, absolute, with slashes;
	// empty: every file.
	Within string
	// Real is the path without links; empty: not known.
	Real string
	// Inner is the workspace of its own, inside of the project, that it lies in, without links; empty: none. Who trusts the project
	// does not trust that.
	Inner string

	Format      *Format
	Source      *diag.Source
	Frontmatter *document.Node // nil: none
	Includes    []string       // files whose text was imported, absolute
	Imported    []Import       // where in Content they stand, by their beginnings, outer ones first
	Fixes       []Fix          // safe edits of the file that mend what was found
	Remarks     diag.List      // what only an author wants to know, for lint

	// Export is set for a file that `pertain export` wrote and nobody changed since; nil: a person wrote it.
	Export *Export

	// Agents are the agents that load this file themselves, sorted; nil: nobody asked.
	Agents []string
	// When is when the agent that was asked about loads the rule; empty: none was.
	When When
	// Unsure: the agent that was asked about loads the file only if it believes the settings of a workspace that the user does not trust.
	Unsure bool
	// Lost: the agent that was asked about cannot read its frontmatter, and leaves it out.
	Lost bool

	loose   bool   // it was named by the user, and no tool reads it where it is
	short   string // the name without a folder of the project
	folder  string // of the project that holds the tool's files, relative to the root; empty: the root, or none
	nested  bool   // that folder lies below the working directory
	chained bool   // that folder is one of those from the working directory up
	above   bool   // it lies above the project

	parts   []*Rule   // what rules of this name and text were made one of; nil: it is alone
	origins [][]*Rule // of each glob, which of the parts have it; nil: all are its own
	withins []string  // of the parts; nil: Within

	overfull bool // see Overfull

	documented bool
	raw        *rawFields // documented: values as the rulebook keeps them; nil: as above
}

// When is the moment at which an agent loads a rule by itself.
type When string

const (
	AtStart   When = "start"   // when a conversation begins
	OnTouch   When = "touch"   // when a file is touched that it is for
	IsListed  When = "listed"  // name and description at the start, the text when the model asks
	OnTrigger When = "trigger" // when the model is about to break it
	NotAtAll  When = "never"
)

// Fix replaces a span of the source's text.
type Fix struct {
	Span diag.Span
	Text string
	Why  string // one line, for people

	key string // what a misspelt key becomes; empty: the fix is another
}

func isTrue(flag *bool) bool { return flag != nil && *flag }

// bucket is the rulebook's (docs/reference/rules.md), and by default the tool's own activation.
func (r *Rule) bucket() Bucket {
	if r.documented {
		return r.raw.bucket()
	}
	switch {
	case r.Disabled:
		return None
	case len(r.Triggers) > 0 && (r.When == "" || r.When == OnTrigger):
		return TTSR // an agent that knows no triggers loads the rule by its other fields
	case r.When == IsListed:
		return Rulebook
	case r.Activation == AlwaysActive, r.Activation == ByFields && isTrue(r.AlwaysApply):
		return Always
	case r.Activation == Manual, r.Activation == Never:
		return None
	case r.Description != nil:
		return Rulebook
	}
	return None
}

// Settle decides anew by which way the rule reaches a model, after its activation
// was changed. It is for code that makes rules, before they are in a set.
func (r *Rule) Settle() { r.Bucket = r.bucket() }

// Text is what a model is told of the rule: its content without the characters
// that no reader can see.
func (r *Rule) Text() string { return visible.Strip(r.Content) }

// URI is the rule's address.
func (r *Rule) URI() string { return "rule://" + r.Name }

// wire is the JSON form; other programs rely on the names.
type wire struct {
	Name        string   `json:"name"`
	Path        string   `json:"path"`
	Provider    string   `json:"provider"`
	Level       Level    `json:"level"`
	Description any      `json:"description"`
	Globs       any      `json:"globs"`
	AlwaysApply any      `json:"alwaysApply"`
	TTSRTrigger any      `json:"ttsrTrigger"`
	Triggers    []string `json:"triggers"`
	Bucket      Bucket   `json:"bucket"`
	Shadowed    bool     `json:"shadowed"`
	ShadowedBy  *string  `json:"shadowedBy"`
	// Only where the rule says so.
	InterruptMode string `json:"interruptMode,omitempty"`
	Enabled       *bool  `json:"enabled,omitempty"`

	Agents []string `json:"agents,omitzero"`
	When   When     `json:"when,omitempty"`
}

// MarshalJSON writes the documented form.
func (r *Rule) MarshalJSON() ([]byte, error) {
	w := wire{
		Name: r.Name, Path: r.Path, Provider: r.Provider, Level: r.Level,
		Description: r.Description, AlwaysApply: r.AlwaysApply, TTSRTrigger: r.Trigger,
		Triggers: r.Triggers, Bucket: r.Bucket, Shadowed: r.Shadowed, InterruptMode: r.InterruptMode, Agents: r.Agents, When: r.When,
	}
	if r.Disabled {
		w.Enabled = new(bool)
	}
	if r.Globs != nil {
		w.Globs = r.Globs
	}
	if r.raw != nil {
		w.Description, w.Globs, w.AlwaysApply, w.TTSRTrigger = r.raw.description, r.raw.globs, r.raw.always, r.raw.trigger
	}
	if w.Triggers == nil {
		w.Triggers = []string{}
	}
	if r.ShadowedBy != nil {
		w.ShadowedBy = &r.ShadowedBy.Path
	}
	return json.Marshal(w)
}
