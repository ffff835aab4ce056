// Package discover finds the rules of every tool on disk, and tells which of them
// one agent loads by itself. It is large since it has one file for each tool whose
// files take more than a row of a table; the others are in one, and tools.go is the
// order of all. The rest is the search that they share, and the view of an agent.
// Strategies, skills and what rules import are found by the packages below it.
//
// Use [Rules] first.
package discover
