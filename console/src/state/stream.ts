// The event stream. It comes back by itself; after a gap, or when the service is another one than before, all is read again.
import { signal } from '@preact/signals'
import type { Decision, Review } from '../types'
import { takeBack } from './answers'
import { whenClocksPart } from './clock'
import { link, lostSince } from './connection'
import { arrived, loadDecisions } from './decisions'
import { oneOrAll } from './gather'
import { announce } from './notices'
import { endReview, fetchReview, loadReviews, nameOf, reviews } from './reviews'
import { loadMe, signedOut, whenOtherTabSignsIn, whenPersonLeaves } from './session'

const FIRST_RETRY = 500
const LAST_RETRY = 15000
const GREETING_LATE = 1500 // ms: a page without a stream still has lists
const CLOSED_BY_POLICY = 1008 // the session or its token was revoked

export const rulesChanged = signal(0) // counts: views that show rules read them again

interface Event {
  type: string
  cursor: number
  review?: Review
  decision?: Decision
}
interface Greeting {
  events: Event[]
  cursor: number
  epoch: string
  missed: boolean
}

whenClocksPart(() => void loadMe().catch(() => {}))

let cursor: number | null = null
let epoch = ''
let tries = 0
let retry = 0
let socket: WebSocket | null = null
let greet = () => {} // the stream has begun, or will not

whenPersonLeaves(() => {
  const theirs = socket
  socket = null
  cursor = null
  epoch = ''
  theirs?.close()
})

export async function start() {
  try {
    await loadMe()
  } catch {
    if (!signedOut.value) lost()
    return
  }
  const greeted = connect()
  // A first stream tells of nothing that was before it: lists are asked for when it has begun, so that nothing falls between.
  if (cursor === null) await Promise.race([greeted, new Promise(late => setTimeout(late, GREETING_LATE))])
  await Promise.all([loadReviews(), loadDecisions()])
}

export function tryNow() {
  clearTimeout(retry)
  tries = 0
  void start()
}

whenOtherTabSignsIn(tryNow)

function connect(): Promise<void> {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const after = cursor === null ? '' : `&cursor=${cursor}`
  const mine = new WebSocket(`${scheme}://${location.host}/v1/events?types=review,decision,rules,policy${after}`)
  socket?.close()
  socket = mine
  mine.onopen = () => {
    tries = 0
    lostSince.value = 0
    link.value = 'live'
  }
  mine.onmessage = message => socket === mine && receive(JSON.parse(message.data))
  const greeted = new Promise<void>(done => (greet = done))
  mine.onclose = closed => {
    if (socket !== mine) return
    greet()
    socket = null
    if (closed.code === CLOSED_BY_POLICY) void loadMe().catch(() => {})
    lost()
  }
  return greeted
}

function lost() {
  link.value = 'lost'
  lostSince.value ||= Date.now()
  const pause = Math.min(LAST_RETRY, FIRST_RETRY * 2 ** tries++) * (0.7 + 0.6 * Math.random())
  clearTimeout(retry)
  retry = window.setTimeout(() => void start(), pause)
}

function receive(message: Greeting | Event) {
  if (!('events' in message)) return one(message)
  if (message.missed || (epoch && epoch !== message.epoch)) void Promise.all([loadReviews(), loadDecisions()])
  epoch = message.epoch
  cursor = message.cursor
  message.events.forEach(one)
  greet()
}

function one(event: Event) {
  cursor = event.cursor ?? cursor
  if (event.type === 'decision' && event.decision) arrived(event.decision)
  else if (event.type === 'review' && event.review) reviewed(event.review)
  else if (event.type === 'rules' || event.type === 'policy') rulesChanged.value++
}

const ask = oneOrAll(id => void fetchReview(id).then(review => review && announce(review)), loadReviews)

function reviewed(told: Review) {
  if (told.status === 'pending') {
    if (!reviews.value?.some(r => r.id === told.id)) ask(told.id)
  } else {
    takeBack(told.id)
    endReview(told.id, { status: told.status, responded_by: nameOf(told.responded_by), responded_at: told.responded_at })
  }
}
