// Answers on their way. An approval waits in the browser for two seconds, in which it can be taken back; a denial leaves at
// once, because it is the safe side. Somebody else's answer takes back what still waits here.
import { computed, signal } from '@preact/signals'
import { api, Problem } from '../api'
import type { Review, ReviewStatus } from '../types'
import { link } from './connection'
import { endReview, loadReviews } from './reviews'
import { me, whenPersonLeaves } from './session'
import { toast } from './toasts'

export const GRACE = 2000 // ms

export type Answer =
  | { answer: 'approve' }
  | { answer: 'deny'; reason?: string }
  | { answer: 'promote'; rule: { pattern: string; type: 'allow'; scope: string } }

export const leaving = signal<Record<string, Answer['answer']>>({})
const waiting = new Map<string, number>()

export const mayAnswer = computed(() => me.value?.role === 'operator' && link.value === 'live')

export function answer(review: Review, body: Answer) {
  if (!mayAnswer.value || leaving.value[review.id] || review.status !== 'pending') return
  leaving.value = { ...leaving.value, [review.id]: body.answer }
  if (body.answer === 'deny') void send(review, body)
  else waiting.set(review.id, window.setTimeout(() => void send(review, body), GRACE))
}

// takeBack is true if the answer had not left.
export function takeBack(id: string): boolean {
  const timer = waiting.get(id)
  if (timer === undefined) return false
  clearTimeout(timer)
  forget(id)
  return true
}

whenPersonLeaves(() => {
  for (const timer of waiting.values()) clearTimeout(timer)
  waiting.clear()
  leaving.value = {}
})

export const lastWaiting = () => [...waiting.keys()].at(-1)

function forget(id: string) {
  waiting.delete(id)
  const { [id]: _gone, ...rest } = leaving.value
  leaving.value = rest
}

async function send(review: Review, body: Answer) {
  waiting.delete(review.id)
  try {
    const ended = await api<{ status: ReviewStatus }>(`/v1/reviews/${encodeURIComponent(review.id)}`, { body })
    endReview(review.id, { status: ended.status, responded_by: me.value?.name, responded_at: new Date().toISOString() })
  } catch (error) {
    tellFailure(error as Problem)
  } finally {
    forget(review.id)
  }
}

function tellFailure(problem: Problem) {
  if (problem.status === 409) {
    toast(`Your answer does not count: ${problem.detail}`, 'ask', 8000)
    void loadReviews()
  } else if (problem.status === 0 || problem.status >= 500) {
    toast('The service did not say whether it took your answer. Look again when it is back.', 'deny', 9000)
    void loadReviews()
  } else {
    toast(`Your answer was not taken: ${problem.detail}`, 'deny', 9000)
  }
}
