// The answers: deny on the left, approve on the right, under the thumb on a phone. docs/console.md has the guards.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Review } from '../types'
import { answer, GRACE, leaving, mayAnswer, takeBack } from '../state/answers'
import { now } from '../state/clock'
import { graveBy } from '../state/prefs'
import { toast } from '../state/toasts'
import { Glyph } from '../parts/glyph'
import { Icon, Kbd } from '../parts/icon'
import { firstPressOnly, keyMayAnswer, useSettled } from './guard'
import { HOLD, HoldButton } from './hold'

interface Props {
  review: Review
  isWhole: boolean // all of it is on the page
  grave: boolean
  mayPromote: boolean
  promoting: boolean
  promote: () => void
  next: () => void
}

export function AnswerBar({ review, isWhole, grave, mayPromote, promoting, promote, next }: Props) {
  const [reasoning, setReasoning] = useState(false)
  const [armed, setArmed] = useState(false) // `a` was pressed on a grave one, and Enter goes on
  const [keyHeld, setKeyHeld] = useState(false)
  const [nudged, setNudged] = useState(0)
  const { settled, hasSettled } = useSettled()
  const out = leaving.value[review.id]
  const approvable = review.approvable && isWhole
  const dead = review.status !== 'pending' || !mayAnswer.value || !!out || Date.parse(review.expires_at) <= now.value

  // A click, too, may have been meant for what was there a moment ago. A denial is the safe side.
  const approve = () => {
    if (dead || !approvable) return
    if (!hasSettled()) return setNudged(n => n + 1)
    answer(review, { answer: 'approve' })
    next()
  }
  const deny = (reason = '') => {
    if (dead) return
    answer(review, reason ? { answer: 'deny', reason } : { answer: 'deny' })
    next()
  }

  const hold = useRef(0)
  useEffect(() => () => clearTimeout(hold.current), [review.id, dead])
  useEffect(() => {
    const letGo = () => {
      clearTimeout(hold.current)
      setKeyHeld(false)
    }
    const leave = () => {
      letGo()
      setArmed(false)
    }
    const down = (event: KeyboardEvent) => {
      if (event.key !== 'a') letGo() // whatever else is pressed, a hold is over
      if (dead || promoting || !keyMayAnswer(event)) return
      if (!hasSettled()) return void ('adp'.includes(event.key.toLowerCase()) && setNudged(n => n + 1))
      if (event.key === 'a' && approvable) {
        if (!grave) return approve()
        if (graveBy.value === 'enter') return setArmed(true)
        setKeyHeld(true)
        hold.current = window.setTimeout(approve, HOLD)
      } else if (event.key === 'Enter' && armed && !(event.target as Element).closest('button, a')) approve()
      else if (event.key === 'd') deny()
      else if (event.key === 'D') {
        event.preventDefault()
        setReasoning(true)
      } else if (event.key === 'p' && mayPromote) {
        event.preventDefault()
        promote()
      } else if (event.key === 'Escape') setArmed(false)
    }
    const up = (event: KeyboardEvent) => event.key === 'a' && letGo()
    addEventListener('keydown', down)
    addEventListener('keyup', up)
    addEventListener('pointerdown', letGo)
    addEventListener('blur', leave)
    return () => {
      removeEventListener('keydown', down)
      removeEventListener('keyup', up)
      removeEventListener('pointerdown', letGo)
      removeEventListener('blur', leave)
    }
  }, [review, isWhole, dead, grave, mayPromote, promoting, armed])

  return (
    <footer class={`answers ${settled || dead ? '' : 'cold'} ${nudged % 2 ? 'nudge-1' : nudged ? 'nudge-2' : ''}`} role="group" aria-label="Answer">
      {out ? (
        <Leaving review={review} what={out} />
      ) : reasoning ? (
        <ReasonForm deny={deny} close={() => setReasoning(false)} />
      ) : (
        <>
          <button class="answer deny" disabled={dead} onClick={() => deny()}><Icon name="cross" size={18} /><span>Deny</span><Kbd keys="D" /></button>
          <button class="answer with-reason" disabled={dead} onClick={() => setReasoning(true)}><span>Deny with reason</span><Kbd keys="⇧D" /></button>
          <span class="grow" />
          {mayPromote && <button class="answer with-rule" disabled={dead} onClick={promote}><Icon name="plus" size={18} /><span>Approve + rule…</span><Kbd keys="P" /></button>}
          {grave ? (
            <HoldButton disabled={dead || !approvable} keyHeld={keyHeld} armed={armed} fire={approve} />
          ) : (
            <button class="answer allow" disabled={dead || !approvable} onKeyDown={firstPressOnly} onClick={approve}><Icon name="check" size={18} /><span>Approve once</span><Kbd keys="A" /></button>
          )}
        </>
      )}
    </footer>
  )
}

const leavingWord = { approve: 'Approving…', promote: 'Approving, and adding the rule…', deny: 'Denying…' }

function Leaving({ review, what }: { review: Review; what: 'approve' | 'deny' | 'promote' }) {
  return (
    <>
      <span class="leaving-word" role="status"><Glyph behavior={what === 'deny' ? 'deny' : 'allow'} byPerson size={18} /> {leavingWord[what]}</span>
      {what !== 'deny' && <UndoButton id={review.id} />}
    </>
  )
}

export function undo(id: string): boolean {
  const inTime = takeBack(id)
  if (inTime) toast('Taken back. Nothing was sent.', 'plain', 3000)
  return inTime
}

export function UndoButton({ id, undone }: { id: string; undone?: () => void }) {
  return (
    <button class="undo" onClick={() => undo(id) && undone?.()}>
      Undo <Kbd keys="Z" />
      <span class="drain" style={{ animationDuration: `${GRACE}ms` }} />
    </button>
  )
}

function ReasonForm({ deny, close }: { deny: (reason: string) => void; close: () => void }) {
  const [reason, setReason] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    close()
  }
  return (
    <form class="reason-form" onSubmit={event => (event.preventDefault(), deny(reason.trim()))}>
      <input ref={field} value={reason} maxLength={500} aria-label="Reason, told to the agent" placeholder="Why not? The agent is told this." onInput={e => setReason(e.currentTarget.value)} onKeyDown={pressed} />
      <button class="answer deny" type="submit"><Icon name="cross" size={18} /><span>Deny</span></button>
    </form>
  )
}
