// Package collect reads the live context from the machine: opt-in, since the
// engine itself touches nothing outside of the files it is given.
//
// Use [Open] and give its collectors to facts.NewGatherer for what conditions
// need; [Machine.Watch] tells when to ask again. [Environment] has the facts that
// are always there, and [FillEnvironment] adds these to a context that was read
// from a file.
//
// Everything stays on this machine. On Linux, connections go to the desktop's
// Unix sockets. On macOS the system's libraries are called in this process, and
// Finder and browsers are asked with osascript. On Windows the system's libraries
// are called, and UI Automation and Explorer are asked through COM. On Linux and
// Windows there is also the debugging port of a browser that was started with
// one. What is read is neither logged nor written anywhere.
package collect
