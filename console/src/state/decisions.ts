// The log: read backwards in pages, and continued by events.
import { batch, signal } from '@preact/signals'
import { api, Problem } from '../api'
import type { Decision } from '../types'

const FIRST_PAGE = 500
const PAGE = 2000
const LOADED_MAX = 10000
const KEPT_MAX = 20000
const GATHER = 120 // ms: a busy fleet must not redraw the page for every call

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
      const newer = all.length ? newerThan(decisions.value ?? [], all[0]) : []
      all = [...all, ...page.decisions]
      cursor = page.next
      decisions.value = [...newer, ...all]
    } while (cursor && all.length < LOADED_MAX)
    decisionsProblem.value = null
  } catch (error) {
    if (mine === loading) decisionsProblem.value = error as Problem
  }
}

function newerThan(list: Decision[], first: Decision): Decision[] {
  const at = list.findIndex(d => d.id === first.id)
  return at < 0 ? [] : list.slice(0, at)
}

let arriving: Decision[] = []

export function arrived(decision: Decision) {
  if (!arriving.length) setTimeout(show, GATHER)
  arriving.unshift(decision)
}

function show() {
  const known = new Set((decisions.value ?? []).slice(0, 200).map(d => d.id))
  const fresh = arriving.filter(d => !known.has(d.id))
  arriving = []
  if (paused.value) held.value = [...fresh, ...held.value]
  else decisions.value = [...fresh, ...(decisions.value ?? [])].slice(0, KEPT_MAX)
}

export function pause() {
  paused.value = true
}

export function resume() {
  batch(() => {
    decisions.value = [...held.value, ...(decisions.value ?? [])]
    held.value = []
    paused.value = false
  })
}
