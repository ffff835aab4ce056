// Package rule holds the rules of coding agents in one shape: whatever tool a
// file was written for, it becomes a [Rule]; the rules of all tools become a
// [Set], in which the first of several rules with one name wins.
//
// Use [Load] first: it asks providers (one for each tool, found in
// internal/discover) and gives the set. The set then answers what people and
// agents ask: [Set.Rules], [Set.Prompt] for a system prompt, [Set.Open] for
// `rule://NAME`, [Set.For] for the rules that apply to a file, and why.
//
// A file is read with [Read], by the [Format] of its tool. Text never yields an
// error: what is wrong with a file is in the list that comes with the rule, and
// a file that has a body is never dropped.
package rule
