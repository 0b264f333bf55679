// Characters that make a text look like another one. Commands, names and tasks are an agent's words: what cannot be seen is
// named, and a letter that passes for another is boxed.

// As the engine's table (src/core/base/utf8.c) has them: test/text.mjs compares the two.
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff]|[\u{1bca0}-\u{1bca3}\u{1d159}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/u

// So much nothing that what comes after it is out of sight.
const GAP = /[ \t\n]{100,}|\n(?:[ \t]*\n){7,}/g

// Letters of other scripts that are drawn like Latin ones.
const TWINS = new Set(
  'аеорсухіјѕԁһԛԝӏАВЕЅІЈКМНОРСТУХҮԌԚԜαγινορυΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳհոսցօℓıɡɩʏᴏᴠᴡᴢ',
)
const WORD = /[\p{L}\p{N}\p{M}_-]+/gu

// The engine writes U+0001 for a value that is not known before the command runs.
export const UNKNOWN_VALUE = '\u0001'

export type Odd = { kind: 'unseen' | 'twin' | 'gap'; name: string }

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
export const isPlain = (text: string) => plain.test(text) && text.search(GAP) < 0

const gapName = (gap: string) => {
  const lines = gap.split('\n').length - 1
  return lines > 1 ? `${lines - 1} empty lines` : `${gap.length} blanks`
}

export function parts(text: string): Part[] {
  const out: Part[] = []
  let at = 0
  for (const gap of text.matchAll(GAP)) {
    out.push(...partsBetween(text.slice(at, gap.index)), { text: gap[0], odd: { kind: 'gap', name: gapName(gap[0]) } })
    at = gap.index + gap[0].length
  }
  return [...out, ...partsBetween(text.slice(at))]
}

function partsBetween(text: string): Part[] {
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

const PLAINLY_MAX = 2000

// plainly: for places that hold no more than text, such as a title or a label: what cannot be seen is named there, too.
export const plainly = (text: string) =>
  isPlain(text) ? text.slice(0, PLAINLY_MAX) : parts(text.slice(0, PLAINLY_MAX)).map(p => (!p.odd || p.odd.kind === 'twin' ? p.text : `[${p.odd.name}]`)).join('').replaceAll(UNKNOWN_VALUE, '?')

const LOOKED_AT = 100_000 // characters: what is longer than the page shows at once is grave as it is
const NAMED_MAX = 6 // a list of all that there is could take the place of what it warns of

const oddWords: Record<Odd['kind'], (ch: string, name: string) => string> = {
  unseen: (_, name) => `a character that cannot be seen (${name})`,
  twin: (ch, name) => `“${ch}” (${name}), which is not the letter it looks like`,
  gap: (_, name) => `${name} in a row`,
}

export function oddities(text: string): string[] {
  const said = [...new Set(parts(text.slice(0, LOOKED_AT)).flatMap(({ text: ch, odd }) => (odd ? [oddWords[odd.kind](ch, odd.name)] : [])))]
  return said.length > NAMED_MAX ? [...said.slice(0, NAMED_MAX), `${said.length - NAMED_MAX} more of this kind`] : said
}
