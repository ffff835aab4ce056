// Package connect puts Pertain into coding agents: it writes their settings so that they call its hooks and its MCP server, and
// takes that out again.
//
// Start with [Find] or [Named] for the agents and [Setup.Run] for the work. One file for each agent says which of its settings
// files hold what; editors change JSON with comments and TOML by inserting text, so that everything else stays as it is, byte by
// byte. What was inserted is remembered in the state folder, so that undoing it gives back the very bytes.
package connect
