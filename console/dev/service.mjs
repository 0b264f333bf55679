// A stand-in for the service, in memory: the same routes and shapes, an invented fleet, explanations of the real engine. For
// work on the page, and for tests of states that a real service is seldom in. Never part of the product.
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { agents, asked, edit, pending, policy, quiet, random, refused } from './fleet.mjs'
import { makeJudge } from './judge.mjs'
import { accept } from './socket.mjs'

const CSP = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml', '.webmanifest': 'application/manifest+json' }
const PROFILES = ['warder', 'caliban', 'waterfall', 'guild', 'mini', 'mink']
const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto', 'delegate', 'bypassPermissions']
const REVIEW_LASTS = 900_000
const iso = t => new Date(t).toISOString()
const id = kind => kind + crypto.randomBytes(16).toString('hex')
const redacted = command => command.replace(/ghp_\w+|hunter2\w+/g, '[REDACTED]')

class Refused extends Error {
  constructor(status, detail) {
    super(detail)
    this.status = status
  }
}

// `change` is what becomes of each answer.
export async function startService({ warder, dist, port = 0, history = 1100, change = answer => answer }) {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'warder-console-'))
  const home = path.join(place, 'home')
  const cwd = path.join(place, 'project')
  fs.mkdirSync(path.join(home, '.config/warder'), { recursive: true })
  fs.mkdirSync(path.join(cwd, '.git'), { recursive: true })
  fs.writeFileSync(path.join(home, '.config/warder/warder.yaml'), policy)
  const judge = makeJudge(warder, home, cwd)
  const bare = makeJudge(warder, path.join(place, 'nobody'), cwd)
  const rnd = random(7)
  const pick = list => list[Math.floor(rnd() * list.length)]

  const users = { op1: 'operator', op2: 'operator', vic: 'viewer' }
  const sessions = new Map() // cookie -> name
  const codes = new Map() // one-time code -> name
  let epoch = id('')
  let cursor = 0
  const streams = new Set()
  const reviews = []
  const answers = new Map() // of each review that was answered: what arrived
  let decisions = []
  const added = [] // rules

  const tell = event => {
    event.cursor = ++cursor
    for (const s of streams) s.send(change(event))
  }
  const decide = (agent, command, decision, more = {}) => {
    const behavior = decision.endsWith('accept') ? 'allow' : decision === 'ask' ? 'ask' : 'deny'
    const d = { id: id('d_'), timestamp: iso(Date.now()), tool: 'Bash', command_redacted: redacted(command), ...agent, task: undefined, decision, behavior, layer: decision === 'auto-accept' ? 'harmless' : decision === 'auto-deny' ? 'catastrophe' : 'review', reason: decision === 'auto-accept' ? 'it only reads, prints or computes' : decision === 'auto-deny' ? 'it would destroy what nobody can give back' : 'a person answered', profile: 'warder', mode: 'default', response_time_ms: /human/.test(decision) ? Math.round(3000 + 60000 * rnd() ** 3) : 1, record: decisions.length + 1, ...more }
    decisions.unshift(d)
    return d
  }
  const makeReview = (agent, call, explain, left) => {
    const now = Date.now()
    const command = call.input.command ?? call.input.file_path
    const r = { id: id('r_'), tool: call.tool, input: call.tool === 'Bash' ? undefined : call.input, command, command_redacted: redacted(command), ...agent, task: undefined, context: { task_description: agent.task, recent_commands: quiet.slice(0, 5), worktree_path: `/srv/wt/${agent.project_id}-${agent.task_id.toLowerCase()}` }, requested_at: iso(now - (REVIEW_LASTS - left * 1000)), expires_at: iso(now + left * 1000), status: 'pending', reason: explain.reason, approvable: true, stakes: explain.stakes, headline: explain.headline, explain }
    reviews.push(r)
    return r
  }
  const endReview = (r, status, by, more = {}) => {
    Object.assign(r, { status, responded_by: by, responded_at: iso(Date.now()), ...more })
    tell({ type: 'review', review: { id: r.id, status, responded_by: by && `${by} (${'0'.repeat(16)})`, responded_at: r.responded_at } })
    const decision = status === 'approved' ? 'human-accept' : status === 'denied' ? 'human-deny' : 'timeout-deny'
    tell({ type: 'decision', decision: decide(agents.find(a => a.worker_id === r.worker_id) ?? agents[0], r.command, decision, { answered_by: by, answer_reason: more.message }) })
  }

  for (let i = 0; i < history; i++) {
    const x = rnd()
    const t = Date.now() - 4 * 3600_000 * (1 - i / history) - 400_000 * (1 - Math.cos(25 * (1 - i / history))) // they work in waves
    const [command, decision] = x < 0.84 ? [pick(quiet), 'auto-accept'] : x < 0.88 ? [pick(refused), 'auto-deny'] : [pick(asked), rnd() < 0.78 ? 'human-accept' : rnd() < 0.8 ? 'human-deny' : 'timeout-deny']
    decide(pick(agents), command, decision, { timestamp: iso(t), ...(/human/.test(decision) ? { answered_by: 'op1 (0000)' } : {}) })
  }
  decisions.sort((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp))
  decisions.forEach((d, i) => (d.record = decisions.length - i))
  const became = (d, command, layer, reason, more) => Object.assign(d, { command_redacted: command, decision: 'auto-accept', behavior: 'allow', layer, reason, response_time_ms: 2, answered_by: undefined, rule: null }, more)
  became(decisions[5], 'npm test', 'contained', 'npm: runs project code: it runs in the sandbox', { contained: { tier: 'namespaces', why: 'code that nobody has read', token: 'c_1' } })
  became(decisions[6], 'rm -rf dist coverage', 'reversible', 'rm: deletes dist, coverage: saved first', { cwd: '/srv/wt/docs-doc-15', reversible: { entry: '1795036673033-9870cfc9', until: iso(Date.now() + 7 * 86_400_000), paths: 12, left: 0, needed: true } })
  const runs = { [decisions[5].id]: { code: 1, refused: [{ kind: 'connect', what: 'telemetry.example.com:443' }, { kind: 'write', what: '/etc/hosts' }], more: 3, connections: [{ host: 'packages.example.org', port: 443, sent: 2210, received: 181_204 }] } }
  const calls = [...pending.map(([, command]) => ({ tool: 'Bash', input: { command } })), { tool: edit.tool, input: edit.input }]
  const explained = judge.explainAll(calls)
  pending.forEach(([agent, , left], i) => makeReview(agents[agent], calls[i], explained[i], left))
  makeReview(agents[edit.agent], calls.at(-1), explained.at(-1), edit.left)

  const show = (r, role) => (role === 'operator' ? r : { ...r, command: r.command_redacted, explain: JSON.parse(redacted(JSON.stringify(r.explain))) })
  const need = (found, what) => {
    if (!found) throw new Refused(404, `there is no such ${what}`)
    return found
  }
  const rulesNow = () => {
    const hits = new Map()
    for (const d of decisions) if (d.rule) hits.set(d.rule, (hits.get(d.rule) ?? 0) + 1)
    const lint = JSON.parse(judge.run(['rules', 'lint', '--json'])).findings
    const listed = JSON.parse(judge.run(['rules', 'list', '--json'])).rules.map((r, i) => ({ id: r.id ?? `${r.rule}@${i}`, pattern: r.rule, type: r.behavior, source: r.source, scope: 'global', file: r.file, line: r.line, hits: (r.rule.length * 7) % 41, last_hit: (r.rule.length * 7) % 41 ? decisions[r.rule.length % decisions.length].timestamp : null, lint: lint.filter(l => l.rule === r.rule && l.line === r.line) }))
    return [...added, ...listed]
  }
  const audit = b => {
    const stem = /^\w+\((.*?)\*?\)$/.exec(b.pattern)
    if (!stem) throw new Refused(400, `${b.pattern} is not a rule: a tool and its arguments are wanted, as in Bash(make *)`)
    const covers = c => c.startsWith(stem[1].trimEnd())
    const past = decisions.filter(d => covers(d.command_redacted)).map(d => ({ command: d.command_redacted, decision: d.decision, covers: true, matches: true }))
    const now = b.commands.length ? judge.explainAll(b.commands.map(command => ({ tool: 'Bash', input: { command } }))) : []
    return { past, commands: b.commands.map((command, i) => ({ command, covers: covers(command), matches: covers(command), actions: now[i].actions.length, matched: covers(command) ? now[i].actions.length : 0, now: now[i].behavior })) }
  }
  const stats = q => {
    const step = Number(q.get('step') ?? 120)
    const names = ['auto-accept', 'human-accept', 'ask', 'auto-deny', 'human-deny', 'timeout-deny']
    const end = Math.floor(Date.now() / 1000 / step) * step
    const t = Array.from({ length: Math.ceil((4 * 3600) / step) }, (_, i) => end - (Math.ceil((4 * 3600) / step) - 1 - i) * step)
    const series = Object.fromEntries(names.map(n => [n, t.map(() => 0)]))
    const top = new Map()
    for (const d of decisions) {
      const at = t.indexOf(Math.floor(Date.parse(d.timestamp) / 1000 / step) * step)
      if (at >= 0) series[d.decision][at]++
      if (!/human|timeout/.test(d.decision)) continue
      const program = d.command_redacted.split(' ')[0]
      const row = top.get(program) ?? { program, asked: 0, approved: 0 }
      row.asked++
      if (d.decision === 'human-accept') row.approved++
      top.set(program, row)
    }
    const took = decisions.filter(d => /human/.test(d.decision)).map(d => d.response_time_ms).sort((a, b) => a - b)
    return { step, t, series, top_asked: [...top.values()].sort((a, b) => b.asked - a.asked).slice(0, 8), response: { count: took.length, p50: Math.ceil((took[took.length >> 1] ?? 0) / 1000), p95: Math.ceil((took[Math.floor(took.length * 0.95)] ?? 0) / 1000) }, total: decisions.length }
  }
  const sessionsNow = () => {
    const out = new Map()
    for (const d of decisions) {
      const s = out.get(d.session_id) ?? { id: d.session_id, key: d.session_id, worker_id: d.worker_id, project_id: d.project_id, task_id: d.task_id, client: 'claude', last: d.timestamp, counts: {}, last_command: d.command_redacted, last_decision: d.decision, mode: null, grants: d.session_id === 's-c21' && !revoked ? ['Bash(npm install *)', 'Edit(src/**)'] : [], denials_in_a_row: d.session_id === 's-g3' ? 3 : 0 }
      s.first = d.timestamp
      s.counts[d.decision] = (s.counts[d.decision] ?? 0) + 1
      out.set(d.session_id, s)
    }
    return [...out.values()]
  }
  let revoked = false

  const routes = {
    'GET /v1/me': (b, q, u) => ({ ...u, now: iso(Date.now()), version: '0.1.0', profile: 'warder' }),
    'GET /v1/reviews': (b, q, u) => ({ reviews: reviews.filter(r => r.status === (q.get('status') ?? r.status)).map(r => show(r, u.role)), next: null }),
    'GET /v1/reviews/ID': (b, q, u, rid) => show(need(reviews.find(r => r.id === rid), 'review'), u.role),
    'POST /v1/reviews/ID': (b, q, u, rid) => {
      const r = need(reviews.find(x => x.id === rid), 'review')
      answers.set(rid, [...(answers.get(rid) ?? []), b])
      if (u.role !== 'operator') throw new Refused(403, 'a viewer cannot answer')
      if (r.status !== 'pending') throw new Refused(409, `it was ${r.status} by ${r.responded_by ?? 'nobody'}`)
      if (b.answer === 'promote') added.unshift({ ...b.rule, id: id('rule_'), source: 'service', created_by: `${u.name} (0000)`, hits: 0, last_hit: null, lint: [] })
      endReview(r, b.answer === 'deny' ? 'denied' : 'approved', u.name, { message: b.reason })
      return { id: r.id, status: r.status }
    },
    'GET /v1/decisions': (b, q) => {
      const from = Number(q.get('cursor') ?? 0)
      const to = from + Number(q.get('limit') ?? 100)
      return { decisions: decisions.slice(from, to), next: to < decisions.length ? String(to) : null }
    },
    'POST /v1/explain': b => {
      const own = !b.profile || b.profile === 'warder'
      const e = (own ? judge : bare).explain(b, { profile: b.profile, mode: b.mode })
      if (b.tree) e.tree = JSON.parse(judge.run(['parse', '--json', '-c', b.input.command])).tree
      return e
    },
    'POST /v1/explain/matrix': b => ({ profiles: PROFILES, modes: MODES, cells: PROFILES.map(profile => MODES.map(mode => {
      const e = (profile === 'warder' ? judge : bare).explain(b, { profile, mode })
      return { behavior: e.behavior, reason: e.reason }
    })) }),
    'GET /v1/rules': () => ({ rules: rulesNow() }),
    'POST /v1/rules': (b, q, u) => {
      const rule = { ...b, id: id('rule_'), source: 'service', created_by: `${u.name} (0000)`, hits: 0, last_hit: null, lint: [] }
      added.unshift(rule)
      tell({ type: 'rules' })
      return { rule, warnings: [] }
    },
    'PUT /v1/rules/ID': (b, q, u, rid) => ({ rule: Object.assign(need(added.find(r => r.id === rid), 'rule'), b), warnings: [] }),
    'DELETE /v1/rules/ID': (b, q, u, rid) => {
      added.splice(added.indexOf(need(added.find(r => r.id === rid), 'rule')), 1)
      tell({ type: 'rules' })
      return {}
    },
    'POST /v1/rules/audit': audit,
    'GET /v1/stats': (b, q) => stats(q),
    'GET /v1/sessions': () => ({ sessions: sessionsNow() }),
    'DELETE /v1/sessions/ID': () => ((revoked = true), {}),
    'GET /v1/sessions/browser': (b, q, u, _id, cookie) => ({ current: cookie, sessions: [...sessions].map(([id, name]) => ({ id, name, role: users[name], from: `token-${name}`, created_at: iso(Date.now() - 600_000), expires_at: iso(Date.now() + 11 * 3600_000) })) }),
    'DELETE /v1/sessions/browser/ID': (b, q, u, sid) => (endSession(sid), {}),
    'GET /v1/tokens': () => ({ tokens: Object.entries(users).map(([name, role]) => ({ id: `token-${name}`, role, name, created_at: iso(Date.now() - 3 * 86_400_000), revoked_at: null })) }),
    'GET /v1/decisions/ID': (b, q, u, did) => ({ decision: need(decisions.find(d => d.id === did), 'decision'), run: runs[did] ?? null }),
    'GET /healthz': () => ({ status: 'ok', generation: 1, profile: 'warder', pending: 0, problems: [], notices: [] }),
    'POST /v1/logout': () => ({}),
  }
  const find = (method, p) => {
    if (routes[`${method} ${p}`]) return [routes[`${method} ${p}`], '']
    const m = /^(.*)\/([^/]+)$/.exec(p)
    if (m && routes[`${method} ${m[1]}/ID`]) return [routes[`${method} ${m[1]}/ID`], decodeURIComponent(m[2])]
    throw new Refused(404, 'there is no such route')
  }
  const cookieOf = request => /warder=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
  const userOf = request => {
    const name = sessions.get(cookieOf(request))
    return name ? { name, role: users[name] } : null
  }
  // Links of notices: REVIEW.OPERATOR.ANSWER, unsigned; the real service signs them.
  const byLink = (text, use) => {
    const [rid, name, answer] = JSON.parse(text).link.split('.')
    const r = reviews.find(x => x.id === rid)
    if (!r || r.status !== 'pending') throw new Refused(409, 'its review is over: answered, or out of time')
    if (use) endReview(r, answer === 'deny' ? 'denied' : 'approved', `${name}, by link`)
    return use ? {} : { answer, by: `${name}, by link`, review: show(r, 'viewer') }
  }
  const endSession = cookie => {
    need(sessions.delete(cookie), 'session')
    for (const s of streams) if (s.session === cookie) s.close(1008)
  }
  const signIn = (b, response) => {
    const name = b.code ? codes.get(b.code) : users[b.token] && b.token
    codes.delete(b.code)
    if (!name) throw new Refused(401, b.code ? 'This link was used before, or its minute is over. Run `warder console` again.' : 'This is not a token of this service.')
    const cookie = crypto.randomBytes(16).toString('hex')
    sessions.set(cookie, name)
    response.setHeader('Set-Cookie', `warder=${cookie}; HttpOnly; SameSite=Strict; Path=/`)
    return { name, role: users[name] }
  }
  const metrics = 'warder_rule_evaluation_seconds_bucket{le="0.001"} 900\nwarder_rule_evaluation_seconds_bucket{le="0.005"} 1098\nwarder_rule_evaluation_seconds_bucket{le="+Inf"} 1100\nwarder_store_latency_seconds_bucket{le="0.005"} 1000\nwarder_store_latency_seconds_bucket{le="0.025"} 1098\nwarder_store_latency_seconds_bucket{le="+Inf"} 1100\nwarder_review_timeout_ratio 0.04\nwarder_notices_total{result="sent"} 131\nwarder_notices_total{result="failed"} 0\n'

  const answerApi = (request, response, url, text) => {
    const reply = (status, body, type = 'application/json') => {
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' })
      response.end(body)
    }
    try {
      const b = text ? JSON.parse(text) : null
      if (/^\/v1\/links\//.test(url.pathname)) return reply(200, JSON.stringify(byLink(text, url.pathname.endsWith('answer'))))
      if (url.pathname === '/v1/login') return reply(200, JSON.stringify(signIn(b, response)))
      const user = userOf(request)
      if (!user && url.pathname !== '/healthz') throw new Refused(401, 'sign in first')
      if (url.pathname === '/metrics') return reply(200, metrics, 'text/plain')
      const [route, found] = find(request.method, url.pathname)
      reply(200, JSON.stringify(change(route(b, url.searchParams, user, found, cookieOf(request)))))
    } catch (error) {
      reply(error.status ?? 500, JSON.stringify({ status: error.status ?? 500, detail: error.message }))
    }
  }
  const server = http.createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost')
    if (/^\/(v1|metrics|healthz)/.test(url.pathname)) {
      let text = ''
      request.on('data', chunk => (text += chunk))
      return request.on('end', () => answerApi(request, response, url, text))
    }
    const name = url.pathname === '/console/' ? 'index.html' : path.basename(url.pathname)
    const file = path.join(dist, name)
    if (!url.pathname.startsWith('/console/') || !fs.existsSync(file)) return response.writeHead(url.pathname === '/' ? 302 : 404, { Location: '/console/' }).end()
    response.writeHead(200, { 'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream', 'Content-Security-Policy': CSP, 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer', 'Cross-Origin-Opener-Policy': 'same-origin' })
    response.end(fs.readFileSync(file))
  })
  server.on('upgrade', (request, socket) => {
    if (!userOf(request)) return socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
    const stream = Object.assign(accept(request, socket), { session: cookieOf(request) })
    streams.add(stream)
    stream.onClose(() => streams.delete(stream))
    stream.send({ events: [], cursor, epoch, missed: false })
  })
  const expiry = setInterval(() => {
    for (const r of reviews) if (r.status === 'pending' && Date.parse(r.expires_at) <= Date.now()) endReview(r, 'expired', null)
  }, 500)
  await new Promise(ready => server.listen(port, '127.0.0.1', ready))

  return {
    url: `http://127.0.0.1:${server.address().port}`,
    reviews,
    answers,
    // A link that works once, as `warder console` prints it.
    link(name = 'op1') {
      const code = crypto.randomBytes(16).toString('hex')
      codes.set(code, name)
      return `/console/#login=${code}`
    },
    ask(command, left = 900, agent = agents[0], change = {}) {
      const r = makeReview(agent, { tool: 'Bash', input: { command } }, judge.explain({ tool: 'Bash', input: { command } }), left)
      Object.assign(r, change)
      tell({ type: 'review', review: { id: r.id, status: 'pending' } })
      return r
    },
    answer: (r, name, status) => endReview(r, status, name),
    record: (command, decision = 'auto-accept', agent = agents[0], more = {}) => tell({ type: 'decision', decision: decide(agent, command, decision, more) }),
    fill(count) {
      const some = decisions.slice(0, 500)
      decisions = Array.from({ length: count }, (_, i) => ({ ...some[i % some.length], id: `d_${i}` }))
    },
    fillReviews(count, told = false) {
      const some = reviews.slice(0, 12)
      for (let i = reviews.length; i < count; i++) {
        reviews.push({ ...some[i % some.length], id: `r_${i}` })
        if (told) tell({ type: 'review', review: { id: `r_${i}`, status: 'pending' } })
      }
    },
    restart() {
      epoch = id('')
      for (const r of reviews) r.approvable = false
      for (const s of streams) s.close(1001)
    },
    // hangUp: the event streams end, as they do for a page that reads too slowly. Pages come back by themselves.
    hangUp(code = 1013) {
      for (const s of streams) s.close(code)
    },
    // session: a cookie for somebody who signed in before.
    session(name) {
      const cookie = crypto.randomBytes(16).toString('hex')
      sessions.set(cookie, name)
      return { name: 'warder', value: cookie, httpOnly: true, sameSite: 'Strict', url: `http://127.0.0.1:${server.address().port}` }
    },
    endSession,
    close() {
      clearInterval(expiry)
      for (const s of streams) s.close(1001)
      server.close()
      server.closeAllConnections()
      fs.rmSync(place, { recursive: true, force: true })
    },
  }
}
