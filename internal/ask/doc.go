// Package ask sends the finished plan of a strategy to a model and hands its answer on
// while it comes, with the triggers of rules watching.
//
// Start with [Configured], which reads the upstream out of the settings, and [Ask];
// [Show] tells what would go out and sends nothing. [Agreements] keep what the user has
// agreed to: nobody else asks for that, so a caller looks there first.
//
//	plan → SDK of the provider → gateway, in this process → upstream
//	   a rule fires → the gateway reminds the model and asks again → the same answer goes on
//
// The SDKs are the providers' own. They get no more than the plan and the key, read no
// variables of the environment, and reach the network through the gateway alone.
package ask
