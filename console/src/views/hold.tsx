// Approving something grave: the button is held for 0.8 s by finger, mouse or key; or `a` and then Enter, if the person chose
// that. A single tap, and Enter alone, approve nothing.
import { useEffect, useRef, useState } from 'preact/hooks'
import { graveBy } from '../state/prefs'
import { Icon, Kbd } from '../parts/icon'

export const HOLD = 800 // ms
const HINT = 2200

export function HoldButton({ disabled, keyHeld, armed, fire }: { disabled: boolean; keyHeld: boolean; armed: boolean; fire: () => void }) {
  const [down, setDown] = useState(false)
  const [hint, setHint] = useState(false)
  const timer = useRef(0)
  const stop = () => {
    clearTimeout(timer.current)
    timer.current = 0
    setDown(false)
  }
  const start = () => {
    if (disabled || timer.current) return
    setDown(true)
    timer.current = window.setTimeout(() => {
      stop()
      fire()
    }, HOLD)
  }
  const letGo = () => {
    if (!timer.current) return
    stop()
    setHint(true)
    setTimeout(() => setHint(false), HINT)
  }
  useEffect(() => {
    addEventListener('blur', stop)
    return () => {
      removeEventListener('blur', stop)
      stop()
    }
  }, [])
  useEffect(() => void (disabled && stop()), [disabled])

  // Space and Enter on the focused button hold it as a finger does: their repeats do not count, their release ends it.
  const isHoldKey = (event: KeyboardEvent) => event.key === ' ' || event.key === 'Enter'
  const keyDown = (event: KeyboardEvent) => {
    if (!isHoldKey(event)) return
    event.preventDefault()
    if (event.repeat) return
    if (armed && graveBy.value === 'enter' && event.key === 'Enter') fire()
    else start()
  }
  const label = hint ? 'Hold it down' : armed && graveBy.value === 'enter' ? 'Enter to approve' : 'Hold to approve'
  return (
    <button
      class={`answer allow hold ${down || keyHeld ? 'holding' : ''}`}
      disabled={disabled}
      onPointerDown={event => event.button === 0 && start()}
      onPointerUp={letGo}
      onPointerLeave={letGo}
      onPointerCancel={letGo}
      onContextMenu={event => event.preventDefault()}
      onKeyDown={keyDown}
      onKeyUp={event => isHoldKey(event) && letGo()}
    >
      <span class="fill" style={{ transitionDuration: down || keyHeld ? `${HOLD}ms` : '0ms' }} />
      <Icon name="check" size={18} />
      <span>{label}</span>
      <Kbd keys="A" />
    </button>
  )
}
