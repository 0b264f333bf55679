// What each layer said. Those that had nothing to say share one line.
import type { Explained, Said } from '../types'
import { Text } from './text'

function grouped(trace: Said[]): (Said | string[])[] {
  const out: (Said | string[])[] = []
  for (const said of trace) {
    const last = out.at(-1)
    if (said.said !== 'pass') out.push(said)
    else if (Array.isArray(last)) last.push(said.layer)
    else out.push([said.layer])
  }
  return out
}

export function Trace({ explained }: { explained: Explained }) {
  return (
    <ol class="trace">
      {grouped(explained.trace).map(row =>
        Array.isArray(row) ? (
          <li class="quiet"><span class="dot" /><span class="dim">{row.join(', ')} had nothing to say</span></li>
        ) : (
          <li class={`is-${row.said}`}>
            <span class="dot" />
            <span class="layer">{row.layer}</span>
            <span><b>{row.said}</b>{row.reason && <Text text={': ' + row.reason.replace(/^(allow|ask|deny) rule /, 'rule ')} />}</span>
          </li>
        ),
      )}
    </ol>
  )
}
