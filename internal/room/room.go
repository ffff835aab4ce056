// Package room bounds what rules take that come all at once. A repository may hold any number of them, and each may match
// anything: what hooks, the gateway and guard tell a model, and write down, has room for so much.
package room

const (
	// Told is how much a model is told at once, in bytes, whole rules alone.
	Told = 24 << 10
	// Names is how much of it the names take of what did not fit, and of what must be complied with.
	Names = 4 << 10
	// Others is how many rules that are not the user's own one call, answer or turn is remembered to break, and the journal is told
	// of: what is known of the user's own must not be pushed out by them.
	Others = 100
)
