// Package fleettest runs real NATS servers, one or a cluster of several, for tests of what a fleet shares.
//
// Start with [Start]; its [Cluster] gives addresses, kills nodes and starts them again on the data that they had, and cuts clients off.
// It is a module of its own, so that the server never enters the go.mod of the program.
package fleettest
