// What a rule would have covered in the past, and what people said to those calls then.
import { useEffect, useState } from 'preact/hooks'
import { api, detailOf } from '../api'
import type { Audit, Outcome } from '../types'
import { amount } from '../text/time'
import { Icon } from './icon'
import { Notice } from './states'
import { Text } from './text'

const PAUSE = 200 // ms after the last key

export interface Audited {
  audit: Audit | null
  problem: string
  busy: boolean
}

export function useAudit(pattern: string, type: string, scope: string, commands: string[] = []): Audited {
  const [state, setState] = useState<Audited>({ audit: null, problem: '', busy: true })
  const tried = commands.join('\n')
  useEffect(() => {
    if (!pattern.trim()) return setState({ audit: null, problem: '', busy: false })
    let current = true
    setState(s => ({ ...s, busy: true }))
    const timer = setTimeout(() => {
      api<Audit>('/v1/rules/audit', { body: { pattern, type, scope, commands: tried ? tried.split('\n') : [] } }).then(
        audit => current && setState({ audit, problem: '', busy: false }),
        error => current && setState({ audit: null, problem: detailOf(error), busy: false }),
      )
    }, PAUSE)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [pattern, type, scope, tried])
  return state
}

const kinds: [Outcome, string, string][] = [
  ['human-accept', 'yes', 'approved'],
  ['human-deny', 'no', 'refused'],
  ['timeout-deny', 'late', 'timed out'],
  ['auto-accept', 'already', 'allowed anyway'],
  ['auto-deny', 'no', 'denied by a rule'],
  ['ask', 'asked', 'asked at the agent'],
  ['left-to-client', 'already', 'left to the agent'],
]

export function Coverage({ audited: { audit, problem, busy } }: { audited: Audited }) {
  if (problem) return <Notice icon="warning" tone="ask"><Text text={problem} /></Notice>
  if (!audit) return <div class="coverage"><div class="coverage-bar" /><p class="dim">{busy ? 'Looking through the log…' : 'Type a pattern to see what it would have matched.'}</p></div>
  const past = audit.past.filter(p => p.covers)
  const counts = kinds.map(([kind, tone, word]) => ({ tone, word, n: past.filter(p => p.decision === kind).length })).filter(c => c.n)
  const commands = new Set(past.map(p => p.command)).size
  const refused = past.filter(p => p.decision === 'human-deny').length
  return (
    <div class={`coverage ${busy ? 'busy' : ''}`}>
      <div class="coverage-bar" role="img" aria-label={counts.map(c => `${c.n} ${c.word}`).join(', ') || 'nothing covered'}>
        {counts.map(c => <span class={c.tone} style={{ flexGrow: c.n }} />)}
      </div>
      {past.length === 0 ? (
        <p>Matches nothing in the log so far.</p>
      ) : (
        <p>
          Covers <b>{amount(past.length)}</b> past {past.length === 1 ? 'call' : commands === 1 ? 'calls, all the same command' : `calls, ${commands} different commands`}:
          {counts.map(c => <span class={`key ${c.tone}`}>{amount(c.n)} {c.word}</span>)}
        </p>
      )}
      {refused > 0 && <p class="warn-line"><Icon name="warning" size={14} /> People refused {refused} of these calls. A narrower rule is safer.</p>}
    </div>
  )
}
