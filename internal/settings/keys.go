package settings

import (
	"strings"
	"time"
)

// row is one setting. The table of rows is the only place that lists them.
type row struct {
	key         string // dots stand for nesting in the file
	choices     []string
	normal      string // the default as an author would write it; empty for none
	description string
	field       func(*Settings) any
	standing    standing // of what a stranger's file says
}

// The kinds of settings are the types that field points to:
//
//	*bool             true or false
//	**bool            the same, or unknown
//	*int              a whole number from 0 to maxInt
//	*time.Duration    a duration
//	*string           text, or one of choices
//	*[]string         a list of texts
//	*ids              a list of strategy ids
//	*oneOrMore        a text, or a list of texts
//	*map[string]string a map from names to texts
type (
	ids       []string
	oneOrMore []string
)

// maxInt bounds numbers of turns: more is a slip of the keyboard.
const maxInt = 1_000_000

// table lists all settings in the order of the documentation.
func table() []row {
	return []row{
		{
			key:         "disabled",
			description: "Ids of strategies that are switched off, such as `builtin.x`. Case does not count.",
			field:       func(s *Settings) any { return (*ids)(&s.Disabled) },
		},

		{
			key: "options.matchingTimeout", normal: "300ms",
			description: "Time limit for checking one strategy. A strategy may set its own, here as below; one of a workspace that is not trusted only shorter ones.",
			field:       func(s *Settings) any { return &s.Options.MatchingTimeout },
		},
		{
			key: "options.conditionTimeout", normal: "80ms",
			description: "Time limit for one condition.",
			field:       func(s *Settings) any { return &s.Options.ConditionTimeout },
		},
		{
			key: "options.regexTimeout", normal: "50ms",
			description: "Time limit for one use of a regular expression.",
			field:       func(s *Settings) any { return &s.Options.RegexTimeout },
		},
		{
			key: "options.visualQueryTimeout", normal: "120ms",
			description: "Time limit for one visual query.",
			field:       func(s *Settings) any { return &s.Options.VisualQueryTimeout },
		},
		{
			key: "options.extraTimeout", normal: "200ms",
			standing:    shorter,
			description: "Time limit for one call that collects a part of the context.",
			field:       func(s *Settings) any { return &s.Options.ExtraTimeout },
		},
		{
			key: "options.matchBudget", normal: "1s",
			standing:    shorter,
			description: "Time limit for a whole match. What is not decided by then is unknown (`match.budget`): what is quick is decided first, and slow strategies share what is left.",
			field:       func(s *Settings) any { return &s.Options.MatchBudget },
		},

		{
			key:         "assistant.id",
			description: "The assistant that prompts go to, as conditions on `assistant.id` see it.",
			field:       func(s *Settings) any { return &s.Assistant.ID },
		},
		{
			key:         "assistant.name",
			description: "Its name, for `assistant.name`.",
			field:       func(s *Settings) any { return &s.Assistant.Name },
		},
		{
			key:         "assistant.model.id",
			description: "Its model, for `assistant.model.id`.",
			field:       func(s *Settings) any { return &s.Assistant.Model.ID },
		},
		{
			key:         "assistant.model.modalities",
			description: "What the model takes, such as `[text, image]`, for `assistant.model.modalities`.",
			field:       func(s *Settings) any { return &s.Assistant.Model.Modalities },
		},
		{
			key:         "assistant.model.supportsToolCall",
			description: "Whether the model can call tools, for `assistant.model.supportsToolCall`.",
			field:       func(s *Settings) any { return &s.Assistant.Model.SupportsToolCall },
		},

		{
			key:         "private.applications",
			description: "Programs whose windows are never read, such as `[keepassxc, \"*bank*\"]`: globs on the name of the program or the class of its window, without case. While one is in front, the clipboard is not read either.",
			field:       func(s *Settings) any { return &s.Private.Applications },
			standing:    adding,
		},
		{
			key:         "private.titles",
			description: "Windows that are never read, with their dialogs, by globs on their title or their name on the accessibility bus (where Chromium says `(Incognito)`), such as `[\"*Private Browsing*\"]`.",
			field:       func(s *Settings) any { return &s.Private.Titles },
			standing:    adding,
		},
		{
			key: "private.defaults", normal: "true",
			description: "Whether what is usually private is never read, too: private windows of the common browsers, password managers, key agents and programs that ask for a password. [desktop.md](desktop.md#private-by-default) lists them.",
			field:       func(s *Settings) any { return &s.Private.Defaults },
			standing:    ownAlone,
		},

		{
			key: "ttsr.enabled", normal: "true",
			description: "Whether rules with a trigger watch what the model says. If not, `guard` copies everything and no rule fires.",
			field:       func(s *Settings) any { return &s.TTSR.Enabled },
			standing:    guarding,
		},
		{
			key: "ttsr.contextMode", normal: "discard", choices: []string{"discard", "keep"},
			description: "What becomes of the partial message when a rule interrupts it: `guard --json` tells its caller, who has it.",
			field:       func(s *Settings) any { return &s.TTSR.ContextMode },
			standing:    guarding,
		},
		{
			key: "ttsr.repeatMode", normal: "once", choices: []string{"once", "after-gap"},
			description: "Whether a rule that has fired in a conversation may fire again. Calls of `guard` are one conversation if they share a `--memory`.",
			field:       func(s *Settings) any { return &s.TTSR.RepeatMode },
			standing:    guarding,
		},
		{
			key: "ttsr.repeatGap", normal: "10",
			description: "With `repeatMode: after-gap`, how many turns must pass before a rule may fire again. One call of `guard` is one turn.",
			field:       func(s *Settings) any { return &s.TTSR.RepeatGap },
			standing:    guarding,
		},
		{
			key: "ttsr.interruptMode", normal: "always", choices: []string{"always", "prose-only", "tool-only", "never"},
			description: "Where a rule may interrupt: anywhere, in text, in the arguments of tool calls, or nowhere. Elsewhere it only reminds: `guard`, which reads text, then goes on as with `--keep-going`. A rule's own `interruptMode` wins.",
			field:       func(s *Settings) any { return &s.TTSR.InterruptMode },
			standing:    guarding,
		},
		{
			key: "ttsr.budget", normal: "3",
			description: "How many interruptions one user turn may have. After that, rules only remind; interruptions by rules of a repository do not count for the user's own. For `guard` with a `--memory`: how many calls in a row it stops.",
			field:       func(s *Settings) any { return &s.TTSR.Budget },
			standing:    guarding,
		},

		{
			key: "journal.enabled", normal: "true",
			description: "Whether it is kept what rules did, for `pertain journal` and `rules --stats`: names, paths and times, never text; in the state folder, at most 16 MiB.",
			field:       func(s *Settings) any { return &s.Journal.Enabled },
			standing:    guarding,
		},

		{
			key:         "gateway.anthropic",
			description: "Address to which `pertain gateway` and `pertain with` send requests of Anthropic's Messages API, such as `https://api.anthropic.com`, which is taken where there is none. A path in it is put before that of the request.",
			field:       func(s *Settings) any { return &s.Gateway.Anthropic },
			standing:    local,
		},
		{
			key:         "gateway.openai",
			description: "The same for OpenAI's APIs, and whatever speaks them; else `https://api.openai.com`.",
			field:       func(s *Settings) any { return &s.Gateway.OpenAI },
			standing:    local,
		},
		{
			key:         "gateway.gemini",
			description: "The same for Gemini's API; else `https://generativelanguage.googleapis.com`.",
			field:       func(s *Settings) any { return &s.Gateway.Gemini },
			standing:    local,
		},
		{
			key:         "gateway.workspaces",
			description: "Folders by names: requests to `/w/NAME/…` are watched with the rules of that folder, such as `{shop: /home/me/shop}`.",
			field:       func(s *Settings) any { return &s.Gateway.Workspaces },
		},

		{
			key:         "fleet.url",
			description: "Addresses of the NATS servers that a fleet shares its rules, memory and journal by ([fleet.md](fleet.md)), such as `nats://10.0.0.1:4222`, or `tls://…` for those that must encrypt; several of one cluster as a list. Without one nothing is dialled.",
			field:       func(s *Settings) any { return (*oneOrMore)(&s.Fleet.URL) },
			standing:    ownAlone,
		},
		{
			key: "fleet.namespace", normal: "main",
			description: "Which rules, memory and journal of those servers: letters, digits, `-` and `_`, at most 64. It is part of what is signed.",
			field:       func(s *Settings) any { return &s.Fleet.Namespace },
			standing:    ownAlone,
		},
		{
			key:         "fleet.credentials",
			description: "File by which the servers know you: NATS credentials (`.creds`) or the seed of an nkey; `~/` is your home. It must be yours, and nobody else may read it.",
			field:       func(s *Settings) any { return &s.Fleet.Credentials },
			standing:    ownAlone,
		},
		{
			key:         "fleet.ca",
			description: "File of certificates (PEM) that the servers' are checked with, instead of the system's.",
			field:       func(s *Settings) any { return &s.Fleet.CA },
			standing:    ownAlone,
		},
		{
			key:         "fleet.keys",
			description: "Public keys, in minisign's form (`RW…`), whose pushes are taken: one text, or a list. Without any, rules of the fleet are never used.",
			field:       func(s *Settings) any { return (*oneOrMore)(&s.Fleet.Keys) },
			standing:    ownAlone,
		},
		{
			key:         "fleet.signingKey",
			description: "File of your own private key, in minisign's form, by which `fleet push` and `fleet rollback` sign. It must be yours, and nobody else may read it.",
			field:       func(s *Settings) any { return &s.Fleet.SigningKey },
			standing:    ownAlone,
		},
		{
			key: "fleet.member", normal: "shared",
			description: "Whose memory and journal this machine writes: letters, digits, `-` and `_`, at most 64. Machines of one member go on with each other's conversations; servers can allow a user the names of one member alone.",
			field:       func(s *Settings) any { return &s.Fleet.Member },
			standing:    ownAlone,
		},
		{
			key: "fleet.journal", normal: "off", choices: []string{"off", "counts", "entries"},
			description: "What the fleet gets of the journal: nothing; how often each rule did what, by agent, with repositories told apart and not named; or the entries as well, with names of repositories and the paths in them. Never text.",
			field:       func(s *Settings) any { return &s.Fleet.Journal },
			standing:    ownAlone,
		},

		{
			key: "ask.upstream", choices: []string{"anthropic", "openai", "ollama"},
			description: "Which API the model of `pertain ask` speaks: Anthropic's Messages, OpenAI's Chat Completions (and whatever is compatible with it), or Ollama's form of that. Without it nothing is asked.",
			field:       func(s *Settings) any { return &s.Ask.Upstream },
			standing:    ownAlone,
		},
		{
			key:         "ask.url",
			description: "Its address, as SDKs take it, such as `https://openrouter.ai/api/v1`; else the provider's own: `https://api.anthropic.com`, `https://api.openai.com/v1`, or `http://127.0.0.1:11434/v1`. It must be `https`, unless it is on this machine.",
			field:       func(s *Settings) any { return &s.Ask.URL },
			standing:    ownAlone,
		},
		{
			key:         "ask.model",
			description: "The model, by the upstream's name for it.",
			field:       func(s *Settings) any { return &s.Ask.Model },
			standing:    ownAlone,
		},
		{
			key:         "ask.keyVariable",
			description: "Name of the environment variable that holds the key. Without it `ANTHROPIC_API_KEY` and `OPENAI_API_KEY` count at the providers' own addresses, and no key is sent to another one. The key itself does not belong into the settings.",
			field:       func(s *Settings) any { return &s.Ask.KeyVariable },
			standing:    ownAlone,
		},
		{
			key: "ask.maxTokens", normal: "8192",
			description: "How long an answer may be, in tokens. It is told to Anthropic's API alone, which must know; other models have limits of their own.",
			field:       func(s *Settings) any { return &s.Ask.MaxTokens },
			standing:    ownAlone,
		},
		{
			key: "ask.timeout", normal: "120s",
			description: "For how long the upstream may be silent, before its answer and in it.",
			field:       func(s *Settings) any { return &s.Ask.Timeout },
			standing:    ownAlone,
		},
	}
}

// kind names the type of a setting for people.
func (r *row) kind() string {
	if r.choices != nil {
		return "`" + strings.Join(r.choices, "`, `") + "`"
	}
	switch r.field(&Settings{}).(type) {
	case *bool, **bool:
		return "true or false"
	case *int:
		return "whole number"
	case *time.Duration:
		return "duration"
	case *[]string:
		return "list of texts"
	case *ids:
		return "list of ids"
	case *oneOrMore:
		return "text, or a list of texts"
	case *map[string]string:
		return "map of texts"
	default:
		return "text"
	}
}
