// Package revision is one state of the rules, strategies and skills that a fleet shares: a manifest that lists files by their sums, signed as a whole,
// and the copy of it that each machine keeps.
//
// Begin with [Trust.Check], which takes a manifest only if one of the user's keys signed it for the user's namespace, and [Store], the copy on disk, which
// is checked against its signature each time that it is opened, and is used whole or not at all. Whoever hands these bytes over, a server, another client,
// or the disk, is not trusted with more than withholding them.
package revision
