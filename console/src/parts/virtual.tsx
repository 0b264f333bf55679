// A long list of which only what can be seen is in the page. All rows have one height, in rem.
//
// While somebody scrolls, nothing is drawn until a row comes into sight; then the rows that stay are left as they are. Nothing
// that makes the browser lay out the page is read on the way: sizes are measured when they change.
import { Component, type ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

const STRIDE = 4 // rows: the first one that is drawn is a multiple of it, so that not every row drawn changes all
const BEYOND = 6 // rows above and below what is seen

const remPixels = () => parseFloat(getComputedStyle(document.documentElement).fontSize)

interface Props<T> {
  items: T[]
  rowRem: number
  label: string
  role: 'grid' | 'list'
  selected: number
  keyOf: (item: T) => string
  row: (item: T, index: number, on: boolean) => ComponentChildren
}

interface SlotProps {
  item: unknown
  role: 'grid' | 'list'
  index: number
  on: boolean
  row: (item: never, index: number, on: boolean) => ComponentChildren
}

// A row is drawn again if it is about something else. What it reads of the state (time, answers) it follows by itself.
class Slot extends Component<SlotProps, { broken: boolean }> {
  override state = { broken: false }
  override shouldComponentUpdate(next: SlotProps, state: { broken: boolean }) {
    return next.item !== this.props.item || next.index !== this.props.index || next.on !== this.props.on || state.broken !== this.state.broken
  }
  override componentDidCatch(error: unknown) {
    console.error(error)
    this.setState({ broken: true })
  }
  override render({ item, index, on, row, role }: SlotProps) {
    if (!this.state.broken) return row(item as never, index, on)
    const [whole, part] = role === 'grid' ? (['row', 'gridcell'] as const) : (['listitem', undefined] as const)
    return <div class="broken-row" role={whole}><span role={part}>This row cannot be drawn.</span></div>
  }
}

export function Virtual<T>({ items, rowRem, label, role, selected, keyOf, row }: Props<T>) {
  const box = useRef<HTMLDivElement>(null)
  const [rem, setRem] = useState(remPixels)
  const height = rowRem * rem
  const [[first, last], setSeen] = useState<[number, number]>([0, 40])
  const seenHeight = useRef(0)

  useLayoutEffect(() => {
    const el = box.current!
    const look = () => {
      const from = Math.max(0, Math.floor((Math.floor(el.scrollTop / height) - BEYOND) / STRIDE) * STRIDE)
      const to = Math.ceil((Math.ceil((el.scrollTop + seenHeight.current) / height) + BEYOND) / STRIDE) * STRIDE
      setSeen(seen => (seen[0] === from && seen[1] === to ? seen : [from, to]))
    }
    const measure = () => {
      seenHeight.current = el.clientHeight
      setRem(remPixels())
      look()
    }
    const observer = new ResizeObserver(measure)
    observer.observe(el)
    el.addEventListener('scroll', look, { passive: true })
    measure()
    return () => {
      observer.disconnect()
      el.removeEventListener('scroll', look)
    }
  }, [height])

  useEffect(() => {
    const el = box.current!
    if (selected < 0) return
    const top = selected * height
    if (top < el.scrollTop) el.scrollTop = top
    else if (top + height > el.scrollTop + seenHeight.current) el.scrollTop = top + height - seenHeight.current
  }, [selected])

  const from = Math.min(first, Math.max(0, items.length - 1))
  return (
    <div class="virtual" ref={box} role={role} aria-label={label} aria-rowcount={role === 'grid' ? items.length : undefined} tabIndex={0}>
      <div class="virtual-all" role="presentation" style={{ height: `${items.length * height}px` }}>
        <div class="virtual-seen" role="presentation" style={{ transform: `translateY(${from * height}px)` }}>
          {items.slice(from, last).map((item, i) => <Slot key={keyOf(item)} role={role} item={item} index={from + i} on={from + i === selected} row={row as SlotProps['row']} />)}
        </div>
      </div>
    </div>
  )
}
