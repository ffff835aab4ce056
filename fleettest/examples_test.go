package fleettest_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/settings"
)

// manifest is the example for Kubernetes, in the types of its API.
type manifest struct {
	config core.ConfigMap
	deploy apps.Deployment
	serve  core.Service
	budget policy.PodDisruptionBudget
}

// readManifest reads it as a server does: a field that no type has, or that has another type, is an error.
func readManifest(t *testing.T) (m manifest) {
	t.Helper()
	text, err := os.ReadFile("../examples/fleet/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]any{"v1 ConfigMap": &m.config, "apps/v1 Deployment": &m.deploy, "v1 Service": &m.serve, "policy/v1 PodDisruptionBudget": &m.budget}
	var found []string
	for _, part := range bytes.Split(text, []byte("\n---\n")) {
		var head struct{ APIVersion, Kind string }
		if err := yaml.Unmarshal(part, &head); err != nil {
			t.Fatal(err)
		}
		kind := head.APIVersion + " " + head.Kind
		if kinds[kind] == nil {
			t.Fatalf("%q is no kind that is known here", kind)
		}
		if err := yaml.UnmarshalStrict(part, kinds[kind]); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		found = append(found, kind)
	}
	if slices.Sort(found); strings.Join(found, ", ") != "apps/v1 Deployment, policy/v1 PodDisruptionBudget, v1 ConfigMap, v1 Service" {
		t.Errorf("there are %v", found)
	}
	return m
}

// TestManifest: the example for Kubernetes has the form that the API's own types know, its parts fit together, and the settings in it are settings.
func TestManifest(t *testing.T) {
	m := readManifest(t)
	s, problems := settings.Parse(diag.NewSource("/config.yaml", m.config.Data["config.yaml"]))
	if len(problems) > 0 || !s.Fleet.Enabled() || s.Fleet.Member != "gateway" {
		t.Errorf("%v %+v", problems, s.Fleet)
	}
	pod := m.deploy.Spec.Template
	for what, selector := range map[string]map[string]string{
		"deployment": m.deploy.Spec.Selector.MatchLabels, "service": m.serve.Spec.Selector, "disruption budget": m.budget.Spec.Selector.MatchLabels,
	} {
		for key, value := range selector {
			if pod.Labels[key] != value {
				t.Errorf("the %s selects %s=%s, which no pod has", what, key, value)
			}
		}
		if len(selector) == 0 {
			t.Errorf("the %s selects every pod", what)
		}
	}
	var volumes, ports []string
	for _, v := range pod.Spec.Volumes {
		volumes = append(volumes, v.Name)
		if v.ConfigMap != nil && v.ConfigMap.Name != m.config.Name {
			t.Errorf("the config map %s is not there", v.ConfigMap.Name)
		}
	}
	for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		for _, v := range c.VolumeMounts {
			if !slices.Contains(volumes, v.Name) {
				t.Errorf("%s mounts %s, which is no volume", c.Name, v.Name)
			}
		}
		for _, p := range c.Ports {
			ports = append(ports, p.Name)
		}
		if probe := c.ReadinessProbe; probe != nil && !slices.Contains(ports, probe.TCPSocket.Port.StrVal) {
			t.Errorf("%s is asked at the port %s, which it has not", c.Name, probe.TCPSocket.Port.StrVal)
		}
		for _, e := range c.Env {
			if path := e.Value; strings.HasPrefix(path, "/") && !slices.ContainsFunc(volumesOf(c), func(mount string) bool { return path == mount || strings.HasPrefix(path, mount+"/") }) {
				t.Errorf("%s is %s, which nothing is mounted at", e.Name, path)
			}
		}
	}
	for _, p := range m.serve.Spec.Ports {
		if !slices.Contains(ports, p.TargetPort.StrVal) {
			t.Errorf("the service leads to the port %s, which no container has", p.TargetPort.StrVal)
		}
	}
	if budget, replicas := m.budget.Spec.MinAvailable.IntValue(), int(*m.deploy.Spec.Replicas); budget >= replicas || budget < 1 {
		t.Errorf("%d of %d pods must stay", budget, replicas)
	}
}

func volumesOf(c core.Container) (out []string) {
	for _, v := range c.VolumeMounts {
		out = append(out, v.MountPath)
	}
	return out
}
