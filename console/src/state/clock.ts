// The service's time: what expires does so by its clock, not by that of the browser.
import { computed, signal } from '@preact/signals'

let ahead = 0
export const now = signal(Date.now())
export const minute = computed(() => Math.floor(now.value / 60_000)) // for what need not be asked for each second

export function setServiceTime(iso: string) {
  ahead = Date.parse(iso) - Date.now()
  tick()
}

function tick() {
  now.value = Date.now() + ahead
}

setInterval(tick, 1000)
