// Written by `pertain setup pi`; `pertain setup pi --undo` removes it.
// Rules that pi does not load itself reach the model, and a call that would break one is denied.
import { spawn } from "node:child_process"
import { dirname } from "node:path"

const program = PERTAIN_PROGRAM
const flags: string[] = PERTAIN_FLAGS
const patience = 10000 // milliseconds

// failed is the answer where something goes wrong: one that says nothing or, with --fail-closed, a denial of what could not be checked.
function failed(event: Record<string, unknown>, why: string): any {
  if (event.event !== "before" || !flags.includes("--fail-closed")) return {}
  return { decision: "deny", reason: `Pertain could not check this call (${why}), and is set up to deny what it cannot check. Tell the user; \`pertain doctor\` says more.` }
}

// ask calls `pertain hook`. It is started in the folder of the agent's own program: some systems look for programs in the working
// directory first, and that of the agent holds files of others.
function ask(event: Record<string, unknown>, cwd: string): Promise<any> {
  return new Promise((resolve) => {
    let output = "", errors = ""
    let child: any
    const timer = setTimeout(() => { child?.kill(); resolve(failed(event, "it took too long")) }, patience)
    const done = (answer: any) => { clearTimeout(timer); resolve(answer) }
    const broken = () => done(failed(event, "`pertain` cannot be started"))
    try {
      child = spawn(program, ["hook", "pi", ...flags], { cwd: dirname(process.execPath), stdio: ["pipe", "pipe", "pipe"], windowsHide: true })
    } catch { return broken() }
    child.on("error", broken)
    child.stdout.on("data", (data: any) => { output += data })
    child.stderr.on("data", (data: any) => { errors += data })
    child.on("close", (code: any) => {
      if (code === 2) return done({ decision: "deny", reason: errors }) // a denial that could not be written
      let answer: any
      try { answer = JSON.parse(output) } catch { /* told below */ }
      done(answer && typeof answer === "object" ? answer : failed(event, "`pertain` gave no answer"))
    })
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
    kept.delete(event.toolCallId) // of a call before that had this id
    const answer = await ask({ event: "before", conversation: conversation(ctx), call: event.toolCallId, tool: event.toolName, args: event.input }, ctx.cwd)
    if (answer.decision === "deny") return { block: true, reason: answer.reason || "Pertain denied this call." }
    if (answer.context) kept.set(event.toolCallId, answer.context)
  })
  pi.on("tool_result", async (event: any, ctx: any) => {
    const answer = await ask({ event: "after", conversation: conversation(ctx), call: event.toolCallId, tool: event.toolName, args: event.input }, ctx.cwd)
    const text = [kept.get(event.toolCallId), answer.context].filter(Boolean).join("\n\n")
    kept.delete(event.toolCallId)
    if (text) return { content: [...(event.content ?? []), { type: "text", text }] }
  })
}
