// Package service is how commands ask a process of the same user that stays: where its
// socket lies, who may speak there, and the frames in which they speak. What is asked
// and answered is the business of internal/cli.
//
//	Find → Endpoint → Dial → Conn.Ask, Receive     a command
//	Find → Endpoint → Listen → Listener.Serve      the process that stays
//	Unit                                        the file that starts it with the session
//
// Use [Find] first. There is no service without a folder that is the user's alone, and
// each end checks the user of the other before it reads a byte. A command never waits
// long: it can do without.
package service
