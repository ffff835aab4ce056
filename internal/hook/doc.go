// Package hook answers the hooks of coding agents: a conversation begins, a tool is about to be called, a tool was called, a
// turn ends. Rules that the agent does not load itself are given at the right moment, and a call that would break one is denied
// with the rule as the reason.
//
// Start with [Run]. One file for each agent says what its JSON means and how it wants to be answered; what is decided is the
// same for all (decide.go and the files named after the moments), and so is what a conversation remembers (memory.go).
//
//	agent's JSON → dialect → request → decision ⇄ rules, memory, journal → answer → dialect → agent's JSON
//
// Whatever goes wrong is an answer that says nothing: a hook never breaks the agent that it is part of. Nothing of a call, no
// text, no argument, reaches the memory, the journal or standard error.
package hook
