// Characters that make a text look like another one. Commands, names and tasks are an agent's words: what cannot be seen is
// named, and a letter that passes for another is boxed.

const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff]|[\u{e0000}-\u{e0fff}]/u

// Letters of other scripts that are drawn like Latin ones.
const TWINS = new Set(
  'аеорсухіјѕԁһԛԝӏАВЕЅІЈКМНОРСТУХҮԌԚԜαγινορυΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳհոսցօℓıɡɩʏᴏᴠᴡᴢ',
)
const WORD = /[\p{L}\p{N}\p{M}_-]+/gu

// The engine writes U+0001 for a value that is not known before the command runs.
export const UNKNOWN_VALUE = '\u0001'

export type Odd = { kind: 'unseen' | 'twin'; name: string }

const PILED_MAX = 4 // marks on one letter; more would cover the lines around it

const pointName = (ch: string) => 'U+' + ch.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')

// A word is suspicious if it mixes twins with Latin letters, or has no letters but twins. A Russian sentence is neither.
function twinsCount(word: string): boolean {
  const letters = [...word].filter(ch => /\p{L}/u.test(ch))
  return letters.some(ch => /[A-Za-z]/.test(ch)) || letters.every(ch => TWINS.has(ch))
}

const isDisguised = (ch: string) => /[^\u0000-\u00ff]/u.test(ch) && /^[A-Za-z0-9]$/.test(ch.normalize('NFKC')) // ａ, 𝐚

export interface Part {
  text: string
  odd?: Odd
}

const plain = /^[\n\t\x20-\x7e]*$/

// Nothing in it needs a second look.
export const isPlain = (text: string) => plain.test(text)

export function parts(text: string): Part[] {
  if (plain.test(text)) return text ? [{ text }] : []
  const suspicious = new Set<number>()
  for (const word of text.matchAll(WORD)) {
    if (!twinsCount(word[0])) continue
    for (let i = 0; i < word[0].length; i++) suspicious.add(word.index + i)
  }
  const out: Part[] = []
  let run = ''
  let at = 0
  let piled = 0
  for (const ch of text) {
    piled = /\p{M}/u.test(ch) ? piled + 1 : 0
    const odd: Odd | undefined = piled > PILED_MAX ? { kind: 'unseen', name: pointName(ch) } : oddity(ch, suspicious.has(at))
    at += ch.length
    if (!odd) {
      run += ch
      continue
    }
    if (run) out.push({ text: run })
    run = ''
    out.push({ text: ch, odd })
  }
  if (run) out.push({ text: run })
  return out
}

function oddity(ch: string, suspicious: boolean): Odd | undefined {
  if (ch === '\n' || ch === '\t' || ch === UNKNOWN_VALUE) return undefined
  if (UNSEEN.test(ch)) return { kind: 'unseen', name: pointName(ch) }
  if (isDisguised(ch) || (suspicious && TWINS.has(ch))) return { kind: 'twin', name: pointName(ch) }
  return undefined
}

// plainly: for places that hold no more than text, such as a title or a label: what cannot be seen is named there, too.
export const plainly = (text: string) =>
  isPlain(text) ? text : parts(text).map(p => (p.odd?.kind === 'unseen' ? `[${p.odd.name}]` : p.text)).join('').replaceAll(UNKNOWN_VALUE, '?')

export function oddities(text: string): string[] {
  const said = parts(text).flatMap(({ text: ch, odd }) =>
    !odd ? [] : odd.kind === 'unseen' ? [`a character that cannot be seen (${odd.name})`] : [`“${ch}” (${odd.name}), which is not the letter it looks like`],
  )
  return [...new Set(said)]
}
