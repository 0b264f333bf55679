// Settings of this device. They never leave it.
import { effect, signal } from '@preact/signals'

function stored<T>(name: string, initial: T) {
  const key = `warder.${name}`
  let value = initial
  try {
    value = JSON.parse(localStorage.getItem(key) ?? 'null') ?? initial
  } catch {
    // Private windows have no storage: the settings last as long as the page.
  }
  const pref = signal<T>(value)
  pref.subscribe(v => {
    try {
      localStorage.setItem(key, JSON.stringify(v))
    } catch {
      // as above
    }
  })
  return pref
}

export const theme = stored<'auto' | 'light' | 'dark'>('theme', 'auto')
export const density = stored<'roomy' | 'dense'>('density', 'roomy')
export const graveBy = stored<'hold' | 'enter'>('grave', 'hold')
export const shortcutsOn = stored('shortcuts', true)
export const noticesOn = stored('notices', false)

effect(() => {
  const root = document.documentElement.dataset
  root.density = density.value
  if (theme.value === 'auto') delete root.theme
  else root.theme = theme.value
})
