// What everybody must be able to use: axe-core on every view in both themes, widths from 360 to 3840 px, twice the size, own
// colours, and the keyboard alone.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { base, eventually, standIn, visit } from './harness.mjs'

const axe = fs.readFileSync(path.join(base, 'node_modules/axe-core/axe.min.js'), 'utf8')
const service = await standIn({ history: 200 })
const find = part => service.reviews.find(r => r.command.includes(part)).id

// The hash, what shows that it is there, and what is done then.
const places = {
  review: [() => `/reviews/${find('vite@7')}`, 'article'],
  grave: [() => `/reviews/${find('ghp_')}`, 'article'],
  lookalike: [() => `/reviews/${find('i.sh')}`, 'article .odd'],
  change: [() => `/reviews/${find('.env.staging')}`, '.change-line'],
  promote: [() => `/reviews/${find('vite@7')}`, 'article', page => page.getByRole('button', { name: 'Approve + rule' }).click()],
  over: [() => '/reviews/r_gone', '.empty, .queue-row'],
  decisions: [() => '/decisions', '.log-row'],
  drawer: [() => '/decisions', '.log-row', page => page.locator('.log-row').nth(5).click()],
  'no match': [() => '/decisions?q=nothing:here', '.warn-line'],
  rules: [() => '/rules', '.rule-row:not(.head)'],
  'new rule': [() => '/rules/new', '.drawer'],
  playground: [() => '/try', '.verdict-box'],
  agents: [() => '/agents', '.card'],
  health: [() => '/health', '.health-box'],
}

async function show(page, name) {
  const [hash, shown, then] = places[name]
  await page.evaluate(to => (location.hash = to), hash())
  await page.locator(shown).first().waitFor()
  if (then) await then(page)
}

async function violations(page, only) {
  const found = await page.evaluate(async runOnly => (await axe.run(document, { resultTypes: ['violations'], ...(runOnly ? { runOnly } : {}) })).violations, only)
  return found.map(v => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' | ')}`)
}

// inThemes: what axe says of a page as it is. Another theme changes colours and nothing else.
const inBothThemes = (page, what) => inThemes(page, what, ['dark', 'light'])
async function inThemes(page, what, themes) {
  const found = []
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme })
    found.push(...(await violations(page, colorScheme === themes[0] ? null : ['color-contrast', 'link-in-text-block'])).map(v => `${what}, ${colorScheme}: ${v}`))
  }
  return found
}

// What is wider than the window at this size.
async function sideways(page, width, height) {
  await page.setViewportSize({ width, height })
  // Until the page has drawn what belongs to this size: the side bar is there from a desk's width on.
  await page.waitForFunction(w => innerWidth === w && !!document.querySelector('.side') === matchMedia('(min-width: 900px)').matches, width)
  await page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  return page.evaluate(() => [document.documentElement, document.querySelector('main'), ...document.querySelectorAll('.review-pane, .drawer, .page, .queue')].filter(el => el.scrollWidth > el.clientWidth + 1).map(el => `${innerWidth} px: ${el.tagName}.${el.className} ${el.scrollWidth} > ${el.clientWidth}`))
}

const DESKS = [[768, 1024], [720, 450], [1440, 900]] // 720: 1440 px at twice the size
const WALL = [3840, 2160]
const PHONES = [[360, 740], [390, 844]]

// Both at once, since going to a place takes longer than looking at it.
async function walk(page, themes, sizes) {
  await page.evaluate(axe)
  const wrong = []
  for (const name of Object.keys(places)) {
    await show(page, name)
    wrong.push(...(await inThemes(page, name, themes)))
    for (const [width, height] of sizes) wrong.push(...(await sideways(page, width, height)).map(w => `${name}: ${w}`))
  }
  return wrong
}

test('on every view and state axe finds nothing in either theme, and nothing scrolls sideways: desk', async () => {
  const page = await visit(service, {})
  assert.deepEqual(await walk(page, ['dark', 'light'], DESKS), [])
  assert.deepEqual(page.faults, [])
  await page.done()
})

test('on a wall nothing scrolls sideways', async () => {
  const page = await visit(service, { width: WALL[0], height: WALL[1] })
  const wrong = []
  for (const name of Object.keys(places)) {
    await show(page, name)
    wrong.push(...(await sideways(page, ...WALL)).map(w => `${name}: ${w}`))
  }
  assert.deepEqual(wrong, [])
  await page.context().close() // it is large
})

test('on a phone axe finds nothing, and nothing scrolls sideways', async () => {
  const page = await visit(service, { width: 390, height: 844 })
  assert.deepEqual(await walk(page, ['light'], PHONES), [])
  assert.deepEqual(page.faults, [])
  await page.done()
})

test('axe finds nothing in dialogs, for a viewer, for nobody, or behind the link of a notice', async () => {
  const page = await visit(service, {})
  await page.evaluate(axe)
  const wrong = []
  for (const key of ['?', 'Control+k']) {
    await show(page, 'agents')
    await page.keyboard.press(key)
    await page.locator('dialog').waitFor()
    wrong.push(...(await inBothThemes(page, key)))
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
  }
  await page.getByRole('button', { name: 'Settings' }).click()
  wrong.push(...(await inBothThemes(page, 'settings')))
  await page.done()
  const viewer = await visit(service, { name: 'vic' })
  await viewer.evaluate(axe)
  await show(viewer, 'grave')
  wrong.push(...(await inBothThemes(viewer, 'viewer')))
  await viewer.done()
  const out = await visit(service, { name: null })
  await out.evaluate(axe)
  wrong.push(...(await inBothThemes(out, 'sign in')))
  for (const answer of ['deny', 'approve']) {
    await out.evaluate(link => (location.hash = `answer=${link}`), `${find('vite@7')}.op1.${answer}`)
    await out.locator('article').waitFor()
    await eventually('it takes taps', () => out.locator('.answer').isEnabled())
    wrong.push(...(await inBothThemes(out, `link to ${answer}`)))
  }
  assert.deepEqual(wrong, [])
  assert.deepEqual(out.faults, [])
  await out.done()
})

test('on a phone the answers are under the thumb', async () => {
  const page = await visit(service, { width: 360, height: 740 })
  await show(page, 'review')
  for (const name of ['Deny', 'Approve once']) {
    const box = await page.getByRole('button', { name, exact: true }).boundingBox()
    assert.ok(box.height >= 54 && box.y + box.height <= 740 && box.y > 370, `${name}: ${JSON.stringify(box)}`)
  }
  await page.done()
})

// told: a test of something that this browser can be told; playwright-core cannot tell all of it to Firefox.
async function told(t, page, query) {
  const is = await page.evaluate(asked => matchMedia(asked).matches, query)
  if (!is) t.skip(`${query} is not for this browser`)
  return is
}

test("a person's own colours: what is marked stays marked", async t => {
  const page = await visit(service, { forcedColors: 'active' })
  if (!(await told(t, page, '(forced-colors: active)'))) return
  await show(page, 'review')
  const style = (selector, property) => page.locator(selector).first().evaluate((el, p) => getComputedStyle(el)[p], property)
  assert.match(await style('.command .is-open', 'textDecorationLine'), /underline/)
  assert.notEqual(await style('.queue-row.on', 'outlineStyle'), 'none')
  assert.notEqual(await style('.answer.deny', 'borderTopStyle'), 'none')
  await page.done()
})

test('less motion: nothing moves by itself', async t => {
  const page = await visit(service, { hash: '/decisions' })
  if (!(await told(t, page, '(prefers-reduced-motion: reduce)'))) return
  await page.locator('.tail i').waitFor()
  assert.equal(await page.locator('.tail i').evaluate(el => getComputedStyle(el).animationName), 'none')
  await page.done()
})

test('the keyboard alone reaches everything, and the focus is always seen', async () => {
  const page = await visit(service)
  await show(page, 'review')
  await page.evaluate(() => document.activeElement?.blur())
  const reached = new Set()
  for (let i = 0; i < 70; i++) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate(() => {
      const el = document.activeElement
      if (!el || el === document.body || !document.hasFocus()) return null // past the last, the browser's own buttons have it
      const style = getComputedStyle(el)
      return { name: (el.getAttribute('aria-label') ?? el.textContent).trim().slice(0, 40), seen: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 }
    })
    if (!at) continue
    assert.ok(at.seen, `the focus cannot be seen on ${at.name}`)
    reached.add(at.name.replace(/[A-Z⇧]+$/, ''))
  }
  for (const name of ['Skip to content', 'Playground', 'Settings', 'Copy', 'Deny', 'Deny with reason', 'Approve + rule…', 'Approve once'])
    assert.ok([...reached].some(r => r.startsWith(name)), `Tab never reached ${name}: ${[...reached].join(', ')}`)
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await page.locator('.log-row').first().waitFor()
  await page.keyboard.press('j')
  await page.getByRole('complementary', { name: 'One decision' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.keyboard.type('npm')
  await eventually('the list is filtered', async () => (await page.locator('.log-row .of-command').allTextContents()).every(t => t.includes('npm')))
  await page.done()
})
