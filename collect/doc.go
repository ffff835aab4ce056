// Package collect reads the live context from the machine: opt-in, since the
// engine itself touches nothing outside of the files it is given.
//
// Use [Standard] with facts.NewGatherer for what conditions need, and
// [Environment] for the facts that are always there. [FillEnvironment] adds
// these to a context that was read from a file.
package collect
