// A long list of which only what can be seen is in the page. All rows have one height, in rem.
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

const BEYOND = 8 // rows above and below what is seen

const remPixels = () => parseFloat(getComputedStyle(document.documentElement).fontSize)

interface Props<T> {
  items: T[]
  rowRem: number
  label: string
  role: 'grid' | 'list'
  selected: number
  row: (item: T, index: number) => ComponentChildren
}

export function Virtual<T>({ items, rowRem, label, role, selected, row }: Props<T>) {
  const box = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState({ top: 0, height: 800 })
  const height = rowRem * remPixels()

  useLayoutEffect(() => {
    const el = box.current!
    const look = () => setSeen({ top: el.scrollTop, height: el.clientHeight })
    const observer = new ResizeObserver(look)
    observer.observe(el)
    el.addEventListener('scroll', look, { passive: true })
    look()
    return () => {
      observer.disconnect()
      el.removeEventListener('scroll', look)
    }
  }, [])

  useEffect(() => {
    const el = box.current!
    if (selected < 0) return
    const top = selected * height
    if (top < el.scrollTop) el.scrollTop = top
    else if (top + height > el.scrollTop + el.clientHeight) el.scrollTop = top + height - el.clientHeight
  }, [selected])

  const from = Math.max(0, Math.floor(seen.top / height) - BEYOND)
  const to = Math.min(items.length, Math.ceil((seen.top + seen.height) / height) + BEYOND)
  return (
    <div class="virtual" ref={box} role={role} aria-label={label} aria-rowcount={role === 'grid' ? items.length : undefined} tabIndex={0}>
      <div class="virtual-all" role="presentation" style={{ height: `${items.length * height}px` }}>
        <div class="virtual-seen" role="presentation" style={{ transform: `translateY(${from * height}px)` }}>
          {items.slice(from, to).map((item, i) => row(item, from + i))}
        </div>
      </div>
    </div>
  )
}
