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
const isFirefox = process.argv.at(-1) === '--firefox'
const names = isFirefox ? ['firefox-esr', 'firefox'] : ['chromium', 'chromium-browser', 'google-chrome']
const program = names.map(name => `/usr/bin/${name}`).find(p => fs.existsSync(p))
if (!program) skip(`there is no ${names[0]} here`)
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

// visit: a browser of its own for a person, signed in by a link. What goes wrong on the page is in page.faults.
export async function visit(service, { name = 'op1', hash = '/reviews', width = 1440, height = 900, theme = 'light', clock = false, prepare, ...more } = {}) {
  const phone = width < 500
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, hasTouch: phone, isMobile: phone, reducedMotion: 'reduce', ...more })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  page.faults = []
  page.posts = []
  page.hosts = new Set()
  page.on('pageerror', error => page.faults.push(error.message))
  page.on('console', message => ['error', 'warning'].includes(message.type()) && !/status of (4|5)\d\d|ERR_CONNECTION|WebSocket/.test(message.text()) && page.faults.push(message.text()))
  page.on('request', request => {
    page.hosts.add(new URL(request.url()).host)
    if (request.method() === 'POST' && /\/v1\/reviews\//.test(request.url())) page.posts.push(JSON.parse(request.postData()))
  })
  if (clock) await page.clock.install()
  if (prepare) await prepare(page)
  if (name) {
    await page.goto(service.url + service.link(name))
    await page.locator('.app').waitFor()
    await page.evaluate(to => (location.hash = to), hash)
  } else {
    await page.goto(service.url + '/console/')
  }
  page.done = () => context.close()
  return page
}

// The page's clock stands still in these tests and moves when it is told to: a slow machine changes nothing.
const DRAW = 50 // ms of the page's time, in which it draws what has happened

export async function pass(page, ms) {
  await page.clock.runFor(ms)
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

// press: a key, and what the page draws of it.
export async function press(page, key) {
  await page.keyboard.press(key)
  await pass(page, DRAW)
}

export async function eventually(what, test) {
  for (const end = Date.now() + 30_000; ; ) {
    const value = await test()
    if (value) return value
    if (Date.now() > end) throw new Error(`never happened: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
