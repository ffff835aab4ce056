// Drives `pertain mcp`, or with a URL `pertain serve`, with the official SDK:
// node sdk.mjs WORKSPACE PROGRAM | node sdk.mjs WORKSPACE URL TOKEN
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  ListRootsRequestSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'

const [workspace, server, token] = process.argv.slice(2)
const client = new Client({ name: 'sdk', version: '1' }, { capabilities: { roots: { listChanged: true } } })
let root = workspace
client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: pathToFileURL(root).href, name: 'w' }] }))
const heard = []
client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void heard.push('resources'))
client.setNotificationHandler(PromptListChangedNotificationSchema, () => void heard.push('prompts'))
client.setNotificationHandler(ResourceUpdatedNotificationSchema, (n) => void heard.push(n.params.uri))

async function hear(what) {
  for (let i = 0; i < 300; i++) {
    if (heard.includes(what)) return
    await new Promise((done) => setTimeout(done, 50))
  }
  assert.fail(`the client was not told of ${what}; heard: ${heard}`)
}

const transport = token
  ? new StreamableHTTPClientTransport(new URL(server), { requestInit: { headers: { Authorization: `Bearer ${token}` } } })
  : new StdioClientTransport({ command: server, args: ['mcp', '--no-builtin'], cwd: '/', env: process.env })
await client.connect(transport)

const steps = {
  async instructions() {
    assert.match(client.getInstructions(), /rules_for_files/)
    assert.equal(client.getServerVersion().name, 'pertain')
  },
  async tools() {
    const { tools } = await client.listTools()
    assert.deepEqual(tools.map((t) => t.name).sort(), ['check_text', 'explain_strategy', 'match_strategies', 'read', 'render_strategy', 'rules_for_files'])
    for (const t of tools) {
      assert.equal(t.inputSchema.type, 'object', t.name)
      for (const [name, p] of Object.entries(t.inputSchema.properties)) assert.ok(p.type && p.description, `${t.name}: ${name} is not described`)
      assert.ok(t.description.length > 80 && t.description.length < 1000, t.name)
    }
  },
  async call() {
    const rules = await client.callTool({ name: 'rules_for_files', arguments: { files: ['src/a.ts'] } })
    assert.deepEqual(rules.structuredContent.rules.map((r) => [r.name, r.why, r.text]), [['types', 'glob', 'Use types.'], ['no-any', 'trigger', undefined]])
    const check = await client.callTool({ name: 'check_text', arguments: { text: 'let x: any = 1' } })
    assert.equal(check.structuredContent.broken[0].name, 'no-any')
    const match = await client.callTool({ name: 'match_strategies', arguments: { selection: 'hello' } })
    assert.deepEqual(match.structuredContent.strategies.map((s) => s.id), ['user.rewrite'])
    const plan = await client.callTool({ name: 'render_strategy', arguments: { id: 'user.rewrite', input: 'it', selection: 'hello' } })
    assert.equal(plan.structuredContent.prompt.trim(), 'Rewrite it: hello')
    const explained = await client.callTool({ name: 'explain_strategy', arguments: { id: 'user.rewrite' } })
    assert.equal(explained.structuredContent.result, 'unknown')
  },
  async mistakes() {
    const outside = await client.callTool({ name: 'rules_for_files', arguments: { files: ['../../etc/passwd'] } })
    assert.equal(outside.isError, true)
    assert.match(outside.content[0].text, /outside of the workspace/)
    await assert.rejects(client.readResource({ uri: 'rule://../secret' }), /Resource not found/)
    await assert.rejects(client.readResource({ uri: 'file:///etc/passwd' }), /Resource not found/)
  },
  async resources() {
    const { resources } = await client.listResources()
    assert.deepEqual(resources.map((r) => r.uri).sort(), ['rule://no-any', 'rule://types', 'skill://agents.letters'])
    const { contents } = await client.readResource({ uri: 'rule://types' })
    assert.deepEqual(contents, [{ uri: 'rule://types', mimeType: 'text/markdown', text: 'Use types.' }])
    const { resourceTemplates } = await client.listResourceTemplates()
    assert.ok(resourceTemplates.some((t) => t.uriTemplate === 'rule://{+name}'))
  },
  async completion() {
    const { completion } = await client.complete({ ref: { type: 'ref/resource', uri: 'rule://{+name}' }, argument: { name: 'name', value: 'ty' } })
    assert.deepEqual(completion.values, ['types'])
    const skill = await client.complete({ ref: { type: 'ref/resource', uri: 'skill://{+address}' }, argument: { name: 'address', value: 'agents' } })
    assert.deepEqual(skill.completion.values, ['agents.letters'])
    const free = await client.complete({ ref: { type: 'ref/prompt', name: 'user.rewrite' }, argument: { name: 'Argument', value: 'x' } })
    assert.deepEqual(free.completion.values, []) // the user's own words
  },
  async skills() {
    const { contents } = await client.readResource({ uri: 'skill://agents.letters/more.md' })
    assert.equal(contents[0].text, 'More.\n')
    for (const path of ['../../.bashrc', '%2e%2e/%2e%2e/.bashrc', '/etc/passwd', 'more.md/../../../x']) {
      await assert.rejects(client.readResource({ uri: `skill://agents.letters/${path}` }), /not found/i, path)
    }
  },
  async notifications() {
    await client.subscribeResource({ uri: 'rule://types' })
    writeFileSync(join(workspace, '.cursor/rules/types.mdc'), '---\nglobs: "**/*.ts"\n---\nUse strict types.\n')
    await hear('rule://types')
    const { contents } = await client.readResource({ uri: 'rule://types' })
    assert.equal(contents[0].text, 'Use strict types.')
    writeFileSync(join(workspace, '.cursor/rules/new.mdc'), '---\nalwaysApply: true\n---\nNew.\n')
    await hear('resources')
    const { resources } = await client.listResources()
    assert.ok(resources.some((r) => r.uri === 'rule://new'))
    rmSync(join(workspace, '.cursor/rules/new.mdc'))
  },
  async prompts() {
    const { prompts } = await client.listPrompts()
    assert.deepEqual(prompts.map((p) => p.name), [])
    heard.length = 0
    const always = join(process.env.HOME, '.config/pertain/strategies/always.strategy.md')
    writeFileSync(always, '---\nname: Always\nwhen:\n  all: []\n---\nDo {Argument}.\n')
    await hear('prompts')
    const got = await client.getPrompt({ name: 'user.always', arguments: { Argument: 'this' } })
    assert.equal(got.messages[0].content.text.trim(), 'Do this.')
    heard.length = 0
    rmSync(always)
    await hear('prompts') // and it is told when one goes
  },
  async 'other roots'() {
    root = mkdtempSync(join(tmpdir(), 'pertain-root-'))
    mkdirSync(join(root, '.git'))
    writeFileSync(join(root, 'AGENTS.md'), 'Only here.\n')
    heard.length = 0
    await client.sendRootsListChanged()
    await hear('resources')
    const { resources } = await client.listResources()
    assert.deepEqual(resources.map((r) => r.uri).filter((u) => u.startsWith('rule:')), ['rule://AGENTS'])
    const rules = await client.callTool({ name: 'rules_for_files', arguments: { files: ['x.ts'] } })
    assert.deepEqual(rules.structuredContent.rules.map((r) => r.name), ['AGENTS'])
    const before = await client.callTool({ name: 'rules_for_files', arguments: { files: [join(workspace, 'x.ts')] } })
    assert.equal(before.isError, true)
    rmSync(root, { recursive: true })
  },
}

let failed = false
for (const [name, step] of Object.entries(steps)) {
  try {
    await step()
    console.log(`ok ${name}`)
  } catch (problem) {
    failed = true
    console.log(`FAILED ${name}: ${problem.stack}`)
  }
}
await client.close()
process.exit(failed ? 1 : 0)
