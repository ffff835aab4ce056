// Package program finds other programs and starts them. It is the only package
// that does: a test of the module holds that nothing else imports os/exec.
//
// Use [Search.Find], which never returns what lies in a relative folder, in a
// workspace, or where others can put programs, and then [Program.Run], which passes on nothing of the
// environment but what it is given.
package program
