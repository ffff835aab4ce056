// Written by `pertain setup opencode`; `pertain setup opencode --undo` removes it.
// Rules that OpenCode does not load itself reach the model, and a call that would break one is denied.
import { spawn } from "node:child_process"

const program = PERTAIN_PROGRAM
const flags = PERTAIN_FLAGS

// ask calls `pertain hook`. Whatever goes wrong is an answer that says nothing.
function ask(event, cwd) {
  return new Promise((resolve) => {
    let output = ""
    let child
    const timer = setTimeout(() => { child?.kill(); resolve({}) }, 10000)
    const done = () => {
      clearTimeout(timer)
      try { resolve(JSON.parse(output) ?? {}) } catch { resolve({}) }
    }
    try {
      child = spawn(program, ["hook", "opencode", ...flags], { cwd, stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
    } catch { return done() }
    child.on("error", done)
    child.stdout.on("data", (data) => { output += data })
    child.on("close", done)
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify({ ...event, cwd }))
  })
}

export const Pertain = async ({ directory }) => {
  const begun = new Map() // the text for the beginning of each conversation
  const kept = new Map() // what is to be added to the result of a call
  return {
    "experimental.chat.system.transform": async (input, output) => {
      const conversation = input?.sessionID ?? ""
      if (!begun.has(conversation)) {
        const answer = await ask({ event: "begin", conversation }, directory)
        begun.set(conversation, answer.context ?? "")
      }
      const text = begun.get(conversation)
      if (text) output.system.push(text)
    },
    "tool.execute.before": async (input, output) => {
      const answer = await ask({ event: "before", conversation: input.sessionID, call: input.callID, tool: input.tool, args: output.args }, directory)
      if (answer.decision === "deny") throw new Error(answer.reason)
      if (answer.context) kept.set(input.callID, answer.context)
    },
    "tool.execute.after": async (input, output) => {
      const answer = await ask({ event: "after", conversation: input.sessionID, call: input.callID, tool: input.tool, args: input.args ?? output.metadata ?? {} }, directory)
      const text = [kept.get(input.callID), answer.context].filter(Boolean).join("\n\n")
      kept.delete(input.callID)
      if (text) output.output = (output.output ?? "") + "\n\n" + text
    },
    event: async ({ event }) => {
      if (event?.type === "session.compacted") begun.delete(event.properties?.sessionID ?? "")
    },
  }
}
