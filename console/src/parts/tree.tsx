// What a call does, step by step: effects, hosts and files, and what cleared each.
import { useMemo, useState } from 'preact/hooks'
import type { Explained, FileAccess } from '../types'
import { steps, type Step } from '../text/marks'
import { plainly } from '../text/odd'
import { veiled } from '../text/secrets'
import { amount } from '../text/time'
import { effectWords, inDirectory } from '../text/words'
import { Inline } from './command'
import { Glyph } from './glyph'
import { Icon, type IconName } from './icon'
import { More } from './more'
import { Text } from './text'

const effectIcons: Record<string, IconName> = {
  network: 'globe', send: 'send', fetch: 'globe', install: 'box', code: 'code', privilege: 'key', system: 'gear', loss: 'trash',
  secrets: 'lock', project: 'code', repo: 'branch', process: 'pulse',
}
const HARD = new Set(['send', 'privilege', 'system', 'loss', 'secrets', 'unknown'])
const TALKS = ['network', 'send', 'fetch']
const STEPS_SHOWN = 60 // at a time
const FILES_SHOWN = 6
const HOSTS_SHOWN = 4

interface Props {
  explained: Explained
  secrets?: string[]
  hot?: number | null
  onHot?: (action: number | null) => void
}

export function Tree(props: Props) {
  const all = useMemo(() => steps(props.explained), [props.explained])
  const [limit, setLimit] = useState(STEPS_SHOWN)
  const open = all.slice(limit).filter(s => !s.action.cleared_by).length
  return (
    <>
      <ol class="tree">
        {all.slice(0, limit).map((step, i) => <StepRow {...props} step={step} number={String(i + 1)} />)}
      </ol>
      <More left={all.length - limit} what="step" note={open ? `, ${amount(open)} not cleared` : ''} onMore={() => setLimit(limit + STEPS_SHOWN)} />
    </>
  )
}

function Inner(props: Props & { inner: Step[] }) {
  const { inner, ...rest } = props
  const [limit, setLimit] = useState(STEPS_SHOWN)
  return (
    <>
      <ul class="inner">{inner.slice(0, limit).map(step => <StepRow {...rest} step={step} number="↳" />)}</ul>
      <More left={inner.length - limit} what="step" onMore={() => setLimit(limit + STEPS_SHOWN)} />
    </>
  )
}

function StepRow({ step, number, ...props }: Props & { step: Step; number: string }) {
  const { explained, hot, onHot, secrets = [] } = props
  const { action } = step
  const cleared = !!action.cleared_by
  return (
    <li class={`step ${cleared ? 'is-cleared' : 'is-open'} ${hot === step.index ? 'is-hot' : ''}`} onMouseEnter={() => onHot?.(step.index)} onMouseLeave={() => onHot?.(null)}>
      <div class="step-head">
        <span class="step-number" aria-hidden="true">{number}</span>
        <span class="step-form">
          {action.form ? <Inline text={veiled(action.form, secrets)} wraps /> : <span class="dim">{action.redirect ? 'a redirection' : 'the call as a whole'}</span>}
          {step.times > 1 && <span class="times" title="the same step, with other values">×{step.times}</span>}
        </span>
        {cleared ? (
          <span class="step-state"><Icon name="check" size={13} /> cleared</span>
        ) : (
          <span class="step-state"><Glyph behavior={explained.behavior === 'deny' ? 'deny' : 'ask'} size={13} /> {explained.behavior === 'deny' ? 'stops it' : 'not cleared'}</span>
        )}
      </div>
      <Facts step={step} explained={explained} />
      {step.inner.length > 0 && <Inner {...props} inner={step.inner} />}
    </li>
  )
}

// What is done to each path, by whichever of the actions; what is not only read stands first.
function filesOf(step: Step): FileAccess[] {
  const files = new Map<string, Set<string>>()
  for (const { path, access } of step.same.flatMap(a => a.paths)) files.set(path, new Set([...(files.get(path) ?? []), ...access]))
  const all = [...files].map(([path, access]) => ({ path, access: [...access] }))
  return [...all.filter(changes), ...all.filter(f => !changes(f))]
}

const changes = (file: FileAccess) => file.access.some(a => a !== 'read')

function Facts({ step, explained }: { step: Step; explained: Explained }) {
  const { action } = step
  const [all, setAll] = useState(false)
  const open = !action.cleared_by
  const hosts = [...new Set(step.same.flatMap(a => a.hosts))]
  const files = filesOf(step)
  const hostsShown = all ? hosts : hosts.slice(0, HOSTS_SHOWN)
  const filesShown = all ? files : files.slice(0, FILES_SHOWN)
  const left = hosts.length - hostsShown.length + files.length - filesShown.length
  const sends = action.effect_names.includes('send')
  const effects = action.effect_names.filter(n => effectWords[n] && !(hosts.length && TALKS.includes(n)))
  const rule = explained.trace.find(t => t.action === step.index && t.said === 'allow')?.rule
  return (
    <div class="facts">
      {effects.map(n => (
        <span class={`chip ${open && HARD.has(n) ? 'hard' : ''}`}><Icon name={effectIcons[n] ?? 'question'} size={13} />{effectWords[n]}</span>
      ))}
      {hosts.length > 0 && (
        <span class={`chip ${open && sends ? 'hard' : ''}`}>
          <Icon name={sends ? 'send' : 'globe'} size={13} />
          {sends ? 'sends to' : 'talks to'} <b><Text text={hostsShown.join(', ')} /></b>
        </span>
      )}
      {filesShown.map(file => (
        <span class={`chip ${changes(file) ? 'writes' : ''}`} title={plainly(file.path)}>
          <Icon name="file" size={13} />{file.access.join(', ')} <b><Text text={inDirectory(file.path, explained.cwd)} /></b>
        </span>
      ))}
      {left > 0 && <button class="pill" onClick={() => setAll(true)}>{left} more</button>}
      {action.cleared_by && <span class="cleared-by">{rule ? <>by rule <code><Text text={rule} /></code></> : `by ${action.cleared_by.replace(/-/g, ' ')}`}</span>}
    </div>
  )
}
