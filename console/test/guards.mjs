// When an answer may leave: each guard of docs/console.md, tried as a person would and as an accident would.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually, open, pass, press, SETTLED, skipAhead, standIn, visit } from './harness.mjs'

const GRACE = 2000
const HOLD = 800
const service = await standIn({ history: 60 })
let asked = 0
const ordinary = () => service.ask(`npm install left-pad@${++asked}`)
const grave = () => service.ask(`git reset --hard HEAD~${++asked} && sudo systemctl restart nginx`)

async function at(review, { settle = true, prefs = {} } = {}) {
  const page = await visit(service, { clock: true, prefs })
  await open(page, review, settle)
  return page
}

// sent: exactly this answer has left the page, and the service has it.
async function sent(page, review, answer) {
  await eventually('the answer arrives', () => page.posts.length && review.status !== 'pending')
  assert.deepEqual(page.posts, [`${service.url}/v1/reviews/${review.id}`])
  assert.deepEqual(service.answers.get(review.id), [answer])
}

async function nothingSent(page, review) {
  await pass(page, GRACE + 1000)
  assert.deepEqual(page.posts, [])
  assert.equal(review.status, 'pending')
}

describe('guards', () => {
  test('no key answers in the first 0.7 s', async () => {
    const review = ordinary()
    const page = await at(review, { settle: false })
    await pass(page, 500)
    for (const key of ['a', 'd', 'p']) await press(page, key)
    assert.equal(await page.locator('.promote').count(), 0)
    await nothingSent(page, review)
    await page.done()
  })

  test('an approval waits for two seconds, then leaves, and the next review is selected', async () => {
    const review = ordinary()
    const page = await at(review)
    await press(page, 'a')
    await pass(page, GRACE - 200)
    assert.deepEqual(page.posts, [])
    assert.notEqual(await page.locator('article.review').getAttribute('data-id'), review.id)
    await pass(page, 300)
    await sent(page, review, { answer: 'approve' })
    await page.done()
  })

  test('z takes an approval back', async () => {
    const review = ordinary()
    const page = await at(review)
    await press(page, 'a')
    await press(page, 'z')
    await page.getByText('Taken back. Nothing was sent.').waitFor()
    await nothingSent(page, review)
    await page.done()
  })

  test('the button takes it back, too', async () => {
    const review = ordinary()
    const page = await at(review)
    await page.locator('.answer.allow').click()
    await pass(page, 100)
    await page.getByRole('button', { name: 'Undo' }).click()
    await nothingSent(page, review)
    await page.done()
  })

  test('a denial leaves at once', async () => {
    const review = ordinary()
    const page = await at(review)
    await page.keyboard.press('d') // and the clock stands still
    await sent(page, review, { answer: 'deny' })
    await page.done()
  })

  test('a denial can say why, and letters in the field answer nothing', async () => {
    const review = ordinary()
    const page = await at(review)
    await press(page, 'Shift+D')
    await page.getByLabel('Reason, told to the agent').pressSequentially('add a lock file; ask again')
    assert.deepEqual(page.posts, [])
    await page.keyboard.press('Enter')
    await sent(page, review, { answer: 'deny', reason: 'add a lock file; ask again' })
    await page.done()
  })

  test('Enter and Space alone approve nothing', async () => {
    for (const review of [ordinary(), grave()]) {
      const page = await at(review)
      await press(page, 'Enter')
      await press(page, 'Space')
      await nothingSent(page, review)
      await page.done()
    }
  })

  test('a modifier, a repeat and a script answer nothing', async () => {
    const review = ordinary()
    const page = await at(review, { settle: false })
    await page.keyboard.down('a') // before it settled: what follows are repeats
    await pass(page, 900)
    for (let i = 0; i < 5; i++) await page.keyboard.down('a')
    await page.keyboard.up('a')
    for (const key of ['Control+a', 'Alt+a', 'Control+d', 'Meta+d']) await press(page, key)
    await page.evaluate(() => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'd', bubbles: true })))
    await nothingSent(page, review)
    await page.done()
  })

  test('a window that just got the focus takes no answer', async () => {
    const review = ordinary()
    const page = await at(review)
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await press(page, 'd')
    await press(page, 'a')
    await nothingSent(page, review)
    await page.done()
  })

  test('a click in the first 0.7 s approves nothing', async () => {
    const review = ordinary()
    const page = await at(review, { settle: false })
    await page.locator('.answer.allow').click()
    await nothingSent(page, review)
    await page.done()
  })

  test('what is shown stays when it ends: no other takes its place under the finger', async () => {
    const [first, second] = ['first', 'second'].map((name, i) => service.ask(`npm install ${name}-to-end@1`, 5 + i))
    const page = await visit(service, { clock: true })
    await page.locator(`article[data-id="${first.id}"]`).waitFor()
    await page.clock.pauseAt(Date.now() + 1000)
    service.answer(first, 'op2', 'denied')
    await page.getByText(/op2 denied this/).waitFor()
    await pass(page, SETTLED)
    assert.equal(await page.locator('article').getAttribute('data-id'), first.id)
    assert.ok(await page.locator('.answer.allow').isDisabled())
    await pass(page, 8000)
    await page.locator(`article[data-id="${second.id}"]`).waitFor()
    service.answer(second, 'op2', 'denied')
    await page.done()
  })

  test('g a goes to the agents and approves nothing', async () => {
    const review = ordinary()
    const page = await at(review)
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.getByRole('heading', { name: 'Agents' }).waitFor()
    await nothingSent(page, review)
    await page.done()
  })

  test('shortcuts can be switched off', async () => {
    const review = ordinary()
    const page = await at(review, { prefs: { shortcuts: false } })
    await press(page, 'd')
    await press(page, 'a')
    await nothingSent(page, review)
    await page.done()
  })

  test('a grave one needs the key held', async () => {
    const review = grave()
    const page = await at(review)
    await page.keyboard.down('a')
    await pass(page, HOLD / 2)
    await page.keyboard.up('a')
    await nothingSent(page, review)
    await page.keyboard.down('a')
    await pass(page, HOLD + 100)
    await page.keyboard.up('a')
    await pass(page, GRACE + 100)
    await sent(page, review, { answer: 'approve' })
    await page.done()
  })

  test('a grave one needs the button held', async () => {
    const review = grave()
    const page = await at(review)
    const button = page.locator('.answer.allow')
    await button.click()
    await pass(page, 100)
    assert.match(await button.textContent(), /Hold it down/)
    await nothingSent(page, review)
    await button.hover()
    await page.mouse.down()
    await pass(page, HOLD + 100)
    await page.mouse.up()
    await pass(page, GRACE + 100)
    await sent(page, review, { answer: 'approve' })
    await page.done()
  })

  test('a grave one by a, then Enter, if the person chose that', async () => {
    const review = grave()
    const page = await at(review, { prefs: { grave: 'enter' } })
    await press(page, 'Enter')
    await press(page, 'a')
    await nothingSent(page, review)
    await press(page, 'Enter')
    await pass(page, GRACE)
    await sent(page, review, { answer: 'approve' })
    await page.done()
  })

  test('a grave one by a tap of a and then Enter approves nothing, unless the person chose that', async () => {
    const review = grave()
    const page = await at(review)
    await press(page, 'a')
    await press(page, 'Enter')
    await nothingSent(page, review)
    await page.done()
  })

  test('a key that is held while the window loses the focus, or a dialog opens, approves nothing', async () => {
    for (const leave of [page => page.evaluate(() => dispatchEvent(new Event('blur'))), page => page.keyboard.press('Control+k')]) {
      const review = grave()
      const page = await at(review)
      await page.keyboard.down('a')
      await pass(page, HOLD / 2)
      await leave(page)
      await pass(page, HOLD)
      await page.keyboard.up('a')
      await nothingSent(page, review)
      await page.done()
    }
  })

  test('so does a button that is held', async () => {
    const review = grave()
    const page = await at(review)
    await page.locator('.answer.allow').hover()
    await page.mouse.down()
    await pass(page, HOLD / 2)
    await page.evaluate(() => dispatchEvent(new Event('blur')))
    await pass(page, HOLD)
    await page.mouse.up()
    await nothingSent(page, review)
    await page.done()
  })

  test('Enter that is held down on the button approves nothing', async () => {
    const review = ordinary()
    const page = await at(review, { settle: false })
    await page.locator('.answer.allow').focus()
    await page.keyboard.down('Enter') // for whatever was there before
    for (let i = 0; i < 12; i++) {
      await pass(page, 100)
      await page.keyboard.down('Enter')
    }
    await page.keyboard.up('Enter')
    await nothingSent(page, review)
    await page.done()
  })

  test('no key answers while a dialog is open, while a letter is composed, or without the service', async () => {
    const review = ordinary()
    const page = await at(review)
    for (const key of ['?', 'Control+k']) {
      await press(page, key)
      await page.locator('dialog').waitFor()
      await press(page, 'd')
      await page.keyboard.press('Escape')
      await page.locator('dialog').waitFor({ state: 'detached' })
    }
    await pass(page, SETTLED)
    service.hangUp()
    await page.getByRole('alert').filter({ hasText: 'Disconnected' }).waitFor()
    await press(page, 'd')
    await press(page, 'a')
    assert.equal(review.status, 'pending')
    assert.deepEqual(page.posts, [])
    await page.done()
  })

  test('a key that came too early is seen to have come', async () => {
    const review = ordinary()
    const page = await at(review, { settle: false })
    await page.locator('.answers.cold').waitFor()
    await press(page, 'd')
    await page.locator('.answers.nudge-1').waitFor()
    await pass(page, SETTLED)
    await page.locator('.answers:not(.cold)').waitFor()
    await nothingSent(page, review)
    await page.done()
  })

  test('on a phone the list follows an answer, and no other review takes its place', async () => {
    const review = ordinary()
    const page = await visit(service, { clock: true, width: 390, height: 844 })
    await open(page, review)
    await page.locator('.answer.deny').click()
    await page.locator('.queue-row').first().waitFor()
    assert.equal(await page.locator('article').count(), 0)
    await sent(page, review, { answer: 'deny' })
    await page.done()
  })

  test('a panel for a rule that just got under the finger takes no answer', async () => {
    const review = ordinary()
    const page = await at(review)
    await press(page, 'p')
    await page.locator('.promote').waitFor()
    await pass(page, SETTLED)
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await page.keyboard.press('Control+Enter')
    assert.ok(await page.getByRole('button', { name: /Approve and add rule/ }).isDisabled())
    await nothingSent(page, review)
    await page.done()
  })

  test('a rule is added by a panel, never by one key', async () => {
    const review = ordinary()
    const page = await at(review)
    await press(page, 'p')
    await page.locator('.promote').waitFor()
    await press(page, 'Enter')
    assert.equal(await page.locator('.promote').count(), 1)
    await page.getByRole('button', { name: 'any npm install' }).click()
    await pass(page, SETTLED)
    await page.keyboard.press('Control+Enter')
    await pass(page, GRACE + 100)
    await sent(page, review, { answer: 'promote', rule: { pattern: 'Bash(npm install *)', type: 'allow', scope: 'api' } })
    await page.done()
  })

  test('no rule is offered for what is grave, secret, or asked on purpose', async () => {
    for (const [part, why] of [
      ['git push', 'An ask rule stands above allow rules'],
      ['ghp_', 'A rule would keep the secret'],
      ['systemctl restart cron', 'No rule can answer this one for you'],
      ['edge-1', 'What this touches is grave'],
    ]) {
      const page = await at(service.reviews.find(r => r.command.includes(part)))
      await press(page, 'p')
      await page.locator('section', { has: page.getByRole('heading', { name: 'No rule is offered' }) }).getByText(why).waitFor()
      assert.equal(await page.locator('.promote, .with-rule').count(), 0)
      await page.done()
    }
  })

  test("somebody else's answer withdraws one that waits", async () => {
    const review = ordinary()
    const page = await at(review)
    await press(page, 'a')
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    service.answer(review, 'op2', 'denied')
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
    await pass(page, GRACE + 100)
    assert.deepEqual(page.posts, [])
    await page.done()
  })

  test('the other operator is named, and keys do nothing any more', async () => {
    const review = ordinary()
    const page = await at(review)
    service.answer(review, 'op2', 'approved')
    await page.getByText(/op2 approved this at .*Your keys do nothing here any more/).waitFor()
    await pass(page, 50)
    await press(page, 'd')
    assert.ok(await page.locator('.answer.deny').isDisabled())
    assert.deepEqual(page.posts, [])
    await page.done()
  })

  test('an answer that comes second is told so', async () => {
    const review = ordinary()
    const page = await at(review)
    Object.assign(review, { status: 'denied', responded_by: 'op2' }) // the event is still on its way
    await press(page, 'd')
    await page.getByText(/Your answer does not count: it was denied by op2/).waitFor()
    await page.done()
  })

  test('nothing is answered after the time is over', async () => {
    const review = ordinary()
    const page = await at(review)
    await skipAhead(page, Date.parse(review.expires_at) - Date.now() + 5000)
    await page.locator('article .ring', { hasText: 'over' }).waitFor()
    await press(page, 'd')
    await press(page, 'a')
    assert.ok(await page.locator('.answer.allow').isDisabled())
    await nothingSent(page, review)
    service.answer(review, null, 'expired')
    await page.getByText('Nobody answered in time').waitFor()
    await page.done()
  })

  test('a viewer has nothing to answer with', async () => {
    const review = ordinary()
    const page = await visit(service, { name: 'vic', clock: true })
    await open(page, review)
    for (const key of ['a', 'd', 'p', 'Shift+D']) await press(page, key)
    assert.equal(await page.locator('.answers, .promote').count(), 0)
    await nothingSent(page, review)
    await page.done()
  })
})
