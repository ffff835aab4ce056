// Package gateway stands between agents and their models, and keeps what a model says
// within the rules: it watches the answer while it streams, breaks it off before a
// violation has left, reminds the model of the rule, asks again, and lets the second
// answer go on in the same stream. It speaks Anthropic's Messages, OpenAI's Chat
// Completions and Responses, and Gemini's API.
//
// Start with [New]; a [Gateway] is an http.Handler. What it watches with is a
// [Workspace], what it remembers of conversations a [Memory], what rules did goes to a
// [Journal].
//
//	request → conversation → remembered reminders put back → upstream
//	   upstream's events → watcher → held back as long as a match may be under way → client
//	   a rule fires → the upstream request ends → reminder → upstream again → the same stream
//
// With no rule firing, what the client gets is what the upstream sent, byte for byte.
package gateway
