// The rest of something long, on demand.
import { useState } from 'preact/hooks'
import { cutAt, SHOWN } from '../text/long'
import { counted } from '../text/time'
import { Text } from './text'

export function More({ left, what, note, onMore }: { left: number; what: string; note?: string; onMore: () => void }) {
  if (left <= 0) return null
  return <button class="more-of-it" onClick={onMore}>{counted(left, `more ${what}`)}{note}. Show more</button>
}

// LongText: of a stranger, and as long as it likes.
export function LongText({ text }: { text: string }) {
  const [limit, setLimit] = useState(SHOWN)
  const shown = cutAt(text, limit)
  return (
    <>
      <Text text={text.slice(0, shown)} max={shown} />
      <More left={text.length - shown} what="character" onMore={() => setLimit(limit + SHOWN)} />
    </>
  )
}
