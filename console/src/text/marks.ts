// What the engine says about parts of a command, as ranges of its text.
import type { Action, Explained } from '../types'
import { plainly } from './odd'

export interface Mark {
  from: number
  to: number
  action: number | null // its number, or null for a finding
  cleared: boolean
  label: string
}

const bytesOf = (point: number) => (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4)

// The engine counts bytes, the page UTF-16 units: byte offset to index.
function bytesToUnits(text: string): Uint32Array {
  const map = new Uint32Array(3 * text.length + 1)
  let bytes = 0
  for (let unit = 0; unit < text.length; ) {
    const point = text.codePointAt(unit)!
    for (let n = bytesOf(point); n > 0; n--) map[bytes++] = unit
    unit += point > 0xffff ? 2 : 1
  }
  map[bytes] = text.length
  return map.subarray(0, bytes + 1)
}

// marks: the shortest first, so that the first one around a place is the one that it belongs to.
export function marks(text: string, e: Explained | undefined | null): Mark[] {
  if (!e) return []
  const units = bytesToUnits(text)
  const unit = (byte: number) => units[Math.min(byte, units.length - 1)]
  const seen = new Map<string, Mark>()
  const out: Mark[] = []
  e.actions.forEach((a, action) => {
    const key = `${a.at} ${a.length}`
    const isWhole = a.form === null && a.length >= units.length - 1
    if (isWhole) return
    const before = seen.get(key)
    if (before) {
      // A loop does another thing at the same place, or a text becomes code there: cleared is only what is cleared each time.
      if (before.cleared && !a.cleared_by) Object.assign(before, { action, cleared: false })
      return
    }
    const mark = { from: unit(a.at), to: unit(a.at + a.length), action, cleared: !!a.cleared_by, label: '' }
    seen.set(key, mark)
    out.push(mark)
  })
  for (const f of e.findings)
    out.push({ from: unit(f.at), to: unit(f.at + f.length), action: null, cleared: false, label: plainly(f.name.replace(/-/g, ' ')) })
  return out.sort((a, b) => a.to - a.from - (b.to - b.from))
}

export interface Step {
  action: Action
  index: number
  times: number // a loop does the same step with other values
  same: Action[]
  inner: Step[]
}

const programOf = (action: Action) => action.form?.split(' ', 1)[0] ?? ''

// What makes two actions one step: a loop that does the same with other values. What it does with one of them may be cleared, and
// with the next be something else.
const likeness = (a: Action) => [a.at, a.length, a.parent !== null, a.redirect, a.form === null, programOf(a), !!a.cleared_by, ...a.effect_names].join()

export function steps(e: Explained): Step[] {
  const byPlace = new Map<string, Step>()
  const byIndex = new Map<number, Step>()
  const order: Step[] = []
  e.actions.forEach((action, index) => {
    const isWhole = action.form === null && !action.redirect && action.parent === null && action.at === 0
    if (isWhole && e.actions.length > 1) return
    const place = likeness(action)
    const step = byPlace.get(place)
    if (step) {
      step.times++
      step.same.push(action)
      byIndex.set(index, step)
      return
    }
    const fresh: Step = { action, index, times: 1, same: [action], inner: [] }
    byPlace.set(place, fresh)
    byIndex.set(index, fresh)
    order.push(fresh)
  })
  const top: Step[] = []
  for (const step of order) {
    const parent = step.action.parent === null ? undefined : byIndex.get(step.action.parent)
    if (parent && parent !== step) parent.inner.push(step)
    else top.push(step)
  }
  return top
}
