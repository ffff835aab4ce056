// Package modeltest is a language model for tests: it speaks the four APIs that
// agents know, on the loopback, and says what a script tells it to.
//
// Start with [Start]. The script is a function from what was asked to what is
// answered, so that it can go by what has reached the model, and by which tools the
// agent offers.
//
//	agent → Messages · Chat Completions · Responses · Gemini → [Request] → script → [Answer] → the same API, streamed or not
package modeltest
