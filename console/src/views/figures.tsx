// The figures above the log: how many calls needed nobody, how long people took, what was asked about most.
import type { Outcome, Stats } from '../types'
import { amount, duration } from '../text/time'
import { Text } from '../parts/text'

const SHOWN = 5
const total = (stats: Stats, ...names: Outcome[]) => names.flatMap(n => stats.series[n] ?? []).reduce((a, b) => a + b, 0)

export function Figures({ stats, search }: { stats: Stats; search: (text: string) => void }) {
  const all = total(stats, 'auto-accept', 'auto-deny', 'human-accept', 'human-deny', 'timeout-deny', 'ask')
  const alone = total(stats, 'auto-accept', 'auto-deny')
  const share = all ? (100 * alone) / all : 100
  const most = Math.max(1, ...stats.top_asked.map(t => t.asked))
  return (
    <div class="figures">
      <div class="figure">
        <h2>Needed nobody</h2>
        <p class="big">{share.toFixed(1)}<small> %</small></p>
        <div class="meter"><span style={{ width: `${share}%` }} /></div>
        <p class="dim">{amount(all - alone)} of {amount(all)} calls asked a person</p>
      </div>
      <div class="figure">
        <h2>Answered in</h2>
        <p class="big">{stats.response.count ? duration(1000 * stats.response.p50) : '–'}</p>
        <p class="dim">{stats.response.count ? `half of them; 95 % within ${duration(1000 * stats.response.p95)}` : 'nobody has answered yet'}</p>
      </div>
      <div class="figure most-asked">
        <h2>Most asked about</h2>
        {stats.top_asked.length === 0 && <p class="dim">Nothing yet.</p>}
        <ol>
          {stats.top_asked.slice(0, SHOWN).map(t => (
            <li>
              <button onClick={() => search(t.program)} title={`${t.approved} of ${t.asked} approved`}>
                <code><Text text={t.program} /></code>
                <span class="bar">
                  <span class="yes" style={{ width: `${(100 * t.approved) / most}%` }} />
                  <span class="no" style={{ width: `${(100 * (t.asked - t.approved)) / most}%` }} />
                </span>
                <b>{t.asked}</b>
              </button>
            </li>
          ))}
        </ol>
      </div>
    </div>
  )
}
