// The page behind the link of a notice: the call, and one button. Opening it answers nothing, and it needs no session; the link
// says by itself who answers and what.
import { useEffect, useState } from 'preact/hooks'
import { api, detailOf, Problem } from '../api'
import type { LinkLook } from '../types'
import { now } from '../state/clock'
import { answerLink } from '../state/session'
import { start } from '../state/stream'
import { oddities } from '../text/odd'
import { moment } from '../text/time'
import { headlineOf } from '../text/words'
import { Command } from '../parts/command'
import { Icon } from '../parts/icon'
import { Ring } from '../parts/ring'
import { Empty, Notice, Skeleton } from '../parts/states'
import { Text } from '../parts/text'
import { firstPressOnly, useSettled } from './guard'

const said = { approve: 'Approved, once.', deny: 'Denied.' }
const button = { approve: 'Approve once', deny: 'Deny' }

// The console itself, for whoever is signed in here or wants to be.
function leave(id?: string) {
  answerLink.value = ''
  location.hash = id ? `/reviews/${id}` : '/reviews'
  void start()
}

export function AnswerByLink({ link }: { link: string }) {
  const [look, setLook] = useState<LinkLook | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [state, setState] = useState<'asks' | 'sends' | 'done'>('asks')
  const { settled, hasSettled } = useSettled()
  useEffect(() => void api<LinkLook>('/v1/links/look', { body: { link } }).then(setLook, setProblem), [link])

  const answer = async () => {
    if (state !== 'asks' || !hasSettled()) return
    setState('sends')
    try {
      await api('/v1/links/answer', { body: { link } })
      setState('done')
    } catch (error) {
      setProblem(error instanceof Problem ? error : new Problem(0, detailOf(error)))
    }
  }

  if (problem)
    return (
      <Page>
        <Empty icon={problem.status === 409 ? 'clock' : 'warning'} title={problem.status === 409 ? 'This review is over' : 'This link answers nothing'} bad={problem.status !== 409} whole>
          <p><Text text={problem.detail} /></p>
          <button onClick={() => leave()}>Open the console</button>
        </Empty>
      </Page>
    )
  if (!look) return <Page><Skeleton rows={5} /></Page>
  if (state === 'done')
    return (
      <Page>
        <Empty icon="check" title={said[look.answer]} whole>
          <p class="dim">The record has it as <b><Text text={look.by} /></b>. This link is used up.</p>
          <button onClick={() => leave()}>Open the console</button>
        </Empty>
      </Page>
    )
  return <Page><Asks look={look} settled={settled} sends={state === 'sends'} answer={() => void answer()} /></Page>
}

const Page = ({ children }: { children: preact.ComponentChildren }) => <main id="main" class="by-link">{children}</main>

function Asks({ look, settled, sends, answer }: { look: LinkLook; settled: boolean; sends: boolean; answer: () => void }) {
  const { review } = look
  const over = Date.parse(review.expires_at) <= now.value
  const odd = oddities(review.command_redacted)
  return (
    <article class={`review st-${review.stakes ?? 'grave'}`} data-id={review.id} aria-labelledby="headline">
      <header class="review-head">
        <p class="who-asks"><b><Icon name="person" size={14} /><Text text={review.worker_id ?? 'An agent without a name'} /></b>{review.project_id && <> in <b><Text text={review.project_id} /></b></>} wants to run <Text text={review.tool} /></p>
        <Ring review={review} />
        <h1 id="headline"><Text text={headlineOf(review)} /></h1>
      </header>
      {odd.length > 0 && <Notice icon="warning" tone="deny">Not what it looks like: it has {odd.join(', ')}.</Notice>}
      <section class="panel command-panel" aria-label="The call">
        <Command text={review.command_redacted} large />
      </section>
      <p class="dim">Asked at {moment(review.requested_at)}. Secrets are blanked here. You answer as <b><Text text={look.by} /></b>.</p>
      <p><button class="link" onClick={() => leave(review.id)}>Open the whole review</button></p>
      <footer class={`answers ${settled ? '' : 'cold'}`} role="group" aria-label="Answer">
        <button class={`answer ${look.answer === 'deny' ? 'deny' : 'allow'} wide`} disabled={over || sends || !settled} onKeyDown={firstPressOnly} onClick={answer}><Icon name={look.answer === 'deny' ? 'cross' : 'check'} size={18} /><span>{sends ? 'Sending…' : button[look.answer]}</span></button>
      </footer>
    </article>
  )
}
