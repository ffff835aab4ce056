// Drives many tabs of the page at once: they share one event stream, since
// browsers open no more than six connections to a server.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { check, contextFile, page, profile, run, see, situation, token, url, wrong } from './drive.mjs'

const tabs = [] // in the order in which they wait for the stream

async function open() {
  const tab = await profile.newPage()
  tab.on('pageerror', (e) => wrong.push(`error: ${e.message}`))
  await tab.goto(`${url}#token=${token}`)
  tabs.push(tab)
  return tab
}

// streams is how many the server has open.
async function streams() {
  const response = await fetch(new URL('/metrics', url), { headers: { Authorization: `Bearer ${token}` } })
  return Number(/^pertain_event_streams (\d+)$/m.exec(await response.text())[1])
}

async function until(what, test, ms = 60_000) {
  for (const end = Date.now() + ms; Date.now() < end; await new Promise((done) => setTimeout(done, 50))) {
    if (await test()) return
  }
  assert.fail(what)
}

const live = (tab) => tab.locator('.dot.on').waitFor({ timeout: 60_000 })
const all = (act) => Promise.all(tabs.map(act))

// follows changes the context and waits until each tab shows that.
async function follows() {
  writeFileSync(contextFile, '{"clipboard":{"text":"TODO"}}')
  await all((tab) => see('1 strategy fits', { of: tab }))
  writeFileSync(contextFile, situation)
  await all((tab) => see('3 strategies fit', { of: tab }))
}

// look makes a tab believe that it is seen, or not.
const look = (tab, seen) => tab.evaluate((state) => {
  Object.defineProperty(document, 'hidden', { get: () => state === 'hidden', configurable: true })
  Object.defineProperty(document, 'visibilityState', { get: () => state, configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
}, seen ? 'visible' : 'hidden')

await run({
  async 'ten tabs are live, with one stream'() {
    for (let i = 0; i < 10; i++) await see('3 strategies fit', { of: await open() })
    await all(live)
    assert.equal(await streams(), 1)
    await follows()
    const tab = tabs[4]
    await tab.getByRole('button', { name: 'Preview the prompt' }).first().click()
    await see('Write a reply to: send me the numbers today', { of: tab })
  },
  async 'another tab takes the stream over'() {
    for (let i = 0; i < 3; i++) {
      const [tab] = tabs.splice(i === 0 ? 1 : 0, 1) // first one without the stream, then the one that has it, twice
      await tab.close()
      await follows() // at once: what happens in between is not missed
      await all(live)
      await until('there is not one stream', async () => (await streams()) === 1)
    }
  },
  async 'a lost connection is told in all tabs, and comes back in all'() {
    await profile.route('**/api/v1/events', (route) => route.abort())
    await tabs[0].reload() // the stream ends, and who takes over does not get through
    await all((tab) => see('Not connected to the server', { of: tab }))
    await all((tab) => see('From before: 3 strategies fitted', { of: tab }))
    writeFileSync(contextFile, '{"clipboard":{"text":"TODO"}}')
    await profile.unroute('**/api/v1/events')
    await all(live)
    await all((tab) => see('1 strategy fits', { of: tab }))
    await follows()
    await all(async (tab) => assert.equal(await tab.locator('.notice').count(), 0))
    tabs.push(tabs.shift())
  },
  async 'a tab that sleeps loses the stream'() {
    const [asleep, ...others] = tabs
    const cdp = await profile.newCDPSession(asleep)
    await cdp.send('Page.setWebLifecycleState', { state: 'frozen' })
    tabs.splice(0, 1)
    writeFileSync(contextFile, '{"clipboard":{"text":"TODO"}}')
    await Promise.all(others.map((tab) => tab.getByText('1 strategy fits').waitFor({ timeout: 30_000 })))
    await all(live)
    await cdp.send('Page.setWebLifecycleState', { state: 'active' })
    tabs.push(asleep)
    await see('1 strategy fits', { of: asleep })
    await follows()
    await all(live)
    await until('there is not one stream', async () => (await streams()) === 1)
  },
  async 'a tab that nobody sees asks nothing until somebody does'() {
    const hidden = tabs.at(-1)
    const asked = []
    hidden.on('request', (r) => asked.push(r.url()))
    await look(hidden, false)
    tabs.pop()
    writeFileSync(contextFile, '{"clipboard":{"text":"TODO"}}')
    await all((tab) => see('1 strategy fits', { of: tab }))
    await hidden.waitForTimeout(500)
    assert.deepEqual(asked.filter((u) => !u.endsWith('/events')), [])
    await look(hidden, true)
    await see('1 strategy fits', { of: hidden })
    tabs.push(hidden)
    writeFileSync(contextFile, situation)
    await all((tab) => see('3 strategies fit', { of: tab }))
  },
  async 'an answer that takes long is told'() {
    const tab = await open()
    await see('3 strategies fit', { of: tab })
    let release
    const held = new Promise((done) => (release = done))
    await tab.route('**/api/v1/run', async (route) => {
      await held
      await route.continue()
    })
    await tab.getByRole('button', { name: 'Preview the prompt' }).first().click()
    await see('Still waiting for the server', { of: tab })
    release()
    await see('Write a reply to', { of: tab })
    await tab.getByText('Still waiting').waitFor({ state: 'detached' })
  },
  async 'a lost token lets go of the stream'() {
    const other = tabs.pop()
    for (const tab of tabs.splice(0)) await tab.close()
    tabs.push(other)
    await live(other)
    await other.evaluate(() => sessionStorage.setItem('pertain-token', 'wrong-token-wrong-token'))
    const next = await open()
    await live(next)
    await other.reload()
    await see('A token is needed', { of: other })
    tabs.splice(tabs.indexOf(other), 1)
    await live(next)
    await follows()
    assert.equal(await streams(), 1)
    await other.close()
  },
  async 'without locks, a tab has a stream while it is seen'() {
    for (const tab of tabs.splice(0)) await tab.close()
    await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'locks', { get: () => undefined }))
    await page.goto(`${url}#token=${token}`)
    await live(page)
    await look(page, false)
    await until('a hidden tab holds a stream', async () => (await streams()) === 0)
    writeFileSync(contextFile, '{"clipboard":{"text":"TODO"}}')
    await look(page, true)
    await live(page)
    await see('1 strategy fits')
    await check('one tab')
    tabs.push(page)
    await follows()
  },
})
