// node dev/demo.mjs WARDER: a real service with a small fleet, and the link that opens its console. `make run CONSOLE=1`.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { agents, pending, policy, quiet, random, refused } from './fleet.mjs'
import { Service } from './real.mjs'

const PAUSE = 2500 // ms between two calls of the fleet

const service = new Service(path.resolve(process.argv[2]), ['--review-timeout', '900'])
fs.mkdirSync(path.join(service.home, '.config/warder'), { recursive: true })
fs.writeFileSync(path.join(service.home, '.config/warder/warder.yaml'), policy)
fs.mkdirSync(path.join(service.project, '.git'))

const rnd = random(Date.now() % 1000)
const pick = list => list[Math.floor(rnd() * list.length)]
const asks = (agent, command) =>
  service.ask(command, 0, { session: agent.session_id, worker_id: agent.worker_id, task_id: agent.task_id, project_id: agent.project_id, context: { task_description: agent.task, worktree_path: service.project } })

async function end() {
  await service.stop()
  fs.rmSync(service.place, { recursive: true, force: true })
  process.exit(0)
}

service.token('worker', 'w', agents.map(a => a.project_id))
await service.start()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end)
for (let i = 0; i < 60; i++) await asks(pick(agents), pick(rnd() < 0.9 ? quiet : refused))
for (const [agent, command] of pending) await asks(agents[agent], command)

console.log('\nThe console of a service with five invented agents, which go on asking. Open this in your browser within a minute:\n')
const said = spawnSync(service.warder, ['console', '--data', service.data], { env: service.env, stdio: 'inherit' })
if (said.status !== 0) {
  console.log('The link is for a person at a terminal. Run `make run CONSOLE=1` there.')
  await end()
}
console.log('\nCtrl C ends it, and nothing of it is kept.')
for (;;) {
  await new Promise(resolve => setTimeout(resolve, PAUSE))
  await asks(pick(agents), rnd() < 0.85 ? pick(quiet) : `npm install ${pick(['zod', 'vite', 'left-pad'])}@${1 + Math.floor(rnd() * 9)}`).catch(() => {})
}
