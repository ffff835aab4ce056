// Package fleet is what many machines share through NATS JetStream: one rulebook, one memory, one journal.
//
// Start with [New], which dials nothing and starts nothing; whoever first asks for [Fleet.JetStream] pays for the connection.
// [Fleet.Bucket] and [Fleet.Stream] make what is missing on the servers. Every wait is bounded by the caller's context and by [Limits].
//
// Servers, and whoever else has credentials for them, are not trusted with what rules say: see package revision for what is signed.
package fleet
