// Short messages at the bottom, read out by screen readers. They leave by themselves.
import { signal } from '@preact/signals'
import { whenPersonLeaves } from './session'

export type Tone = 'plain' | 'allow' | 'ask' | 'deny'
export interface Toast {
  id: number
  text: string
  tone: Tone
}

export const toasts = signal<Toast[]>([])
let last = 0
whenPersonLeaves(() => (toasts.value = []))

export function toast(text: string, tone: Tone = 'plain', ms = 5000) {
  const id = ++last
  toasts.value = [...toasts.value, { id, text, tone }]
  setTimeout(() => dismiss(id), ms)
}

export function dismiss(id: number) {
  toasts.value = toasts.value.filter(t => t.id !== id)
}
