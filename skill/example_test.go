package skill_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pertain-dev/pertain/skill"
)

func Example() {
	dir, err := os.MkdirTemp("", "skills")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.Mkdir(filepath.Join(dir, "release"), 0o700); err != nil {
		panic(err)
	}
	text := "---\nname: release\ndescription: How a release is made\n---\nTag it.\n"
	if err := os.WriteFile(filepath.Join(dir, "release", skill.FileName), []byte(text), 0o600); err != nil {
		panic(err)
	}
	library := skill.Library{Roots: []skill.Root{{Source: "team", Dir: dir, Enabled: true}}}
	registry, err := library.Load(context.Background())
	if err != nil {
		panic(err)
	}
	fmt.Print(registry.Index())
	resource, err := library.Read(context.Background(), "skill://team.release")
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s", resource.Data)
	// Output:
	// <skills>
	// Read skill://<id> when its description fits what you are about to do
	//
	// <skill name="release" uri="skill://team.release">
	// How a release is made
	// </skill>
	// </skills>
	// ---
	// name: release
	// description: How a release is made
	// ---
	// Tag it.
}
