// A text of a megabyte would hold the page up, and with it everybody's answers. So long ones are shown in parts; and what nobody
// has seen whole is not approved by one tap.
import type { Review } from '../types'

export const SHOWN = 16_000 // characters at a time
export const LINES_SHOWN = 400
const LINES_AT_ONCE = 100 // of a command: more are below the window, however few characters they have

// A cut that splits no character, after a line if there is one near.
export function cutAt(text: string, length: number): number {
  if (text.length <= length) return text.length
  const line = text.lastIndexOf('\n', length)
  if (line > length / 2) return line
  return /[\ud800-\udbff]/.test(text[length - 1]) ? length - 1 : length
}

const sizes = new WeakMap<Review, number>()

function sizeOf(review: Review): number {
  let size = sizes.get(review)
  if (size === undefined) {
    size = Math.max(review.command.length, review.input ? JSON.stringify(review.input).length : 0)
    sizes.set(review, size)
  }
  return size
}

export const isLong = (review: Review) => sizeOf(review) > SHOWN || review.command.split('\n', LINES_AT_ONCE + 1).length > LINES_AT_ONCE
