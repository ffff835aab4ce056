// Package mcpserver speaks the Model Context Protocol, so that any agent gets
// the rules of a repository, which of them reach the files it is about to edit,
// and the strategies that are recommended now.
//
// Use [New], then [Server.Serve] for one client on standard input and output, or
// [Server.Handler] for many over HTTP. Each client has a session of its own, and
// its roots decide which folder it is told about.
//
// What a client sends is never trusted: paths outside of the session's folders
// are refused, names are looked up and never joined to a path, and answers are
// bounded.
package mcpserver
