// Drives the page of a user who has agreed to a model on the loopback: what is asked, what
// has to be agreed to first, and what is shown of the answer.
import assert from 'node:assert/strict'
import { check, page, run, see, token, url, wrong } from './drive.mjs'

const card = (name) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
const open = (name) => card(name).getByRole('button', { name: 'Preview the prompt' }).click()
const ask = () => page.getByRole('button', { name: 'Ask scripted' }).click()
const answer = page.getByRole('group', { name: 'Answer', exact: true })

await run({
  async 'a model that was agreed to is offered, and says where the prompt goes'() {
    await page.goto(`${url}#token=${token}`)
    await see('3 strategies fit')
    await open('Turn notes into tasks')
    await see('Sends the prompt to 127.0.0.1')
    await check('offered')
  },
  async 'the answer comes, watched by rules'() {
    await ask()
    await answer.getByText('Use the question mark.').waitFor()
    await see('The rule no-unwrap interrupted the answer')
    await see('The answer is whole.')
    assert.equal(await answer.innerText(), 'Use the question mark. <img src=x onerror=alert(1)>')
    await page.getByRole('button', { name: 'Copy the answer' }).click()
    await see('Copied.')
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^Use the question mark\./)
    await check('an answer')
    await open('Turn notes into tasks')
  },
  async 'a strategy that reads more asks first'() {
    await open('Reply to the message')
    await ask()
    await see('This reads more than you have agreed to send')
    await page.getByRole('alert').getByText('Reads the selected text').waitFor()
    await check('a question')
    await page.getByRole('button', { name: 'Do not send it' }).click()
    assert.equal(await answer.count(), 0)
    await ask()
    await page.getByRole('button', { name: 'Send it, and remember that' }).click()
    await answer.getByText('Use the question mark.').waitFor()
    await see('The answer is whole.')
    await see('Not sent: the rules for tools')
    await ask()
    await see('The answer is whole.')
    assert.equal(await page.getByText('This reads more').count(), 0, 'it was not remembered')
    wrong.length = 0 // the browser tells of the refused requests
  },
  async 'what is under way can be stopped'() {
    await page.getByLabel('Your request').fill('slowly')
    await see('slowly', { of: page.getByRole('group', { name: 'Prompt', exact: true }) })
    await ask()
    await answer.getByText('tick').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await see('Stopped.')
    const shown = await answer.innerText()
    await page.waitForTimeout(300)
    assert.equal(await answer.innerText(), shown, 'it went on')
  },
  async 'what the upstream refuses is said'() {
    await page.getByLabel('Your request').fill('refuse')
    await see('refuse', { of: page.getByRole('group', { name: 'Prompt', exact: true }) })
    await ask()
    await page.getByRole('alert').getByText('500').waitFor()
    await check('refused')
  },
  async 'a prompt that has changed is not sent'() {
    await page.route('**/api/v1/ask', (route) => {
      const body = route.request().postDataJSON()
      return route.continue({ postData: JSON.stringify({ ...body, shown: 'something else' }) })
    })
    await ask()
    await see('the prompt has changed meanwhile')
    await page.unroute('**/api/v1/ask')
    wrong.length = 0 // the browser tells of the refused request
  },
})
