// Checks an OpenAPI description: node openapi.mjs FILE [--refused]
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'

const [file, refused] = process.argv.slice(2)
const validator = new Validator()
const result = await validator.validate(JSON.parse(readFileSync(file, 'utf8')))
assert.equal(result.valid, !refused, JSON.stringify(result.errors))
if (!refused) {
  assert.equal(validator.version, '3.1')
  validator.resolveRefs() // fails on a reference that leads nowhere
}
console.log(refused ? 'refused, as it must be' : `valid OpenAPI ${validator.version}`)
