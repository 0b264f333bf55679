// The change that a call would make to a file, line by line.
import { useMemo, useState } from 'preact/hooks'
import type { Change } from '../text/diff'
import { LINES_SHOWN } from '../text/long'
import { amount, counted } from '../text/time'
import { plainly } from '../text/odd'
import { LongText, More } from './more'
import { Text } from './text'

export const Changes = ({ changes }: { changes: Change[] }) => <>{changes.map(change => <OneChange change={change} />)}</>

function OneChange({ change: { title, lines } }: { change: Change }) {
  const [limit, setLimit] = useState(LINES_SHOWN)
  const [came, went] = useMemo(() => ['+', '-'].map(sign => lines.filter(l => l.sign === sign).length), [lines])
  return (
    <figure class="change">
      <figcaption><code><Text text={title} /></code><span class="dim">{counted(came, 'line')} added, {went === 0 ? 'none' : amount(went)} removed</span></figcaption>
      <div class="change-lines" dir="ltr" role="region" aria-label={`Change of ${plainly(title)}`} tabIndex={0}>
        {lines.slice(0, limit).map(({ sign, text }) => (
          <div class={`change-line ${sign === '+' ? 'came' : sign === '-' ? 'went' : ''}`}>
            <span class="sign">{sign}</span>
            <code><LongText text={text} /></code>
          </div>
        ))}
        <More left={lines.length - limit} what="line" onMore={() => setLimit(limit + LINES_SHOWN)} />
      </div>
    </figure>
  )
}

// Given: the other things that a tool was given, by their names.
export function Given({ others }: { others: [string, string][] }) {
  return (
    <dl class="given">
      {others.map(([name, value]) => (
        <>
          <dt><Text text={name} /></dt>
          <dd><code dir="ltr"><LongText text={value} /></code></dd>
        </>
      ))}
    </dl>
  )
}
