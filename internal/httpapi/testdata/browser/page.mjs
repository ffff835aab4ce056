// Drives the views of the page, one after the other.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { check, contextFile, page, pictures, profile, run, see, situation, token, url, visit, workspace, wrong } from './drive.mjs'

const steps = {
  async 'without a token, nothing is shown'() {
    await page.goto(url)
    await see('A token is needed')
    await check('without a token')
    await page.getByLabel('Address or token').fill('wrong-token-wrong-token')
    await page.getByRole('button', { name: 'Continue' }).click()
    await see('The server does not know this token.')
    await check('with a wrong token')
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
    await page.getByLabel('Permissions').getByText('Reads clipboard text').waitFor()
    await page.getByRole('button', { name: 'Preview the prompt' }).first().click()
    await see('Write a reply to: send me the numbers today')
    assert.equal(await page.getByRole('button', { name: /^Ask / }).count(), 0, 'a model is offered that nobody has agreed to')
    await page.getByLabel('Your request').fill('in one line')
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
  async 'now: an older preview never replaces a newer one'() {
    const input = page.getByLabel('Your request')
    const prompt = page.getByRole('group', { name: 'Prompt', exact: true })
    await page.getByRole('button', { name: 'Preview the prompt' }).first().click()
    await prompt.waitFor()
    // The first answer is held back until the second is there.
    let release
    const held = new Promise((done) => (release = done))
    const sent = []
    await page.route('**/api/v1/run', async (route) => {
      const { input: typed } = route.request().postDataJSON()
      sent.push(typed)
      if (typed === 'older') {
        const response = await route.fetch()
        await held
        return route.fulfill({ response }).catch(() => {}) // the page has let go of it
      }
      return route.continue()
    })
    const asked = page.waitForRequest((r) => r.url().endsWith('/run') && r.postDataJSON().input === 'older')
    await input.fill('older')
    await asked
    await input.fill('newer')
    await page.getByRole('button', { name: 'Copy the prompt' }).click() // what is typed, not what is still shown
    await prompt.getByText('newer').waitFor()
    await see('Copied.')
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /newer/)
    release()
    await page.waitForTimeout(500)
    assert.match(await prompt.innerText(), /newer/)
    assert.deepEqual(sent, ['older', 'newer'])
    await page.unroute('**/api/v1/run')
    // Typed at any speed, what is shown at last is what was typed last.
    for (const delay of [0, 40, 120, 250]) {
      await input.fill('')
      await input.pressSequentially(`typed at ${delay}`, { delay })
      await prompt.getByText(`typed at ${delay}`).waitFor()
      await page.waitForTimeout(400)
      assert.match(await prompt.innerText(), new RegExp(`typed at ${delay}$`))
    }
    // The prompt follows the context.
    writeFileSync(contextFile, situation.replace('numbers', 'figures'))
    await prompt.getByText('send me the figures today').waitFor()
    writeFileSync(contextFile, situation)
    await prompt.getByText('send me the numbers today').waitFor()
    await check('preview')
  },
  async 'explain: the tree of any strategy, values on request'() {
    await visit('Explain')
    await page.getByLabel('Strategy').selectOption('user.todo')
    await page.getByRole('heading', { name: 'Turn notes into tasks' }).waitFor()
    assert.match(page.url(), /#\/explain\/user\.todo$/)
    await page.locator('.tree .mark.true').first().waitFor()
    assert.match(await page.locator('.tree').innerText(), /line \d+ · [\d.]+ [mµ]s/)
    assert.equal(await page.locator('.tree .value').count(), 0, 'values are shown without being asked for')
    await page.getByLabel('Show the values that were compared').check()
    await page.locator('.tree .value').first().waitFor()
    writeFileSync(contextFile, '{"clipboard":{"text":"nothing"}}')
    await page.locator('.tree .mark.false').first().waitFor()
    writeFileSync(contextFile, '{}')
    await page.locator('.tree .mark.unknown').first().waitFor()
    await check('explain')
    writeFileSync(contextFile, situation)
    await page.locator('.tree .mark.true').first().waitFor()
    await page.getByLabel('Strategy').selectOption('user.broken')
    await see('has mistakes, so its condition is not evaluated')
    await visit('Now')
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
    await page.locator('.detail .tree').waitFor()
    await check('strategies')
    await page.getByRole('link', { name: 'Reply to the message' }).click()
    await page.locator('.detail').waitFor({ state: 'detached' })
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
    // Once more: it is marked, but nobody is told again so soon.
    writeFileSync(contextFile, JSON.stringify({ ...JSON.parse(situation), attachments: { ...JSON.parse(situation).attachments, text: `${'bbbb '.repeat(300)}-!` } }))
    await page.locator('.mark.slow').waitFor()
    await page.waitForTimeout(1000)
    assert.equal(await page.locator('.toast').count(), 0, 'the notice came again at once')
    writeFileSync(contextFile, situation)
    await page.locator('.mark.slow').waitFor({ state: 'detached' })
  },
  async 'strategies: each page tells each slow one once in a while'() {
    // Answers hold their notices each time; here two more strategies become slow.
    const slow = []
    await profile.route('**/api/v1/match*', async (route) => {
      const response = await route.fetch()
      const match = await response.json()
      match.notices = slow.length > 0 ? [{ code: 'strategies.slow', message: 'Some strategies took too long to check and were skipped.' }] : []
      match.diagnostics = slow.map((strategy) => ({ severity: 'warning', code: 'regex.timeout', message: 'x', strategy }))
      return route.fulfill({ response, json: match })
    })
    slow.push('user.reply')
    const other = await profile.newPage()
    await other.clock.install()
    await other.goto(`${url}#token=${token}`)
    await other.locator('.toast').getByText('took too long').waitFor() // though another page has shown it
    await other.getByRole('button', { name: 'Dismiss' }).click()
    const again = async (view) => {
      const answered = other.waitForResponse((r) => r.url().includes('/match'))
      await other.getByRole('link', { name: view, exact: true }).click()
      await answered
      await other.getByRole('heading', { level: 1, name: view }).waitFor()
      await new Promise((done) => setTimeout(done, 300))
      return other.locator('.toast').count()
    }
    assert.equal(await again('Explain'), 0, 'told again at once')
    await other.clock.fastForward(61_000)
    assert.equal(await again('Strategies'), 0, 'the same strategy told again after a minute')
    slow.push('user.todo')
    assert.equal(await again('Explain'), 1, 'another strategy is not told')
    await other.getByRole('link', { name: 'Show them' }).click()
    await other.getByRole('heading', { level: 1, name: 'Strategies' }).waitFor()
    assert.equal(await other.locator('.toast').count(), 0)
    slow.push('user.later')
    assert.equal(await again('Explain'), 0, 'two within a minute')
    await other.clock.fastForward(601_000)
    assert.equal(await again('Strategies'), 1, 'not told in the next period')
    await other.close()
    await profile.unroute('**/api/v1/match*')
  },
  async 'rules: what reaches a file, and what does not'() {
    await visit('Rules')
    await page.getByLabel('Which rules reach a file?').fill('src/a.ts')
    await page.getByRole('button', { name: 'Show' }).click()
    await see('a glob matches')
    await see('hidden by another rule')
    await page.getByRole('button', { name: 'Text of' }).first().click()
    await page.locator('pre').first().waitFor()
    await check('rules')
    await page.getByLabel('Which rules reach a file?').fill('../../etc/passwd')
    await page.getByRole('button', { name: 'Show' }).click()
    await see('outside of the workspace')
    wrong.length = 0 // the browser tells of the refused request
    writeFileSync(join(workspace, '.cursor/rules/added.mdc'), '---\nalwaysApply: true\n---\nx\n')
    await see('added')
  },
  async 'rules: in all folders, and as one agent loads them'() {
    mkdirSync(join(workspace, 'packages/pay'), { recursive: true })
    writeFileSync(join(workspace, 'packages/pay/AGENTS.md'), 'NESTEDBODY\n')
    writeFileSync(join(workspace, 'CLAUDE.md'), 'x\n')
    await visit('Rules')
    const card = (name) => page.locator('.card').filter({ has: page.getByRole('heading', { name: new RegExp(`^${name} `) }) })
    await card('packages/pay/AGENTS').getByText('Loaded by Amp,').waitFor()
    await card('CLAUDE').getByText('Claude Code').waitFor()
    await page.getByLabel('As seen by').selectOption('claude')
    await see('What Claude Code loads by itself, in its order')
    await card('CLAUDE').getByText('at the start').waitFor()
    await card('packages/pay/AGENTS').waitFor({ state: 'detached' })
    await page.getByLabel('As seen by').selectOption('copilot')
    await card('packages/pay/AGENTS').getByText('on touching a file').waitFor()
    await page.getByRole('button', { name: 'Text of packages/pay/AGENTS' }).click()
    await page.getByLabel('The text of packages/pay/AGENTS').getByText('NESTEDBODY').waitFor()
    await page.getByLabel('Which rules reach a file?').fill('packages/pay/a.ts')
    await page.getByRole('button', { name: 'Show' }).click()
    await see('always applies (on touching a file)')
    await check('rules of an agent')
    await page.getByLabel('As seen by').selectOption('gemini')
    await see('It loads nothing of what is here.')
    await page.getByLabel('As seen by').selectOption('')
    await see('All rules, in order of precedence')
    rmSync(join(workspace, 'packages'), { recursive: true })
    rmSync(join(workspace, 'CLAUDE.md'))
    await card('packages/pay/AGENTS').waitFor({ state: 'detached' })
    wrong.length = 0 // the browser tells of a text that another agent has not got
  },
  async 'playground: result and mistakes while typing'() {
    await visit('Playground')
    await page.locator('.verdict .mark.true').waitFor()
    await see('1 element of 4 selected')
    await page.getByRole('group', { name: 'Prompt', exact: true }).getByText('panic: runtime error').waitFor()
    await page.getByLabel('Your request').fill('in one sentence')
    await page.getByRole('group', { name: 'Prompt', exact: true }).getByText('in one sentence').waitFor()
    await page.getByLabel('Your request').fill('')
    await page.getByRole('group', { name: 'Prompt', exact: true }).getByText('in one sentence').waitFor({ state: 'detached' })
    assert.equal(await page.locator('.picture rect.matched').count(), 1)
    await check('playground')
    if (pictures) await page.screenshot({ path: join(pictures, 'page-playground.png') })
    const source = page.getByLabel('Strategy', { exact: true })
    await source.fill((await source.inputValue()).replace('regex: "error|panic"', 'regx: "x"'))
    await see('has mistakes')
    await see('did you mean')
    await page.getByLabel("Query over the context's elements").fill('//Buton')
    await see('Button')
    await page.getByLabel('Context, JSON or YAML').fill('a: [')
    await see('The context cannot be read')
    wrong.length = 0 // the query was refused for its context
  },
  async 'playground: an empty context is empty'() {
    const live = []
    const watch = (r) => {
      const body = r.method() === 'POST' && r.url().endsWith('/query') ? r.postDataJSON() : null
      if (body && !body.context) live.push(body)
      if (r.method() === 'GET' && /\/(match|context)\b/.test(r.url())) live.push(r.url())
    }
    writeFileSync(contextFile, JSON.stringify({ ...JSON.parse(situation), visual: { roots: [{ type: 'Button', name: 'SECRET-BUTTON', bounds: { x: 0, y: 0, width: 9, height: 9 } }] } }))
    page.on('request', watch)
    await page.getByLabel("Query over the context's elements").fill('//Button/@name')
    for (const empty of ['', '  \n']) {
      await page.getByLabel('Context, JSON or YAML').fill(empty)
      await see('The context has no visible elements.')
      assert.equal(await page.locator('.picture').count(), 0)
    }
    await page.getByRole('button', { name: 'Sample' }).click()
    await see('1 element of 4 selected')
    await page.getByRole('button', { name: 'Empty' }).click()
    await see('The context has no visible elements.')
    await see('Nothing is known here')
    await check('playground, empty')
    page.off('request', watch)
    assert.deepEqual(live, [], 'the live context was asked for')
    assert.ok(!(await page.content()).includes('SECRET-BUTTON'))
  },
  async 'playground: loads a saved strategy and, when told to, the screen'() {
    const source = page.getByLabel('Strategy', { exact: true })
    const prompt = page.getByRole('group', { name: 'Prompt', exact: true })
    await source.fill('mine')
    await page.getByLabel('Begin with').selectOption('user.reply')
    await page.getByRole('button', { name: 'Load', exact: true }).click()
    await page.waitForFunction(() => document.getElementById('source').value.includes('Write a reply to'))
    await see('unknown, so not recommended')
    await see('It is shown as soon as')
    const context = page.getByLabel('Context, JSON or YAML')
    assert.equal(await context.inputValue(), '', 'the context came without being asked for')
    await page.getByRole('button', { name: 'Load my screen' }).click()
    await see('As it was at')
    const loaded = JSON.parse(await context.inputValue())
    assert.equal(loaded.attachments.selection.text, 'send me the numbers today')
    assert.equal(loaded.visual.roots[0].name, 'SECRET-BUTTON')
    await prompt.getByText('Write a reply to: send me the numbers today').waitFor()
    await see('1 element of 1 selected')
    await see('"SECRET-BUTTON"')
    await source.fill((await source.inputValue()).replace('Write a reply', 'Draft an answer'))
    await prompt.getByText('Draft an answer to: send me the numbers today').waitFor()
    await check('playground, loaded')
    // What was typed comes back, and a look elsewhere costs nothing.
    await page.getByRole('button', { name: 'Undo' }).click()
    assert.equal(await source.inputValue(), 'mine')
    await page.getByRole('button', { name: 'Undo' }).click()
    await visit('Now')
    await visit('Playground')
    assert.match(await source.inputValue(), /Draft an answer/)
    assert.match(await context.inputValue(), /numbers today/)
    // Loaded anew, the page has the text and nothing of the screen.
    await page.reload()
    await page.locator('.verdict .mark').waitFor()
    assert.match(await source.inputValue(), /Draft an answer/)
    assert.doesNotMatch(await context.inputValue(), /numbers today/)
    assert.doesNotMatch(await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }])), /numbers today/)
    writeFileSync(contextFile, situation)
  },
  async 'playground: a strategy made from another file can be tried where it was loaded'() {
    await visit('Strategies')
    await page.getByRole('link', { name: 'Polite rewrite' }).click()
    await page.getByRole('link', { name: 'change it in the playground' }).click()
    const source = page.getByLabel('Strategy', { exact: true })
    await page.waitForFunction(() => document.getElementById('source')?.value.includes('from: ./polite/SKILL.md'))
    assert.match(page.url(), /#\/playground$/)
    await page.getByRole('group', { name: 'Prompt', exact: true }).getByText('Rewrite politely: panic: runtime error').waitFor()
    await source.fill((await source.inputValue()).replace('./polite/SKILL.md', 'skill://claude.pdf'))
    await see('the playground reads no files')
    await see('load it into the playground')
    await source.fill((await source.inputValue()).replace('skill://claude.pdf', './polite/SKILL.md').replace('---\nRewrite', 'preprocessors: [file-manager-selection]\n---\n{preprocess.file_manager.selection.text} Rewrite'))
    await page.getByRole('group', { name: 'Prompt', exact: true }).getByText('‹preprocess.file_manager.selection.text›').waitFor()
    await see('Files and pages are not read here')
    await check('playground, derived')
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
    await visit('Explain')
    await page.getByLabel('Strategy').selectOption('user.attack')
    await page.getByRole('heading', { name: '<img src=x onerror' }).waitFor()
    await visit('Rules')
    await see('<img src=x onerror')
    for (const button of await page.getByRole('button', { name: 'Text of' }).all()) await button.click()
    await visit('Playground')
    await page.getByLabel('Strategy', { exact: true }).fill(`---\nname: ${attack}\nwhen:\n  x<img src=x onerror=alert(3)>: 1\n---\n`)
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
    // A link that goes away with its view does not take the focus along.
    await page.getByRole('link', { name: 'change it in the playground: Turn notes' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor()
    assert.equal(await page.evaluate(() => document.activeElement.id), 'main')
    assert.equal(await page.evaluate(() => scrollY), 0)
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement.id), 'load')
    // Boxes of text let go of the focus, and load, type and copy need no mouse.
    await page.locator('#source').focus()
    const focused = () => page.evaluate(() => document.activeElement.textContent)
    for (let i = 0; i < 3 && (await focused()) !== 'Load my screen'; i++) await page.keyboard.press('Tab')
    assert.equal(await focused(), 'Load my screen')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.getElementById('context').value.includes('TODO'))
    await page.getByRole('group', { name: 'Prompt', exact: true }).getByText('Make tasks of: TODO').waitFor()
    await visit('Now')
  },
  async 'a lost connection comes back, and says what it saw last'() {
    const seen = []
    await page.route('**/api/v1/events', (route) => {
      seen.push(route.request().headers()['last-event-id'])
      if (seen.length > 1) return route.continue()
      return route.fulfill({ status: 200, contentType: 'text/event-stream', body: 'id: gone-7\nevent: change\ndata: {"part":"rules"}\n\n' })
    })
    await page.reload()
    await see('not connected')
    await page.locator('.dot.on').waitFor()
    assert.deepEqual(seen, [undefined, 'gone-7'])
    await page.unroute('**/api/v1/events')
  },
  async 'dark, and a small screen'() {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 360, height: 740 })
    for (const name of ['Now', 'Explain', 'Strategies', 'Rules', 'Playground']) {
      await visit(name)
      await page.waitForTimeout(300)
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      assert.ok(wider <= 0, `${name} is ${wider} pixels wider than the screen`)
      await check(`${name}, dark and small`)
    }
    await visit('Now')
  },
}

await run(steps)
