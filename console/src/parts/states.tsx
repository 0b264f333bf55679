// Nothing there, not there yet, and things to know.
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon'

// `whole`: it is all that the page shows, so its title is the page's.
export function Empty({ icon, title, bad, whole, children }: { icon: IconName; title: string; bad?: boolean; whole?: boolean; children?: ComponentChildren }) {
  const Title = whole ? 'h1' : 'h2'
  return (
    <div class={`empty ${bad ? 'bad' : ''}`}>
      <span class="disc"><Icon name={icon} size={26} /></span>
      <Title>{title}</Title>
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
