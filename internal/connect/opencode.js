// Written by `pertain setup opencode`; `pertain setup opencode --undo` removes it.
// Rules that OpenCode does not load itself reach the model, and a call that would break one is denied.
import { spawn } from "node:child_process"
import { dirname } from "node:path"

const program = PERTAIN_PROGRAM
const flags = PERTAIN_FLAGS
const patience = 10000 // milliseconds

// failed is the answer where something goes wrong: one that says nothing or, with --fail-closed, a denial of what could not be checked.
function failed(event, why) {
  if (event.event !== "before" || !flags.includes("--fail-closed")) return {}
  return { decision: "deny", reason: `Pertain could not check this call (${why}), and is set up to deny what it cannot check. Tell the user; \`pertain doctor\` says more.` }
}

// ask calls `pertain hook`. It is started in the folder of the agent's own program: some systems look for programs in the working
// directory first, and that of the agent holds files of others.
function ask(event, cwd) {
  return new Promise((resolve) => {
    let output = "", errors = ""
    let child
    const timer = setTimeout(() => { child?.kill(); resolve(failed(event, "it took too long")) }, patience)
    const done = (answer) => { clearTimeout(timer); resolve(answer) }
    const broken = () => done(failed(event, "`pertain` cannot be started"))
    try {
      child = spawn(program, ["hook", "opencode", ...flags], { cwd: dirname(process.execPath), stdio: ["pipe", "pipe", "pipe"], windowsHide: true })
    } catch { return broken() }
    child.on("error", broken)
    child.stdout.on("data", (data) => { output += data })
    child.stderr.on("data", (data) => { errors += data })
    child.on("close", (code) => {
      if (code === 2) return done({ decision: "deny", reason: errors }) // a denial that could not be written
      let answer
      try { answer = JSON.parse(output) } catch { /* told below */ }
      done(answer && typeof answer === "object" ? answer : failed(event, "`pertain` gave no answer"))
    })
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
      kept.delete(input.callID) // of a call before that had this id
      const answer = await ask({ event: "before", conversation: input.sessionID, call: input.callID, tool: input.tool, args: output.args }, directory)
      if (answer.decision === "deny") throw new Error(answer.reason || "Pertain denied this call.")
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
