// The page must stay small: everything that a browser fetches, gzipped. node test/size.mjs DIST
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'

const BUDGET = 150_000
const dist = process.argv[2]
const files = fs.readdirSync(dist)
if (!files.length) {
  console.log('SKIPPED: the console was left out of this build')
  process.exit(77)
}
const sizes = files.map(name => [name, zlib.gzipSync(fs.readFileSync(path.join(dist, name)), { level: 9 }).length])
for (const [name, bytes] of sizes) console.log(`${name.padEnd(24)} ${bytes}`)
const all = sizes.reduce((sum, [, bytes]) => sum + bytes, 0)
console.log(`${'all'.padEnd(24)} ${all} of ${BUDGET}`)
if (all > BUDGET) {
  console.log('FAILED: the console is larger than its budget')
  process.exit(1)
}
