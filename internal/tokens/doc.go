// Package tokens counts the tokens of a text as OpenAI's models do, by the encoding
// o200k_base. For models of others the count is an estimate.
//
// Start with [Load]; loading takes some hundredths of a second, so who counts more
// than once keeps the [Encoding].
//
// o200k_base.flate is the table of that encoding (tiktoken, MIT License, Copyright
// (c) 2022 OpenAI, Shantanu Jain): all tokens in the order of their ranks, each
// after its length as a varint, deflated.
package tokens
