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

function patchLines(patch: string): Line[] {
  return patch.split('\n').map(line => {
    const sign = /^[+-](?!\+\+|--)/.test(line) ? (line[0] as '+' | '-') : ' '
    return { sign, text: sign === ' ' ? line : line.slice(1) }
  })
}

// changesOf reads the input of the tools that change files, in the spellings of the clients; null for any other.
export function changesOf(input: Record<string, unknown> | null | undefined): Change[] | null {
  if (!input) return null
  const file = text(input.file_path ?? input.path ?? input.filePath ?? input.notebook_path)
  if (typeof input.patch === 'string' || typeof input.diff === 'string')
    return [{ title: file || 'Patch', lines: patchLines(text(input.patch ?? input.diff)) }]
  if (Array.isArray(input.edits))
    return input.edits.map((edit, i) => ({
      title: `${file}, change ${i + 1} of ${(input.edits as unknown[]).length}`,
      lines: diffLines(text(edit?.old_string ?? edit?.oldText), text(edit?.new_string ?? edit?.newText)),
    }))
  if ('old_string' in input || 'new_string' in input)
    return [{ title: file + (input.replace_all ? ', every place' : ''), lines: diffLines(text(input.old_string), text(input.new_string)) }]
  if (typeof input.content === 'string') return [{ title: `${file}, all of it`, lines: diffLines('', input.content) }]
  return null
}
