module github.com/pertain-dev/pertain/peertest

go 1.26.0

require (
	github.com/bmatcuk/doublestar/v4 v4.10.4
	github.com/dlclark/regexp2/v2 v2.12.0
	github.com/pertain-dev/pertain v0.0.0
	pgregory.net/rapid v1.3.0
)

require github.com/tiktoken-go/tokenizer v0.10.0

replace github.com/pertain-dev/pertain => ../
