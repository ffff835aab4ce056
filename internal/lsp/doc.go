// Package lsp is a language server for what authors write: strategy files, rule files
// of all tools, settings and context files. It speaks the Language Server Protocol on
// a pair of streams; start with [Serve].
//
// Documents are what the editor holds, whatever is on the disk; everything else is read
// as `pertain lint` reads it, through the same code. Nothing is written, no program is
// started, and a folder that the user does not trust reaches no farther than it does for
// the command line.
//
// Messages are handled one after the other, in their order; what is slow, such as
// looking at a whole folder, happens beside that (diagnose.go) and is given up when
// somebody types on. JSON-RPC is github.com/creachadair/jrpc2; framing is frames.go,
// since that module's own makes room for whatever length a header claims.
package lsp
