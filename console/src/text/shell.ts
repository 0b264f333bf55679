// Colours for a command. This is no parser: what a command does is said by the engine's actions, never by this file.

export type Kind =
  | 'program' | 'flag' | 'word' | 'path' | 'string' | 'variable' | 'assign' | 'operator' | 'keyword' | 'redirect' | 'comment' | 'blank' | 'newline' | 'secret'

export interface Piece {
  text: string
  kind: Kind
  from: number
  to: number
}

const KEYWORDS = new Set(['for', 'in', 'do', 'done', 'if', 'then', 'else', 'elif', 'fi', 'while', 'until', 'case', 'esac', 'function', 'select', 'time', '!', '{', '}', '[['])

interface Token {
  kind: Kind
  at: RegExp // sticky
  starts?: boolean // a command may begin after it
  onlyFirst?: boolean // counts only where a command may begin
}

// The first one that fits is taken.
const TOKENS: Token[] = [
  { kind: 'newline', at: /\n/y, starts: true },
  { kind: 'blank', at: /[ \t]+/y },
  { kind: 'comment', at: /#[^\n]*/y, onlyFirst: true },
  { kind: 'operator', at: /&&|\|\||;;|\|&|\$\(|[;|()`]|&(?!>)/y, starts: true },
  { kind: 'redirect', at: /\d*(?:<<<|<<-?|>>|>&|<&|&>>?|[<>])/y },
  { kind: 'string', at: /'[^']*'?|"(?:\\[\s\S]|[^"\\])*"?/y },
  { kind: 'variable', at: /\$\{[^}]*\}?|\$\w+|\$[?@*#$!-]/y },
  { kind: 'assign', at: /[A-Za-z_]\w*\+?=/y, onlyFirst: true },
  { kind: 'word', at: /(?:\\[\s\S]|[^\s;|&()<>'"$`])+/y },
  { kind: 'word', at: /[\s\S]/y },
]

function wordKind(word: string, first: boolean): Kind {
  if (first) return KEYWORDS.has(word) ? 'keyword' : 'program'
  if (word.startsWith('-')) return 'flag'
  return /^(?:https?:|\w+@|[~.]{0,2}\/)/.test(word) ? 'path' : 'word'
}

function split(text: string): Piece[] {
  const pieces: Piece[] = []
  const heredocs: string[] = [] // ends that are awaited
  let at = 0
  let first = true
  let valueOf = 0 // where the value of an assignment would begin

  const add = (kind: Kind, length: number) => {
    pieces.push({ kind, text: text.slice(at, at + length), from: at, to: at + length })
    at += length
  }

  while (at < text.length) {
    const token = TOKENS.find(t => (!t.onlyFirst || first) && ((t.at.lastIndex = at), t.at.test(text)))!
    const length = token.at.lastIndex - at
    const word = text.slice(at, at + length)
    const isValue = valueOf === at && at > 0
    const kind = token.kind === 'word' && !isValue ? wordKind(word, first) : token.kind
    add(kind, length)

    if (token.starts) first = true
    else if (kind === 'assign') valueOf = at
    else if (kind !== 'blank' && kind !== 'keyword' && kind !== 'redirect' && !isValue) first = false

    if (kind === 'redirect' && /<<-?$/.test(word)) {
      const end = /^\s*(['"]?)([\w.-]+)\1/.exec(text.slice(at))
      if (end) {
        heredocs.push(end[2])
        add('redirect', end[0].length)
      }
    } else if (kind === 'newline') {
      while (heredocs.length && at < text.length) {
        const stop = text.indexOf('\n', at)
        const line = text.slice(at, stop < 0 ? text.length : stop)
        const ends = line.replace(/^\t+/, '') === heredocs[0]
        if (line) add(ends ? 'redirect' : 'string', line.length)
        if (ends) heredocs.shift()
        if (!heredocs.length) break
        if (at < text.length) add('newline', 1)
      }
    }
  }
  return pieces
}

const known = new Map<string, Piece[]>()
const KNOWN_MAX = 4000
const KNOWN_LENGTH = 1000 // of a row, not of what is opened

// Rows are drawn again and again while somebody scrolls.
export function pieces(text: string): Piece[] {
  if (text.length > KNOWN_LENGTH) return split(text)
  let found = known.get(text)
  if (!found) {
    if (known.size >= KNOWN_MAX) known.clear()
    found = split(text)
    known.set(text, found)
  }
  return found
}
