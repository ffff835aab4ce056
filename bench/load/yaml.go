package load

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"go.yaml.in/yaml/v4"
)

// parsed is a file whose YAML was parsed.
type parsed struct {
	path string
	node yaml.Node
}

// parseAll finds the strategy files, reads them and parses their YAML into
// nodes, and nothing more.
func parseAll(dir string, workers int) ([]parsed, error) {
	var all []parsed
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(entry.Name(), ".strategy.md") {
			all = append(all, parsed{path: path})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	failed := make([]error, workers)
	for w := range workers {
		wg.Go(func() {
			for failed[w] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(all) {
					return
				}
				failed[w] = all[i].parse()
			}
		})
	}
	wg.Wait()
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (p *parsed) parse() error {
	data, err := os.ReadFile(p.path)
	if err != nil {
		return err
	}
	rest, ok := bytes.CutPrefix(data, []byte("---\n"))
	end := bytes.Index(rest, []byte("\n---\n"))
	if !ok || end < 0 {
		return fmt.Errorf("%s has no frontmatter", p.path)
	}
	return yaml.Unmarshal(rest[:end+1], &p.node)
}

// name is the value of the key `name`.
func (p *parsed) name() string {
	content := p.node.Content[0].Content
	for i := 0; i+1 < len(content); i += 2 {
		if content[i].Value == "name" {
			return content[i+1].Value
		}
	}
	return ""
}
