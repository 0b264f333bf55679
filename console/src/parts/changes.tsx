// The change that a call would make to a file, line by line.
import type { Change } from '../text/diff'
import { counted } from '../text/time'
import { Text } from './text'

const SHOWN = 400 // lines; the rest on demand is for the agent's own tools

export function Changes({ changes }: { changes: Change[] }) {
  return (
    <>
      {changes.map(({ title, lines }) => {
        const came = lines.filter(l => l.sign === '+').length
        const went = lines.filter(l => l.sign === '-').length
        return (
          <figure class="change">
            <figcaption><code><Text text={title} /></code><span class="dim">{counted(came, 'line')} added, {amountGone(went)}</span></figcaption>
            <div class="change-lines" dir="ltr" role="region" aria-label={`Change of ${title}`} tabIndex={0}>
              {lines.slice(0, SHOWN).map(({ sign, text }) => (
                <div class={`change-line ${sign === '+' ? 'came' : sign === '-' ? 'went' : ''}`}>
                  <span class="sign">{sign}</span>
                  <code><Text text={text} /></code>
                </div>
              ))}
              {lines.length > SHOWN && <p class="dim">{counted(lines.length - SHOWN, 'more line')}</p>}
            </div>
          </figure>
        )
      })}
    </>
  )
}

const amountGone = (n: number) => (n === 0 ? 'none removed' : `${n} removed`)
