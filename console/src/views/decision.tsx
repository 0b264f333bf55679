// One decision: what was recorded, how it is judged now, what its cell refused, and what can be put back.
import { useEffect, useState } from 'preact/hooks'
import { api, detailOf, Problem } from '../api'
import type { Contained, ContainedRun, Decision, Explained, Reversible } from '../types'
import { now } from '../state/clock'
import { nameOf } from '../state/reviews'
import { href } from '../state/route'
import { me } from '../state/session'
import { toast } from '../state/toasts'
import { amount, clock, counted, duration } from '../text/time'
import { outcomes } from '../text/words'
import { Command } from '../parts/command'
import { Glyph, Verdict } from '../parts/glyph'
import { useFetched } from '../parts/hooks'
import { Icon } from '../parts/icon'
import { Skeleton } from '../parts/states'
import { Text } from '../parts/text'
import { Trace } from '../parts/trace'
import { Tree } from '../parts/tree'

export function DecisionDrawer({ decision: d, close }: { decision: Decision; close: () => void }) {
  const [explained, setExplained] = useState<Explained | null>(null)
  const [problem, setProblem] = useState('')
  const [hot, setHot] = useState<number | null>(null)
  const isCommand = d.tool === 'Bash'
  useEffect(() => {
    if (!isCommand) return
    const body = { tool: d.tool, input: { command: d.command_redacted }, ...(d.mode ? { mode: d.mode } : {}) }
    api<Explained>('/v1/explain', { body }).then(setExplained, error => setProblem(detailOf(error)))
  }, [])
  const { behavior, byPerson } = outcomes[d.decision]
  return (
    <aside class="drawer" aria-label="One decision">
      <header>
        <Verdict outcome={d.decision} />
        <span class="dim">{clock(d.timestamp)}</span>
        <span class="grow" />
        <button class="quiet" aria-label="Close" onClick={close}><Icon name="cross" /></button>
      </header>
      <div class="panel command-panel">{isCommand ? <Command text={d.command_redacted} explained={explained} hot={hot} onHot={setHot} /> : <div class="command"><b>{d.tool}</b> <code><Text text={d.command_redacted} /></code></div>}</div>
      <p class="reason"><Glyph behavior={behavior} byPerson={byPerson} /> <span><Text text={d.reason} /></span></p>
      <Facts decision={d} />
      {d.contained && <ContainedBlock id={d.id} contained={d.contained} />}
      {d.reversible && <UndoBlock saved={d.reversible} />}
      {isCommand && (
        <section>
          <h2>Judged again now {explained && explained.behavior !== d.behavior && <span class="count">today: {explained.behavior}</span>}</h2>
          {explained ? (
            <>
              <Tree explained={explained} hot={hot} onHot={setHot} />
              <details><summary>Layers</summary><Trace explained={explained} /></details>
            </>
          ) : problem ? <p class="dim">{problem}</p> : <Skeleton rows={3} />}
        </section>
      )}
      <footer>
        {isCommand && <a class="button" href={href('try', d.command_redacted)}>Open in playground</a>}
        {d.rule && <a class="button" href={href('rules', '', { q: d.rule })}>Show rule</a>}
      </footer>
    </aside>
  )
}

function Facts({ decision: d }: { decision: Decision }) {
  return (
    <dl>
      <dt>Agent</dt>
      <dd><Text text={d.worker_id ?? 'no name'} /> {d.session_id && <span class="dim"><Text text={d.session_id} /></span>}</dd>
      {(d.task_id || d.project_id) && <><dt>Task</dt><dd><Text text={[d.task_id, d.project_id && `in ${d.project_id}`].filter(Boolean).join(' ')} /></dd></>}
      {d.answered_by && <><dt>Answered by</dt><dd><Text text={nameOf(d.answered_by)} />{d.answer_reason && <>: <Text text={d.answer_reason} /></>}</dd></>}
      <dt>Layer</dt>
      <dd>{d.layer}</dd>
      {d.mode && <><dt>Mode</dt><dd>{d.mode} {d.profile && <span class="dim">profile {d.profile}</span>}</dd></>}
      <dt>Took</dt>
      <dd>{duration(d.response_time_ms)}</dd>
      <dt>Record</dt>
      <dd>{d.record ?? 'new'} <code class="dim">{d.id.slice(0, 14)}</code></dd>
    </dl>
  )
}

const refusedWord: Record<string, string> = { write: 'write to', connect: 'connect to', name: 'make', made: 'keep, and moved away,', stays: 'keep, and could not move away,' }

// What the record has of the run: it is written when the run has ended.
function ContainedBlock({ id, contained }: { id: string; contained: Contained }) {
  const { data, problem } = useFetched<{ run: ContainedRun | null }>(`/v1/decisions/${encodeURIComponent(id)}`)
  const run = data?.run
  const refused = run?.refused ?? []
  const connections = run?.connections ?? []
  return (
    <section class="block">
      <h2><Icon name="cell" size={15} /> Ran in the sandbox {refused.length > 0 && <span class="count">{counted(refused.length + (run?.more ?? 0), 'thing')} refused</span>}</h2>
      {contained.why && <p class="dim"><Text text={contained.why} /></p>}
      {problem ? <p class="dim">What it tried is not known: {problem}</p> : !data ? <Skeleton rows={2} /> : !run && <p class="dim">It has not ended yet, or nobody told how.</p>}
      {run && refused.length === 0 && <p class="dim">It tried nothing that the sandbox refuses.</p>}
      <ul class="refused">
        {refused.map(r => <li><Glyph behavior="deny" size={13} /><span>{refusedWord[r.kind] ?? r.kind} <code><Text text={r.what} /></code></span></li>)}
        {!!run?.more && <li class="dim"><span /><span>and {run.more} more</span></li>}
        {connections.map(c => <li><Glyph behavior="allow" size={13} /><span>connected to <code><Text text={`${c.host}:${c.port}`} /></code> <span class="dim small">{amount(c.sent)} bytes out, {amount(c.received)} in</span></span></li>)}
      </ul>
      {run?.code !== undefined && <p class="dim small">It ended with exit code {run.code}.</p>}
    </section>
  )
}

// What was destroyed is kept; putting it back needs two presses, because it overwrites what is there now.
function UndoBlock({ saved }: { saved: Reversible }) {
  const [sure, setSure] = useState(false)
  const [restored, setRestored] = useState(false)
  const [byHand, setByHand] = useState(false)
  const over = !!saved.until && Date.parse(saved.until) <= now.value
  const restore = async () => {
    if (!sure) return setSure(true)
    try {
      await api(`/v1/undo/${encodeURIComponent(saved.entry)}`, { body: {} })
      setRestored(true)
      toast('Put back.', 'allow')
    } catch (error) {
      if (error instanceof Problem && [404, 405].includes(error.status)) setByHand(true)
      toast(detailOf(error), 'deny', 8000)
    }
  }
  return (
    <section class="block">
      <h2><Icon name="undo" size={15} /> Saved before it ran <span class="count">{counted(saved.paths, 'file')}</span></h2>
      {saved.left ? <p class="dim">{counted(saved.left, 'file')} of it could not be saved.</p> : null}
      {restored ? (
        <p class="dim">It was put back.</p>
      ) : over ? (
        <p class="dim">It was kept until {clock(saved.until!)}.</p>
      ) : byHand ? (
        <p class="dim">This service cannot put it back. Where the agent ran: <code>warder undo {saved.entry}</code></p>
      ) : me.value?.role === 'operator' ? (
        <button class={sure ? 'danger on' : ''} onClick={restore}>{sure ? `Put ${counted(saved.paths, 'file')} back over what is there now` : 'Put back…'}</button>
      ) : (
        <p class="dim">An operator can put it back.</p>
      )}
    </section>
  )
}
