// Package agent is what is known about coding agents, as data: which files each
// loads itself, when, from how far up, in which order, with which limits, and what
// its globs and imports mean. Each row says where it comes from: from the requests
// of the program itself, or from its source and documents.
//
// Start with [All] or [Lookup]. Nothing here reads a file; internal/discover does
// what the table says, and docs/agents.md is made from it.
package agent
