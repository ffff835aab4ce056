// Drives `pertain mcp` with the SDK of the newest protocol version:
// node newest.mjs WORKSPACE PROGRAM
import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const [workspace, server] = process.argv.slice(2)
const client = new Client({ name: 'newest', version: '1' }, {})
await client.connect(new StdioClientTransport({ command: server, args: ['mcp', '--no-builtin'], cwd: workspace, env: process.env }))
const { tools } = await client.listTools()
assert.equal(tools.length, 6)
const rules = await client.callTool({ name: 'rules_for_files', arguments: { files: ['src/a.ts'] } })
assert.equal(rules.structuredContent.rules[0].name, 'types')
const { resources } = await client.listResources()
assert.ok(resources.some((r) => r.uri === 'rule://types'))
const { contents } = await client.readResource({ uri: 'rule://types' })
assert.match(contents[0].text, /types/)
const { completion } = await client.complete({ ref: { type: 'ref/resource', uri: 'rule://{+name}' }, argument: { name: 'name', value: 'ty' } })
assert.deepEqual(completion.values, ['types'])
await client.close()
console.log('ok newest')
