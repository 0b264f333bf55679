// The log, live: figures, a search, rows, and one decision in a drawer. Scrolling never pauses it; the button does, and says so.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Decision, Stats } from '../types'
import { decisions, decisionsProblem, held, loadDecisions, pause, paused, resume } from '../state/decisions'
import { minute } from '../state/clock'
import { density, shortcutsOn } from '../state/prefs'
import { nameOf } from '../state/reviews'
import { route } from '../state/route'
import { compile, fields } from '../text/query'
import { plainly } from '../text/odd'
import { isShell } from '../text/words'
import { amount, clock, moment } from '../text/time'
import { Chart } from '../parts/chart'
import { Choice } from '../parts/choice'
import { Call } from '../parts/command'
import { Verdict } from '../parts/glyph'
import { DESK, hasModifier, isTyping, useFetched, useWide } from '../parts/hooks'
import { Icon, Kbd } from '../parts/icon'
import { Empty, Skeleton } from '../parts/states'
import { ROW_MAX, Text } from '../parts/text'
import { Virtual } from '../parts/virtual'
import { DecisionDrawer } from './decision'
import { Figures } from './figures'

const ROW_REM = { roomy: 2.55, dense: 2.1, phone: 4.2 }
const STEP = 120 // seconds

type Show = 'all' | 'people' | 'denied' | 'allowed'
const shows: Record<Show, (d: Decision) => boolean> = {
  all: () => true,
  people: d => /^(human|timeout)-/.test(d.decision),
  denied: d => d.behavior === 'deny',
  allowed: d => d.behavior === 'allow',
}

export function Decisions() {
  const wide = useWide(DESK)
  const [search, setSearch] = useState(route.value.query.get('q') ?? '')
  const [show, setShow] = useState<Show>('all')
  const [range, setRange] = useState<[number, number] | null>(null)
  const [openId, setOpenId] = useState<string | null>(null)
  const [figures, setFigures] = useState(false)
  const stats = useFetched<Stats>(`/v1/stats?since=4h&step=${STEP}`, minute.value)
  const asked = route.value.query.get('q')
  useEffect(() => setSearch(asked ?? ''), [asked])

  const query = useMemo(() => compile(search), [search])
  const list = useMemo(() => {
    const within = (d: Decision) => !range || (Date.parse(d.timestamp) / 1000 >= range[0] && Date.parse(d.timestamp) / 1000 <= range[1])
    return (decisions.value ?? []).filter(d => shows[show](d) && within(d) && query.test(d))
  }, [decisions.value, show, range, query])
  const at = openId ? list.findIndex(d => d.id === openId) : -1
  const field = useRef<HTMLInputElement>(null)
  useLogKeys(list, at, setOpenId, field)

  if (decisionsProblem.value && !decisions.value)
    return (
      <Empty icon="plug" title="The log could not be read" bad whole>
        <p><Text text={decisionsProblem.value.detail} /></p>
        <button onClick={() => void loadDecisions()}>Try again</button>
      </Empty>
    )
  const clear = () => {
    setSearch('')
    setShow('all')
    setRange(null)
  }
  return (
    <div class={`with-drawer ${at >= 0 ? 'open' : ''}`}>
      <div class="drawer-main">
        <header class="view-head">
          <h1>Decisions</h1>
          {!wide && <button class="quiet" aria-expanded={figures} onClick={() => setFigures(!figures)}><Icon name="pulse" size={14} /> Figures</button>}
          <span class="grow" />
          <TailButton />
        </header>
        {(wide || figures) && !stats.problem && (
          <section class="charts" aria-label="Figures">
            {stats.data ? (
              <>
                <div class="chart-box">
                  <h2>Decisions, each 2 minutes <span class="dim">drag to narrow</span></h2>
                  <Chart stats={stats.data} onRange={(from, to) => setRange([from, to])} />
                </div>
                <Figures stats={stats.data} search={setSearch} />
              </>
            ) : <Skeleton rows={4} />}
          </section>
        )}
        <div class="filters">
          <label class="search">
            <Icon name="search" />
            <input ref={field} value={search} spellcheck={false} aria-label="Search decisions" placeholder="Search commands, or agent:codex decision:human" onInput={e => setSearch(e.currentTarget.value)} />
            <Kbd keys="/" />
          </label>
          <Choice label="Show" value={show} onPick={setShow} options={[['all', 'All'], ['people', 'People'], ['denied', 'Denied'], ['allowed', 'Allowed']]} />
          {range && <button class="pill" onClick={() => setRange(null)}>{hourOf(range[0])} to {hourOf(range[1])} <Icon name="cross" size={13} /></button>}
          <span class="dim shown" role="status">{amount(list.length)} shown</span>
        </div>
        {query.unknown.length > 0 && <p class="warn-line in-view"><Icon name="warning" size={14} /> There is no field <Text text={query.unknown.map(u => `“${u}”`).join(', ')} />. Fields: {Object.keys(fields).join(', ')}.</p>}
        {!decisions.value ? (
          <Skeleton rows={14} />
        ) : list.length ? (
          <Virtual items={list} rowRem={wide ? ROW_REM[density.value] : ROW_REM.phone} label="Decisions, the newest first" role="grid" selected={at} keyOf={d => d.id}
            row={(d, i, on) => <Row decision={d} index={i} on={on} open={setOpenId} />} />
        ) : (
          <Empty icon="search" title={decisions.value.length ? 'No decision matches' : 'No decision yet'}>
            {decisions.value.length > 0 && <p class="dim">Try fewer words, or <button class="link" onClick={clear}>clear the filters</button>.</p>}
          </Empty>
        )}
      </div>
      {at >= 0 && <DecisionDrawer key={list[at].id} decision={list[at]} close={() => setOpenId(null)} />}
    </div>
  )
}

const hourOf = (seconds: number) => clock(new Date(seconds * 1000).toISOString()).slice(0, 5)

function useLogKeys(list: Decision[], at: number, open: (id: string | null) => void, field: { current: HTMLInputElement | null }) {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !(event.target as Element).closest('dialog')) {
        if (document.activeElement === field.current) field.current?.blur()
        else open(null)
      }
      if (!shortcutsOn.value || hasModifier(event) || isTyping(event)) return
      const by = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key]
      if (by) {
        event.preventDefault()
        open(list[Math.max(0, Math.min(list.length - 1, at + by))]?.id ?? null)
      } else if (event.key === '/') {
        event.preventDefault()
        field.current?.focus()
      } else if (event.key === 'l') paused.value ? resume() : pause()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [list, at])
}

function TailButton() {
  return paused.value ? (
    <button class="tail paused" onClick={resume}><Icon name="pause" size={14} /> Paused, {amount(held.value.length)} new <Kbd keys="L" /></button>
  ) : (
    <button class="tail" onClick={pause}><i /> Live <Kbd keys="L" /></button>
  )
}

function Row({ decision: d, index, on, open }: { decision: Decision; index: number; on: boolean; open: (id: string) => void }) {
  return (
    <div class={`log-row is-${d.behavior} ${on ? 'on' : ''}`} role="row" aria-selected={on} aria-rowindex={index + 1} onClick={() => open(d.id)}>
      <time role="gridcell">{moment(d.timestamp)}</time>
      <span role="gridcell" class="of-verdict"><Verdict outcome={d.decision} /></span>
      <span role="gridcell" class="of-command"><Call tool={d.tool} shell={isShell(d)} text={d.command_redacted} /></span>
      <span role="gridcell" class="of-agent"><Text text={d.worker_id ?? ''} max={ROW_MAX} /></span>
      <span role="gridcell" class="of-project"><Text text={d.project_id ?? ''} max={ROW_MAX} /></span>
      <span role="gridcell" class="of-reason" title={plainly(d.reason)}>{d.answered_by ? <><Icon name="person" size={13} /> <Text text={nameOf(d.answered_by)} max={ROW_MAX} /></> : <Text text={d.rule ?? d.layer} max={ROW_MAX} />}</span>
    </div>
  )
}
