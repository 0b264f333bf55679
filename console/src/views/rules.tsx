// The rules in force, strongest source first, with what they hit and what the linter says.
import { useMemo, useState } from 'preact/hooks'
import type { Rule } from '../types'
import { now } from '../state/clock'
import { nameOf } from '../state/reviews'
import { go, href, route } from '../state/route'
import { me } from '../state/session'
import { rulesChanged } from '../state/stream'
import { plainly } from '../text/odd'
import { ago, amount, counted } from '../text/time'
import { BehaviorTag } from '../parts/glyph'
import { useFetched } from '../parts/hooks'
import { Icon } from '../parts/icon'
import { Empty, Skeleton } from '../parts/states'
import { Text } from '../parts/text'
import { RuleDrawer } from './rule'

const sources: [string, string][] = [
  ['managed', 'Managed: nobody below can loosen these'],
  ['service', 'Added here and by reviews'],
  ['session', 'Of sessions'],
  ['command', 'Of commands'],
  ['runtime', 'Of this run'],
  ['cli', 'Of the command line'],
  ['local', 'Local project files'],
  ['project', 'Project files'],
  ['user', 'The policy file'],
  ['builtin', 'Built in'],
]

export function Rules({ id }: { id: string }) {
  const { data, problem, again } = useFetched<{ rules: Rule[] }>('/v1/rules', rulesChanged.value)
  const [filter, setFilter] = useState(route.value.query.get('q') ?? '')
  const [folded, setFolded] = useState<Record<string, boolean>>({ builtin: true })
  const rules = data?.rules ?? []
  const groups = useMemo(() => {
    const wanted = filter.toLowerCase()
    const fits = (r: Rule) => `${r.pattern} ${r.type} ${r.file ?? ''} ${r.scope}`.toLowerCase().includes(wanted)
    const named = sources.map(([source, title]) => ({ source, title, rules: rules.filter(r => r.source === source && fits(r)) }))
    return named.filter(g => g.rules.length)
  }, [data, filter])
  const warnings = rules.reduce((n, r) => n + (r.lint?.length ?? 0), 0)
  const most = Math.max(1, ...rules.map(r => r.hits ?? 0))
  const open = id === 'new' ? null : rules.find(r => r.id === id)
  const close = () => go('rules')

  if (problem && !data) return <Empty icon="plug" title="The rules could not be read" bad><p><Text text={problem} /></p><button onClick={again}>Try again</button></Empty>
  return (
    <div class={`with-drawer ${open !== undefined ? 'open' : ''}`}>
      <div class="drawer-main">
        <header class="view-head">
          <h1>Rules</h1>
          <span class="dim">{data && `${amount(rules.length)} in force, strongest source first`}</span>
          <span class="grow" />
          {me.value?.role === 'operator' && <a class="button primary" href={href('rules', 'new')}><Icon name="plus" size={15} /> New rule</a>}
        </header>
        <div class="filters">
          <label class="search"><Icon name="search" /><input value={filter} spellcheck={false} aria-label="Filter rules" placeholder="Filter rules" onInput={e => setFilter(e.currentTarget.value)} /></label>
          {warnings > 0 && <span class="pill warn"><Icon name="warning" size={13} /> {counted(warnings, 'warning')} of the linter</span>}
        </div>
        {!data ? (
          <Skeleton rows={12} />
        ) : (
          <div class="rule-list" role="region" aria-label="Rules by source" tabIndex={0}>
            {groups.map(group => {
              const isFolded = !!folded[group.source] && !filter
              return (
                <section class="rule-group">
                  <h2>
                    <button aria-expanded={!isFolded} onClick={() => setFolded({ ...folded, [group.source]: !isFolded })}>
                      <span class="triangle" />{group.title} <span class="count">{group.rules.length}</span>
                      <span class="count hits-all">{counted(group.rules.reduce((n, r) => n + (r.hits ?? 0), 0), 'hit')}</span>
                    </button>
                  </h2>
                  {!isFolded && (
                    <div role="table" aria-label={group.title}>
                      <div class="rule-row head" role="row">
                        <span role="columnheader">Answer</span><span role="columnheader">Rule</span><span role="columnheader" class="of-place">Where</span>
                        <span role="columnheader" class="of-hits">Hits, 30 days</span><span role="columnheader" class="of-last">Last hit</span>
                      </div>
                      {group.rules.map(rule => <Row rule={rule} most={most} on={rule.id === id} />)}
                    </div>
                  )}
                </section>
              )
            })}
            {groups.length === 0 && <Empty icon="search" title="No rule matches" />}
          </div>
        )}
      </div>
      {open !== undefined && <RuleDrawer key={id} rule={open} close={close} saved={() => (close(), again())} />}
    </div>
  )
}

function placeOf(rule: Rule): string {
  if (rule.file) return rule.file.split('/').pop() + (rule.line ? `:${rule.line}` : '')
  const by = rule.created_by && rule.created_by !== rule.source ? `by ${nameOf(rule.created_by)}` : ''
  return [by, rule.scope !== 'global' && rule.scope].filter(Boolean).join(', ')
}

function Row({ rule, most, on }: { rule: Rule; most: number; on: boolean }) {
  const hits = rule.hits ?? 0
  return (
    <div class={`rule-row ${on ? 'on' : ''}`} role="row" onClick={() => go('rules', rule.id)}>
      <span role="cell"><BehaviorTag behavior={rule.type} /></span>
      <span role="cell" class="of-rule">
        <a href={href('rules', rule.id)}><code><Text text={rule.pattern} /></code></a>
        {rule.lint?.map(l => <span class="lint" title={plainly(l.message)}><Icon name="warning" size={13} /> <Text text={l.name.replace(/-/g, ' ')} /></span>)}
      </span>
      <span role="cell" class="of-place" title={plainly(rule.file ?? '')}><Text text={placeOf(rule)} /></span>
      <span role="cell" class="of-hits">
        <span class="bar" aria-hidden="true"><span style={{ width: `${100 * Math.sqrt(hits / most)}%` }} /></span>
        <b class={hits ? '' : 'dim'}>{amount(hits)}</b>
      </span>
      <span role="cell" class="of-last">{rule.last_hit ? ago(rule.last_hit, now.value) : <span class="dim">never</span>}</span>
    </div>
  )
}
