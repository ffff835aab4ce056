// Package repository reads git repositories without git: the branch that is
// checked out, and whether anything is not committed. It starts no program,
// opens no connection and reads none of a repository's settings, so that it may
// look at what strangers wrote.
//
// Use [Open] first. What cannot be told for certain is an [UnknownError], never a
// guess. All that is read is a regular file of limited size.
package repository
