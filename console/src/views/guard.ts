// When a key may answer. A review that just appeared, or a window that just got the focus, may be under a finger that meant
// something else: for a moment no key counts.
import { useEffect, useRef, useState } from 'preact/hooks'
import { shortcutsOn } from '../state/prefs'
import { hasModifier, isTyping } from '../parts/hooks'

export const SETTLE = 700 // ms

// A key is held against the time itself, not against what was last drawn: `settled` is for the looks alone.
export function useSettled(): { settled: boolean; hasSettled: () => boolean } {
  const [settled, setSettled] = useState(false)
  const since = useRef(performance.now())
  useEffect(() => {
    let timer = 0
    const unsettle = () => {
      since.current = performance.now()
      setSettled(false)
      clearTimeout(timer)
      timer = window.setTimeout(() => setSettled(true), SETTLE)
    }
    const shown = () => document.visibilityState === 'visible' && unsettle()
    unsettle()
    addEventListener('focus', unsettle)
    document.addEventListener('visibilitychange', shown)
    return () => {
      clearTimeout(timer)
      removeEventListener('focus', unsettle)
      document.removeEventListener('visibilitychange', shown)
    }
  }, [])
  return { settled, hasSettled: () => performance.now() - since.current >= SETTLE }
}

// A button takes the first press of a key, and not what follows while it is held: that began for something else.
export const firstPressOnly = (event: KeyboardEvent) => void (event.repeat && event.preventDefault())

export const keyMayAnswer = (event: KeyboardEvent) =>
  shortcutsOn.value && event.isTrusted && !event.repeat && !event.isComposing && !hasModifier(event) && !isTyping(event) && document.hasFocus()
