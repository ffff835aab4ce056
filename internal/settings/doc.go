// Package settings knows where Pertain keeps things, what the user has set, and which workspaces the user trusts.
//
// Start with [Locate], which turns the environment into [Paths]. [Load] reads the settings file: every setting is one row of
// one table, from which defaults, checks and the page of [Markdown] come. [Trust] is the list of trusted workspaces, and
// [WorkspaceRoot] finds the workspace that a folder belongs to.
//
// Mistakes in the settings file are diagnostics, and whatever is right in it still applies.
package settings
