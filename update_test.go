package pertain_test

import "flag"

// update makes tests with golden files rewrite them: go test . -update.
// The tests of this folder share it, since one test binary may define a flag only once.
var update = flag.Bool("update", false, "rewrite golden files")
