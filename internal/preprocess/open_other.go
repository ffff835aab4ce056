//go:build !unix

package preprocess

// openFlags has nothing to add here: what was opened is compared afterwards.
const openFlags = 0
