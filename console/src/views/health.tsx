// Whether the service is well, how quick it is, and whether its notices go out.
import { useEffect, useState } from 'preact/hooks'
import { apiText } from '../api'
import type { Health as HealthAnswer } from '../types'
import { me } from '../state/session'
import { pending } from '../state/reviews'
import { amount, counted } from '../text/time'
import { useFetched } from '../parts/hooks'
import { Icon } from '../parts/icon'
import { Empty, Notice, Skeleton } from '../parts/states'
import { Text } from '../parts/text'
import { People } from './people'

const EVERY = 5000 // ms

// The bound of the histogram's bucket that holds this share of all values, in seconds.
export function quantile(metrics: string, name: string, share: number): number | null {
  const buckets = [...metrics.matchAll(new RegExp(`^${name}_bucket\\{(?:[^}]*,)?le="([^"]+)"\\} (\\d+)`, 'gm'))]
    .map(([, bound, count]) => ({ bound: bound === '+Inf' ? Infinity : Number(bound), count: Number(count) }))
  const all = buckets.at(-1)?.count ?? 0
  return all ? buckets.find(b => b.count >= all * share)!.bound : null
}

function value(metrics: string, series: string): number | null {
  const at = metrics.split('\n').find(line => line.startsWith(series + ' '))
  return at ? Number(at.slice(series.length + 1)) : null
}

const within = (seconds: number | null) =>
  seconds === null ? 'no calls yet' : seconds === Infinity ? 'over 5 s' : seconds < 1 ? `under ${+(seconds * 1000).toFixed(2)} ms` : `under ${seconds} s`

export function Health() {
  const [turn, setTurn] = useState(0)
  const [metrics, setMetrics] = useState('')
  const { data, problem } = useFetched<HealthAnswer>('/healthz', turn)
  useEffect(() => {
    const timer = setInterval(() => setTurn(t => t + 1), EVERY)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => void apiText('/metrics').then(setMetrics, () => {}), [turn])
  if (problem && !data) return <Empty icon="plug" title="The service does not answer" bad whole><p><Text text={problem} /></p></Empty>
  if (!data) return <div class="page"><Skeleton rows={6} /></div>
  const well = data.status === 'ok' && !problem
  const judging = 'warder_rule_evaluation_seconds'
  const storing = 'warder_store_latency_seconds'
  return (
    <div class="page">
      <header class="view-head"><h1>Health</h1><span class="dim">{me.value && `warder ${me.value.version}`}</span></header>
      <section class={`health-box ${well ? 'well' : 'ill'}`} role="status">
        <Icon name={well ? 'check' : 'warning'} size={26} />
        <div><h2><Text text={well ? 'All is well' : problem || data.status} /></h2><p>Policy generation {data.generation}, profile {data.profile}, {counted(pending.value.length, 'review')} waiting</p></div>
      </section>
      {[...data.problems, ...data.notices].map(p => <Notice icon="warning" tone="ask"><Text text={p} /></Notice>)}
      <div class="figures four">
        <Figure title="A call is judged in" big={within(quantile(metrics, judging, 0.5))} small={`99 %: ${within(quantile(metrics, judging, 0.99))}`} />
        <Figure title="A record is durable in" big={within(quantile(metrics, storing, 0.5))} small={`99 %: ${within(quantile(metrics, storing, 0.99))}`} />
        <Figure title="Reviews nobody answered" big={`${(100 * (value(metrics, 'warder_review_timeout_ratio') ?? 0)).toFixed(1)} %`} small="of those that ended since the start" />
        <Figure title="Notices" big={amount(value(metrics, 'warder_notices_total{result="sent"}') ?? 0)} small={`sent; ${amount((value(metrics, 'warder_notices_total{result="failed"}') ?? 0) + (value(metrics, 'warder_notices_total{result="summed"}') ?? 0))} did not arrive`} />
      </div>
      {me.value?.role === 'operator' && <People />}
    </div>
  )
}

const Figure = ({ title, big, small }: { title: string; big: string; small: string }) => (
  <div class="figure"><h2>{title}</h2><p class="big">{big}</p><p class="dim">{small}</p></div>
)
