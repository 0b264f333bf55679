// Figures of the page with 10,000 decisions and 1,000 reviews: node test/bench.mjs. It prints and asserts nothing.
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { Service } from '../dev/real.mjs'
import { build, dist, eventually, standIn, visit } from './harness.mjs'

const row = (what, figure) => console.log(`${what.padEnd(44)} ${figure}`)
const service = await standIn({ history: 500 })
service.fill(10_000)
service.fillReviews(1000)

row('all files, gzipped', `${(fs.readdirSync(dist).reduce((sum, f) => sum + zlib.gzipSync(fs.readFileSync(path.join(dist, f)), { level: 9 }).length, 0) / 1000).toFixed(1)} kB`)
const page = await visit(service, { hash: '/decisions' })
await page.locator('.log-row').first().waitFor()
let t = Date.now()
await page.reload()
await page.locator('.log-row').first().waitFor()
row('reload to the first row', `${Date.now() - t} ms`)
await page.getByText('10,000 shown').waitFor()
row('reload to all 10,000', `${Date.now() - t} ms`)

const scroll = selector =>
  page.evaluate(async selector => {
    const el = document.querySelector(selector)
    const frames = []
    let last = performance.now()
    for (let i = 0; i < 120; i++) {
      el.scrollTop += 700
      await new Promise(requestAnimationFrame)
      frames.push(performance.now() - last)
      last = performance.now()
    }
    frames.sort((a, b) => a - b)
    const heap = Math.round((performance.memory?.usedJSHeapSize ?? 0) / 1e6)
    return `p50 ${frames[60].toFixed(1)} ms, p95 ${frames[114].toFixed(1)} ms, ${document.querySelectorAll('*').length} nodes, ${heap} MB`
  }, selector)

// What the page's own thread does for a frame, in processor time: other work on this machine does not change it.
async function work(selector) {
  const browser = page.context().browser()
  await browser.startTracing(page, { categories: ['devtools.timeline', 'blink.user_timing', 'toplevel'] })
  await page.evaluate(async selector => {
    const el = document.querySelector(selector)
    for (let i = 0; i < 120; i++) {
      performance.mark('frame')
      el.scrollTop += 700
      await new Promise(requestAnimationFrame)
    }
    performance.mark('frame')
  }, selector)
  const { traceEvents } = JSON.parse(await browser.stopTracing())
  const marks = traceEvents.filter(e => e.name === 'frame' && e.cat.includes('user_timing')).sort((a, b) => a.ts - b.ts)
  const own = traceEvents.filter(e => e.ph === 'X' && e.tdur !== undefined && e.pid === marks[0].pid && e.tid === marks[0].tid && e.ts >= marks[0].ts && e.ts < marks.at(-1).ts)
  const frames = marks.slice(1).map(() => 0)
  const frameOf = e => marks.findLastIndex(m => m.ts <= e.ts)
  for (const e of own.filter(e => /RunTask$/.test(e.name) && e.cat.includes('toplevel'))) frames[Math.min(frames.length - 1, frameOf(e))] += e.tdur / 1000
  frames.sort((a, b) => a - b)
  const share = name => (own.filter(e => e.name === name).reduce((sum, e) => sum + e.tdur, 0) / 1000 / frames.length).toFixed(1)
  const parts = ['FunctionCall', 'UpdateLayoutTree', 'Layout', 'PrePaint', 'Paint', 'Layerize', 'Commit'].map(name => `${name} ${share(name)}`)
  return `p50 ${frames[60].toFixed(1)} ms, p95 ${frames[114].toFixed(1)} ms of processor time; of it ${parts.join(', ')}`
}
row('scroll 10,000 decisions, frame', await scroll('.virtual'))
await page.evaluate(() => (document.querySelector('.virtual').scrollTop = 0))
row('scroll 10,000 decisions, work of a frame', await work('.virtual'))

const painted = action =>
  page.evaluate(async source => {
    const start = performance.now()
    await eval(source)
    await new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))
    return performance.now() - start
  }, action)
const setSearch = `(() => { const el = document.querySelector('.search input'); Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(el, 'agent:codex npm'); el.dispatchEvent(new Event('input', { bubbles: true })) })()`
row('filter 10,000 to paint', await painted(setSearch).then(ms => `${ms.toFixed(1)} ms`, error => `not measured: ${error.message.split('\n')[0]}`))

await page.evaluate(() => (location.hash = '/reviews'))
await page.locator('.queue-row').first().waitFor()
row('scroll 1,000 reviews, frame', await scroll('.virtual'))
await page.evaluate(() => (document.querySelector('.virtual').scrollTop = 0))
row('scroll 1,000 reviews, work of a frame', await work('.virtual'))
const times = []
for (let i = 0; i < 40; i++) {
  times.push(
    await page.evaluate(
      () =>
        new Promise(done => {
          const start = performance.now()
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))
          requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)))
        }),
    ),
  )
}
times.sort((a, b) => a - b)
row('j to paint', `p50 ${times[20].toFixed(1)} ms, p95 ${times[37].toFixed(1)} ms`)

const before = await page.locator('.badge').first().textContent()
t = performance.now()
service.ask('npm install figure@1')
await eventually('the review is on the page', async () => (await page.locator('.badge').first().textContent()) !== before)
row('a worker asks to a review on the page', `${Math.round(performance.now() - t)} ms, the judgement by a new process included`)

// The same with the real service, which judges and records the call before it tells of it.
const real = new Service(path.join(build, 'warder'))
real.token('operator', 'op1')
await real.start()
if ((await real.call('/console/')).status === 200) {
  const other = await visit(real, { name: null })
  await other.getByLabel('Or paste a token').fill(real.tokens.op1)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.locator('.link-dot.live').waitFor()
  await real.ask('git status')
  const took = []
  for (let i = 0; i < 10; i++) {
    const seen = other.waitForFunction(n => document.querySelectorAll('.queue-row').length > n, i, { polling: 'raf' })
    const start = performance.now()
    void real.ask(`npm install figure@${i}`)
    await seen
    took.push(performance.now() - start)
  }
  took.sort((a, b) => a - b)
  row('the same with warder serve, of ten', `p50 ${Math.round(took[5])} ms, worst ${Math.round(took[9])} ms`)
}
await real.stop('SIGKILL')
process.exit(0)
