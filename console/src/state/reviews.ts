// The queue of reviews: what the service lists, changed by its events.
import { computed, signal } from '@preact/signals'
import { api, Problem } from '../api'
import type { Review, ReviewStatus } from '../types'
import { person, whenPersonLeaves } from './session'

const ENDED_STAYS = 8000 // ms: long enough to read who answered
const ENDED_KNOWN = 2000

export const reviews = signal<Review[] | null>(null)
export const reviewsProblem = signal<Problem | null>(null)

export const queue = computed(() =>
  [...(reviews.value ?? [])].sort((a, b) => Date.parse(a.expires_at) - Date.parse(b.expires_at) || a.id.localeCompare(b.id)),
)
export const pending = computed(() => queue.value.filter(r => r.status === 'pending'))

// Ids of those that have ended: what was asked for before may arrive after that, and still call them pending.
const ended = new Set<string>()

const isOpen = (review: Review) => review.status === 'pending' && !ended.has(review.id)

async function listPending(): Promise<Review[]> {
  const listed = new Map<string, Review>() // a page may repeat what the one before it had
  let cursor: string | null = null
  do {
    const page: { reviews: Review[]; next: string | null } = await api(
      `/v1/reviews?status=pending&limit=500${cursor ? '&cursor=' + encodeURIComponent(cursor) : ''}`,
    )
    for (const review of page.reviews) listed.set(review.id, review)
    cursor = page.next
  } while (cursor)
  return [...listed.values()]
}

let loading: Promise<void> | null = null
let again = false

// loadReviews: one list at a time; whoever wants one meanwhile gets one that was begun after that.
export function loadReviews(): Promise<void> {
  if (loading) {
    again = true
    return loading
  }
  const mine = person.value
  loading = (async () => {
    do {
      again = false
      await load(mine)
    } while (again && mine === person.value)
    if (mine === person.value) loading = null
  })()
  return loading
}

whenPersonLeaves(() => {
  loading = null
  again = false
  reviews.value = null
  reviewsProblem.value = null
})

async function load(mine: number) {
  const before = new Set(reviews.value?.map(r => r.id))
  try {
    const listed = (await listPending()).filter(isOpen)
    if (mine !== person.value) return
    const known = new Set(listed.map(r => r.id))
    // Those that have ended stay for their while, and so do those that came while the list was on its way.
    const others = (reviews.value ?? []).filter(r => !known.has(r.id) && (r.status !== 'pending' || !before.has(r.id)))
    reviews.value = [...listed, ...others]
    reviewsProblem.value = null
  } catch (error) {
    if (mine === person.value) reviewsProblem.value = error as Problem
  }
}

export interface Ending {
  status: ReviewStatus
  responded_by?: string | null
  responded_at?: string | null
}

// endReview: somebody answered, or the time is over. It stays for a while, so that nobody wonders where it went.
export function endReview(id: string, ending: Ending) {
  ended.add(id)
  if (ended.size > ENDED_KNOWN) ended.delete(ended.values().next().value!)
  if (!reviews.value?.some(r => r.id === id && r.status === 'pending')) return
  reviews.value = reviews.value.map(r => (r.id === id ? { ...r, ...ending } : r))
  setTimeout(() => {
    reviews.value = (reviews.value ?? []).filter(r => r.id !== id)
  }, ENDED_STAYS)
}

// fetchReview: an event tells of a review in short; the whole is asked for, as this person may see it.
export async function fetchReview(id: string): Promise<Review | null> {
  const mine = person.value
  const review = await api<Review>(`/v1/reviews/${encodeURIComponent(id)}`).catch(() => null)
  if (mine !== person.value || !review || !isOpen(review) || reviews.value?.some(r => r.id === id)) return null
  reviews.value = [...(reviews.value ?? []), review]
  return review
}

// fetchInput: what a tool was given, where a list has left it out.
export async function fetchInput(id: string) {
  const mine = person.value
  const whole = await api<Review>(`/v1/reviews/${encodeURIComponent(id)}`).catch(() => null)
  if (mine === person.value && whole?.input) reviews.value = (reviews.value ?? []).map(r => (r.id === id ? { ...r, input: whole.input } : r))
}

// "op1 (10832fac6c83ed9e)" is a name and the id of a token.
export const nameOf = (by: string | null | undefined) => (by ?? '').replace(/ \([^)]*\)$/, '')
