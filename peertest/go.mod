module github.com/pertain-dev/pertain/peertest

go 1.26.0

require (
	github.com/bmatcuk/doublestar/v4 v4.10.4
	github.com/dlclark/regexp2/v2 v2.12.0
	github.com/pertain-dev/pertain v0.0.0
	pgregory.net/rapid v1.3.0
)

require github.com/tiktoken-go/tokenizer v0.10.0

require (
	github.com/munnerz/goautoneg v0.0.0-20191010083416-a7dc8b61c822 // indirect
	github.com/prometheus/client_model v0.6.3 // indirect
	github.com/prometheus/common v0.72.0
	google.golang.org/protobuf v1.36.12 // indirect
)

replace github.com/pertain-dev/pertain => ../
