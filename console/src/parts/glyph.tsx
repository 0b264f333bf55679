// One shape for each verdict, so that colour is never the only sign: a circle allows, a diamond asks, an octagon denies. It is
// filled if a person said so; a clock has run out.
import type { Behavior, Outcome } from '../types'
import { outcomes } from '../text/words'
import { Icon } from './icon'

const shape: Record<Behavior, string> = {
  allow: 'M12 2.500a9.500 9.500 0 1 1 0 19 9.500 9.500 0 0 1 0-19z',
  ask: 'M12 1.800 22.200 12 12 22.200 1.800 12z',
  deny: 'M7.800 2h8.400L22 7.800v8.400L16.200 22H7.800L2 16.200V7.800z',
}
const sign: Record<Behavior, string> = {
  allow: 'm7.600 12.300 3.200 3.200 5.700-6.500',
  ask: 'M12 7.300v6M12 16.600v.200',
  deny: 'm8.500 8.500 7 7M15.500 8.500l-7 7',
}

export function Glyph({ behavior, byPerson, size = 16 }: { behavior: Behavior; byPerson?: boolean; size?: number }) {
  return (
    <svg class={`glyph is-${behavior} ${byPerson ? 'by-person' : ''}`} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path class="shape" d={shape[behavior]} />
      <path class="sign" d={sign[behavior]} />
    </svg>
  )
}

export function Verdict({ outcome }: { outcome: Outcome }) {
  const { behavior, byPerson, word } = outcomes[outcome]
  return (
    <span class={`verdict is-${behavior}`}>
      {outcome === 'timeout-deny' ? <Icon name="clock" size={15} /> : <Glyph behavior={behavior} byPerson={byPerson} size={15} />}
      <span>{word}</span>
    </span>
  )
}

export const BehaviorTag = ({ behavior }: { behavior: Behavior }) => (
  <span class={`verdict is-${behavior}`}>
    <Glyph behavior={behavior} size={15} />
    <span>{behavior}</span>
  </span>
)
