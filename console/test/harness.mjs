// What the tests share: a browser, a service, people who are signed in. Exit 77 means skipped.
import fs from 'node:fs'
import path from 'node:path'
import { after } from 'node:test'
import { startService } from '../dev/service.mjs'

export const build = process.env.WARDER_BUILD
export const dist = path.join(build, 'console/dist')
export const base = path.dirname(path.dirname(new URL(import.meta.url).pathname))

export function skip(why) {
  console.log(`SKIPPED: ${why}`)
  process.exit(77)
}

// Chromium, or Firefox with --firefox as the last word.
export const isFirefox = process.argv.at(-1) === '--firefox'
// Debian's Chromium without its windows takes two thirds of the processor time, and goes first where it is installed. It leaves
// requests of other sites hanging, where the whole browser refuses them: real.mjs needs the whole.
const small = path.basename(process.argv[1]) === 'real.mjs' ? [] : ['chromium-headless-shell']
const names = isFirefox ? ['firefox-esr', 'firefox'] : [...small, 'chromium', 'chromium-browser', 'google-chrome']
const program = names.map(name => `/usr/bin/${name}`).find(p => fs.existsSync(p))
if (!program) skip(`there is no ${isFirefox ? names[0] : 'chromium'} here`)
if (!fs.existsSync(path.join(dist, 'index.html'))) skip('the console was left out of this build')
const { chromium, firefox } = await import('playwright-core').catch(() => skip('playwright-core is not installed'))

const asRoot = process.getuid() === 0 ? ['--no-sandbox'] : []
const browser = isFirefox
  ? await firefox.launch({ executablePath: program, channel: 'moz-firefox' }) // by WebDriver BiDi: the browser as it is, not a patched one
  : await chromium.launch({ executablePath: program, args: [...asRoot, '--disable-gpu', '--font-render-hinting=none'] })
const closers = [() => browser.close()]
after(async () => {
  for (const close of closers) await close()
})

export async function standIn(options = {}) {
  const service = await startService({ warder: path.join(build, 'warder'), dist, ...options })
  closers.unshift(() => service.close())
  return service
}

// startReal: the real service, which must have a console.
export async function startReal(service) {
  service.token('operator', 'op1')
  await service.start()
  if ((await service.call('/console/')).status !== 200) {
    service.process.kill()
    skip('this service has no console')
  }
  closers.unshift(async () => {
    await service.stop('SIGKILL')
    fs.rmSync(service.place, { recursive: true, force: true })
  })
}

// Opening a window takes longer than most tests. One that a test is done with is used again by the next that wants the same
// kind, also for another service: it is emptied, and the page is loaded anew.
const idle = new Map() // what it is like -> pages

function watch(page) {
  page.setDefaultTimeout(60_000) // a busy machine is slow, and nothing here is about speed
  page.on('pageerror', error => page.faults.push(error.message))
  page.on('console', message => ['error', 'warning'].includes(message.type()) && !/status of (4|5)\d\d|ERR_CONNECTION|WebSocket/.test(message.text()) && page.faults.push(message.text()))
  for (const over of ['requestfinished', 'requestfailed']) page.on(over, request => page.underway.delete(request))
  page.on('request', request => {
    page.underway.add(request)
    page.hosts.add(new URL(request.url()).host)
    if (request.method() === 'POST' && /\/v1\/reviews\//.test(request.url())) page.posts.push(request.url())
  })
}

async function openWindow(kind, { clock, theme, width, height, more }) {
  const phone = width < 500
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, hasTouch: phone, isMobile: phone && !isFirefox, reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'], ...more })
  const page = await context.newPage()
  watch(page)
  if (clock) await page.clock.install()
  page.done = async () => {
    idle.set(kind, [...(idle.get(kind) ?? []), page])
  }
  return page
}

async function empty(page, clock) {
  if (clock) {
    await page.clock.resume()
    await page.clock.setSystemTime(Date.now())
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.evaluate(() => localStorage.clear())
  await page.context().clearCookies()
  await page.bringToFront() // other windows came after it, and one that is behind them has no focus
}

// visit: a window for a person who has signed in, with these settings of the device. `name` null: for nobody. What goes wrong on
// the page is in page.faults. `instead` is what requests get instead of the service's answer: [pattern, route => ...], and `prepare`
// makes it a window that nobody else gets.
export async function visit(service, { name = 'op1', hash = '/reviews', width = 1440, height = 900, theme = 'light', clock = false, prefs = {}, instead = [], prepare, ...more } = {}) {
  const kind = prepare ? null : JSON.stringify([width, height, theme, clock, more])
  const used = kind && idle.get(kind)?.pop()
  const page = used ?? (await openWindow(kind, { clock, theme, width, height, more }))
  Object.assign(page, { faults: [], posts: [], hosts: new Set(), underway: new Set() })
  if (used) await empty(page, clock)
  if (prepare) {
    await prepare(page)
    page.done = () => page.context().close()
  }
  for (const [pattern, answer] of instead) await page.route(pattern, answer)
  if (name) await page.context().addCookies([await service.session(name)])
  const isThere = used && page.url().startsWith(service.url)
  if (Object.keys(prefs).length) {
    if (!isThere) await page.goto(service.url + '/console/icon.svg')
    await page.evaluate(all => Object.entries(all).forEach(([k, v]) => localStorage.setItem(`warder.${k}`, JSON.stringify(v))), prefs)
  }
  if (isThere) {
    await page.evaluate(to => history.replaceState(null, '', `/console/#${to}`), hash) // another fragment alone loads nothing
    await page.reload({ waitUntil: 'commit' })
  } else {
    await page.goto(`${service.url}/console/#${hash}`, { waitUntil: 'commit' })
  }
  await page.locator(name ? '.app' : '.sign-in').waitFor()
  return page
}

// signedIn: somebody who signed in before, and is connected.
export async function signedIn(service, name = 'op1', options = {}) {
  const page = await visit(service, { name, ...options })
  await eventually('it is connected', () => page.locator('.link-dot.live').count())
  return page
}

// The page's clock stands still in these tests and moves when it is told to: a slow machine changes nothing.
const DRAW = 50 // ms of the page's time, in which it draws what has happened

export async function pass(page, ms) {
  await page.clock.runFor(ms)
}

// skipAhead: much time at once, as if the lid had been closed: what is due happens once, not every second of it.
export async function skipAhead(page, ms) {
  await page.clock.fastForward(ms)
  await pass(page, 2 * DRAW + 1000) // the page's clock ticks each second
}

export const SETTLED = 750 // ms: the page takes no answer for 700

// open: one review, with the clock stopped at the moment at which it came into view.
export async function open(page, review, settle = true) {
  await eventually('the review is known', () => page.locator('.badge').first().isVisible())
  await page.clock.pauseAt(Date.now() + 2000)
  await page.evaluate(id => (location.hash = `/reviews/${id}`), review.id)
  await page.locator(`article.review[data-id="${review.id}"]`).waitFor()
  await pass(page, settle ? SETTLED : DRAW)
}

// quiet: whatever the page has asked for is answered, and drawn.
export async function quiet(page) {
  await eventually('all is answered', () => page.underway.size === 0)
  await page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}

// takesAnswers: the review is in view for long enough.
export const takesAnswers = page => page.locator('.answers:not(.cold)').waitFor()

// tap: by a finger; playwright-core cannot do that in Firefox (nothing happens), and a click must do there.
export const tap = button => (isFirefox ? button.click() : button.tap())

// press: a key, and what the page draws of it.
export async function press(page, key) {
  await page.keyboard.press(key)
  await pass(page, DRAW)
}

export async function eventually(what, test) {
  for (const end = Date.now() + 60_000; ; ) {
    const value = await test()
    if (value) return value
    if (Date.now() > end) throw new Error(`never happened: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
