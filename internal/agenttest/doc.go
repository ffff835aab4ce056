// Package agenttest runs real coding agents against a scripted model, for tests.
//
// Start with [Find], which gives the agents that are installed here; `.ci/agents`
// installs them from npm. An [Agent] is run for one turn in a folder, with a home of
// its own, led to the model's address by its environment, arguments and settings.
package agenttest
