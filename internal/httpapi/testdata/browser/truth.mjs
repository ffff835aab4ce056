// Drives the page where what it shows might not be so, or not any more: files and
// contexts that go away, texts that are too long, addresses that lead nowhere.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { check, contextFile, page, profile, run, see, situation, token, url, visit, workspace, wrong } from './drive.mjs'

const write = (name, text) => writeFileSync(join(workspace, name), text)
const go = (hash) => page.evaluate((to) => (location.hash = to), hash)
const prompt = page.getByRole('group', { name: 'Prompt', exact: true })
const request = page.getByLabel('Your request')
const preview = () => page.getByRole('button', { name: 'Preview the prompt' }).first().click()

await run({
  async 'now: a typed request outlives its recommendation'() {
    await page.goto(`${url}#token=${token}`)
    await see('3 strategies fit')
    await preview()
    await request.fill('my long request')
    await prompt.getByText('my long request').waitFor()
    writeFileSync(contextFile, '{}')
    await see('Nothing is recommended')
    writeFileSync(contextFile, situation)
    await prompt.getByText('my long request').waitFor()
    assert.equal(await request.inputValue(), 'my long request')
    await visit('Rules')
    await visit('Now')
    await prompt.getByText('my long request').waitFor()
    assert.equal(await request.inputValue(), 'my long request')
    await request.fill('')
    await preview()
  },
  async 'a context that cannot be read leaves nothing that looks current'() {
    writeFileSync(contextFile, '{"attachm')
    await see('there is no context')
    await see('From before: 3 strategies fitted')
    assert.equal(await page.getByText('what you are doing now').count(), 0)
    assert.equal(await page.getByText('Not connected').count(), 0)
    await check('now, without a context')
    await visit('Strategies')
    await see('there is no context')
    await go('#/explain/user.todo')
    await see('there is no context')
    assert.equal(await page.locator('.tree').count(), 0)
    writeFileSync(contextFile, situation)
    await page.locator('.tree .mark.true').first().waitFor()
    writeFileSync(contextFile, '{"attachm')
    await page.locator('.tree').waitFor({ state: 'detached' })
    await visit('Strategies')
    writeFileSync(contextFile, situation)
    await page.locator('tbody tr').first().waitFor()
    writeFileSync(contextFile, '{"attachm')
    await see('The states below are from before')
    writeFileSync(contextFile, situation)
    await visit('Now')
    await see('3 strategies fit')
    wrong.length = 0 // the browser tells of the refused requests
  },
  async 'a server that is away leaves nothing that looks current'() {
    await profile.route('**/api/v1/**', (route) => route.abort())
    await page.reload()
    await see('The server does not answer')
    await see('Not connected to the server')
    await check('without a server')
    await profile.unroute('**/api/v1/**')
    await see('live')
    await see('3 strategies fit')
    assert.equal(await page.getByText('Not connected').count(), 0)
    wrong.length = 0 // the browser tells of the broken requests
  },
  async 'explain and strategies: an address that leads nowhere says so'() {
    await go('#/explain/nope')
    await see('There is no strategy nope')
    assert.equal(await page.locator('.tree').count(), 0, 'another strategy is shown')
    await check('explain, nothing')
    await page.getByLabel('Strategy').selectOption('user.todo')
    await page.locator('.tree').waitFor()
    assert.equal(await page.getByText('There is no strategy').count(), 0)
    write('strategies/short.strategy.md', '---\nname: Short-lived\nwhen:\n  all: []\n---\nx\n')
    await go('#/explain/user.short')
    await page.getByRole('heading', { name: 'Short-lived' }).waitFor()
    rmSync(join(workspace, 'strategies/short.strategy.md'))
    await see('There is no strategy user.short')
    assert.equal(await page.locator('.tree').count(), 0, 'another strategy is shown')
    await go('#/strategies/nope')
    await see('There is no strategy nope')
    wrong.length = 0 // the browser tells of the refused requests
  },
  async 'rules: an opened text follows its file'() {
    mkdirSync(join(workspace, '.omp/rules'), { recursive: true })
    write('.omp/rules/house.md', '---\nalwaysApply: true\n---\nOLDBODY\n')
    await visit('Rules')
    await page.getByRole('button', { name: 'Text of house' }).click()
    const text = page.getByLabel('The text of house')
    await text.getByText('OLDBODY').waitFor()
    write('.omp/rules/house.md', '---\nalwaysApply: true\n---\nNEWBODY\n')
    await text.getByText('NEWBODY').waitFor()
    write('.omp/rules/house.md', '---\nalwaysApply: true\ndescription: DDD\n---\nTHIRDBODY\n')
    await text.getByText('THIRDBODY').waitFor()
    await see('DDD')
    rmSync(join(workspace, '.omp/rules/house.md'))
    await text.waitFor({ state: 'detached' })
    write('.omp/rules/bad.md', '---\nglobs: "src/{a"\ncondition: "("\n---\nx\n')
    await page.locator('h2:has-text("Warnings") + ul').getByText(/bad\.md:\d+:\d+/).first().waitFor()
    rmSync(join(workspace, '.omp/rules/bad.md'))
    // Asked once more, the answer is there once more.
    await page.getByLabel('Which rules reach a file?').fill('src/a.ts')
    for (let i = 0; i < 2; i++) {
      await page.getByRole('button', { name: 'Show' }).click()
      await see('a glob matches')
    }
    wrong.length = 0 // the browser tells of the rule that is gone
  },
  async 'playground: a strategy that is not there, and a context that cannot be read'() {
    await go('#/playground/nope')
    await see('There is no strategy nope')
    await page.locator('.verdict .mark.true').waitFor()
    await see('There is no strategy nope') // also after the sample was tried
    await page.getByLabel('Context, JSON or YAML').fill('[1,2')
    await see('not tried: the context cannot be read')
    assert.equal(await page.locator('.verdict .mark.true').count(), 0)
    assert.equal(await prompt.count(), 0)
    await check('playground, without a context')
    await page.getByRole('button', { name: 'Empty' }).click()
    await see('The context has no visible elements.')
    assert.equal(await page.getByText('--context').count(), 0)
    wrong.length = 0 // the browser tells of the refused requests
  },
  async 'playground: what was typed can be had back after any number of loads, and a new start'() {
    const source = page.getByLabel('Strategy', { exact: true })
    await source.fill('mine, by hand')
    for (const id of ['user.reply', 'user.todo', '']) {
      await page.getByLabel('Begin with').selectOption(id)
      await page.getByRole('button', { name: 'Load', exact: true }).click()
      await page.waitForFunction(({ id, words }) => document.getElementById('source').value.includes(words), { id, words: { 'user.reply': 'Write a reply', 'user.todo': 'Make tasks', '': 'Explain the error' }[id] })
      if (id === 'user.reply') await see('What you had written is kept')
    }
    await page.reload()
    await page.getByRole('button', { name: 'Undo' }).click()
    assert.equal(await source.inputValue(), 'mine, by hand')
    await page.getByRole('button', { name: 'Undo' }).click()
    assert.match(await source.inputValue(), /Explain the error/)
  },
  async 'playground: more elements than are drawn'() {
    await page.getByLabel('Context, JSON or YAML').fill(JSON.stringify({ visual: { roots: Array(6000).fill({ type: 'Button', name: 'x' }) } }))
    await page.getByLabel("Query over the context's elements").fill('//Button')
    await see('6000 elements')
    assert.doesNotMatch(await page.locator('section:has(#tester)').innerText(), /6000 elements of 5000/)
    await see('first 5000')
    await see('and 5950 more')
  },
  async 'a long prompt is shown in part and copied whole'() {
    const long = { attachments: { selection: { text: `BEGIN ${'many words '.repeat(270_000)}END` } } }
    writeFileSync(contextFile, JSON.stringify(long))
    await visit('Now')
    await see('1 strategy fits')
    await preview()
    await see('characters are left out here')
    const shown = await prompt.innerText()
    assert.ok(shown.length < 100_000, `${shown.length} characters are shown`)
    assert.match(shown, /BEGIN/)
    assert.match(shown, /END/)
    await request.fill('and the request')
    await prompt.getByText('and the request').waitFor()
    await page.getByRole('button', { name: 'Copy the prompt' }).click()
    await see('Copied.')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    assert.ok(copied.length > 2_900_000, `${copied.length} characters are copied`)
    await check('a long prompt')
    writeFileSync(contextFile, situation)
    await see('3 strategies fit')
  },
  async 'several prompts and mistakes at once'() {
    write('strategies/broken2.strategy.md', '---\nname: Broken, too\nwhen:\n  attachments.text: 5\n---\nx\n')
    for (const button of await page.getByRole('button', { name: 'Preview the prompt' }).all()) {
      if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
    }
    await page.waitForFunction(() => document.querySelectorAll('pre').length === 3)
    await check('three prompts')
    await visit('Strategies')
    await page.waitForFunction(() => document.querySelectorAll('.problems pre').length > 1)
    await check('two mistakes')
  },
  async 'very small screens break no word of the navigation'() {
    for (const width of [300, 320, 340, 360]) {
      await page.setViewportSize({ width, height: 700 })
      const broken = await page.evaluate(() => [...document.querySelectorAll('nav a')].filter((a) => {
        const range = document.createRange()
        range.selectNodeContents(a)
        return range.getClientRects().length > 1
      }).map((a) => a.textContent))
      assert.deepEqual(broken, [], `at ${width} pixels`)
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      assert.ok(wider <= 0, `${wider} pixels wider than ${width}`)
    }
    await check('small')
    await page.setViewportSize({ width: 1100, height: 900 })
  },
  async 'without strategies, how to begin is told'() {
    rmSync(join(workspace, 'strategies'), { recursive: true })
    mkdirSync(join(workspace, 'strategies'))
    await see('There are no strategies.')
    await see('pertain new strategy')
    await visit('Explain')
    await see('pertain new strategy')
    await check('without strategies')
  },
})
