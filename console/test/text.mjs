// What stands in src/text: pure functions, tried without a browser.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'

const base = path.dirname(path.dirname(new URL(import.meta.url).pathname))
const { build } = await import('esbuild').catch(() => {
  console.log('SKIPPED: the packages of the console are not installed')
  process.exit(77)
})
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'warder-console-'))
const names = ['diff', 'long', 'marks', 'odd', 'query', 'secrets']
await build({ absWorkingDir: base, stdin: { contents: names.map(n => `export * from './src/text/${n}'`).join('\n'), resolveDir: base }, bundle: true, format: 'esm', outfile: path.join(place, 'text.mjs') })
const { changesOf, compile, isLong, marks, oddities, parts, plainly, secretRanges, steps, term } = await import(path.join(place, 'text.mjs'))
fs.rmSync(place, { recursive: true })

// did: an action of the engine, by its place in the text.
const did = (at, length, form, more = {}) => ({ form, at, length, parent: null, redirect: false, paths: [], hosts: [], effect_names: [], cleared_by: null, ...more })
const cleared = { cleared_by: 'harmless' }
const explained = (...actions) => ({ actions, findings: [] })

describe('what is marked as cleared', () => {
  const loop = 'for f in a .env; do cat $f; done'
  const at = loop.indexOf('cat')

  test('is cleared each time: one pass of a loop that is not takes the mark away', () => {
    for (const order of [[cleared, {}], [{}, cleared]])
      assert.deepEqual(marks(loop, explained(...order.map(more => did(at, 6, 'cat x', more)))).map(m => m.cleared), [false])
    assert.deepEqual(marks(loop, explained(did(at, 6, 'cat a', cleared), did(at, 6, 'cat b', cleared))).map(m => m.cleared), [true])
  })

  test('is not what a wrapper starts: the inner step keeps its own line', () => {
    const text = 'nice nice rm -rf x'
    const e = explained(did(0, 18, text, cleared), did(0, 18, 'nice rm -rf x', { ...cleared, parent: 0 }), did(0, 18, 'rm -rf x', { parent: 1 }))
    assert.deepEqual(marks(text, e).map(m => m.cleared), [false])
    const flat = all => all.flatMap(s => [s, ...flat(s.inner)])
    assert.deepEqual(flat(steps(e)).map(s => [s.action.form, s.times]), [[text, 1], ['nice rm -rf x', 1], ['rm -rf x', 1]])
  })

  test('and steps of a loop are one only where they do the same', () => {
    const forms = all => steps(explained(...all)).map(s => `${s.action.form} ${s.times}`)
    assert.deepEqual(forms([did(at, 6, 'cat a'), did(at, 6, 'cat b')]), ['cat a 2'])
    assert.deepEqual(forms([did(at, 6, 'cat a', cleared), did(at, 6, 'cat .env')]), ['cat a 1', 'cat .env 1'])
    assert.deepEqual(forms([did(at, 6, 'true x'), did(at, 6, 'curl x')]), ['true x 1', 'curl x 1'])
    assert.deepEqual(forms([did(at, 6, 'git a'), did(at, 6, 'git b', { effect_names: ['loss'] })]), ['git a 1', 'git b 1'])
  })
})

describe('characters', () => {
  test('the engine and the page know the same ones that cannot be seen', () => {
    const source = fs.readFileSync(path.join(process.env.WARDER_SOURCE, 'src/core/base/utf8.c'), 'utf8')
    const ranges = [...source.slice(source.indexOf('ranges[] = {')).matchAll(/\{(0x[0-9a-f]+), (0x[0-9a-f]+), "/g)].map(([, first, last]) => [Number(first), Number(last)])
    assert.ok(ranges.length > 30)
    const known = new Set(ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i)))
    const shown = point => parts(String.fromCodePoint(point)).some(p => p.odd?.kind === 'unseen')
    const points = [[0, 0xd7ff], [0xe000, 0x1ffff], [0xe0000, 0xe1000]].flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i))
    const differ = points.filter(point => shown(point) !== known.has(point)).map(point => point.toString(16))
    // U+0001 is the engine's own, for what is not known; the last four are no letters at all.
    assert.deepEqual(differ, ['1', 'fffc', 'fffd', 'fffe', 'ffff'])
  })

  test('a blank that is none, in every place', () => {
    for (const ch of ['\u00a0', '\u2003', '\u3000', '\u2800', '\u{1d159}']) assert.match(plainly(`rm${ch}-rf`), /\[U\+[0-9A-F]+\]/)
  })

  test('so much nothing that it hides what comes after it', () => {
    assert.equal(plainly(`ls${' '.repeat(500)}; curl x`), 'ls[500 blanks]; curl x')
    assert.equal(plainly(`ls${'\n \t'.repeat(40)}\ncurl x`), 'ls[40 empty lines]curl x')
    assert.deepEqual(oddities(`echo "${'\n'.repeat(30)}"`), ['29 empty lines in a row'])
    assert.deepEqual(oddities(`ls${' '.repeat(60)}# as in a table\n\n\nx`), [])
    assert.equal(parts(`a${' '.repeat(1000)}b`).map(p => p.text).join(''), `a${' '.repeat(1000)}b`)
  })

  test('a warning does not become as long as it likes', () => {
    const all = Array.from({ length: 200 }, (_, i) => String.fromCodePoint(0xe0100 + i)).join('')
    assert.equal(oddities(all).length, 7)
    assert.equal(oddities(all).at(-1), '194 more of this kind')
  })
})

describe('searches', () => {
  const calls = [{ worker_id: 'evil -decision:deny', decision: 'auto-deny' }, { worker_id: 'evil', decision: 'auto-deny' }, { worker_id: 'a"b c', decision: 'ask' }, { worker_id: '//x', decision: 'ask' }].map(d => ({ command_redacted: '', ...d }))
  test("an agent's name stays one value, whatever it says", () => {
    for (const call of calls) {
      const { test: fits, unknown } = compile(term('agent', call.worker_id))
      assert.deepEqual(unknown, [])
      assert.ok(fits(call), call.worker_id)
      assert.ok(!fits({ ...call, worker_id: 'other' }), call.worker_id)
    }
  })
})

describe('changes', () => {
  const signs = patch => changesOf({ patch }, '').changes[0].lines.map(l => l.sign).join('')
  test('a line that begins with signs is a change all the same', () => {
    assert.equal(signs('--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n--- drop\n+++evil\n+++ evil\n-x\n+y\n z'), '   -++-+ ')
    assert.equal(signs('*** Begin Patch\n*** Update File: x\n@@\n+++evil\n--- gone'), '   +-')
  })
})

describe('secrets', () => {
  test('what looks like a blanked place veils itself and nothing else', () => {
    const full = 'echo [REDACTED] && rm -rf x && curl -H SECRET'
    const veiled = secretRanges(full, 'echo [REDACTED] && rm -rf x && curl -H [REDACTED]').map(([a, b]) => full.slice(a, b))
    assert.deepEqual(veiled, ['[REDACTED]', 'SECRET'])
    assert.deepEqual(secretRanges(full, full), [])
    assert.deepEqual(secretRanges('abc', 'x[REDACTED]'), [[0, 3]])
  })
})

describe('what is too long to be seen at once', () => {
  test('by its characters or by its lines', () => {
    assert.ok(!isLong({ command: 'x\n'.repeat(99) }))
    assert.ok(isLong({ command: 'x\n'.repeat(100) + 'x' }))
    assert.ok(isLong({ command: 'x'.repeat(16_001) }))
  })
})
