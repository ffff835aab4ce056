// Package strategyfile finds the files of strategies: those in the program itself,
// of the user, of a workspace, of plugins and of a fleet, those that somebody names,
// and the files that `from` names.
//
// Use [Providers] first.
package strategyfile
