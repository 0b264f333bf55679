// "Approve, and stop asking": a rule from the engine's suggestion, from narrow to wide, with what it would have covered.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Explained, Review } from '../types'
import { mayAnswer } from '../state/answers'
import { plainly } from '../text/odd'
import { Coverage, useAudit } from '../parts/coverage'
import { Icon, Kbd } from '../parts/icon'
import { Text } from '../parts/text'
import { firstPressOnly, useSettled } from './guard'

interface Rung {
  label: string
  pattern: string
}

// `npm install zod` can be meant as itself or as any `npm install`; `ls -l` as itself or as any `ls`.
export function rungs(suggestion: string): Rung[] {
  const exact = { label: 'exactly this', pattern: suggestion }
  const command = /^Bash\((.*)\)$/s.exec(suggestion)?.[1]
  if (!command || /[*?]/.test(command)) return [exact]
  const [program, second, ...rest] = command.split(' ')
  const stem = second && /^[a-z][\w:-]*$/.test(second) ? (rest.length ? `${program} ${second}` : '') : second ? program : ''
  return stem ? [exact, { label: `any ${stem}`, pattern: `Bash(${stem} *)` }] : [exact]
}

export function Suggestion({ review, explained, open }: { review: Review; explained: Explained; open: () => void }) {
  const pattern = explained.suggestions[0]
  const audited = useAudit(pattern, 'allow', review.project_id ?? 'global')
  return (
    <section class="panel sunken">
      <h2>{explained.suggestions.length > 1 ? 'A rule that would clear one of its steps' : 'A rule that would clear it'}</h2>
      <p><code class="rule-text"><Text text={pattern} /></code> <span class="dim">in <Text text={review.project_id ?? 'every project'} /></span></p>
      <Coverage audited={audited} />
      <button disabled={!mayAnswer.value} onClick={open}>Approve and add a rule… <Kbd keys="P" /></button>
    </section>
  )
}

export function Promote({ review, explained, done, close }: { review: Review; explained: Explained; done: (pattern: string, scope: string) => void; close: () => void }) {
  const ladder = useMemo(() => rungs(explained.suggestions[0]), [explained])
  const [pattern, setPattern] = useState(ladder[0].pattern)
  const [scope, setScope] = useState(review.project_id ?? 'global')
  const field = useRef<HTMLInputElement>(null)
  const audited = useAudit(pattern, 'allow', scope)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  const { settled, hasSettled } = useSettled()
  const ready = mayAnswer.value && !!pattern.trim() && !audited.problem
  const add = () => ready && hasSettled() && done(pattern, scope)
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      close()
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat) add()
  }
  return (
    <section class="promote" aria-label="Approve and add a rule" onKeyDown={pressed}>
      <header>
        <h2>Approve, and stop asking for…</h2>
        <button class="quiet" aria-label="Close" onClick={close}><Icon name="cross" /></button>
      </header>
      <div class="ladder">
        {ladder.map(rung => <button aria-pressed={pattern === rung.pattern} onClick={() => setPattern(rung.pattern)}><Text text={rung.label} /></button>)}
        <span class="grow" />
        <select aria-label="Where it holds" value={scope} onChange={e => setScope(e.currentTarget.value)}>
          {review.project_id && <option value={review.project_id}>only in {plainly(review.project_id)}</option>}
          <option value="global">in every project</option>
        </select>
      </div>
      <input ref={field} class="mono" aria-label="Rule" value={pattern} spellcheck={false} autocapitalize="off" onInput={e => setPattern(e.currentTarget.value)} />
      {explained.suggestions.length > 1 && <p class="dim">This call has {explained.suggestions.length} steps that need a rule. One rule clears one of them; the others ask again.</p>}
      <Coverage audited={audited} />
      <footer>
        <button class="primary allow" disabled={!ready || !settled} onKeyDown={firstPressOnly} onClick={add}>Approve and add rule <Kbd keys="Ctrl ↵" /></button>
        <button onClick={close}>Cancel <Kbd keys="Esc" /></button>
      </footer>
    </section>
  )
}
