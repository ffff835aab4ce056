// Package ask sends the finished plan of a strategy to a model and hands its answer on
// while it comes, with the triggers of rules watching.
//
// Start with [Configured], which reads the upstream out of the settings, and [Ask];
// [Show] tells what would go out and sends nothing. [Agreements] keep what the user has
// agreed to: nobody else asks for that, so a caller looks there first.
//
//	plan → request of the API → gateway, in this process → upstream
//	   a rule fires → the gateway reminds the model and asks again → the same answer goes on
//
// A question is one request and a stream of texts, so it is made here: the providers' SDKs
// for Go took 13 MB of the program, one to two milliseconds of every start, also of a hook's,
// and a minute of the compiler for each system (docs/reference/ask.md).
package ask
