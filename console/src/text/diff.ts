// Lines that go and lines that come, for calls that change a file.

export interface Line {
  sign: ' ' | '+' | '-'
  text: string
}
export interface Change {
  title: string
  lines: Line[]
}

const LINES_MAX = 2000 // of each side; beyond, both are shown whole

// The longest common subsequence of lines, after equal ends are set aside.
export function diffLines(before: string, after: string): Line[] {
  const a = before === '' ? [] : before.split('\n')
  const b = after === '' ? [] : after.split('\n')
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head++
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  const line = (sign: Line['sign']) => (text: string): Line => ({ sign, text })
  return [
    ...a.slice(0, head).map(line(' ')),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(line(' ')),
  ]
}

function middle(a: string[], b: string[]): Line[] {
  if (a.length * b.length > LINES_MAX * LINES_MAX || !a.length || !b.length)
    return [...a.map(text => ({ sign: '-' as const, text })), ...b.map(text => ({ sign: '+' as const, text }))]
  const width = b.length + 1
  const common = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] =
        a[i] === b[j] ? common[(i + 1) * width + j + 1] + 1 : Math.max(common[(i + 1) * width + j], common[i * width + j + 1])
  const out: Line[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push({ sign: ' ', text: a[i] })
      i++
      j++
    } else if (i < a.length && (j === b.length || common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      out.push({ sign: '-', text: a[i++] })
    } else {
      out.push({ sign: '+', text: b[j++] })
    }
  }
  return out
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')

// The two lines with the names of a file stand together; whatever else begins with a sign is a change, also of a line that begins
// with signs itself.
function patchLines(patch: string): Line[] {
  const lines = patch.split('\n')
  const isOld = (i: number) => lines[i]?.startsWith('--- ') && lines[i + 1]?.startsWith('+++ ')
  return lines.map((line, i) => {
    const sign = /^[+-]/.test(line) && !isOld(i) && !isOld(i - 1) ? (line[0] as '+' | '-') : ' '
    return { sign, text: sign === ' ' ? line : line.slice(1) }
  })
}

type Input = Record<string, unknown>

// What the clients call the parts of a change; src/core/call/tool.c has the tools.
const NAMES = {
  file: ['file_path', 'path', 'filePath', 'notebook_path'],
  before: ['old_string', 'oldString', 'old_str', 'oldText'],
  after: ['new_string', 'newString', 'new_str', 'newText', 'new_source', 'insert_text'],
  whole: ['content', 'contents', 'file_text'],
  patch: ['patch', 'patchText', 'diff'],
  list: ['edits', 'replacements'],
  every: ['replace_all', 'replaceAll', 'allow_multiple'],
}

// One part of an input, and that it has been read.
class Reader {
  constructor(
    readonly input: Input,
    readonly read: Set<string>,
  ) {}
  find(part: keyof typeof NAMES): unknown {
    const name = NAMES[part].find(n => this.input[n] !== undefined)
    if (name) this.read.add(name)
    return name && this.input[name]
  }
  text = (part: keyof typeof NAMES) => text(this.find(part))
}

function changeOf(r: Reader, file: string, note: string): Change | null {
  const own = r.text('file') || file
  const whole = r.find('whole')
  if (typeof whole === 'string') return { title: `${own}, all of it${note}`, lines: diffLines('', whole) }
  const before = r.find('before')
  const after = r.find('after')
  if (before === undefined && after === undefined) return null
  return { title: own + note + (r.find('every') ? ', every place' : ''), lines: diffLines(text(before), text(after)) }
}

export interface Shown {
  changes: Change[]
  others: [name: string, value: string][] // what it was given besides
}

// changesOf reads what a tool was given, in the spellings of the clients: the changes that it would make to files, and whatever
// else there is. Nothing is left out: a person answers for all of it. Null: there is no more than the call itself says.
export function changesOf(input: Input | null | undefined, call: string): Shown | null {
  if (!input) return null
  const r = new Reader(input, new Set())
  const file = r.text('file')
  const changes: Change[] = []
  const patch = text(r.find('patch')) || (/^\*\*\* Begin Patch/.test(call) ? call : '')
  const list = r.find('list')
  if (patch) changes.push({ title: file || 'Patch', lines: patchLines(patch) })
  if (Array.isArray(list)) list.forEach((edit, i) => changes.push(...parts(edit, file, `, change ${i + 1} of ${list.length}`)))
  const one = changeOf(r, file, '')
  if (one) changes.push(one)
  if (!changes.length) r.read.clear() // a path alone is no change
  const others = Object.entries(input)
    .filter(([name, value]) => !r.read.has(name) && value !== call)
    .map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value, null, 2)])
  return changes.length || others.length ? { changes, others } : null
}

// One of several edits; what it has besides stands below it as it came.
function parts(edit: unknown, file: string, note: string): Change[] {
  const input = edit && typeof edit === 'object' ? (edit as Input) : {}
  const r = new Reader(input, new Set())
  const change = changeOf(r, file, note)
  const rest = Object.entries(input).filter(([name]) => !r.read.has(name))
  if (change && !rest.length) return [change]
  const given = change ? Object.fromEntries(rest) : edit
  return [...(change ? [change] : []), { title: `${file}${note}, as it was given`, lines: JSON.stringify(given, null, 2).split('\n').map(t => ({ sign: ' ' as const, text: t })) }]
}
