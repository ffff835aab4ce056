package stream

// CompileWithin is Compile with another bound on the memory of states, in bytes.
var CompileWithin = compile
