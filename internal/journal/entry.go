package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Source is who watched.
type Source string

const (
	Hook    Source = "hook"
	Gateway Source = "gateway"
	Guard   Source = "guard"
)

// Action is what became of it.
type Action string

const (
	Denied      Action = "denied"      // a tool call was refused
	Interrupted Action = "interrupted" // an answer was stopped, and asked for again
	Reminded    Action = "reminded"    // it went on, and the model was told the rule
	Given       Action = "given"       // the rule was given, before anything broke it
	Passed      Action = "passed"      // it went through, because the budget was used up
)

// Entry is one thing that a rule did. Its names are those of the JSON that `pertain journal` prints.
type Entry struct {
	ID           string    `json:"id"` // of NewID; empty: Add gives one. Heed takes it
	Time         time.Time `json:"time"`
	Source       Source    `json:"source"`
	Agent        *string   `json:"agent"`     // nil: not known
	Workspace    *string   `json:"workspace"` // the folder that settings.WorkspaceRoot finds, else the working directory
	Conversation *string   `json:"conversation"`
	Rule         string    `json:"rule"`
	Path         *string   `json:"path"` // relative to the workspace, with slashes; nil: no file
	Action       Action    `json:"action"`
	Heeded       *bool     `json:"heeded"` // nil: not known yet
}

// Conversation is how a conversation is named in a journal: its id as the agent has it may say more than that.
func Conversation(agent, id string) *string {
	if id == "" {
		return nil
	}
	sum := sha256.Sum256([]byte(agent + "\x00" + id))
	name := hex.EncodeToString(sum[:8])
	return &name
}

// Text makes a field of a text; an empty one is none.
func Text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Longest texts in an entry, in bytes.
const (
	maxName = 256
	maxPath = 1024
)

// tidy keeps out of an entry what is none of its business. A path comes from a model's tool call: what has line breaks or is
// longer than any path is something else, perhaps a text of the user's.
func (e *Entry) tidy() {
	e.Rule = cut(e.Rule, maxName)
	for _, field := range []**string{&e.Agent, &e.Conversation} {
		if *field != nil && !isName(**field) {
			*field = nil
		}
	}
	for _, field := range []**string{&e.Workspace, &e.Path} {
		if *field != nil && !IsPath(**field) {
			*field = nil
		}
	}
	e.Time = e.Time.UTC().Truncate(time.Millisecond)
}

func cut(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	for len(s) > most {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	return s
}

func isName(s string) bool {
	return s != "" && len(s) <= maxName && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
	})
}

// IsPath tells what can be a path from a text that only stands where one should be.
func IsPath(s string) bool {
	return s != "" && len(s) <= maxPath && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}
