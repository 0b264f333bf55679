// node dev/server.mjs [PORT]: the page with an invented fleet, to work on it. WARDER names the program (../build/dev/warder).
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { startService } from './service.mjs'

const here = path.dirname(fileURLToPath(import.meta.url))
const warder = process.env.WARDER ?? path.join(here, '../../build/dev/warder')
const service = await startService({ warder, dist: path.join(here, '../dist'), port: Number(process.argv[2] ?? 8430) })
for (const name of ['op1', 'op2', 'vic']) console.log(`${name}: ${service.url}${service.link(name)}`)
