// Sentences about a call. What it does is the engine's word; here it is only put in a form that reads well.
import type { Behavior, Explained, Outcome, Review, Stakes } from '../types'
import { isLong } from './long'
import { oddities } from './odd'

export const behaviorWord: Record<Behavior, string> = { allow: 'Allow', ask: 'Ask', deny: 'Deny' }

export const outcomes: Record<Outcome, { behavior: Behavior; byPerson: boolean; word: string }> = {
  'auto-accept': { behavior: 'allow', byPerson: false, word: 'allowed' },
  'human-accept': { behavior: 'allow', byPerson: true, word: 'approved' },
  'auto-deny': { behavior: 'deny', byPerson: false, word: 'denied' },
  'human-deny': { behavior: 'deny', byPerson: true, word: 'refused' },
  'timeout-deny': { behavior: 'deny', byPerson: false, word: 'timed out' },
  ask: { behavior: 'ask', byPerson: false, word: 'asked' },
  'left-to-client': { behavior: 'allow', byPerson: false, word: 'left to agent' }, // the client's own checks decided
}

export const effectWords: Record<string, string> = {
  network: 'talks to the network',
  send: 'sends to a server',
  fetch: 'reads from a server',
  install: 'installs packages',
  code: 'runs code from its arguments',
  privilege: 'gains privileges',
  system: 'changes the machine',
  loss: 'may lose work',
  secrets: 'prints secrets',
  project: 'runs project code',
  repo: 'changes the repository',
  process: 'signals processes',
  modules: 'loads modules',
  editor: 'opens an editor',
  unknown: 'has a part that nobody can explain',
}

// A call that nobody has rated is grave, and so is one with letters that mislead, or that is too long to be seen at once.
export function stakesOf(review: Review): Stakes {
  if (isLong(review) || oddities(review.command).length) return 'grave'
  return review.stakes ?? review.explain?.stakes ?? 'grave'
}

const withoutMode = (reason: string) => reason.replace(/ \(mode [^()]*\)$/, '')

export const headlineOf = (review: Review) => review.headline ?? review.explain?.headline ?? withoutMode(review.reason)

// A tool that is no shell has its input, or null where that is too long for a list.
export const isShell = (call: { input?: unknown }) => call.input === undefined

export const inDirectory = (path: string, cwd: string | null) =>
  cwd && path === cwd ? '.' : cwd && path.startsWith(cwd + '/') ? path.slice(cwd.length + 1) : path

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

// The reason without the command or its program, which stand above it, and without the mode, which stands below.
export function reasonOf(e: Explained): string {
  const reason = withoutMode(e.reason)
  const names = e.actions.flatMap(a => (a.form ? [a.form, a.form.split(' ')[0]] : []))
  const name = names.find(n => reason.startsWith(n + ': '))
  const shortened = /^.{40,}\.\.\.: (.+)$/s.exec(reason)?.[1]
  return capital(name ? reason.slice(name.length + 2) : (shortened ?? reason))
}
