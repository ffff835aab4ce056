// Drives the view of a fleet: what rules did, as a chart, by rule, agent and repository, and what is said when it is away.
import assert from 'node:assert/strict'
import { check, page, pictures, run, see, token, url, visit, wrong } from './drive.mjs'

const chart = page.getByRole('img', { name: /^Firings from/ })

await run({
  async 'the chart has a bar for each day, as high as what happened'() {
    await page.goto(`${url}#token=${token}`)
    await visit('Fleet')
    await see('300 firings on 3 machines, 75 % heeded')
    const bars = await chart.locator('g').evaluateAll((all) => all.map((g) => ({
      title: g.querySelector('title').textContent,
      height: [...g.querySelectorAll('rect:not(.all)')].reduce((sum, r) => sum + Number(r.getAttribute('height')), 0),
    })))
    assert.equal(bars.length, 30)
    const by = (day) => bars.find((b) => b.title.startsWith(day))
    assert.match(by('2026-11-16').title, /fired 200, heeded 150, not heeded 50/)
    assert.ok(Math.abs(by('2026-11-16').height - 2 * by('2026-11-15').height) < 1, 'twice as many are twice as high')
    assert.equal(by('2026-11-01').height, 0)
    await check('a fleet')
    if (pictures) await page.screenshot({ path: `${pictures}/page-fleet.png` })
  },
  async 'names are text, and the chart is there as a table'() {
    await page.getByText('As a table').click()
    assert.equal(await page.getByRole('row', { name: '2026-11-16 200 150 50' }).count(), 1)
    await page.getByRole('rowheader', { name: 'no-eval' }).waitFor()
    await page.getByRole('rowheader', { name: '<img src=x onerror=alert(1)>' }).waitFor()
    await see('never-fires')
    await page.getByLabel('Rules whose name has').fill('EVAL')
    assert.equal(await page.getByRole('rowheader', { name: '<img' }).count(), 0)
  },
  async 'one day is shown by its hours, and a fleet that is away is told'() {
    await page.getByLabel('What rules did in').selectOption('1')
    await chart.locator('title', { hasText: '2026-11-16T11' }).first().waitFor({ state: 'attached' })
    await page.getByLabel('What rules did in').selectOption('90')
    await see('What is shown is from before')
    wrong.length = 0 // the browser tells of the refused request
    await check('a fleet that is away')
  },
})
