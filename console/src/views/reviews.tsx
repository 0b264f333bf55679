// The queue: next to expire first; on a desk with one review beside it, on a phone as a page of its own.
import { useEffect, useRef } from 'preact/hooks'
import type { Review } from '../types'
import { lastWaiting, leaving } from '../state/answers'
import { now } from '../state/clock'
import { link } from '../state/connection'
import { decisions } from '../state/decisions'
import { shortcutsOn } from '../state/prefs'
import { pending, queue, reviews, reviewsProblem } from '../state/reviews'
import { go, href } from '../state/route'
import { tryNow } from '../state/stream'
import { ago, amount } from '../text/time'
import { headlineOf, isShell, stakesOf } from '../text/words'
import { Call } from '../parts/command'
import { DESK, hasModifier, isTyping, useWide } from '../parts/hooks'
import { Icon } from '../parts/icon'
import { Ring } from '../parts/ring'
import { Empty, Skeleton } from '../parts/states'
import { ROW_MAX, Text } from '../parts/text'
import { Virtual } from '../parts/virtual'
import { undo } from './answerbar'
import { ReviewDetail } from './review'

const endWord = { approved: 'approved', denied: 'denied', expired: 'expired', pending: '' }
const ROW_REM = 6.5

export function Reviews({ id }: { id: string }) {
  const wide = useWide(DESK)
  const all = queue.value
  const chosen = all.find(r => r.id === id)
  const first = useFirst(all)
  const current = chosen ?? (wide && !id ? first : undefined)
  const at = current ? all.indexOf(current) : -1
  useQueueKeys(all, at)

  const next = () => {
    const waits = all.filter(r => r.status === 'pending' && !leaving.value[r.id] && r.id !== current?.id)
    const after = waits.find(r => all.indexOf(r) > at) ?? waits[0]
    if (wide && after) go('reviews', after.id)
    else if (!wide) go('reviews')
  }

  if (reviewsProblem.value && !reviews.value) return <Unreachable detail={reviewsProblem.value.detail} />
  if (link.value === 'lost' && !reviews.value) return <Unreachable detail="The service does not answer." />
  const detail = current ? <ReviewDetail key={current.id} review={current} alone={!wide} next={next} /> : <NoReview id={id} whole={!wide} />
  if (!wide && id) return <div class="review-pane">{reviews.value ? detail : <Skeleton />}</div>
  return (
    <div class="split">
      <section class="queue" aria-label="Waiting reviews">
        <header class="view-head">
          <h1>Reviews</h1>
          <span class="dim">{reviews.value ? `${amount(pending.value.length)} waiting` : ''}</span>
          {all.length > 1 && <span class="dim sort-note">next to expire first</span>}
        </header>
        {!reviews.value ? (
          <Skeleton rows={9} />
        ) : !all.length ? (
          !wide && <NothingWaits />
        ) : wide ? (
          <Virtual items={all} rowRem={ROW_REM} label="Reviews" role="list" selected={at} keyOf={r => r.id} row={(r, _, on) => <Row review={r} on={on} />} />
        ) : (
          <div role="list" aria-label="Reviews">{all.map(r => <Row key={r.id} review={r} on={false} />)}</div>
        )}
      </section>
      {wide && <div class="review-pane">{!reviews.value ? <Skeleton rows={8} /> : all.length ? detail : <NothingWaits />}</div>}
    </div>
  )
}

// What is shown when nobody has chosen: the first that waits, as long as it is there. When it ends, none takes its place under a
// finger that is on its way.
function useFirst(all: Review[]): Review | undefined {
  const shown = useRef('')
  const first = all.find(r => r.id === shown.current) ?? pending.value[0] ?? all[0]
  shown.current = first?.id ?? ''
  return first
}

function useQueueKeys(all: Review[], at: number) {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!shortcutsOn.value || hasModifier(event) || isTyping(event)) return
      const by = { j: 1, k: -1 }[event.key]
      if (by) {
        const next = all[Math.max(0, Math.min(all.length - 1, at + by))]
        if (next) go('reviews', next.id)
      } else if (event.key === 'z') {
        undoLast()
      }
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [all, at])
}

function undoLast() {
  const id = lastWaiting()
  if (id && undo(id)) go('reviews', id)
}

function Row({ review, on }: { review: Review; on: boolean }) {
  const stakes = stakesOf(review)
  const ended = review.status !== 'pending'
  const classes = ['queue-row', `st-${stakes}`, on && 'on', ended && 'ended', leaving.value[review.id] && 'leaving']
  return (
    <div role="listitem" class="queue-item">
      <a class={classes.filter(Boolean).join(' ')} href={href('reviews', review.id)} aria-current={on ? 'true' : undefined}>
        <span class="row-head">
          <span class="row-title"><Text text={headlineOf(review)} max={ROW_MAX} /></span>
          {ended ? <span class={`ended-word is-${review.status}`}>{endWord[review.status]}</span> : <Ring review={review} />}
        </span>
        <span class="row-command"><Call tool={review.tool} shell={isShell(review)} text={review.command_redacted} /></span>
        <span class="row-foot">
          {stakes === 'grave' && <span class="grave"><Icon name="warning" size={13} /> grave</span>}
          <b><Text text={review.worker_id ?? 'no name'} max={ROW_MAX} /></b>
          {review.project_id && <span><Text text={review.project_id} max={ROW_MAX} /></span>}
          {review.task_id && <span><Text text={review.task_id} max={ROW_MAX} /></span>}
          <span class="age">{ago(review.requested_at, now.value)}</span>
        </span>
      </a>
    </div>
  )
}

function NothingWaits() {
  const seen = (decisions.value ?? []).filter(d => d.decision !== 'left-to-client')
  const alone = seen.filter(d => d.decision === 'auto-accept' || d.decision === 'auto-deny').length
  return (
    <Empty icon="check" title="Nothing waits for you">
      {seen.length > 0 && <p class="dim">{Math.floor((100 * alone) / seen.length)} % of the last {amount(seen.length)} calls needed nobody.</p>}
    </Empty>
  )
}

const NoReview = ({ id, whole }: { id: string; whole: boolean }) =>
  id ? (
    <Empty icon="clock" title="This review is over" whole={whole}>
      <p class="dim">It was answered, or its time ran out. <a href={href('decisions')}>The log</a> has what became of it.</p>
      <a class="button" href={href('reviews')}>All reviews</a>
    </Empty>
  ) : (
    <NothingWaits />
  )

const Unreachable = ({ detail }: { detail: string }) => (
  <Empty icon="plug" title="The reviews could not be read" bad whole>
    <p><Text text={detail} /></p>
    <p class="dim">While the service is away, what agents ask is denied.</p>
    <button onClick={tryNow}>Try again</button>
  </Empty>
)
