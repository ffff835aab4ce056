// Package tally counts what rules did on many machines. Each machine counts its own journal, a [Day] at a time, so that a question about
// millions of entries reads some thousand days.
//
// Start with [Carrier], which brings the journal of this machine to a [Ledger], each line once, and with [Report], which answers from days.
//
// A day holds names of rules, agents and repositories, and numbers; never text of anyone, and no path.
package tally
