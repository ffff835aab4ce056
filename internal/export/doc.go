// Package export writes rules as the files that other agents read, and theirs as native ones.
//
// [Load] finds the rules, [Plan] says which files they become and what each agent cannot say, [Plan.Run] compares that with the
// disk and writes. Each format has a file here with what it can say and how; what it cannot is written in the nearest weaker form
// and told as a loss. Before anything is written, the planned files are read back as their agent reads them: what comes back
// otherwise is told, too, so that a rule without losses is one that is the same on the other side.
package export
