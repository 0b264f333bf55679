// Decisions over time: stacked bars. Dragging over them narrows the list.
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import type { Outcome, Stats } from '../types'
import { theme } from '../state/prefs'
import { amount } from '../text/time'
import { outcomes } from '../text/words'

const ORDER: Outcome[] = ['auto-accept', 'human-accept', 'auto-deny', 'human-deny', 'timeout-deny', 'ask']
const COLOURS: Record<string, string> = { 'auto-accept': '--allow-soft', 'human-accept': '--allow', 'auto-deny': '--deny-soft', 'human-deny': '--deny', 'timeout-deny': '--ask-mark', ask: '--ask-soft' }
const HEIGHT = 132
const REM = 15 // px, for which the sizes here are meant; on a wall all of it is larger

// A canvas knows no variables and no light-dark(): the browser is asked what a token is in this theme.
function token(name: string, within: HTMLElement): string {
  const probe = within.appendChild(document.createElement('i'))
  probe.style.color = `var(${name})`
  const colour = getComputedStyle(probe).color
  probe.remove()
  return colour
}
const hour = (seconds: number) => new Date(seconds * 1000).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })

function draw(element: HTMLElement, stats: Stats, onRange: (from: number, to: number) => void): uPlot {
  const sums = stats.t.map(() => 0)
  const stacked = ORDER.map(name => (stats.series[name] ?? []).map((n, i) => (sums[i] += n)))
  const bars = uPlot.paths.bars!({ size: [0.82, 24], align: 1 })
  const k = Math.max(1, parseFloat(getComputedStyle(document.documentElement).fontSize) / REM)
  const axis = { stroke: token('--dim', element), font: `${11 * k}px ${getComputedStyle(element).fontFamily}`, ticks: { show: false } }
  const series = ORDER.map(name => ({ stroke: token(COLOURS[name], element), fill: token(COLOURS[name], element), width: 0, paths: bars, points: { show: false } }))
  const options: uPlot.Options = {
    width: element.clientWidth,
    height: HEIGHT,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: true, y: false, setScale: false }, points: { show: false } },
    scales: { x: { range: (_u, low, high) => [low, high + stats.step] }, y: { range: (_u, _low, high) => [0, Math.max(4, high * 1.08)] } },
    axes: [
      { ...axis, grid: { show: false }, size: 24 * k, values: (_u, times) => times.map(hour) },
      { ...axis, grid: { stroke: token('--line', element), width: 1 }, size: 34 * k, splits: (_u, _i, _low, high) => [0, Math.round(high / 2), Math.round(high)] },
    ],
    series: [{}, ...series.reverse()], // the tallest sum is drawn first, the others over it
    hooks: {
      setSelect: [u => u.select.width > 4 && onRange(u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x'))],
    },
  }
  return new uPlot(options, [stats.t, ...stacked.reverse()] as uPlot.AlignedData, element)
}

export function Chart({ stats, onRange }: { stats: Stats; onRange: (from: number, to: number) => void }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current!
    const plot = draw(element, stats, onRange)
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [stats, theme.value])
  const total = (name: Outcome) => (stats.series[name] ?? []).reduce((a, b) => a + b, 0)
  const named = ORDER.filter(n => n !== 'ask' || total(n) > 0) // a client that asks its own person
  return (
    <>
      <div class="chart" ref={box} role="img" aria-label={'Decisions over time: ' + ORDER.map(n => `${total(n)} ${outcomes[n].word}`).join(', ')} />
      <ul class="legend">{named.map(n => <li class={`l-${n}`}><i />{outcomes[n].word} <b>{amount(total(n))}</b></li>)}</ul>
    </>
  )
}
