// One review: who wants what, what it would do, why it is asked, and the answer.
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Explained, Review } from '../types'
import { answer } from '../state/answers'
import { now } from '../state/clock'
import { fetchInput } from '../state/reviews'
import { href } from '../state/route'
import { me } from '../state/session'
import { changesOf } from '../text/diff'
import { oddities } from '../text/odd'
import { term } from '../text/query'
import { BLANK, secretRanges } from '../text/secrets'
import { ago, clock, moment } from '../text/time'
import { headlineOf, inDirectory, isShell, reasonOf, stakesOf } from '../text/words'
import { Changes, Given } from '../parts/changes'
import { Command, Inline } from '../parts/command'
import { CopyButton } from '../parts/copy'
import { Glyph } from '../parts/glyph'
import { Icon } from '../parts/icon'
import { LongText } from '../parts/more'
import { Ring } from '../parts/ring'
import { Notice, Skeleton } from '../parts/states'
import { Sentence, Text } from '../parts/text'
import { Trace } from '../parts/trace'
import { Tree } from '../parts/tree'
import { AnswerBar } from './answerbar'
import { Promote, Suggestion } from './promote'

const ASK_LAYER = 'ask-rules' // the layer of rules that ask on purpose

// A list leaves out what a tool was given if that is long; whoever answers must see all of it.
function useWholeInput(review: Review) {
  const isMissing = review.input === null && review.status === 'pending'
  useEffect(() => void (isMissing && fetchInput(review.id)), [review.id, isMissing])
  return !isMissing
}

export function ReviewDetail({ review, alone, next }: { review: Review; alone: boolean; next: () => void }) {
  const isWhole = useWholeInput(review)
  const [hot, setHot] = useState<number | null>(null)
  const [promoting, setPromoting] = useState(false)
  const [revealed, setRevealed] = useState(false)
  const ranges = useMemo(() => secretRanges(review.command, review.command_redacted), [review.command, review.command_redacted])
  const explained = review.explain ?? null
  const stakes = stakesOf(review)
  const viewer = me.value?.role !== 'operator'
  const secrets = revealed ? [] : ranges.map(([from, to]) => review.command.slice(from, to))
  const offered = !!explained && !explained.immune && explained.suggestions.length > 0 && stakes !== 'grave' && !ranges.length
  const mayPromote = offered && !viewer && review.status === 'pending' && review.approvable
  const given = useMemo(() => changesOf(review.input, review.command), [review.input, review.command])
  const isInput = !!review.input && JSON.stringify(review.input) === review.command // a tool that Warder does not know
  const marked = viewer && review.command.includes(BLANK) ? null : explained // its places are those of the true text

  return (
    <article class={`review st-${stakes}`} data-id={review.id} aria-labelledby="headline">
      {alone && <a class="back-link" href={href('reviews')}><Icon name="back" /> All reviews</a>}
      <header class="review-head">
        <p class="who-asks">
          <b><Icon name="person" size={14} /><Text text={review.worker_id ?? 'An agent without a name'} /></b>
          {review.project_id && <> in <b><Text text={review.project_id} /></b></>}
          {review.task_id && <> for <b><Text text={review.task_id} /></b></>} wants to run <Text text={review.tool} />
        </p>
        {review.status === 'pending' && <Ring review={review} />}
        <h1 id="headline"><Sentence text={headlineOf(review)} /></h1>
      </header>

      <Warnings review={review} viewer={viewer} />

      <section class="panel command-panel" aria-label="The call">
        {given?.changes.length ? (
          <Changes changes={given.changes} />
        ) : (
          !(given && isInput) && <Command text={review.command} explained={marked} secrets={revealed ? [] : ranges} large hot={hot} onHot={setHot} />
        )}
        {!!given?.others.length && <Given others={given.others} />}
        {!isWhole && <Skeleton rows={4} />}
        <div class="command-foot">
          <span class="place"><Icon name="file" size={13} /> <code><Text text={review.context.worktree_path ?? explained?.cwd ?? 'directory not known'} /></code></span>
          {ranges.length > 0 && (
            <span class="secret-note">
              <Icon name="lock" size={13} /> a secret, blanked in the log
              {!viewer && <button class="quiet" aria-pressed={revealed} onClick={() => setRevealed(!revealed)}>{revealed ? 'Hide' : 'Show'}</button>}
            </span>
          )}
          <CopyButton text={review.command} />
          {isShell(review) && <a class="quiet button" href={href('try', review.command_redacted)}>Open in playground</a>}
        </div>
      </section>

      {promoting && explained && (
        <Promote review={review} explained={explained} close={() => setPromoting(false)}
          done={(pattern, scope) => {
            setPromoting(false)
            answer(review, { answer: 'promote', rule: { pattern, type: 'allow', scope } })
            next()
          }} />
      )}

      <div class="review-columns" inert={promoting && alone}>
        <div class="column">
          {explained ? (
            <>
              <WhatItDoes explained={explained} secrets={secrets} hot={hot} onHot={setHot} />
              <WhyAsked explained={explained} />
              {mayPromote && !promoting && <Suggestion review={review} explained={explained} open={() => setPromoting(true)} />}
              {!viewer && !offered && <NoRule explained={explained} hasSecret={ranges.length > 0} />}
            </>
          ) : (
            <section class="panel"><h2>Why you are asked</h2><p><Text text={review.reason} /></p></section>
          )}
        </div>
        <Asker review={review} />
      </div>

      {!viewer && <AnswerBar review={review} isWhole={isWhole} grave={stakes === 'grave'} mayPromote={mayPromote} promoting={promoting} promote={() => setPromoting(true)} next={next} />}
    </article>
  )
}

function Warnings({ review, viewer }: { review: Review; viewer: boolean }) {
  const odd = oddities(review.command)
  const by = review.responded_by && review.responded_by === me.value?.name ? 'You' : review.responded_by || 'Somebody'
  return (
    <>
      {review.status === 'expired' && <Ended behavior="deny">Nobody answered in time: the call was denied.</Ended>}
      {review.status === 'approved' && <Ended behavior="allow" byPerson><b><Text text={by} /></b> approved this{review.responded_at && ` at ${clock(review.responded_at)}`}. Your keys do nothing here any more.</Ended>}
      {review.status === 'denied' && <Ended behavior="deny" byPerson><b><Text text={by} /></b> denied this{review.responded_at && ` at ${clock(review.responded_at)}`}. Your keys do nothing here any more.</Ended>}
      {review.status === 'pending' && !review.approvable && (
        <Notice icon="warning" tone="ask">The service was restarted and does not know the whole call any more. You can deny it; it can be approved when the agent asks again.</Notice>
      )}
      {odd.length > 0 && <Notice icon="warning" tone="deny" alert><b>Not what it looks like.</b> The command has {odd.join('; ')}. Copying it gives the true text.</Notice>}
      {viewer && <Notice icon="eye">You may look (role viewer). Secrets are blanked, and operators answer.</Notice>}
    </>
  )
}

const Ended = ({ behavior, byPerson, children }: { behavior: 'allow' | 'deny'; byPerson?: boolean; children: ComponentChildren }) => (
  <div class={`ended-note is-${behavior}`} role="status">
    <Glyph behavior={behavior} byPerson={byPerson} size={18} />
    <span>{children}</span>
  </div>
)

function WhatItDoes({ explained, secrets, hot, onHot }: { explained: Explained; secrets: string[]; hot: number | null; onHot: (action: number | null) => void }) {
  const open = explained.actions.filter(a => !a.cleared_by).length
  return (
    <section class="panel">
      <h2>What it does <span class="count">{open === 0 ? 'all steps are cleared, and a rule asks' : `${open} of ${explained.actions.length} not cleared`}</span></h2>
      <Tree explained={explained} secrets={secrets} hot={hot} onHot={onHot} />
    </section>
  )
}

function WhyAsked({ explained: e }: { explained: Explained }) {
  const place = e.rule_at?.file && `${e.rule_at.file.split('/').pop()}:${e.rule_at.line}`
  return (
    <section class="panel">
      <h2>Why you are asked</h2>
      <p class="reason">
        <Glyph behavior="ask" size={16} />
        <span>
          {e.rule && e.layer === ASK_LAYER ? (
            <>The rule <code><Text text={e.rule} /></code> asks on purpose{place && <> (<a href={href('rules')}><Text text={place} /></a>)</>}.</>
          ) : e.why?.path && e.why.what ? (
            <>It touches <code><Text text={inDirectory(e.why.path, e.cwd)} /></code>: <Text text={e.why.what} />.</>
          ) : (
            <><Text text={reasonOf(e)} />{!e.immune && ', and no rule clears that'}.</>
          )}
        </span>
      </p>
      <p class="dim small">Profile {e.profile}, mode {e.mode}, layer {e.layer}.</p>
      <details>
        <summary>All {e.trace.length} layers</summary>
        <Trace explained={e} />
      </details>
    </section>
  )
}

function NoRule({ explained, hasSecret }: { explained: Explained; hasSecret: boolean }) {
  const write = <a href={href('rules', 'new')}>write it</a>
  return (
    <section class="panel sunken">
      <h2>No rule is offered</h2>
      {explained.immune && explained.layer !== ASK_LAYER ? (
        <p class="dim">No rule can answer this one for you.</p>
      ) : explained.immune ? (
        <p class="dim">An ask rule stands above allow rules. To end these questions, <a href={href('rules')}>change the ask rule</a> itself.</p>
      ) : hasSecret ? (
        <p class="dim">A rule would keep the secret of this command. If you do mean a rule, {write} in your own words.</p>
      ) : explained.suggestions.length ? (
        <p class="dim">What this touches is grave: answer it each time. If you do mean a rule, {write} in your own words.</p>
      ) : (
        <p class="dim">No rule of one line would clear it.</p>
      )}
    </section>
  )
}

function Asker({ review }: { review: Review }) {
  const { task_description, recent_commands } = review.context
  return (
    <aside class="column" aria-label="Who asks">
      <section class="panel">
        <h2>Task</h2>
        <p class="task">{task_description ? <LongText text={task_description} /> : <span class="dim">The agent did not say.</span>}</p>
        <dl>
          <dt>Agent</dt>
          <dd>{review.worker_id ? <a href={href('decisions', '', { q: term('agent', review.worker_id) })}><Text text={review.worker_id} /></a> : 'no name'}</dd>
          {review.session_id && <><dt>Session</dt><dd><a href={href('agents')}><Text text={review.session_id} /></a></dd></>}
          <dt>Asked</dt>
          <dd>{moment(review.requested_at)}, {ago(review.requested_at, now.value)}</dd>
          <dt>Ends</dt>
          <dd>{moment(review.expires_at)}: denied then</dd>
        </dl>
      </section>
      <section class="panel">
        <h2>Before this</h2>
        {recent_commands.length ? <ol class="recent">{recent_commands.map(c => <li><Inline text={c} wraps /></li>)}</ol> : <p class="dim">Its first command in this session.</p>}
      </section>
    </aside>
  )
}
