// The log: read backwards in pages, and continued by events.
import { batch, signal } from '@preact/signals'
import { api, Problem } from '../api'
import type { Decision } from '../types'
import { oneOrAll } from './gather'
import { whenPersonLeaves } from './session'

const FIRST_PAGE = 500
const PAGE = 2000
const LOADED_MAX = 10000
const KEPT_MAX = 20000
const GATHER = 120 // ms: a busy fleet must not redraw the page for every call
const NEAR = 500 // of the newest: what arrives is sorted among these

export const decisions = signal<Decision[] | null>(null)
export const decisionsProblem = signal<Problem | null>(null)
export const paused = signal(false)
export const held = signal<Decision[]>([]) // arrived while paused

let loading = 0

export async function loadDecisions() {
  const mine = ++loading
  let cursor: string | null = null
  let all: Decision[] = []
  try {
    do {
      const page: { decisions: Decision[]; next: string | null } = await api(
        `/v1/decisions?limit=${all.length ? PAGE : FIRST_PAGE}${cursor ? '&cursor=' + encodeURIComponent(cursor) : ''}`,
      )
      if (mine !== loading) return
      all = [...all, ...page.decisions]
      cursor = page.next
      decisions.value = merged(newerThan(all[0]), all)
    } while (cursor && all.length < LOADED_MAX)
    decisionsProblem.value = null
  } catch (error) {
    if (mine === loading) decisionsProblem.value = error as Problem
  }
}

// What events told while the list was on its way.
function newerThan(first: Decision | undefined): Decision[] {
  const list = decisions.value ?? []
  if (!first) return list
  const older = list.findIndex(d => d.timestamp < first.timestamp)
  return older < 0 ? list : list.slice(0, older)
}

const byTime = (a: Decision, b: Decision) => (a.timestamp < b.timestamp ? 1 : a.timestamp > b.timestamp ? -1 : 0)

// Two lists, the newest first, as one: nothing is in it twice, and what overtook others on its way stands where it belongs.
function merged(fresh: Decision[], list: Decision[]): Decision[] {
  const known = new Set(fresh.map(d => d.id))
  const near = list.slice(0, NEAR).filter(d => !known.has(d.id))
  return [...[...fresh, ...near].sort(byTime), ...list.slice(NEAR)].slice(0, KEPT_MAX)
}

let arriving: Decision[] = []

whenPersonLeaves(() => {
  loading++
  arriving = []
  held.value = []
  decisions.value = null
  decisionsProblem.value = null
})

export function arrived(decision: Decision) {
  if (decision.too_large) return ask(decision.id)
  if (!arriving.length) setTimeout(show, GATHER)
  arriving.unshift(decision)
}

const ask = oneOrAll(
  id => void api<{ decision: Decision }>(`/v1/decisions/${encodeURIComponent(id)}`).then(found => arrived(found.decision), () => {}),
  loadDecisions,
)

function show() {
  const fresh = arriving
  arriving = []
  if (paused.value) held.value = merged(fresh, held.value)
  else decisions.value = merged(fresh, decisions.value ?? [])
}

export function pause() {
  paused.value = true
}

export function resume() {
  batch(() => {
    decisions.value = merged(held.value, decisions.value ?? [])
    held.value = []
    paused.value = false
  })
}
