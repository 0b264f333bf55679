// The queue of reviews: what the service lists, changed by its events.
import { computed, signal } from '@preact/signals'
import { api, Problem } from '../api'
import type { Review, ReviewStatus } from '../types'

const ENDED_STAYS = 8000 // ms: long enough to read who answered

export const reviews = signal<Review[] | null>(null)
export const reviewsProblem = signal<Problem | null>(null)

export const queue = computed(() =>
  [...(reviews.value ?? [])].sort((a, b) => Date.parse(a.expires_at) - Date.parse(b.expires_at) || a.id.localeCompare(b.id)),
)
export const pending = computed(() => queue.value.filter(r => r.status === 'pending'))

export async function loadReviews() {
  try {
    const listed: Review[] = []
    let cursor: string | null = null
    do {
      const page: { reviews: Review[]; next: string | null } = await api(
        `/v1/reviews?status=pending&limit=500${cursor ? '&cursor=' + encodeURIComponent(cursor) : ''}`,
      )
      listed.push(...page.reviews)
      cursor = page.next
    } while (cursor)
    const ended = (reviews.value ?? []).filter(r => r.status !== 'pending' && !listed.some(l => l.id === r.id))
    reviews.value = [...listed, ...ended]
    reviewsProblem.value = null
  } catch (error) {
    reviewsProblem.value = error as Problem
  }
}

export interface Ending {
  status: ReviewStatus
  responded_by?: string | null
  responded_at?: string | null
}

// endReview: somebody answered, or the time is over. It stays for a while, so that nobody wonders where it went.
export function endReview(id: string, ending: Ending) {
  if (!reviews.value?.some(r => r.id === id && r.status === 'pending')) return
  reviews.value = reviews.value.map(r => (r.id === id ? { ...r, ...ending } : r))
  setTimeout(() => {
    reviews.value = (reviews.value ?? []).filter(r => r.id !== id)
  }, ENDED_STAYS)
}

// fetchReview: an event tells of a review in short; the whole is asked for, as this person may see it.
export async function fetchReview(id: string): Promise<Review | null> {
  const review = await api<Review>(`/v1/reviews/${encodeURIComponent(id)}`).catch(() => null)
  if (!review || review.status !== 'pending' || reviews.value?.some(r => r.id === id)) return null
  reviews.value = [...(reviews.value ?? []), review]
  return review
}

// "op1 (10832fac6c83ed9e)" is a name and the id of a token.
export const nameOf = (by: string | null | undefined) => (by ?? '').replace(/ \([^)]*\)$/, '')
