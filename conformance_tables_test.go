package pertain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func (row lintRow) check(t *testing.T, run program, shared []string) {
	if row.Diagnostics == nil && row.Includes == nil {
		row.Diagnostics = shared
	}
	w := newWorld(t)
	content := row.Text
	if content == nil {
		content = "---\n" + row.Frontmatter + "---\n\nBody.\n"
	}
	w.write(userStrategies+"case.strategy.md", content)
	e := expectation{Includes: row.Includes, JSON: map[string]any{"files": 1}}
	if row.Includes == nil {
		e.Diagnostics = append([]string{}, row.Diagnostics...)
	}
	count := map[string]int{}
	for _, short := range slices.Concat(row.Diagnostics, row.Includes) {
		count[readShort(short).severity]++
	}
	if count["error"] > 0 {
		e.Exit = 1
	}
	if row.Includes == nil {
		e.JSON = map[string]any{"files": 1, "errors": count["error"], "warnings": count["warning"]}
	}
	o := w.run(run, commandStep{Args: []string{"lint", "--no-builtin", "--json"}})
	report(t, o, e.differences(w, o))
}

// generous are limits that no row reaches, so that a busy machine decides nothing.
var generous = map[string]string{
	"matchingTimeout": "20s", "conditionTimeout": "20s", "regexTimeout": "20s", "visualQueryTimeout": "20s", "extraTimeout": "20s",
}

// strategyText is the file that a row of a condition table stands for.
func (row conditionRow) strategyText(t *testing.T, name string) string {
	t.Helper()
	when := " " + jsonText(t, row.When)
	if row.WhenText != "" {
		when = row.WhenText
	}
	text := "---\nname: " + name + "\nwhen:" + strings.TrimSuffix(when, "\n") + "\n"
	options := row.Options
	if options == nil {
		options = generous
	}
	return text + "options: " + jsonText(t, options) + "\n---\nBody.\n"
}

// wanted is the SUBSET that the row's result stands for.
func (row conditionRow) wanted() any {
	switch row.Result.Value {
	case "true":
		return true
	case "false":
		return false
	case "not-true":
		return map[string]any{"$not": true}
	}
	return nil
}

func (row conditionRow) check(t *testing.T, run program, shared any) {
	w := newWorld(t)
	w.write(userStrategies+"case.strategy.md", row.strategyText(t, "case"))
	switch {
	case row.ContextText != nil:
		w.write("context.json", row.ContextText)
		w.context = w.root + "/context.json"
	case row.Context != nil:
		w.writeContext(row.Context)
	case shared != nil:
		w.writeContext(shared)
	default:
		w.writeContext(map[string]any{})
	}
	all := w.run(run, commandStep{Args: []string{"match", "--all", "--no-builtin", "--json"}})
	report(t, all, expectation{JSON: map[string]any{"candidates": []any{
		map[string]any{"id": "user.case", "valid": true, "result": row.wanted()},
	}}}.differences(w, all))
	report(t, all, row.codeDifferences(all))

	matched := w.run(run, commandStep{Args: []string{"match", "--no-builtin", "--json"}})
	candidates := []any{}
	if row.wanted() == true {
		candidates = append(candidates, map[string]any{"id": "user.case", "result": true})
	}
	report(t, matched, expectation{JSON: map[string]any{"candidates": candidates}}.differences(w, matched))

	explained := w.run(run, commandStep{Args: []string{"explain", "user.case", "--no-builtin", "--json"}})
	report(t, explained, expectation{JSON: map[string]any{
		"result": row.wanted(), "tree": map[string]any{"result": row.wanted()},
	}}.differences(w, explained))
}

// codeDifferences compares the codes of the strategy's diagnostics.
func (row conditionRow) codeDifferences(o outcome) []string {
	answer, err := readJSON(o.stdout)
	if err != nil {
		return nil // told already
	}
	var codes []string
	for _, d := range objectsAt(answer, "diagnostics") {
		if d["strategy"] == "user.case" {
			codes = append(codes, fmt.Sprint(d["code"]))
		}
	}
	var found []string
	for _, code := range slices.Concat(row.Codes, row.Includes) {
		if !slices.Contains(codes, code) {
			found = append(found, "the diagnostics lack "+code)
		}
	}
	for _, code := range codes {
		if row.Codes != nil && !slices.Contains(row.Codes, code) {
			found = append(found, "the diagnostics have "+code)
		}
	}
	return found
}

// checkTogether asks for all rows with the table's context at once.
func (table conditionTable) checkTogether(t *testing.T, run program) {
	w := newWorld(t)
	want := []any{}
	for i, row := range table.Rows {
		if row.Context != nil || row.ContextText != nil {
			continue
		}
		name := fmt.Sprintf("row-%04d", i+1)
		w.write(userStrategies+name+".strategy.md", row.strategyText(t, table.ID+"/"+row.ID))
		want = append(want, map[string]any{"id": "user." + name, "name": table.ID + "/" + row.ID, "result": row.wanted()})
	}
	if len(want) == 0 {
		t.Skip("every row has a context of its own")
	}
	snapshot := table.Context
	if snapshot == nil {
		snapshot = map[string]any{}
	}
	w.writeContext(snapshot)
	o := w.run(run, commandStep{Args: []string{"match", "--all", "--no-builtin", "--json"}})
	answer, err := readJSON(o.stdout)
	if err != nil || o.exit != 0 {
		t.Fatalf("%v: %s", err, o)
	}
	got := map[string]any{}
	for _, candidate := range objectsAt(answer, "candidates") {
		got[fmt.Sprint(candidate["id"])] = candidate
	}
	for _, candidate := range want {
		candidate := candidate.(map[string]any)
		for _, difference := range subset(w, fmt.Sprint(candidate["name"]), candidate, got[fmt.Sprint(candidate["id"])]) {
			t.Error(difference)
		}
	}
	if len(got) != len(want) {
		t.Errorf("want %d candidates, got %d", len(want), len(got))
	}
}

func (row queryRow) check(t *testing.T, run program, snapshot any) {
	w := newWorld(t)
	w.writeContext(snapshot)
	switch {
	case row.Error != nil:
		row.checkError(t, run, w)
	case row.Values != nil:
		o := w.run(run, commandStep{Args: []string{"query", row.Query, "--json", "--show-values"}})
		report(t, o, expectation{JSON: map[string]any{"values": map[string]any{"$set": row.Values}}}.differences(w, o))
		o = w.run(run, commandStep{Args: []string{"query", row.Query, "--json"}})
		report(t, o, expectation{JSON: map[string]any{"values": map[string]any{"$absent": true}}}.differences(w, o))
	default:
		matches := []any{}
		for _, id := range row.IDs {
			matches = append(matches, map[string]any{"id": id})
		}
		o := w.run(run, commandStep{Args: []string{"query", row.Query, "--json"}})
		report(t, o, expectation{JSON: map[string]any{"count": len(row.IDs), "matches": map[string]any{"$set": matches}}}.differences(w, o))

		count := conditionRow{When: map[string]any{"visual.count": map[string]any{"query": row.Query, "min": len(row.IDs), "max": len(row.IDs)}}}
		exists := conditionRow{When: map[string]any{"visual.exists": map[string]any{"query": row.Query}}}
		w.write(userStrategies+"count.strategy.md", count.strategyText(t, "count"))
		w.write(userStrategies+"exists.strategy.md", exists.strategyText(t, "exists"))
		o = w.run(run, commandStep{Args: []string{"match", "--all", "--no-builtin", "--json"}})
		report(t, o, expectation{JSON: map[string]any{"candidates": map[string]any{"$set": []any{
			map[string]any{"id": "user.count", "result": true},
			map[string]any{"id": "user.exists", "result": len(row.IDs) > 0},
		}}}}.differences(w, o))
	}
}

func (row queryRow) checkError(t *testing.T, run program, w *world) {
	t.Helper()
	o := w.run(run, commandStep{Args: []string{"query", row.Query, "--json"}})
	report(t, o, expectation{Exit: 1, Includes: []string{"error visual.query_invalid"}}.differences(w, o))
	answer, _ := readJSON(o.stdout)
	if !slices.ContainsFunc(objectsAt(answer, "diagnostics"), func(d map[string]any) bool {
		return strings.Contains(strings.ToLower(fmt.Sprint(d["message"])), strings.ToLower(*row.Error))
	}) {
		t.Errorf("no message contains %q: %s", *row.Error, o)
	}
	condition := "visual.exists:\n    query: " + jsonText(t, row.Query) + "\n"
	if row.Attribute {
		condition = "visual.match:\n    query: " + jsonText(t, row.Query) + "\n    equals: x\n"
	}
	w.write(userStrategies+"case.strategy.md", "---\nname: case\nwhen:\n  "+condition+"---\nBody.\n")
	o = w.run(run, commandStep{Args: []string{"lint", "--no-builtin", "--json"}})
	report(t, o, expectation{Exit: 1, Includes: []string{"error visual.query_invalid 5:12+"}}.differences(w, o))
}
