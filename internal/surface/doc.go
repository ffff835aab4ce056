// Package surface is what the command line, the HTTP API and the MCP server answer
// alike, so that they cannot differ: how a rule is found by its address, and how a
// file is described as an attachment.
//
// Use [FindRule] first.
package surface
