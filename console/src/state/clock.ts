// The service's time: what expires does so by its clock, not by that of the browser. It is counted on by the browser's clock that
// nobody can set. Where its two clocks part, one was set or the machine slept, and the service is asked again.
import { computed, signal } from '@preact/signals'

const PARTED = 2000 // ms

let said = Date.now() // what the service said, and when by the clock that nobody sets
let saidAt = performance.now()
let gap = Date.now() - performance.now()

export const now = signal(Date.now())
export const minute = computed(() => Math.floor(now.value / 60_000)) // for what need not be asked for each second

export function setServiceTime(iso: string) {
  said = Date.parse(iso)
  saidAt = performance.now()
  gap = Date.now() - saidAt
  tick()
}

let onParted = () => {}
export const whenClocksPart = (told: () => void) => {
  onParted = told
}

function tick() {
  now.value = said + performance.now() - saidAt
  if (Math.abs(Date.now() - performance.now() - gap) < PARTED) return
  gap = Date.now() - performance.now()
  onParted()
}

setInterval(tick, 1000)
