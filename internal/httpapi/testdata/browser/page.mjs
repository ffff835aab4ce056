// Drives the page of `pertain serve` in the system's Chromium:
// node page.mjs CHROMIUM URL TOKEN WORKSPACE CONTEXT [SCREENSHOT FOLDER]
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const [executablePath, url, token, workspace, contextFile, pictures] = process.argv.slice(2)
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const situation = readFileSync(contextFile, 'utf8')

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const profile = await browser.newContext({ viewport: { width: 1100, height: 900 }, bypassCSP: false })
await profile.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(url).origin })
const page = await profile.newPage()

const wrong = [] // what must never happen, whatever is shown
page.on('dialog', (d) => { wrong.push(`dialog: ${d.message()}`); d.dismiss() })
page.on('pageerror', (e) => wrong.push(`error: ${e.message}`))
page.on('console', (m) => { if (['error', 'warning'].includes(m.type())) wrong.push(`console: ${m.text()}`) })
page.on('request', (r) => {
  if (r.url().startsWith('data:')) return
  if (new URL(r.url()).origin !== new URL(url).origin) wrong.push(`request to ${r.url()}`)
  if (r.url().includes(token)) wrong.push('the token is in an address')
})

const see = (text, options = {}) => page.getByText(text, { exact: false, ...options }).first().waitFor({ timeout: 15_000 })
const visit = async (name) => {
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
}

// check looks for serious findings of axe-core in what is shown now. It is put
// in through the debugger: the page's own policy would refuse it. Colours that
// are still on their way to another are waited for.
async function check(what) {
  const cdp = await profile.newCDPSession(page)
  await cdp.send('Runtime.evaluate', { expression: axe })
  const { result } = await cdp.send('Runtime.evaluate', {
    expression: `Promise.all(document.getAnimations().map((a) => a.finished.catch(() => {}))).then(() => axe.run(document, {resultTypes: ['violations']})).then((r) => JSON.stringify(r.violations.filter((v) => ['serious', 'critical'].includes(v.impact)).map((v) => v.id + ': ' + v.nodes.map((n) => n.html).join(' | '))))`,
    awaitPromise: true,
  })
  assert.deepEqual(JSON.parse(result.value), [], what)
  await cdp.detach()
}

const steps = {
  async 'without a token, nothing is shown'() {
    await page.goto(url)
    await see('A token is needed')
    await check('without a token')
    await page.getByLabel('Address or token').fill('wrong-token-wrong-token')
    await page.getByRole('button', { name: 'Continue' }).click()
    await see('A token is needed')
    wrong.length = 0 // the browser tells of the refused request
  },
  async 'the token leaves the address'() {
    await page.goto('about:blank')
    await page.goto(`${url}#token=${token}`)
    await see('Recommended now')
    assert.ok(!page.url().includes(token), page.url())
    await see('live')
  },
  async 'now: what is recommended and why'() {
    await see('Reply to the message')
    await see('attachments.selection.text')
    await page.getByRole('button', { name: 'Preview the prompt' }).first().click()
    await see('Write a reply to: send me the numbers today')
    await page.getByLabel('Your request').fill('in one line')
    await page.getByRole('button', { name: 'Preview', exact: true }).click()
    await see('in one line')
    await page.getByRole('button', { name: 'Copy the prompt' }).click()
    await see('Copied.')
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /send me the numbers today/)
    await page.getByRole('button', { name: 'Explain' }).first().click()
    await page.locator('.tree .mark.true').first().waitFor()
    assert.equal(await page.locator('.tree .value').count(), 0, 'values are shown without being asked for')
    await page.getByLabel('Show the values that were compared').check()
    await page.locator('.tree .value').first().waitFor()
    await check('now')
    if (pictures) await page.screenshot({ path: join(pictures, 'page.png') })
  },
  async 'now: follows the context'() {
    writeFileSync(contextFile, '{"attachments":{}}')
    await see('Nothing is recommended')
    writeFileSync(contextFile, situation)
    await see('Reply to the message')
  },
  async 'strategies: mistakes with a caret, and why not'() {
    await visit('Strategies')
    await see('takes an operator object')
    assert.match(await page.locator('.problems pre').first().innerText(), /\^/)
    await page.getByLabel('Filter by name or id').fill('reply')
    assert.equal(await page.locator('tbody tr').count(), 1)
    await page.getByRole('link', { name: 'Reply to the message' }).click()
    await page.locator('.tree').waitFor()
    await check('strategies')
  },
  async 'strategies: follow the files'() {
    await page.getByLabel('Filter by name or id').fill('')
    writeFileSync(join(workspace, 'strategies/later.strategy.md'), '---\nname: Came later\nwhen:\n  all: []\n---\nx\n')
    await see('Came later')
  },
  async 'strategies: a slow one is told'() {
    writeFileSync(join(workspace, 'strategies/slow.strategy.md'),
      '---\nname: Slow one\noptions:\n  regexTimeout: 1ms\nwhen:\n  attachments.text:\n    regex: "^(\\\\w+\\\\s?)*\\\\1[!]$"\n---\nx\n')
    writeFileSync(contextFile, JSON.stringify({ ...JSON.parse(situation), attachments: { ...JSON.parse(situation).attachments, text: `${'aaaa '.repeat(300)}-!` } }))
    await see('took too long to check')
    await page.locator('.mark.slow').waitFor()
    await check('slow')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    writeFileSync(contextFile, situation)
    await page.locator('.mark.slow').waitFor({ state: 'detached' })
  },
  async 'rules: what reaches a file, and what does not'() {
    await visit('Rules')
    await page.getByLabel('Which rules reach a file?').fill('src/a.ts')
    await page.getByRole('button', { name: 'Show' }).click()
    await see('a glob matches')
    await see('hidden by another rule')
    await page.getByRole('button', { name: 'Text' }).first().click()
    await page.locator('pre').first().waitFor()
    await check('rules')
    await page.getByLabel('Which rules reach a file?').fill('../../etc/passwd')
    await page.getByRole('button', { name: 'Show' }).click()
    await see('outside of the workspace')
    wrong.length = 0 // the browser tells of the refused request
    writeFileSync(join(workspace, '.cursor/rules/added.mdc'), '---\nalwaysApply: true\n---\nx\n')
    await see('added')
  },
  async 'playground: result and mistakes while typing'() {
    await visit('Playground')
    await page.locator('#result ~ p .mark.true').waitFor()
    await see('1 element selected')
    assert.equal(await page.locator('.picture rect.matched').count(), 1)
    await check('playground')
    if (pictures) await page.screenshot({ path: join(pictures, 'page-playground.png') })
    const source = page.getByLabel('Strategy')
    await source.fill((await source.inputValue()).replace('regex: "error|panic"', 'regx: "x"'))
    await see('has mistakes')
    await see('did you mean')
    await page.getByLabel("Query over the context's elements").fill('//Buton')
    await see('Button')
    await page.getByLabel('Context, JSON or YAML').fill('a: [')
    await see('The context cannot be read')
    wrong.length = 0 // the query was refused for its context
  },
  async 'an attack through names and texts is text'() {
    const attack = `<img src=x onerror=alert(1)><script>alert(2)</script>`
    writeFileSync(join(workspace, 'strategies/attack.strategy.md'), `---\nname: '${attack}'\ndescription: '${attack}'\npriority: 999\nwhen:\n  all: []\n---\n${attack}\n`)
    writeFileSync(join(workspace, '.cursor/rules/attack.mdc'), `---\ndescription: '${attack}'\nglobs: '${attack}'\n---\n${attack}\n`)
    await visit('Now')
    await see('<img src=x onerror')
    await page.getByRole('button', { name: 'Preview the prompt' }).first().click()
    await page.getByRole('button', { name: 'Copy the prompt' }).waitFor()
    await visit('Strategies')
    await see('<img src=x onerror')
    await visit('Rules')
    await see('<img src=x onerror')
    for (const button of await page.getByRole('button', { name: 'Text' }).all()) await button.click()
    await visit('Playground')
    await page.getByLabel('Strategy').fill(`---\nname: ${attack}\nwhen:\n  x<img src=x onerror=alert(3)>: 1\n---\n`)
    await see('has mistakes')
    assert.equal(await page.locator('main img, main script, main iframe').count(), 0)
  },
  async 'keyboard alone reaches everything'() {
    await visit('Now')
    await page.reload()
    await see('Reply to the message')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the content')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate(() => document.activeElement.id), 'main')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'BUTTON')
    await page.keyboard.press('Enter')
    await page.getByLabel('Your request').waitFor()
  },
  async 'dark, and a small screen'() {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 360, height: 740 })
    for (const name of ['Now', 'Strategies', 'Rules', 'Playground']) {
      await visit(name)
      await page.waitForTimeout(300)
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      assert.ok(wider <= 0, `${name} is ${wider} pixels wider than the screen`)
      await check(`${name}, dark and small`)
    }
    await visit('Now')
  },
}

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
