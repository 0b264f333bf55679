// The search of the log: words, and FIELD:VALUE pairs, -FIELD:VALUE for the opposite. All must hold. A field that does not
// exist is named, as the service does: a misspelled filter must not read as no filter.
import type { Decision } from '../types'

export const fields: Record<string, (d: Decision) => string | null | undefined> = {
  agent: d => d.worker_id,
  project: d => d.project_id,
  task: d => d.task_id,
  session: d => d.session_id,
  tool: d => d.tool,
  decision: d => d.decision,
  layer: d => d.layer,
  rule: d => d.rule,
  mode: d => d.mode,
  by: d => d.answered_by,
  is: d => [d.contained && 'contained', d.reversible && 'undoable'].filter(Boolean).join(' '),
}

export interface Query {
  test: (d: Decision) => boolean
  unknown: string[]
}

export function compile(text: string): Query {
  const unknown: string[] = []
  const tests: ((d: Decision) => boolean)[] = []
  for (const word of text.match(/-?\w+:"[^"]*"?|\S+/g) ?? []) {
    const pair = /^(-?)(\w+):(?!\/\/)"?([^"]*)"?$/.exec(word)
    const value = (pair ? pair[3] : word).toLowerCase()
    if (!pair) tests.push(d => d.command_redacted.toLowerCase().includes(value))
    else if (!fields[pair[2]]) unknown.push(pair[2])
    else tests.push(d => (fields[pair[2]](d) ?? '').toLowerCase().includes(value) !== (pair[1] === '-'))
  }
  return { test: d => tests.every(t => t(d)), unknown }
}

// term: a search for this value, which may be a stranger's: it stays one value, whatever it has in it.
export function term(field: string, value: string): string {
  const part = value.split('"').sort((a, b) => b.length - a.length)[0] // there is no way to say a quotation mark
  return /^[^\s]+$/.test(part) && !part.startsWith('//') ? `${field}:${part}` : `${field}:"${part}"`
}
