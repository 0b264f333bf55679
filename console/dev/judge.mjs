// Explanations for the stand-in, made by the real `warder explain`; it adds what the service says besides.
import { execFileSync } from 'node:child_process'

const GRAVE = ['privilege', 'system', 'loss', 'secrets']
const OUTSIDE = ['network', 'send', 'fetch', 'install', 'code', 'unknown']
const words = { network: 'talks to the network', send: 'sends to a server', fetch: 'reads from a server', install: 'installs packages', code: 'runs code from its arguments', privilege: 'gains privileges', system: 'changes the machine', loss: 'may lose work', secrets: 'prints secrets', project: 'runs project code', repo: 'changes the repository', unknown: 'has a part that nobody can explain' }

export function makeJudge(warder, home, cwd) {
  const env = { HOME: home, PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }
  const run = (args, input) => {
    try {
      return execFileSync(warder, args, { input, cwd, env, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'], maxBuffer: 1 << 26 })
    } catch (error) {
      if (error.stdout) return error.stdout // deny and ask are exit codes, too
      throw error
    }
  }
  const explainAll = (calls, { profile, mode } = {}) => {
    const lines = calls.map(c => JSON.stringify({ tool: c.tool, input: c.input, cwd, project: cwd })).join('\n') + '\n'
    const args = ['explain', '--json', '--jsonl', ...(profile ? ['--profile', profile] : []), ...(mode ? ['--mode', mode] : [])]
    return run(args, lines).trim().split('\n').map(line => said(JSON.parse(line)))
  }
  return { run, explainAll, explain: (call, how) => explainAll([call], how)[0] }
}

function said(e) {
  const open = e.actions.filter(a => !a.cleared_by)
  const effects = [...new Set(open.flatMap(a => a.effect_names))]
  const touched = /(\S+) \((an? [^()]*(?:file|key)[^()]*)\)/.exec(e.reason)
  const hosts = [...new Set(open.flatMap(a => a.hosts))]
  e.stakes = touched || GRAVE.some(x => effects.includes(x)) ? 'grave' : OUTSIDE.some(x => effects.includes(x)) || !e.understood ? 'outside' : 'small'
  e.why = touched ? { path: touched[1], what: touched[2].trim() } : {}
  e.headline = headline(e, open, effects, touched, hosts)
  return e
}

function headline(e, open, effects, touched, hosts) {
  const out = []
  if (touched) out.push(`touches ${touched[1].replace(e.cwd + '/', '')}, ${touched[2].trim()}`)
  const talks = effects.filter(x => ['send', 'network', 'fetch'].includes(x))
  if (talks.length) out.push(hosts.length ? `${talks.includes('send') ? 'sends to' : 'talks to'} ${hosts.slice(0, 3).join(', ')}` : words[talks[0]])
  for (const x of effects) if (words[x] && !talks.includes(x)) out.push(words[x])
  const text = out.slice(0, 3).join('; ') || e.reason.replace(/ \(mode .*$/, '')
  const programs = [...new Set(open.map(a => (a.form ?? '').replace(/^(\w+=\S*\s+)*/, '').split(/\s+/)[0]).filter(Boolean))]
  return e.tool === 'Bash' && programs.length === 1 ? `${programs[0]} ${text}` : text.charAt(0).toUpperCase() + text.slice(1)
}
