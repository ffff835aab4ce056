// Package secret tells by its path and its text whether a file is likely to hold a
// secret, or is text that people write, before a stranger's file brings it into a
// prompt.
//
// Use [Looks] for a path anywhere, [Ground] for one in a workspace that leads to it, and
// [Holds] for what was read.
package secret
