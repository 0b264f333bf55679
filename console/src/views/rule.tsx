// One rule: its text, what it matches in the log and in commands that are tried, and what the linter says.
import { useState } from 'preact/hooks'
import { api, detailOf } from '../api'
import type { Behavior, Rule, TriedCall } from '../types'
import { reviews } from '../state/reviews'
import { decisions } from '../state/decisions'
import { me } from '../state/session'
import { toast } from '../state/toasts'
import { plainly } from '../text/odd'
import { counted } from '../text/time'
import { Choice } from '../parts/choice'
import { Inline } from '../parts/command'
import { Coverage, useAudit } from '../parts/coverage'
import { Glyph } from '../parts/glyph'
import { Icon, Kbd } from '../parts/icon'
import { Notice } from '../parts/states'
import { Text } from '../parts/text'

type Type = Rule['type']
const SAMPLE = 'npm install zod\nnpm install -g vale-cli\nnpm ci --ignore-scripts'

export function RuleDrawer({ rule, close, saved }: { rule: Rule | null; close: () => void; saved: () => void }) {
  const [pattern, setPattern] = useState(rule?.pattern ?? '')
  const [type, setType] = useState<Type>(rule?.type ?? 'allow')
  const [scope, setScope] = useState(rule?.scope ?? 'global')
  const [reason, setReason] = useState(rule?.reason ?? '')
  const [tries, setTries] = useState(rule ? '' : SAMPLE)
  const [busy, setBusy] = useState(false)
  const elsewhere = !!rule && rule.source !== 'service' // it stands in a file or in the program
  const operator = me.value?.role === 'operator'
  const commands = tries.split('\n').map(t => t.trim()).filter(Boolean)
  const audited = useAudit(pattern, type, scope, commands)
  const ready = operator && !busy && !!pattern.trim() && (type !== 'deny' || !!reason.trim()) && (!elsewhere || pattern !== rule.pattern)

  const save = async () => {
    if (!ready) return
    setBusy(true)
    const body = { pattern, type, scope, ...(reason.trim() ? { reason: reason.trim() } : {}) }
    const change = rule && !elsewhere
    try {
      const answer = await api<{ warnings?: string[] }>(change ? `/v1/rules/${encodeURIComponent(rule.id)}` : '/v1/rules', { method: change ? 'PUT' : 'POST', body })
      toast(answer.warnings?.length ? `Saved. The linter says: ${answer.warnings[0]}` : 'Saved. It holds for the next call.', 'allow', 6000)
      saved()
    } catch (error) {
      toast(detailOf(error), 'deny', 8000)
      setBusy(false)
    }
  }

  return (
    <aside class="drawer" aria-label="Rule" onKeyDown={event => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && void save()}>
      <header>
        <h2>{!rule ? 'New rule' : elsewhere ? 'Rule' : 'Change rule'}</h2>
        <span class="grow" />
        <button class="quiet" aria-label="Close" onClick={close}><Icon name="cross" /></button>
      </header>
      {elsewhere && <Notice icon="lock">It stands in {rule.file ? <code><Text text={rule.file + (rule.line ? `:${rule.line}` : '')} /></code> : 'the program'} and is changed there. Here you see what it matches, and can try another wording.</Notice>}
      {rule?.lint?.map(l => <Notice icon="warning" tone="ask"><b><Text text={l.name.replace(/-/g, ' ')} /></b>: <Text text={l.message} /></Notice>)}
      <Choice label="What it does" value={type} wide onPick={setType} options={(['allow', 'ask', 'deny'] as Type[]).map(t => [t, <TypeLabel behavior={t} />])} />
      <label class="field">Pattern
        <input class="mono" value={pattern} spellcheck={false} autocapitalize="off" placeholder="Bash(make docs*)" onInput={e => setPattern(e.currentTarget.value)} />
      </label>
      <label class="field">Where it holds
        <select value={scope} onChange={e => setScope(e.currentTarget.value)}>
          <option value="global">in every project</option>
          {projects(scope).map(p => <option value={p}>only in {plainly(p)}</option>)}
        </select>
      </label>
      {type === 'deny' && <label class="field">Reason, told to the agent<input value={reason} placeholder="Use the lock file." onInput={e => setReason(e.currentTarget.value)} /></label>}
      <section><h2>In the log</h2><Coverage audited={audited} /></section>
      <section>
        <h2>Try it</h2>
        <textarea class="mono" rows={4} value={tries} spellcheck={false} aria-label="Commands to try, one a line" onInput={e => setTries(e.currentTarget.value)} />
        <ul class="tries">{audited.audit?.commands.map(c => <Tried tried={c} behavior={type} />)}</ul>
      </section>
      {operator && (
        <footer>
          <button class="primary" disabled={!ready} onClick={save}>{!rule ? 'Add rule' : elsewhere ? 'Add as a new rule' : 'Save'} <Kbd keys="Ctrl ↵" /></button>
          <button onClick={close}>Cancel</button>
          <span class="grow" />
          {rule && !elsewhere && <RemoveButton rule={rule} covered={audited.audit?.past.filter(p => p.covers).length ?? 0} done={saved} />}
        </footer>
      )}
    </aside>
  )
}

const TypeLabel = ({ behavior }: { behavior: Behavior }) => <><Glyph behavior={behavior} size={14} /> {behavior.charAt(0).toUpperCase() + behavior.slice(1)}</>

function projects(own: string): string[] {
  const seen = [...(reviews.value ?? []), ...(decisions.value ?? []).slice(0, 2000)].map(x => x.project_id)
  return [...new Set([own, ...seen])].filter((p): p is string => !!p && p !== 'global').sort().slice(0, 50)
}

function Tried({ tried, behavior }: { tried: TriedCall; behavior: Behavior }) {
  const said = tried.covers
    ? tried.now === behavior ? `matched: ${tried.now}` : `now ${tried.now}, then ${behavior}`
    : tried.matches ? `${tried.matched} of ${tried.actions} steps matched` : 'not matched'
  return (
    <li>
      {tried.covers ? <Glyph behavior={behavior} size={14} /> : <span class="miss" aria-hidden="true" />}
      <Inline text={tried.command} />
      <span class="dim">{said}</span>
    </li>
  )
}

function RemoveButton({ rule, covered, done }: { rule: Rule; covered: number; done: () => void }) {
  const [sure, setSure] = useState(false)
  const remove = async () => {
    if (!sure) return setSure(true)
    try {
      await api(`/v1/rules/${encodeURIComponent(rule.id)}`, { method: 'DELETE' })
      toast('Removed. It counts for nothing from the next call on.', 'plain')
      done()
    } catch (error) {
      toast(detailOf(error), 'deny', 8000)
    }
  }
  return <button class={`danger ${sure ? 'on' : ''}`} onClick={remove}>{sure ? `Remove it: ${counted(covered, 'past call')} would not be covered` : 'Remove…'}</button>
}
