// Written by `pertain setup pi`; `pertain setup pi --undo` removes it.
// Rules that pi does not load itself reach the model, and a call that would break one is denied.
import { spawn } from "node:child_process"

const program = PERTAIN_PROGRAM
const flags: string[] = PERTAIN_FLAGS

// ask calls `pertain hook`. Whatever goes wrong is an answer that says nothing.
function ask(event: Record<string, unknown>, cwd: string): Promise<any> {
  return new Promise((resolve) => {
    let output = ""
    let child: any
    const timer = setTimeout(() => { child?.kill(); resolve({}) }, 10000)
    const done = () => {
      clearTimeout(timer)
      try { resolve(JSON.parse(output) ?? {}) } catch { resolve({}) }
    }
    try {
      child = spawn(program, ["hook", "pi", ...flags], { cwd, stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
    } catch { return done() }
    child.on("error", done)
    child.stdout.on("data", (data: any) => { output += data })
    child.on("close", done)
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify({ ...event, cwd }))
  })
}

export default function (pi: any) {
  let source = "startup" // how the conversation begins next
  let begun = "" // the conversation that has begun
  const kept = new Map<string, string>() // what is to be added to the result of a call
  const conversation = (ctx: any): string => ctx?.sessionManager?.getSessionId?.() ?? ctx?.sessionManager?.getSessionFile?.() ?? ""

  pi.on("session_start", async (event: any) => {
    begun = ""
    source = event?.reason === "resume" ? "resume" : "startup"
  })
  pi.on("session_compact", async () => {
    begun = ""
    source = "compact"
  })
  pi.on("before_agent_start", async (_event: any, ctx: any) => {
    const id = conversation(ctx)
    if (begun === "begun " + id) return
    begun = "begun " + id
    const answer = await ask({ event: "begin", conversation: id, source }, ctx.cwd)
    if (answer.context) return { message: { customType: "pertain", content: answer.context, display: false } }
  })
  pi.on("tool_call", async (event: any, ctx: any) => {
    const answer = await ask({ event: "before", conversation: conversation(ctx), call: event.toolCallId, tool: event.toolName, args: event.input }, ctx.cwd)
    if (answer.decision === "deny") return { block: true, reason: answer.reason }
    if (answer.context) kept.set(event.toolCallId, answer.context)
  })
  pi.on("tool_result", async (event: any, ctx: any) => {
    const answer = await ask({ event: "after", conversation: conversation(ctx), call: event.toolCallId, tool: event.toolName, args: event.input }, ctx.cwd)
    const text = [kept.get(event.toolCallId), answer.context].filter(Boolean).join("\n\n")
    kept.delete(event.toolCallId)
    if (text) return { content: [...(event.content ?? []), { type: "text", text }] }
  })
}
