// Package peertest compares Pertain with libraries of others that it does not use: their
// modules stay out of its go.mod. It is a module of its own, with tests alone.
package peertest
