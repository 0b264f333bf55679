// The time that a review has left: a ring, and always the number.
import type { Review } from '../types'
import { countdown } from '../text/time'
import { now } from '../state/clock'

const LAST = 60_000
const SOON = 180_000
const LENGTH = 2 * Math.PI * 8

export function Ring({ review }: { review: Review }) {
  const all = Date.parse(review.expires_at) - Date.parse(review.requested_at)
  const left = Date.parse(review.expires_at) - now.value
  const share = Math.max(0, Math.min(1, left / all))
  return (
    <span class={`ring ${left < LAST ? 'last' : left < SOON ? 'soon' : ''}`}>
      <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
        <circle class="track" cx="10" cy="10" r="8" />
        <circle class="arc" cx="10" cy="10" r="8" stroke-dasharray={`${share * LENGTH} ${LENGTH}`} transform="rotate(-90 10 10)" />
      </svg>
      <time aria-label={left <= 0 ? 'over' : `${countdown(left)} left`}>{left <= 0 ? 'over' : countdown(left)}</time>
    </span>
  )
}
