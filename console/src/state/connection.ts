// Whether the service is there.
import { signal } from '@preact/signals'

export type Link = 'connecting' | 'live' | 'lost'
export const link = signal<Link>('connecting')
export const lostSince = signal(0)
