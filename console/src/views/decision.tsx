// One decision: what was recorded, how it is judged now, what its cell refused, and what can be put back.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { api, detailOf } from '../api'
import type { Contained, ContainedRun, Decision, Explained, Reversible } from '../types'
import { now } from '../state/clock'
import { nameOf } from '../state/reviews'
import { href } from '../state/route'
import { changesOf } from '../text/diff'
import { amount, counted, duration, moment } from '../text/time'
import { isShell, outcomes } from '../text/words'
import { Changes, Given } from '../parts/changes'
import { Command } from '../parts/command'
import { CopyButton } from '../parts/copy'
import { Glyph, Verdict } from '../parts/glyph'
import { useFetched } from '../parts/hooks'
import { Icon } from '../parts/icon'
import { LongText } from '../parts/more'
import { Skeleton } from '../parts/states'
import { Text } from '../parts/text'
import { Trace } from '../parts/trace'
import { Tree } from '../parts/tree'

export function DecisionDrawer({ decision: d, close }: { decision: Decision; close: () => void }) {
  const [explained, setExplained] = useState<Explained | null>(null)
  const [problem, setProblem] = useState('')
  const [hot, setHot] = useState<number | null>(null)
  const isCommand = isShell(d)
  const input = isCommand ? { command: d.command_redacted } : typeof d.input === 'object' ? d.input : null // as far as it was kept
  useEffect(() => {
    if (!input) return
    const body = { tool: d.tool, input, ...(d.mode ? { mode: d.mode } : {}) }
    api<Explained>('/v1/explain', { body }).then(setExplained, error => setProblem(detailOf(error)))
  }, [])
  const { behavior, byPerson } = outcomes[d.decision]
  return (
    <aside class="drawer" aria-label="One decision">
      <header>
        <Verdict outcome={d.decision} />
        <span class="dim">{moment(d.timestamp)}</span>
        <span class="grow" />
        <button class="quiet" aria-label="Close" onClick={close}><Icon name="cross" /></button>
      </header>
      <div class="panel command-panel">{isCommand ? <Command text={d.command_redacted} explained={explained} hot={hot} onHot={setHot} /> : <ToolCall decision={d} />}</div>
      <p class="reason"><Glyph behavior={behavior} byPerson={byPerson} /> <span><Text text={d.reason} /></span></p>
      <Facts decision={d} />
      {d.contained && <ContainedBlock id={d.id} contained={d.contained} />}
      {d.reversible && <UndoBlock saved={d.reversible} cwd={d.cwd} />}
      {input && (
        <section>
          <h2>Judged again now {explained && explained.behavior !== d.behavior && <span class="count">today: {explained.behavior}</span>}</h2>
          {explained ? (
            <>
              <Tree explained={explained} hot={hot} onHot={setHot} />
              <details><summary>Layers</summary><Trace explained={explained} /></details>
            </>
          ) : problem ? <p class="dim"><Text text={problem} /></p> : <Skeleton rows={3} />}
        </section>
      )}
      <footer>
        {isCommand && <a class="button" href={href('try', d.command_redacted)}>Open in playground</a>}
        {d.rule && <a class="button" href={href('rules', '', { q: d.rule })}>Show rule</a>}
      </footer>
    </aside>
  )
}

function ToolCall({ decision: d }: { decision: Decision }) {
  const given = useMemo(() => (typeof d.input === 'object' ? changesOf(d.input, d.command_redacted) : null), [d])
  return (
    <>
      <div class="command"><b><Text text={d.tool} /></b> <code><LongText text={d.command_redacted} /></code></div>
      {given && <Changes changes={given.changes} />}
      {!!given?.others.length && <Given others={given.others} />}
      {typeof d.input === 'string' && <p class="dim in-panel">What it was given is not in the record: {d.input}.</p>}
    </>
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
      {problem ? <p class="dim">What it tried is not known: <Text text={problem} /></p> : !data ? <Skeleton rows={2} /> : !run && <p class="dim">It has not ended yet, or nobody told how.</p>}
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

// What was saved before the call ran. It comes back at a terminal of the machine that has it: docs/console.md says why not here.
function UndoBlock({ saved, cwd }: { saved: Reversible; cwd?: string }) {
  const command = `warder undo ${saved.entry}`
  return (
    <section class="block">
      <h2><Icon name="undo" size={15} /> Saved before it ran <span class="count">{counted(saved.paths, 'path')}</span></h2>
      {saved.left > 0 && <p class="dim">{counted(saved.left, 'path')} of it could not be saved.</p>}
      {Date.parse(saved.until) <= now.value ? (
        <p class="dim">It was kept until {moment(saved.until)}.</p>
      ) : (
        <>
          <p>To put it back, at a terminal of the machine where it ran{cwd && <>, in <code><Text text={cwd} /></code></>}:</p>
          <p class="to-type"><code>{command}</code><CopyButton text={command} /></p>
          <p class="dim small">Kept until {moment(saved.until)}. With <code>--dry-run</code> it says what would change, and changes nothing.</p>
        </>
      )}
    </section>
  )
}
