// Package preprocess has the preprocessors that read files or need heavy
// libraries; the others are in package plan. [Registry] is all of them together.
package preprocess

import "github.com/pertain-dev/pertain/plan"

// Registry is Pertain's preprocessors, all of them able to run.
func Registry() *plan.Registry {
	return plan.Preprocessors().With(Selection{}, Page{})
}

// RegistryWithin is the same for a context that somebody else wrote: files outside of
// a folder are named and not read. An empty folder: all are read.
func RegistryWithin(folder string) *plan.Registry {
	return plan.Preprocessors().With(Selection{Within: folder}, Page{})
}

// RegistryForStrangers is the same for a context of somebody whom the user does not trust: what looks like a secret in the folder is
// not read either. home is the user's; empty: there is none.
func RegistryForStrangers(folder, home string) *plan.Registry {
	return plan.Preprocessors().With(Selection{Within: folder, Strange: true, Home: home}, Page{})
}
