// A few choices of which one holds. The arrow keys move between them.
import type { ComponentChildren } from 'preact'

interface Props<T extends string> {
  label: string
  value: T
  options: [T, ComponentChildren][]
  wide?: boolean
  onPick: (value: T) => void
}

export function Choice<T extends string>({ label, value, options, wide, onPick }: Props<T>) {
  const move = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (!by) return
    event.preventDefault()
    event.stopPropagation()
    const at = (options.findIndex(([v]) => v === value) + by + options.length) % options.length
    onPick(options[at][0])
    ;((event.currentTarget as HTMLElement).children[at] as HTMLElement).focus()
  }
  return (
    <div class={`choice ${wide ? 'wide' : ''}`} role="radiogroup" aria-label={label} onKeyDown={move}>
      {options.map(([v, text]) => (
        <button type="button" role="radio" aria-checked={v === value} tabIndex={v === value ? 0 : -1} onClick={() => onPick(v)}>{text}</button>
      ))}
    </div>
  )
}
