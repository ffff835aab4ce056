// Package cli is the command line: one file for each command. [Main] runs one
// call and returns its exit code; nothing in here ends the process or reads
// global state, so that tests run commands in-process.
package cli
