// What the programs of this folder share: the system's Chromium, one tab of the
// page, and what must never happen in it.
// node PROGRAM CHROMIUM URL TOKEN WORKSPACE CONTEXT [SCREENSHOT FOLDER]
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium } from 'playwright-core'

export const [executablePath, url, token, workspace, contextFile, pictures] = process.argv.slice(2)
export const situation = readFileSync(contextFile, 'utf8')
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
export const profile = await browser.newContext({ viewport: { width: 1100, height: 900 }, bypassCSP: false })
await profile.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(url).origin })
export const page = await profile.newPage()

export const wrong = [] // what must never happen, whatever is shown
page.on('dialog', (d) => { wrong.push(`dialog: ${d.message()}`); d.dismiss() })
page.on('pageerror', (e) => wrong.push(`error: ${e.message}`))
page.on('console', (m) => { if (['error', 'warning'].includes(m.type())) wrong.push(`console: ${m.text()}`) })
page.on('request', (r) => {
  if (r.url().startsWith('data:')) return
  if (new URL(r.url()).origin !== new URL(url).origin) wrong.push(`request to ${r.url()}`)
  if (r.url().includes(token)) wrong.push('the token is in an address')
})

export const see = (text, { of = page, ...options } = {}) => of.getByText(text, { exact: false, ...options }).first().waitFor({ timeout: 60_000 })
export const visit = async (name) => {
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
}

// check looks for findings of axe-core in what is shown now, all but minor ones.
// It is put in through the debugger: the page's own policy would refuse it.
// Colours that are still on their way to another are waited for.
export async function check(what) {
  const cdp = await profile.newCDPSession(page)
  await cdp.send('Runtime.evaluate', { expression: axe })
  const { result } = await cdp.send('Runtime.evaluate', {
    expression: `Promise.all(document.getAnimations().map((a) => a.finished.catch(() => {}))).then(() => axe.run(document, {resultTypes: ['violations']})).then((r) => JSON.stringify(r.violations.filter((v) => v.impact !== 'minor').map((v) => v.id + ': ' + v.nodes.map((n) => n.html).join(' | '))))`,
    awaitPromise: true,
  })
  assert.deepEqual(JSON.parse(result.value), [], what)
  await cdp.detach()
}

// run takes the steps one after the other and ends the program.
export async function run(steps) {
  let failed = false
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step()
      assert.deepEqual(wrong, [])
      console.log(`ok ${name}`)
    } catch (problem) {
      failed = true
      console.log(`FAILED ${name}: ${problem.stack}`)
      wrong.length = 0
    }
  }
  await browser.close()
  process.exit(failed ? 1 : 0)
}
