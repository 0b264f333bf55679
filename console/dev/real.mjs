// The real `warder serve`, in a directory of its own: for the tests and for `make run CONSOLE=1`.
import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

// Its environment has no variables of an agent: `warder console` is for people.
export class Service {
  constructor(warder, options = []) {
    this.warder = warder
    this.place = fs.mkdtempSync(path.join(os.tmpdir(), 'warder-console-'))
    this.home = path.join(this.place, 'home')
    this.data = path.join(this.place, 'data')
    this.project = path.join(this.place, 'project')
    this.env = { HOME: this.home, PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }
    this.options = options
    for (const dir of [this.home, this.project]) fs.mkdirSync(dir, { recursive: true })
    fs.mkdirSync(this.data, { mode: 0o700 })
    this.tokens = {}
  }
  run(...args) {
    return execFileSync(this.warder, args, { env: this.env, cwd: this.project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  }
  token(role, name, projects = ['api']) {
    const more = role === 'worker' ? projects.flatMap(p => ['--project', p]) : []
    return (this.tokens[name] ??= this.run('token', 'create', '--role', role, '--name', name, '--data', this.data, ...more).split('\n').pop())
  }
  async start(port = 0) {
    this.process = spawn(this.warder, ['serve', '--listen', `127.0.0.1:${port}`, '--socket', path.join(this.place, 'socket'), '--data', this.data, ...this.options], { env: this.env, cwd: this.project, stdio: ['ignore', 'pipe', 'inherit'] })
    this.url = await new Promise((resolve, reject) => {
      this.process.once('exit', code => reject(new Error(`warder serve ended with ${code}`)))
      let text = ''
      this.process.stdout.on('data', chunk => {
        const found = /listening on (http:\S+)/.exec((text += chunk))
        if (found) resolve(found[1])
      })
    })
  }
  async stop(signal = 'SIGTERM') {
    const ended = new Promise(resolve => this.process.once('exit', resolve))
    this.process.kill(signal)
    await ended
  }
  async call(route, { token, method, body, headers = {} } = {}) {
    const answer = await fetch(this.url + route, { method: method ?? (body ? 'POST' : 'GET'), headers: { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers }, body: body && JSON.stringify(body), redirect: 'manual' })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text && /json/.test(answer.headers.get('content-type')) ? JSON.parse(text) : text }
  }
  // ask: what a worker does. `wait` seconds it waits for a person.
  async ask(command, wait = 0, more = {}) {
    const body = { tool: 'Bash', input: { command }, cwd: this.project, session: 's-1', worker_id: 'w-1', task_id: 'T-1', project_id: 'api', context: { task_description: 'Fix the login test' }, wait, ...more }
    return (await this.call('/v1/check', { token: this.token('worker', 'w'), body })).body
  }
  async review(command, more) {
    const { review_id } = await this.ask(command, 0, more)
    return (await this.call(`/v1/reviews/${review_id}`, { token: this.token('operator', 'op1') })).body
  }
  async statusOf(review) {
    return (await this.call(`/v1/reviews/${review.id}`, { token: this.token('operator', 'op1') })).body.status
  }
  // session: the cookie that a browser would get for a token.
  async session(name) {
    const { status, headers } = await this.call('/v1/login', { body: { token: this.token(name === 'vic' ? 'viewer' : 'operator', name) } })
    const [, key, value] = /^([^=]+)=([^;]*)/.exec(headers.get('set-cookie') ?? '') ?? []
    if (status !== 200 || !value) throw new Error(`signing in: ${status}`)
    return { name: key, value, httpOnly: true, sameSite: 'Strict', url: this.url }
  }
  // outlive: time passes, and all codes or sessions are too old.
  outlive(kind) {
    execFileSync('python3', ['-c', "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], timeout=30); db.execute(\"UPDATE tokens SET expires_at = '2020-01-01T00:00:00.000Z' WHERE kind = ?\", (sys.argv[2],)); db.commit()", path.join(this.data, 'state.sqlite'), kind])
  }
  // link: what `warder console` prints, without the address of the service.
  link(name = 'op1') {
    const command = [this.warder, 'console', '--name', name, '--role', name === 'vic' ? 'viewer' : 'operator', '--data', this.data].join(' ')
    const said = execFileSync('script', ['-qec', command, '/dev/null'], { env: this.env, encoding: 'utf8' }) // on a terminal
    const link = /\/console\/#login=[\w-]+/.exec(said)?.[0]
    if (!link) throw new Error(`warder console said: ${said}`)
    return link
  }
}
