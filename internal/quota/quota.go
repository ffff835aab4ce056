// Package quota says how much rules may take together at one time. A repository may hold any number of rules, and each may match
// anything; so hooks, the gateway and guard limit what they tell a model, and what they write down, to this much.
package quota

const (
	// Told is how much a model is told at once, in bytes. Rules are told whole or by name.
	Told = 24 << 10
	// Names is how much of Told one list of names may take: of rules that did not fit, or of rules that must be complied with.
	Names = 4 << 10
	// Others is how many rules that are not the user's own are remembered, and written into the journal, as broken by one call,
	// answer or turn: they must not push out what is known of the user's own.
	Others = 100
)
