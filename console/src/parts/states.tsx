// Nothing there, not there yet, and things to know.
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon'

export function Empty({ icon, title, bad, children }: { icon: IconName; title: string; bad?: boolean; children?: ComponentChildren }) {
  return (
    <div class={`empty ${bad ? 'bad' : ''}`}>
      <span class="disc"><Icon name={icon} size={26} /></span>
      <h2>{title}</h2>
      {children}
    </div>
  )
}

export function Skeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, i) => <div class={`bar w${i % 4}`} />)}
    </div>
  )
}

export function Notice({ icon, tone = 'plain', alert, children }: { icon: IconName; tone?: 'plain' | 'ask' | 'deny'; alert?: boolean; children: ComponentChildren }) {
  return (
    <div class={`notice ${tone}`} role={alert ? 'alert' : undefined}>
      <Icon name={icon} />
      <span>{children}</span>
    </div>
  )
}
