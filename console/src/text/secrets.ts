// Where the secrets of a command are: what its redacted form has blanked.

export const BLANK = '[REDACTED]'
export type Range = [from: number, to: number]

export function secretRanges(full: string, redacted: string): Range[] {
  if (full === redacted) return []
  const kept = redacted.split(BLANK)
  const ranges: Range[] = []
  let at = 0
  for (const [i, part] of kept.entries()) {
    const found = part === '' && i === kept.length - 1 ? full.length : full.indexOf(part, at)
    if (found < 0 || (i === 0 && found > 0)) return [[0, full.length]] // cannot be told: all of it
    if (i > 0) ranges.push([at, found])
    at = found + part.length
  }
  return ranges
}

export const VEIL = '••••••••'

export const veiled = (text: string, secrets: string[]) =>
  secrets.filter(s => s.length > 3).reduce((t, secret) => t.split(secret).join(VEIL), text)
