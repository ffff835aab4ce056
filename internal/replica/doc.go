// Package replica keeps values on this machine's disk and in a store that several machines share. The copy on the disk is what
// decides: the shared one is asked first, for a moment, and where it does not answer in time what was missed is carried later.
//
// Start with [Values]. It takes a [Local], which keeps the copies, and a [Bucket], which many machines share; [Values.Run] carries
// what was missed until it is told to end, [Values.Carry] carries it now.
//
// Each value has a [Clock] that counts the changes of each machine, so that a copy that is older is told from one that was changed
// elsewhere at the same time; only the latter are merged. Nothing else decides: not the time of a machine, nor who was first.
//
// The shared store gets neither names nor texts: a key is a hash, and a value is sealed with a key made of its id ([seal]), which
// only those know who take part in the conversation. What was written by somebody else cannot be unsealed and is as if it were not there.
package replica
