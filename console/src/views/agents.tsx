// A card a session: what it did, what it may do without asking, and the way to take that back.
import { useState } from 'preact/hooks'
import { api, detailOf } from '../api'
import type { Session } from '../types'
import { now } from '../state/clock'
import { decisions } from '../state/decisions'
import { href } from '../state/route'
import { me } from '../state/session'
import { toast } from '../state/toasts'
import { plainly } from '../text/odd'
import { term } from '../text/query'
import { ago, amount, counted } from '../text/time'
import { Inline } from '../parts/command'
import { Verdict } from '../parts/glyph'
import { useFetched, useSeldom } from '../parts/hooks'
import { Empty, Skeleton } from '../parts/states'
import { Text } from '../parts/text'

const ACTIVE = 120_000 // ms
const STUBBORN = 3 // denials in a row

export function Agents() {
  const newest = useSeldom(decisions.value?.[0]?.id, 1000) // a new decision changes the cards
  const { data, problem, again } = useFetched<{ sessions: Session[] }>('/v1/sessions?since=24h', newest)
  if (problem && !data) return <Empty icon="plug" title="The sessions could not be read" bad whole><p><Text text={problem} /></p><button onClick={again}>Try again</button></Empty>
  return (
    <div class="page">
      <header class="view-head"><h1>Agents</h1><span class="dim">{data && `${counted(data.sessions.length, 'session')} in the last day`}</span></header>
      {!data ? <Skeleton rows={8} /> : data.sessions.length ? <div class="cards">{inPlace(data.sessions).map(s => <Card key={s.key} session={s} again={again} />)}</div> : <Empty icon="agents" title="No agent has asked anything yet" />}
    </div>
  )
}

// The service lists the one that called last first; under a finger, cards stay where they are.
const inPlace = (sessions: Session[]) => [...sessions].sort((a, b) => b.first.localeCompare(a.first) || a.key.localeCompare(b.key))

// A letter of it, and no half of a character or one that cannot be seen.
const initialOf = (name: string) => (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '?').toUpperCase()

function Card({ session: s, again }: { session: Session; again: () => void }) {
  const n = (...names: (keyof Session['counts'])[]) => names.reduce((sum, name) => sum + (s.counts[name] ?? 0), 0)
  const all = n('auto-accept', 'human-accept', 'auto-deny', 'human-deny', 'timeout-deny', 'ask')
  const asked = n('human-accept', 'human-deny', 'timeout-deny', 'ask')
  const denied = n('auto-deny', 'human-deny', 'timeout-deny')
  const name = s.worker_id ?? s.id
  const active = now.value - Date.parse(s.last) < ACTIVE
  return (
    <section class="card" aria-label={plainly(name)}>
      <header>
        <span class="initial" aria-hidden="true">{initialOf(name)}</span>
        <div><h2><Text text={name} /></h2><p class="dim"><Text text={[s.task_id, s.project_id && `in ${s.project_id}`].filter(Boolean).join(' ') || s.id} /></p></div>
        <span class={`last-seen ${active ? 'active' : ''}`}><i />{ago(s.last, now.value)}</span>
      </header>
      <dl class="numbers">
        <div><dt>calls</dt><dd>{amount(all)}</dd></div>
        <div><dt>asked people</dt><dd>{amount(asked)}</dd></div>
        <div class={s.denials_in_a_row >= STUBBORN ? 'high' : ''}><dt>denied{s.denials_in_a_row >= STUBBORN && `, ${s.denials_in_a_row} in a row`}</dt><dd>{amount(denied)}</dd></div>
        <div><dt>grants</dt><dd>{amount(s.grants.length)}</dd></div>
      </dl>
      <div class="mix" role="img" aria-label={`${n('auto-accept')} allowed, ${n('human-accept')} approved, ${denied} denied`}>
        <span class="already" style={{ flexGrow: n('auto-accept') }} /><span class="yes" style={{ flexGrow: n('human-accept') }} />
        <span class="late" style={{ flexGrow: n('timeout-deny', 'ask') }} /><span class="no" style={{ flexGrow: n('auto-deny', 'human-deny') }} />
      </div>
      <p class="last-command"><Verdict outcome={s.last_decision} /> <Inline text={s.last_command} /></p>
      {s.grants.length > 0 && <details><summary>{counted(s.grants.length, 'grant')}</summary><ul class="grants">{s.grants.map(g => <li><code><Text text={g} /></code></li>)}</ul></details>}
      <footer>
        <span class="dim">mode <b>{s.mode ?? 'of the policy'}</b></span>
        <span class="grow" />
        <a class="button small" href={href('decisions', '', { q: s.worker_id ? term('agent', s.worker_id) : term('session', s.id) })}>Log</a>
        {me.value?.role === 'operator' && <RevokeButton session={s} done={again} />}
      </footer>
    </section>
  )
}

function RevokeButton({ session, done }: { session: Session; done: () => void }) {
  const [sure, setSure] = useState(false)
  const revoke = async () => {
    if (!sure) return setSure(true)
    try {
      await api(`/v1/sessions/${session.key}`, { method: 'DELETE' })
      toast('Revoked. It asks again from the next call on.', 'plain')
      setSure(false)
      done()
    } catch (error) {
      toast(detailOf(error), 'deny', 8000)
    }
  }
  return <button class={`small ${sure ? 'danger on' : ''}`} disabled={!session.grants.length} onClick={revoke}>{sure ? 'Revoke them?' : 'Revoke grants'}</button>
}
