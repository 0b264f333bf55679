// What agents, and the world around, can do to the page: texts that mislead or are too long, floods, answers at the same moment, a
// service that dies under an answer, clocks that jump. With the real service, but for what is told a thousand times a second.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { Service } from '../dev/real.mjs'
import { build, eventually, open, pass, press, quiet, signedIn, standIn, startReal, visit } from './harness.mjs'

const warder = path.join(build, 'warder')
const GRACE = 2000
const OVERRIDE = '\u202e' // what follows is drawn from right to left

const service = new Service(warder, ['--review-timeout', '600'])
fs.mkdirSync(path.join(service.home, '.config/warder'), { recursive: true })
fs.mkdirSync(path.join(service.project, '.git'))
fs.writeFileSync(path.join(service.home, '.config/warder/warder.yaml'), 'undo: {use: on}\n')
await startReal(service)

const at = (hash, { name = 'op1', ...options } = {}) => signedIn(service, name, { hash, ...options })

// hook: what an agent's own hook is asked, and records.
function hook(tool, input, mode = 'default') {
  const event = { session_id: 's-hook', cwd: service.project, hook_event_name: 'PreToolUse', permission_mode: mode, tool_name: tool, tool_input: input, tool_use_id: `u-${tool}` }
  execFileSync(warder, ['hook', '--client', 'claude', '--home', service.home, '--data', service.data], { input: JSON.stringify(event), env: service.env, cwd: service.project, stdio: ['pipe', 'pipe', 'ignore'] })
}

const reviewOf = async (tool, input) => {
  const { review_id } = await service.ask('', 0, { tool, input })
  return (await service.call(`/v1/reviews/${review_id}`, { token: service.token('operator', 'op1') })).body
}

describe('the log', () => {
  test('has whatever hooks record: what was left to the agent, what was saved, what files would become', async () => {
    fs.writeFileSync(path.join(service.project, 'gone'), 'x')
    const edited = path.join(service.project, 'edited')
    hook('Edit', { file_path: edited, old_string: 'before', new_string: 'after' }, 'acceptEdits')
    hook('WebFetch', { url: 'https://example.com/x', prompt: 'read it' }, 'bypassPermissions')
    hook('Bash', { command: 'rm gone' })
    const page = await at('/decisions')
    const row = text => page.locator('.log-row', { hasText: text }).first()
    await row('left to agent').waitFor()
    await row('edited').click()
    await page.locator('.drawer .change-line.came', { hasText: 'after' }).waitFor()
    await row('example.com').click()
    await page.locator('.drawer .given', { hasText: 'read it' }).waitFor()
    await row('rm gone').click()
    const [{ reversible }] = (await service.call('/v1/decisions?limit=1&text=rm', { token: service.token('operator', 'op1') })).body.decisions
    await page.getByText(`warder undo ${reversible.entry}`).waitFor()
    await page.locator('.drawer .block', { hasText: service.project }).waitFor()
    assert.deepEqual(page.faults, [])
    await page.done()
  })

  test('shows a call that is too long for an event, and others after it', async () => {
    const page = await at('/decisions')
    for (let i = 0; i < 20; i++) await service.ask(`echo long-${i} ${'x'.repeat(6000)}`)
    await service.ask('echo after-them')
    for (const text of ['after-them', 'long-0 ', 'long-19 ']) await page.locator('.log-row', { hasText: text }).first().waitFor()
    await page.getByLabel('Search decisions').fill('long-7')
    await page.locator('.log-row', { hasText: 'long-7 ' }).first().click()
    await page.locator('.drawer .command', { hasText: 'xxxx' }).waitFor()
    assert.deepEqual(page.faults, [])
    await page.done()
  })
})

describe('long calls', () => {
  test('a megabyte is shown in parts, and is not approved by one key', async () => {
    const review = await service.review('curl http://x.example/ ' + 'word '.repeat(190_000))
    const page = await at('/reviews', { clock: true })
    await open(page, review)
    assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) < 15_000)
    const shown = (await page.locator('article .command code').first().textContent()).length
    await page.getByRole('button', { name: /more characters.*Show more/ }).click()
    await pass(page, 50)
    assert.ok((await page.locator('article .command code').first().textContent()).length > shown)
    await page.getByRole('button', { name: 'Hold to approve' }).waitFor()
    await press(page, 'a')
    await pass(page, GRACE + 500)
    assert.equal(await service.statusOf(review), 'pending')
    await press(page, 'd')
    await eventually('it is denied', async () => (await service.statusOf(review)) === 'denied')
    await page.done()
  })

  test('thousands of steps are shown in parts', async () => {
    const review = await service.review(Array.from({ length: 3000 }, (_, i) => `curl http://h${i}.example/`).join('; '))
    const page = await at(`/reviews/${review.id}`)
    await page.locator(`article[data-id="${review.id}"]`).waitFor()
    assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) < 15_000)
    await page.locator('.answer.deny').click()
    await page.done()
  })

  test('what a file would become is there to the last line, however it came to the page', async () => {
    const lines = Array.from({ length: 900 }, (_, i) => `line ${i} of what is written here`)
    const review = await reviewOf('Write', { file_path: path.join(service.project, 'long.txt'), content: lines.join('\n') + '\nthe last one' })
    const page = await at('/reviews') // it comes by a list, which leaves it out
    await page.evaluate(id => (location.hash = `/reviews/${id}`), review.id)
    await page.locator('.change-line.came').first().waitFor()
    while (await page.locator('.more-of-it').count()) await page.locator('.more-of-it').first().click()
    await page.locator('.change-line.came', { hasText: 'the last one' }).waitFor()
    assert.equal(await page.locator('.change-line.came').count(), 901)
    await page.getByRole('button', { name: 'Hold to approve' }).waitFor()
    await page.locator('.answer.deny').click()
    await page.done()
  })

  test('nothing that a tool is given is left out', async () => {
    const page = await at('/reviews')
    for (const [tool, input, seen] of [
      ['WebFetch', { url: 'https://example.com/y', prompt: 'and send it' }, ['https://example.com/y', 'and send it']],
      ['mcp__db__query', { sql: 'drop table t', where: { host: 'db-1' } }, ['drop table t', 'db-1']],
      ['str_replace_editor', { command: 'str_replace', path: path.join(service.project, '.env'), old_str: 'A=1', new_str: 'A=2' }, ['str_replace', 'A=1', 'A=2']],
      ['edit', { filePath: path.join(service.project, '.env'), oldString: 'B=1', newString: 'B=2', replaceAll: true }, ['every place', 'B=1', 'B=2']],
      ['apply_patch', { input: '*** Begin Patch\n*** Update File: .env\n@@\n-C=1\n+C=2\n*** End Patch' }, ['Update File: .env', 'C=1', 'C=2']],
      ['NotebookEdit', { notebook_path: path.join(service.project, '.env'), new_source: 'D=1', cell_id: 'c7' }, ['D=1', 'c7']],
    ]) {
      const review = await reviewOf(tool, input)
      await page.evaluate(id => (location.hash = `/reviews/${id}`), review.id)
      await page.locator(`article[data-id="${review.id}"]`).waitFor()
      const text = await page.locator('.command-panel').innerText()
      for (const part of seen) assert.ok(text.includes(part), `${tool}: ${part} is not in ${text}`)
    }
    await page.done()
  })
})

describe('what is out of sight', () => {
  // inView: this much of the window, without scrolling.
  async function inView(page, what, locator) {
    const box = await locator.boundingBox()
    const { width, height } = page.viewportSize()
    assert.ok(box && box.x >= 0 && box.x + Math.min(box.width, 40) <= width && box.y >= 0 && box.y + 12 <= height, `${what}: ${JSON.stringify(box)}`)
  }
  const noSideways = async (page, what) => assert.deepEqual(await page.evaluate(() => [document.documentElement, ...document.querySelectorAll('main, .review-pane')].filter(el => el.scrollWidth > el.clientWidth + 1).map(el => el.className || el.tagName)), [], what)
  const DESK = {} // as it is
  const PHONE = { width: 390, height: 844 }

  async function show(page, review) {
    await page.evaluate(id => (location.hash = `/reviews/${id}`), review.id)
    await page.locator(`article[data-id="${review.id}"]`).waitFor()
  }

  test('names and tasks as long as an agent likes leave the call where it is', async () => {
    const much = 'a'.repeat(4000)
    const named = { worker_id: much, task_id: much, session: much }
    await service.ask('git status', 0, named)
    const review = await service.review('curl http://x.example/', { ...named, context: { task_description: 'word '.repeat(2000), recent_commands: Array(40).fill('x'.repeat(3000)), worktree_path: `/${much}` } })
    for (const size of [DESK, PHONE]) {
      const page = await visit(service, { hash: `/reviews/${review.id}`, ...size })
      await show(page, review)
      await inView(page, 'the call', page.locator('article .command code', { hasText: 'x.example' }).first())
      await noSideways(page, 'long names')
      await page.done()
    }
    const page = await at('/agents')
    await page.locator('.card').first().waitFor()
    await noSideways(page, 'agents')
    await page.evaluate(() => (location.hash = '/decisions'))
    await page.locator('.log-row').first().click()
    await page.locator('.drawer').waitFor()
    await noSideways(page, 'decisions')
    await page.done()
  })

  test('characters that each need a mark hold nobody up, in whatever there is of them', async () => {
    const [much, name] = [60_000, 1300].map(n => OVERRIDE.repeat(n)) // of a longer name the service says only how long it is
    const named = { worker_id: name, task_id: name }
    await service.ask('git status', 0, { ...named, session: 's-marks' })
    for (let i = 0; i < 12; i++) await service.ask(`npm install marks@${i}`, 0, named)
    const review = await service.review(`curl http://x.example/ ${much}`, { ...named, context: { task_description: much, recent_commands: [] } })
    const page = await visit(service, DESK)
    await show(page, review)
    await page.locator('.answer.deny:enabled').waitFor()
    for (const [hash, shown] of [[`/reviews/${review.id}`, 'article'], ['/decisions', '.log-row'], ['/agents', '.card']]) {
      await page.evaluate(to => (location.hash = to), hash)
      await page.locator(shown).first().waitFor()
      await quiet(page)
      const elements = await page.evaluate(() => document.querySelectorAll('*').length)
      assert.ok(elements < 26_000, `${hash}: ${elements} elements`)
    }
    assert.deepEqual(page.faults, [])
    await page.done()
  })

  test('what stands after a lot of nothing is in view, and needs to be held', async () => {
    const page = await visit(service, DESK)
    for (const nothing of ['\n'.repeat(400), ' '.repeat(8000), `; echo "${'\n'.repeat(400)}"`, `; echo '${' '.repeat(8000)}'`]) {
      const review = await service.review(`git status${nothing}; curl http://after.example/`)
      await show(page, review)
      await inView(page, 'what comes after it', page.locator('article .command code > span', { hasText: 'after.example' }).first())
      await page.locator('article .command .odd', { hasText: /\d+ (empty lines|blanks)/ }).first().waitFor()
      await page.getByRole('button', { name: 'Hold to approve' }).waitFor()
    }
    const lines = await service.review(': a harmless line\n'.repeat(150) + 'curl http://after.example/')
    await show(page, lines)
    await page.getByRole('button', { name: 'Hold to approve' }).waitFor() // a hundred lines are not seen at once
    await page.done()
  })

  test('a step that is not cleared is not behind one that is', async () => {
    const page = await visit(service, DESK)
    for (const [command, step] of [
      ['for f in README.md ~/.ssh/id_rsa; do cat $f; done', 'id_rsa'],
      ['for x in "echo hi" "curl http://inner.example/"; do bash -c "$x"; done', 'curl http://inner.example/'],
      ['nice nice nice nice curl http://inner.example/', 'curl http://inner.example/'],
    ]) {
      const review = await service.review(command)
      await show(page, review)
      await page.locator('.step.is-open > .step-head', { hasText: step }).filter({ hasText: 'not cleared' }).last().waitFor()
      assert.equal(await page.locator('article .command .is-cleared').filter({ hasText: /cat|bash|nice/ }).count(), 0, command)
    }
    await page.done()
  })

  test('however deep it is wrapped, there is room for the words', async () => {
    const wrappers = ['nice', 'env', 'nohup', 'setsid', 'timeout 9', 'stdbuf -oL', 'ionice -c3', 'time', 'command', 'env A=1', 'xargs', 'sudo', 'nice', 'env']
    const review = await service.review(`${wrappers.join(' ')} bash -c "bash -c 'bash -c \\"curl http://deep.example/\\"'"`)
    const page = await visit(service, { hash: `/reviews/${review.id}`, ...PHONE })
    await page.setViewportSize({ width: 360, height: 740 })
    await show(page, review)
    await noSideways(page, 'deep')
    const narrow = await page.locator('.step-form').evaluateAll(all => Math.min(...all.map(el => el.clientWidth)))
    assert.ok(narrow > 120, `${narrow} px`)
    await page.setViewportSize(PHONE)
    await page.done()
  })

  test('all files and hosts of a step are within reach, what it changes first', async () => {
    const review = await service.review(`cp ${Array.from({ length: 12 }, (_, i) => `file-${i}`).join(' ')} /etc/target`)
    const page = await visit(service, DESK)
    await show(page, review)
    await page.locator('.facts .chip.writes', { hasText: '/etc/target' }).first().waitFor()
    await page.locator('.facts').getByRole('button', { name: /^\d+ more$/ }).first().click()
    for (let i = 0; i < 12; i++) await page.locator('.facts .chip', { hasText: `file-${i}` }).first().waitFor()
    await page.done()
  })

  test("a rule's page and an agent's log are found by any name", async () => {
    const name = 'w-9 -decision:auto'
    await service.ask('git status --short', 0, { worker_id: name })
    const page = await at('/agents')
    await page.getByRole('region', { name }).getByRole('link', { name: 'Log' }).click()
    await page.locator('.log-row', { hasText: 'git status --short' }).waitFor()
    assert.equal(await page.locator('.log-row').count(), 1)
    await page.done()
  })
})

describe('words of strangers', () => {
  // Every text that the service sends, as an agent would like it. Names of things, places and times stay what they are.
  const KEPT = /(^|_)(id|at|cursor|next|epoch|since|until|first|last|now|timestamp|role|status|type|source|decision|behavior|stakes|mode|profile|kind|said|layer|severity|profiles|modes|access|effect_names|expires|requested|responded|until|entry|current|from|cleared_by|version)$/
  const spoil = (value, key = '') => {
    if (typeof value === 'string') return KEPT.test(key) ? value : `${value}${OVERRIDE}<img src=x onerror="window.pwned=1">`
    if (Array.isArray(value)) return value.map(v => spoil(v, key))
    if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, spoil(v, k)]))
    return value
  }
  const bare = page =>
    page.evaluate(mark => {
      const found = []
      const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) if (walker.currentNode.data.includes(mark)) found.push(`text: ${walker.currentNode.data.slice(0, 80)}`)
      for (const el of document.querySelectorAll('*'))
        for (const name of ['title', 'aria-label', 'alt', 'placeholder', 'label']) if (el.getAttribute(name)?.includes(mark)) found.push(`${el.tagName} ${name}: ${el.getAttribute(name).slice(0, 80)}`)
      return found
    }, OVERRIDE)

  test('whatever text the service sends, no place of the page shows it bare', async () => {
    const fleet = await standIn({ history: 60, change: spoil })
    const page = await visit(fleet)
    const look = async what => {
      await quiet(page)
      assert.deepEqual(await bare(page), [], what)
    }
    await page.locator('.queue-row').first().waitFor()
    for (const review of fleet.reviews) {
      await page.evaluate(id => (location.hash = `/reviews/${id}`), review.id)
      await page.locator(`article[data-id="${review.id}"]`).waitFor()
      await page.locator('article details summary').first().click()
      await look(review.command)
    }
    for (const [hash, shown, then] of [
      ['/decisions', '.log-row', async () => {
        for (const i of [0, 5, 6]) {
          await page.locator('.log-row').nth(i).click()
          await page.locator('.drawer .tree, .drawer .dim').first().waitFor()
          await look(`decision ${i}`)
        }
      }],
      ['/rules', '.rule-row:not(.head)', async () => {
        await page.locator('.rule-row:not(.head)').first().click()
        await page.locator('.drawer').waitFor()
      }],
      ['/try', '.verdict-box', async () => page.locator('.matrix').waitFor()],
      ['/agents', '.card', async () => page.locator('.card details summary').first().click()],
      ['/health', '.people', null],
    ]) {
      await page.evaluate(to => (location.hash = to), hash)
      await page.locator(shown).first().waitFor()
      if (then) await then()
      await look(hash)
    }
    await page.keyboard.press('Control+k')
    await page.locator('#places li').first().waitFor()
    await look('go to')
    assert.equal(await page.evaluate(() => window.pwned), undefined)
    assert.deepEqual(page.faults, [])
    await page.done()
  })

  test('a problem that quotes an agent is only text, too', async () => {
    const fleet = await standIn({ history: 20 })
    const page = await visit(fleet, { instead: [[/\/v1\/(decisions|reviews|rules|sessions|explain)|healthz/, r => r.fulfill({ status: 503, json: { detail: `cannot read ${OVERRIDE}x` } })]] })
    for (const hash of ['/reviews', '/decisions', '/rules', '/try', '/agents', '/health']) {
      await page.evaluate(to => (location.hash = to), hash)
      await page.getByText('U+202E').first().waitFor()
      assert.deepEqual(await bare(page), [], hash)
    }
    await page.done()
  })

  test('a pile of marks covers no other line, and words keep their places', async () => {
    const review = await service.review(`curl http://x.example/ a${'\u0301'.repeat(60)}b \u05d0\u05d1/../x 1 2 3`)
    const page = await at(`/reviews/${review.id}`)
    await page.locator(`article[data-id="${review.id}"]`).waitFor()
    await page.locator('.command .odd', { hasText: 'U+0301' }).first().waitFor()
    const left = text => page.locator('.command code > span', { hasText: text }).first().evaluate(el => el.getBoundingClientRect().left)
    assert.ok((await left(/^\u05d0/)) < (await left(/^1$/)) && (await left(/^1$/)) < (await left(/^2$/)))
    await page.locator('.answer.deny').click()
    await page.done()
  })

  test('a row that cannot be drawn takes no other with it', async () => {
    const fleet = await standIn({ history: 20 })
    const page = await visit(fleet, { hash: '/decisions' })
    await page.locator('.log-row').first().waitFor()
    fleet.record('echo broken', 'auto-accept', undefined, { reason: 7, worker_id: { not: 'a name' }, command_redacted: 7 })
    fleet.record('echo whole')
    await page.locator('.log-row', { hasText: 'echo whole' }).waitFor()
    await page.getByText('This row cannot be drawn.').waitFor()
    page.faults.length = 0 // it says so
    await page.done()
  })
})

describe('floods', () => {
  test('five thousand decisions as fast as they can be told: none is lost, none is there twice', async () => {
    const fleet = await standIn({ history: 50 })
    const page = await visit(fleet, { hash: '/decisions' })
    await page.getByText('50 shown').waitFor()
    for (let i = 0; i < 5000; i++) {
      fleet.record(`echo flood-${i}`)
      if (i % 100 === 0) await new Promise(resolve => setImmediate(resolve))
    }
    await page.getByText('5,050 shown').waitFor()
    await page.locator('.log-row', { hasText: 'flood-4999' }).waitFor()
    await page.evaluate(() => (location.hash = '/agents'))
    await page.locator('.card').first().waitFor()
    assert.deepEqual(page.faults, [])
    await page.done()
  })

  test('a flood of reviews is asked for in lists, not one by one', async () => {
    const fleet = await standIn({ history: 20 })
    const page = await visit(fleet)
    await page.locator('.queue-row').first().waitFor()
    let asked = 0
    page.on('request', request => (asked += /\/v1\/reviews\/r_/.test(request.url())))
    const before = fleet.reviews.length
    fleet.fillReviews(before + 400, true)
    await eventually('all are there', async () => (await page.locator('.badge').first().textContent()).includes(String(before + 400)))
    assert.ok(asked < 50, `${asked} were asked for one by one`)
    await page.done()
  })

  test('a review that ends while it is asked for does not stay', async () => {
    const fleet = await standIn({ history: 20 })
    let release
    const page = await visit(fleet, {
      instead: [[/\/v1\/reviews\/r_/, async route => {
        const answer = await route.fetch() // pending, as it is now
        await new Promise(go => (release = go))
        await route.fulfill({ response: answer })
      }]],
    })
    await page.locator('.queue-row').first().waitFor()
    const review = fleet.ask('npm install ends-at-once@1')
    await eventually('it is asked for', () => release)
    fleet.answer(review, 'op2', 'denied')
    await page.evaluate(() => fetch('/v1/me').then(r => r.json())) // the event was told before this is answered
    release()
    await quiet(page)
    assert.equal(await page.locator('.queue-row', { hasText: 'ends-at-once' }).count(), 0)
    await page.done()
  })
})

describe('two at once, and the world', () => {
  test('two people answer at the same moment: one counts, and both see the same', async () => {
    const pages = [await at('/reviews'), await at('/reviews', { name: 'op2' })]
    for (let round = 0; round < 5; round++) {
      const review = await service.review(`npm install race@${round}`)
      for (const page of pages) {
        await page.evaluate(id => (location.hash = `/reviews/${id}`), review.id)
        await page.locator(`article[data-id="${review.id}"]`).waitFor()
      }
      // What a page says of the end stays for a few seconds: it is noted there, so that a slow machine that looks later changes nothing.
      const answer = id => {
        window.said = ''
        const look = () => (window.said ||= document.querySelector(`article[data-id="${id}"] .ended-note`)?.textContent ?? '')
        new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
        document.querySelector('.answer.deny').click()
        location.hash = `/reviews/${id}` // the next one had been selected
      }
      await Promise.all(pages.map(page => page.evaluate(answer, review.id)))
      await eventually('it is denied', async () => (await service.statusOf(review)) === 'denied')
      const ended = (await service.call(`/v1/reviews/${review.id}`, { token: service.token('operator', 'op1') })).body
      const [winner] = ended.responded_by.split(' ')
      const records = (await service.call(`/v1/decisions?text=race@${round}`, { token: service.token('operator', 'op1') })).body.decisions.filter(d => d.review_id === review.id)
      assert.deepEqual(records.map(d => d.decision), ['human-deny'])
      for (const [i, page] of pages.entries()) {
        const wanted = `${winner === `op${i + 1}` ? 'You' : winner} denied this`
        await eventually(`page ${i + 1} says: ${wanted}`, async () => (await page.evaluate(() => window.said)).startsWith(wanted))
      }
    }
    for (const page of pages) await page.done()
  })

  test('the service dies under an answer: the page says that it does not know, and then knows', async () => {
    const page = await at('/reviews')
    const review = await service.review('npm install dies@1')
    await page.evaluate(id => (location.hash = `/reviews/${id}`), review.id)
    await page.locator(`article[data-id="${review.id}"]`).waitFor()
    await page.route('**/v1/reviews/r_*', route => (route.request().method() === 'POST' ? service.stop('SIGKILL').then(() => route.abort()) : route.continue()))
    await page.locator('.answer.deny').click()
    await page.getByText('did not say whether it took your answer').waitFor()
    await page.getByRole('alert').filter({ hasText: 'Disconnected' }).waitFor()
    await page.unroute('**/v1/reviews/r_*')
    await service.start(new URL(service.url).port)
    await page.getByRole('alert').filter({ hasText: 'Disconnected' }).waitFor({ state: 'detached' })
    await page.evaluate(id => (location.hash = `/reviews/${id}`), review.id) // the next one had been selected
    await page.locator(`article[data-id="${review.id}"] .answer.deny:enabled`).click()
    await eventually('it is denied', async () => (await service.statusOf(review)) === 'denied')
    await page.done()
  })

  test('a clock that is set moves no review', async () => {
    const review = await service.review('npm install clock@1')
    const page = await at('/reviews', { clock: true })
    await open(page, review)
    await page.clock.setSystemTime(Date.now() + 3600_000)
    await pass(page, 1100)
    assert.match(await page.locator('article .ring time').textContent(), /^\d+:\d\d$/)
    assert.ok(await page.locator('.answer.deny').isEnabled())
    await page.clock.setSystemTime(Date.now() - 3600_000)
    await pass(page, 1100)
    assert.match(await page.locator('article .ring time').textContent(), /^\d+:\d\d$/)
    await press(page, 'd')
    await eventually('it is denied', async () => (await service.statusOf(review)) === 'denied')
    await page.done()
  })
})
