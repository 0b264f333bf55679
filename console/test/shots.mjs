// Pictures of every view and state, for docs/console: node test/shots.mjs DIR (`make console-shots`; a second word adds the wall). Look at them.
import fs from 'node:fs'
import path from 'node:path'
import { quiet, standIn, visit } from './harness.mjs'

const out = process.argv[2]
fs.mkdirSync(out, { recursive: true })
const service = await standIn()
const review = part => `/reviews/${service.reviews.find(r => r.command.includes(part)).id}`
const press = key => page => page.keyboard.press(key)

async function shot(name, { width = 1440, height = 900, theme = 'light', hash, then, ...more }) {
  const page = await visit(service, { width, height, theme, hash, ...more })
  await page.mouse.move(0, 0) // what is under it would be marked
  await page.waitForTimeout(900) // it has settled
  await quiet(page)
  if (then) await then(page)
  await page.mouse.move(0, 0)
  await page.waitForTimeout(400)
  await page.screenshot({ path: path.join(out, `${name}.png`) })
  for (const cookie of await page.context().cookies()) service.endSession(cookie.value)
  if (page.faults.length) console.log(name, page.faults)
  await page.done()
}
const phone = { width: 390, height: 844 }

await shot('reviews-light', { hash: review('hooks.example') })
await shot('reviews-dark', { theme: 'dark', hash: review('edge-1') })
await shot('promote', { hash: review('vite@7'), then: async page => (await page.getByRole('button', { name: 'Approve + rule' }).click(), await page.getByRole('button', { name: /^any/ }).click()) })
await shot('change', { hash: review('.env.staging') })
await shot('lookalike-dark', { theme: 'dark', hash: review('i.sh') })
await shot('decisions-dark', { theme: 'dark', hash: '/decisions' })
await shot('decision', { hash: '/decisions', then: page => page.locator('.log-row', { hasText: 'contained' }).first().click() })
await shot('put-back-dark', { theme: 'dark', hash: '/decisions', then: page => page.locator('.log-row', { hasText: 'reversible' }).first().click() })
await shot('rules', { hash: '/rules/new', then: page => page.getByLabel('Pattern').fill('Bash(npm install *)') })
await shot('playground', { hash: '/try', then: page => page.locator('.matrix').waitFor() })
await shot('agents', { hash: '/agents' })
for (const name of ['op2', 'vic']) service.session(name)
await shot('health-dark', { theme: 'dark', hash: '/health' })
await shot('shortcuts', { hash: '/agents', then: press('?') })
await shot('viewer', { name: 'vic', hash: review('hooks.example') })
await shot('sign-in', { name: null })
await shot('empty', { hash: '/reviews', instead: [['**/v1/reviews?*', r => r.fulfill({ json: { reviews: [], next: null } })]] })
await shot('phone-queue', { ...phone, hash: '/reviews' })
await shot('phone-review', { ...phone, hash: review('vite@7') })
await shot('phone-grave-dark', { ...phone, theme: 'dark', hash: review('ghp_') })
await shot('phone-promote-dark', { ...phone, theme: 'dark', hash: review('vite@7'), then: page => page.getByRole('button', { name: 'Approve + rule' }).click() })
await shot('phone-decisions-dark', { ...phone, theme: 'dark', hash: '/decisions' })
await shot('phone-decision', { ...phone, hash: '/decisions?q=is:contained', then: page => page.locator('.log-row').first().click() })
await shot('phone-link', { ...phone, name: null, then: async page => (await page.evaluate(link => (location.hash = `answer=${link}`), `${service.reviews.find(r => r.command.includes('vite@7')).id}.op1.approve`), await page.locator('article').waitFor(), await page.waitForTimeout(900)) })
await shot('narrow', { width: 768, height: 1024, hash: review('edge-1') })
if (process.argv[3]) await shot('wall-dark', { width: 3840, height: 2160, theme: 'dark', hash: review('edge-1') }) // large: not for the tree
const once = service.ask('npm install zod@4') // it may leave before the picture is made, and no other needs it
await shot('approving', { hash: `/reviews/${once.id}`, then: page => page.locator('.answer.allow').click() })
const other = service.ask('docker build -t api:dev .')
await shot('answered-by-other', { hash: `/reviews/${other.id}`, then: async page => (service.answer(other, 'op2', 'approved'), await page.getByText('op2').first().waitFor()) })
await shot('disconnected', { hash: review('vite@7'), then: async page => (await page.context().setOffline(true), service.restart(), await page.getByRole('alert').waitFor()) })
process.exit(0)
