package fleettest_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/settings"
)

// TestManifest: the example for Kubernetes is YAML, each part of it has a kind, and the settings in it are settings.
func TestManifest(t *testing.T) {
	text, err := os.ReadFile("../examples/fleet/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var part struct {
			APIVersion string `yaml:"apiVersion"`
			Kind       string
			Metadata   struct{ Name string }
			Data       map[string]string
		}
		err := decoder.Decode(&part)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || part.APIVersion == "" || part.Metadata.Name == "" {
			t.Fatalf("%+v, %v", part, err)
		}
		kinds = append(kinds, part.Kind)
		if config := part.Data["config.yaml"]; config != "" {
			s, problems := settings.Parse(diag.NewSource("/config.yaml", config))
			if len(problems) > 0 || !s.Fleet.Enabled() || s.Fleet.Member != "gateway" {
				t.Errorf("%v %+v", problems, s.Fleet)
			}
		}
	}
	if got := strings.Join(kinds, " "); got != "ConfigMap Deployment Service PodDisruptionBudget" {
		t.Error(got)
	}
}
