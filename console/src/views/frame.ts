// The views, in the order of the side bar. `key` goes there after `g`.
import type { IconName } from '../parts/icon'

export interface View {
  name: string
  title: string
  icon: IconName
  key: string
}

export const views: View[] = [
  { name: 'reviews', title: 'Reviews', icon: 'inbox', key: 'r' },
  { name: 'decisions', title: 'Decisions', icon: 'log', key: 'd' },
  { name: 'rules', title: 'Rules', icon: 'rules', key: 'u' },
  { name: 'try', title: 'Playground', icon: 'prompt', key: 'p' },
  { name: 'agents', title: 'Agents', icon: 'agents', key: 'a' },
  { name: 'health', title: 'Health', icon: 'pulse', key: 'h' },
]
export const ON_TABS = 4 // of them on a phone; the others are behind "More"
