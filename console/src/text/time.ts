// Times and amounts in words.

export function span(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000))
  if (s < 60) return `${s} s`
  if (s < 3600) return `${Math.floor(s / 60)} min`
  if (s < 86400) return `${Math.floor(s / 3600)} h`
  return `${Math.floor(s / 86400)} d`
}

export const ago = (iso: string, now: number) => (now - Date.parse(iso) < 5000 ? 'just now' : `${span(now - Date.parse(iso))} ago`)

export function countdown(ms: number): string {
  const s = Math.max(0, Math.ceil(ms / 1000))
  if (s >= 3600) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`
}

const clockForm = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
export const clock = (iso: string) => clockForm.format(new Date(iso))

// moment: with its day, where that is not today.
const dayForm = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
const isToday = (iso: string) => new Date(iso).toDateString() === new Date().toDateString()
export const moment = (iso: string) => (isToday(iso) ? clock(iso) : dayForm.format(new Date(iso)))

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const s = ms / 1000
  if (s < 10) return `${s.toFixed(1)} s`
  if (s < 60) return `${Math.round(s)} s`
  return `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`
}

export const amount = (n: number) => n.toLocaleString('en')
export const counted = (n: number, one: string, many = one + 's') => `${amount(n)} ${n === 1 ? one : many}`
