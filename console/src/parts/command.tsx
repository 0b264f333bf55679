// A command with all that the engine says about it: never cut, never scrolled away sideways.
import { useMemo, useState } from 'preact/hooks'
import type { Explained } from '../types'
import { cutAt, SHOWN } from '../text/long'
import { marks, type Mark } from '../text/marks'
import { isPlain } from '../text/odd'
import { VEIL, type Range } from '../text/secrets'
import { pieces, type Piece } from '../text/shell'
import { counted } from '../text/time'
import { More } from './more'
import { Text } from './text'

const UNBROKEN_MAX = 25 // characters: shorter words are not broken over two lines

interface Hot {
  hot?: number | null
  onHot?: (action: number | null) => void
}

// Secrets become a veil, and pieces that are partly secret are cut in two.
function veil(all: Piece[], text: string, secrets: Range[]): Piece[] {
  const out: Piece[] = []
  for (const piece of all) {
    let from = piece.from
    for (const [a, b] of secrets) {
      if (a >= piece.to || b <= piece.from) continue
      const start = Math.max(a, piece.from)
      const end = Math.min(b, piece.to)
      if (start > from) out.push({ ...piece, from, to: start, text: text.slice(from, start) })
      out.push({ kind: 'secret', from: start, to: end, text: VEIL })
      from = end
    }
    if (from < piece.to) out.push({ ...piece, from, text: text.slice(from, piece.to) })
  }
  return out
}

function inLines(all: Piece[]): Piece[][] {
  const lines: Piece[][] = [[]]
  for (const piece of all) {
    if (piece.kind === 'newline') lines.push([])
    else lines[lines.length - 1].push(piece)
  }
  return lines
}

// Many empty lines would push what comes after them out of sight: they share one.
const EMPTY_SHOWN = 3

interface Line {
  number: number
  pieces: Piece[]
  empty?: number // so many lines with nothing in them
}

function folded(lines: Piece[][]): Line[] {
  const out: Line[] = []
  for (let i = 0; i < lines.length; ) {
    let end = i
    while (end < lines.length && lines[end].every(piece => piece.kind === 'blank')) end++
    if (end - i > EMPTY_SHOWN) {
      out.push({ number: i + 1, pieces: [], empty: end - i })
      i = end
    } else {
      out.push({ number: i + 1, pieces: lines[i] })
      i++
    }
  }
  return out
}

const actionAround = (all: Mark[], piece: Piece) => all.find(m => m.action !== null && m.from <= piece.from && m.to >= piece.to)

const isShort = (piece: Piece) => piece.kind !== 'blank' && piece.text.length <= UNBROKEN_MAX

export function Command({ text, explained, secrets = [], large, hot, onHot }: { text: string; explained?: Explained | null; secrets?: Range[]; large?: boolean } & Hot) {
  const [limit, setLimit] = useState(SHOWN)
  const all = useMemo(() => marks(text, explained), [text, explained])
  const end = cutAt(text, limit)
  const shown = text.slice(0, end)
  const found = all.filter(m => m.from < end)
  const beyond = all.filter(m => m.from >= end && m.action !== null && !m.cleared).length
  const lines = folded(inLines(veil(pieces(shown), shown, secrets)))
  return (
    <div class={`command ${large ? 'large' : ''}`} dir="ltr">
      {lines.map(line => (
        <div class="command-line">
          {lines.length > 1 && <span class="line-number" aria-hidden="true">{line.number}</span>}
          <code>
            {line.empty && <span class="odd unseen">{line.empty} empty lines</span>}
            {line.pieces.map(piece => {
              const action = actionAround(found, piece)
              const finding = found.find(m => m.action === null && m.from < piece.to && m.to > piece.from)
              const classes = [
                `k-${piece.kind}`,
                isShort(piece) && 'unbroken',
                action && (action.cleared ? 'is-cleared' : 'is-open'),
                action && action.action === hot && 'is-hot',
                finding && 'is-found',
              ]
              return (
                <span
                  class={classes.filter(Boolean).join(' ')}
                  title={finding?.label}
                  onMouseEnter={onHot && action ? () => onHot(action.action) : undefined}
                  onMouseLeave={onHot && action ? () => onHot(null) : undefined}
                >
                  <Text text={piece.text} max={limit} />
                </span>
              )
            })}
          </code>
        </div>
      ))}
      <More left={text.length - end} what="character" note={beyond ? `, with ${counted(beyond, 'part')} that nothing clears` : ''} onMore={() => setLimit(limit + SHOWN)} />
    </div>
  )
}

const INLINE_MAX = 400 // characters of a row; the whole stands where it is opened
const oneLine = (text: string) => text.slice(0, INLINE_MAX).replace(/\s*\n\s*/g, ' ⏎ ') + (text.length > INLINE_MAX ? ' …' : '')
const hasNoColour = (piece: Piece) => (piece.kind === 'word' || piece.kind === 'blank') && isPlain(piece.text)

// Inline: on one line, or where it `wraps` without breaking short words. A list has many of them: words that need no element
// of their own get none.
export function Inline({ text, wraps }: { text: string; wraps?: boolean }) {
  const line = oneLine(text)
  return (
    <code class="inline">
      {pieces(line).map(piece =>
        !wraps && hasNoColour(piece) ? piece.text : <span class={`k-${piece.kind} ${wraps && isShort(piece) ? 'unbroken' : ''}`}>{isPlain(piece.text) ? piece.text : <Text text={piece.text} />}</span>,
      )}
    </code>
  )
}

// Call: a call in one line, whatever its tool.
export function Call({ tool, shell, text }: { tool: string; shell: boolean; text: string }) {
  if (shell) return <Inline text={text} />
  return <><b class="tool"><Text text={tool} /></b> <code class="inline"><Text text={oneLine(text)} /></code></>
}
