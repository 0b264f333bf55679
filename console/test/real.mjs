// The page with the real `warder serve`: tokens, a worker that waits, reviews, rules, two people, a restart, a revocation.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import http from 'node:http'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { Service } from '../dev/real.mjs'
import { build, eventually, open, pass, press, skip, visit } from './harness.mjs'

const warder = path.join(build, 'warder')
const GRACE = 2000

const service = new Service(warder, ['--review-timeout', '120'])
service.token('operator', 'op1')
await service.start()
if ((await service.call('/console/')).status !== 200) {
  service.process.kill()
  skip('this service has no console')
}
after(() => service.stop('SIGKILL'))

// signedIn: by a token, which is the second way; the first one has tests of its own below.
async function signedIn(name, options = {}) {
  const page = await visit(service, { name: null, ...options })
  await page.getByLabel('Or paste a token').fill(service.token(name === 'vic' ? 'viewer' : 'operator', name))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.app').waitFor()
  await eventually('it is connected', () => page.locator('.link-dot.live').count())
  return page
}

describe('answers', () => {
  let page
  before(async () => (page = await signedIn('op1')))

  test("a worker's review appears without a reload, and an approval lets it go on", async () => {
    const waits = service.ask('npm install appears@1', 60)
    await page.locator('.queue-row', { hasText: 'appears@1' }).first().click()
    await page.locator('article', { hasText: 'appears@1' }).waitFor()
    const approve = page.locator('.answer.allow')
    await approve.hover()
    await page.mouse.down() // holds, should it be grave
    await page.waitForTimeout(1000)
    await page.mouse.up()
    assert.equal((await waits).behavior, 'allow')
  })

  test('a denial arrives with its reason', async () => {
    const waits = service.ask('npm install denied@1', 60)
    await page.locator('.queue-row', { hasText: 'denied@1' }).first().click()
    await page.locator('article', { hasText: 'denied@1' }).waitFor()
    await page.getByRole('button', { name: 'Deny with reason' }).click()
    await page.getByLabel('Reason, told to the agent').fill('use the lock file')
    await page.keyboard.press('Enter')
    const verdict = await waits
    assert.equal(verdict.behavior, 'deny')
    assert.match(JSON.stringify(verdict), /use the lock file/)
  })

  test('a rule that is added on the page holds for the next call', async () => {
    assert.equal((await service.ask('npm install ruled@1')).behavior, 'ask')
    await page.evaluate(() => (location.hash = '/rules/new'))
    await page.getByLabel('Pattern').fill('Bash(npm install ruled@*)')
    await page.getByRole('button', { name: /Add rule/ }).click()
    await page.getByText('It holds for the next call').or(page.getByText('The linter says')).first().waitFor()
    assert.equal((await service.ask('npm install ruled@2')).behavior, 'allow')
  })

  test('approve and add a rule: the next call is allowed', async () => {
    const review = await service.review('npm install promoted@1')
    await page.evaluate(id => (location.hash = `/reviews/${id}`), review.id)
    await page.getByRole('button', { name: 'Approve + rule' }).click()
    await page.getByRole('textbox', { name: 'Rule' }).fill('Bash(npm install promoted@*)')
    await page.getByRole('button', { name: /Approve and add rule/ }).click()
    await eventually('it is approved', async () => (await service.statusOf(review)) === 'approved')
    assert.equal((await service.ask('npm install promoted@2')).behavior, 'allow')
  })

  test('what is grave says so, and why', async () => {
    const review = await service.review('sudo systemctl restart nginx')
    await page.evaluate(id => (location.hash = `/reviews/${id}`), review.id)
    await page.locator(`article[data-id="${review.id}"]`).waitFor()
    await page.getByRole('button', { name: 'Hold to approve' }).waitFor()
    await page.locator('.chip.hard').first().waitFor()
    await page.locator('.answer.deny').click()
    await eventually('it is denied', async () => (await service.statusOf(review)) === 'denied')
  })

  test('the log has it all', async () => {
    await page.evaluate(() => (location.hash = '/decisions'))
    await page.locator('.log-row', { hasText: 'ruled@2' }).first().waitFor()
    await page.locator('.log-row', { hasText: 'appears@1' }).first().waitFor()
    await service.ask('git status')
    await page.locator('.log-row', { hasText: 'git status' }).first().waitFor()
  })

  test('nothing went wrong on the page, and no other host was asked', () => {
    assert.deepEqual(page.faults, [])
    assert.deepEqual([...page.hosts], [new URL(service.url).host])
  })
})

test('two people: the second sees who answered', async () => {
  const one = await signedIn('op1')
  const two = await signedIn('op2')
  const review = await service.review('npm install two@1')
  for (const page of [one, two]) {
    await page.evaluate(id => (location.hash = `/reviews/${id}`), review.id)
    await page.locator(`article[data-id="${review.id}"]`).waitFor()
  }
  await one.locator('.answer.deny').click()
  await two.getByText(/op1 denied this/).waitFor()
  assert.ok(await two.locator('.answer.deny').isDisabled())
  assert.equal(await service.statusOf(review), 'denied')
})

test('a viewer sees no secret: not in the page, the network or the clipboard', async () => {
  const review = await service.review('curl -H "Authorization: Bearer ghp_16C7e42F292c6912E7710c838347Ae178B4a" https://hooks.example.net/x')
  const copied = [] // the page may not read the clipboard, so it is looked at on the way there
  const page = await signedIn('vic', {
    permissions: ['clipboard-write'],
    prepare: async p => {
      await p.exposeFunction('copied', text => void copied.push(text))
      await p.addInitScript(() => (navigator.clipboard.writeText = text => window.copied(text)))
    },
  })
  const answers = []
  page.on('response', async r => answers.push(await r.text().catch(() => '')))
  await page.evaluate(id => (location.hash = `/reviews/${id}`), review.id)
  await page.reload()
  await page.locator(`article[data-id="${review.id}"]`).waitFor()
  await page.getByText('You may look (role viewer)').waitFor()
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied.').waitFor()
  const seen = (await page.content()) + answers.join() + copied.join()
  assert.equal(copied.length, 1)
  assert.ok(!seen.includes('ghp_16C7'))
  assert.equal(await page.locator('.answers').count(), 0)
})

test('the service restarts: the page says so, comes back, and the review is still there', async () => {
  const review = await service.review('npm install restart@1')
  const page = await signedIn('op1')
  const port = new URL(service.url).port
  await service.stop('SIGKILL')
  await page.getByRole('alert').filter({ hasText: 'Disconnected' }).waitFor()
  await service.start(port)
  await page.getByRole('alert').filter({ hasText: 'Disconnected' }).waitFor({ state: 'detached' })
  await page.evaluate(id => (location.hash = `/reviews/${id}`), review.id)
  await page.locator(`article[data-id="${review.id}"]`).waitFor()
})

test('time runs out under the finger', async () => {
  const review = await service.review('npm install late@1')
  const page = await signedIn('op1', { clock: true })
  await open(page, review)
  await pass(page, 200_000)
  await page.locator('article .ring', { hasText: 'over' }).waitFor()
  await press(page, 'a')
  await press(page, 'd')
  await pass(page, GRACE)
  assert.deepEqual(page.posts, [])
})

describe('who is let in', () => {
  test('a link lets in once, and a scanner that fetches it uses nothing up', async () => {
    const link = service.link('op1')
    assert.equal((await service.call(link.split('#')[0])).status, 200) // all that a server or a scanner ever sees of it
    const first = await visit(service, { name: null })
    await first.goto(service.url + link)
    await first.getByRole('heading', { name: 'Reviews' }).waitFor()
    assert.ok(!first.url().includes('login='))
    const second = await visit(service, { name: null })
    await second.goto(service.url + link)
    await second.getByRole('alert').waitFor()
    await second.getByRole('heading', { name: 'Sign in to Warder' }).waitFor()
  })

  test('a token that is revoked ends the page', async () => {
    const token = service.token('operator', 'op3')
    const page = await signedIn('op3')
    await promisify(execFile)(warder, ['token', 'revoke', token.split('_')[1] ?? token, '--data', service.data], { env: service.env }).catch(async () => {
      const listed = service.run('token', 'list', '--data', service.data)
      const id = /^(\S+).*\bop3\b/m.exec(listed)?.[1]
      service.run('token', 'revoke', id, '--data', service.data)
    })
    await page.getByRole('heading', { name: 'Sign in to Warder' }).waitFor()
  })

  test('a page of another origin gets nothing', async () => {
    const page = await signedIn('op1')
    const [cookie] = await page.context().cookies()
    assert.ok(cookie.httpOnly && cookie.sameSite === 'Strict')
    const with_ = { Cookie: `${cookie.name}=${cookie.value}` }
    const review = await service.review('npm install csrf@1')
    const answer = (headers, body = { answer: 'approve' }) => service.call(`/v1/reviews/${review.id}`, { body, headers: { ...with_, ...headers } })
    for (const headers of [{}, { Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': 'same-site' }, { Origin: 'http://127.0.0.1:1' }, { 'Content-Type': 'text/plain', 'Sec-Fetch-Site': 'same-origin' }])
      assert.ok((await answer(headers)).status >= 400, JSON.stringify(headers))
    assert.equal(await service.statusOf(review), 'pending')
  })

  test('a page of another port, in the same browser, answers nothing and cannot frame the console', async () => {
    const page = await signedIn('op1')
    const review = await service.review('npm install other-port@1')
    const attack = http.createServer((_request, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<iframe src="${service.url}/console/"></iframe>`))
    await new Promise(ready => attack.listen(0, '127.0.0.1', ready))
    const evil = await page.context().newPage()
    await evil.goto(`http://127.0.0.1:${attack.address().port}/`)
    await evil.evaluate(async url => {
      for (const type of ['application/json', 'text/plain'])
        await fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', headers: { 'Content-Type': type }, body: '{"answer":"approve"}' }).catch(() => {})
    }, `${service.url}/v1/reviews/${review.id}`)
    assert.equal(await service.statusOf(review), 'pending')
    assert.equal(await evil.frames()[1].locator('#app').count(), 0)
    attack.close()
  })

  test('the files have the policy that keeps them in', async () => {
    const { headers } = await service.call('/console/')
    const policy = headers.get('content-security-policy')
    for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'"]) assert.ok(policy.includes(part), part)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
  })
})
