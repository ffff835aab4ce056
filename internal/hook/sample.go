package hook

// SampleVariable is the variable that tells a hook that it is called to see whether it works: nothing is remembered or kept.
const SampleVariable = "PERTAIN_SAMPLE"

// Sample is an event of an agent that any hook of it answers, and that means nothing.
func Sample(agent, dir string) map[string]any {
	switch agent {
	case "copilot":
		return map[string]any{"sessionId": "sample", "cwd": dir, "toolName": "view", "toolArgs": map[string]any{}}
	case "cline":
		return map[string]any{"taskId": "sample", "workspaceRoots": []string{dir}, "hookName": "TaskCancel", "taskCancel": map[string]any{}}
	case "cursor":
		return map[string]any{"conversation_id": "sample", "workspace_roots": []string{dir}, "hook_event_name": "sessionEnd"}
	case "windsurf":
		return map[string]any{"trajectory_id": "sample", "agent_action_name": "pre_read_code", "tool_info": map[string]any{}}
	case "opencode", "pi":
		return map[string]any{"event": "end", "conversation": "sample", "cwd": dir, "message": ""}
	}
	return map[string]any{"session_id": "sample", "cwd": dir, "hook_event_name": "SessionEnd"}
}
