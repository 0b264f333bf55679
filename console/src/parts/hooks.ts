// Small hooks that several views use.
import { useEffect, useRef, useState } from 'preact/hooks'
import { api, detailOf } from '../api'

export function useWide(minimum: number): boolean {
  const query = `(min-width: ${minimum}px)`
  const [wide, setWide] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const look = () => setWide(list.matches)
    list.addEventListener('change', look)
    return () => list.removeEventListener('change', look)
  }, [query])
  return wide
}
export const DESK = 900 // px: from here on a list and its detail stand side by side

export interface Fetched<T> {
  data: T | null
  problem: string
  again: () => void
}

// useFetched: what a path answers; asked again when `version` changes.
export function useFetched<T>(path: string, version: unknown = 0): Fetched<T> {
  const [data, setData] = useState<T | null>(null)
  const [problem, setProblem] = useState('')
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    let current = true
    api<T>(path).then(
      answer => current && (setData(answer), setProblem('')),
      error => current && setProblem(detailOf(error)),
    )
    return () => {
      current = false
    }
  }, [path, version, turn])
  return { data, problem, again: () => setTurn(t => t + 1) }
}

// useSeldom: a value that may change all the time, followed not more often than this.
export function useSeldom<T>(value: T, pause: number): T {
  const [shown, setShown] = useState(value)
  const newest = useRef(value)
  const timer = useRef(0)
  newest.current = value
  if (value !== shown && !timer.current)
    timer.current = window.setTimeout(() => {
      timer.current = 0
      setShown(newest.current)
    }, pause)
  useEffect(() => () => clearTimeout(timer.current), [])
  return shown
}

// isTyping: keys belong to what has the focus.
export const isTyping = (event: Event) => !!(event.target as Element | null)?.closest?.('input, textarea, select, [contenteditable], dialog, .promote')

export const hasModifier = (event: KeyboardEvent) => event.ctrlKey || event.metaKey || event.altKey
