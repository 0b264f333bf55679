'use strict';
// Compares the reader of inline JavaScript (src/core/programs/javascript/read.c) with node itself:
// node --expose-internals compare.js READER [TEXTS [SEED [RUNS]]].
//
// 1. What the reader accepts, acorn parses too, and to the same tree.
// 2. Run in a separate realm, with every value checked (watch.js), it never holds a value that leads to code.
// 3. Some of it runs in a real node, with traps (trap.js) and under node's permission model.
// 4. The tables are checked against the runtime: no allowed name leads to harm, and no global may be declared.
//
// Texts are the seeds (harmless.txt must be accepted, harmful.txt must not), their mutations with a dictionary of tokens, and
// programs that a grammar generates from harmless and harmful names.

const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const watch = require('./watch.js');
const { tree } = require('./tree.js');

const [READER, TEXTS = '6000', SEED = '1', RUNS = '25'] = process.argv.slice(2);
const BATCH = 2000;

let state = Number(SEED) >>> 0 || 1;
function random() { // mulberry32
  state = (state + 0x6d2b79f5) >>> 0;
  let t = state;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const below = (n) => Math.floor(random() * n);
const pick = (list) => list[below(list.length)];

// ---- texts ----

const seeds = (name) => fs.readFileSync(path.join(__dirname, name), 'utf8').split('\n%%\n').filter((t) => t.trim());
const TOKENS = /\s+|[A-Za-z_$][\w$]*|\d[\w.]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|[^\sA-Za-z_$\d'"]/g;
const DICTIONARY = `eval Function require process console fs path os util child_process constructor prototype __proto__ this
arguments globalThis global module exports Object Array String Number JSON Math Reflect Proxy Symbol Buffer Error Map Set Date RegExp
x y f k o a b c data map filter forEach push sort replace keys values entries call apply bind then toString valueOf toJSON length name
new function return throw if else for of in while do switch case default break try catch finally const let var async await yield class
static get set delete typeof void instanceof import export from as with debugger null true false undefined NaN
( ) [ ] { } , ; : . ?. ... = == === != + - * / % ** ++ -- ! ~ & | ^ && || ?? ? => << >> < > += ||= ??= \` \${ } \\ # @ <!-- --> // /* */
'x' "y" 'constructor' 'constr' 'uctor' '__proto__' 'a.json' './a.json' 'utf8' /x/g /[/]/ 0 1 2 1.5 0x1f 010 é \\u0065 argv stdin stdout
env on exit write readFileSync writeFileSync existsSync readdirSync parse stringify log error slice join split`.split(/\s+/);
const LAYOUT = ['\n', ' ', '  ', '\n\n', ';', '', '\t', '/**/', '/*\n*/', '//\n', '\u00a0', '\r'];

function mutate(all) {
  const tokens = pick(all).match(TOKENS) || [];
  for (let i = pick([1, 1, 1, 2, 2, 3, 5]); i > 0; i--) {
    const at = below(tokens.length || 1);
    const kind = below(6);
    if (kind === 0) tokens.splice(at, 1, pick(DICTIONARY));
    else if (kind === 1) tokens.splice(at, 0, pick(DICTIONARY));
    else if (kind === 2) tokens.splice(at, 1);
    else if (kind === 3) tokens.splice(at, 0, pick(LAYOUT));
    else if (kind === 4) {
      const other = pick(all).match(TOKENS) || [];
      const begin = below(other.length || 1);
      tokens.splice(at, below(3), ...other.slice(begin, begin + 1 + below(5)));
    } else {
      const words = tokens.map((t, n) => [t, n]).filter(([t]) => /^\w+$/.test(t)).map(([, n]) => n);
      if (words.length) tokens[pick(words)] = tokens[pick(words)];
    }
  }
  return tokens.join('');
}

const METHODS = 'at concat entries every filter find flat flatMap forEach get has includes indexOf join keys map match reduce replace slice some split test toString trim values push pop sort reverse splice set add'.split(' ');
const BAD = 'constructor prototype __proto__ call apply bind valueOf then caller arguments defineProperty create from of'.split(' ');
const CALLS = ['console.log', 'JSON.stringify', 'JSON.parse', 'String', 'Number', 'Object.keys', 'Object.entries', 'Object.values', 'Object.assign', 'Object.fromEntries', 'Array.from', 'Math.max', 'parseInt', 'g', 'h', 'path.join', 'new Map', 'new Set', 'new Error', 'Array.isArray', 'util.inspect', 'Array', 'Boolean'];
const NAMES = ['a', 'b', 'c', 'd', 'k', 'K'];

const grammar = {
  key: (d) => pick([() => 'k', () => 'K', () => 'K', () => 'i', () => '0', () => "'x'", () => `'${pick(BAD)}'`, () => 'i + 1', () => '`${K}`', () => grammar.value(d - 1), () => "'constr' + 'uctor'", () => 'a.length - 1'])(),
  member: (d) => `${grammar.value(d - 1)}${pick(['.', '.', '?.'])}${pick(random() < 0.1 ? BAD : [...METHODS, 'x', 'y', 'length', 'name'])}`,
  call: (d) => `${random() < 0.5 ? pick(CALLS) : `${grammar.value(d - 1)}.${pick(random() < 0.07 ? BAD : METHODS)}`}(${Array.from({ length: below(3) }, () => (random() < 0.1 ? '...' : '') + grammar.value(d - 1)).join(', ')})`,
  lambda: (d) => pick([() => `(${pick(NAMES.slice(0, 4))} => ${grammar.value(d - 1)})`, () => `((a, b = ${grammar.value(d - 1)}) => { ${grammar.statement(d - 1)}; return ${grammar.value(d - 1)} })`, () => `(function ({x, y: [c] = []}, ...d) { ${grammar.statement(d - 1)} })`, () => `(([a, b]) => ${grammar.value(d - 1)})`])(),
  value(d) {
    if (d <= 0) return pick([...NAMES, ...NAMES, 'i', "'x'", '1', '0', 'null', '[]', '{}', '/x/g', 'Number', 'undefined', "'constructor'"].map((v) => (v === '{}' ? '({})' : v)));
    return pick([grammar.call, grammar.call, grammar.call, grammar.member, grammar.member, grammar.lambda,
      () => `${grammar.value(d - 1)}[${grammar.key(d - 1)}]`, () => `${grammar.value(d - 1)}[${grammar.key(d - 1)}]`, () => `o[${grammar.key(d - 1)}]`,
      () => `(${grammar.value(d - 1)} ${pick(['+', '-', '&&', '||', '??', '===', 'in', ','])} ${grammar.value(d - 1)})`,
      () => `(${grammar.value(d - 1)} ? ${grammar.value(d - 1)} : ${grammar.value(d - 1)})`, () => `[${grammar.value(d - 1)}, ${grammar.value(d - 1)}]`,
      () => `({x: ${grammar.value(d - 1)}, [${grammar.key(d - 1)}]: ${grammar.value(d - 1)}})`, () => '`${' + grammar.value(d - 1) + '}`', () => `${pick(['!', 'typeof ', '-', 'void '])}${grammar.value(d - 1)}`,
      () => `(${pick(NAMES)} ${pick(['=', '||=', '??=', '+='])} ${grammar.value(d - 1)})`, () => 'process.argv[1]', () => `fs.existsSync(${grammar.value(d - 1)})`])(d);
  },
  statement(d) {
    const v = () => grammar.value(below(4));
    const n = pick(NAMES);
    const block = () => `{ ${grammar.statement(d - 1)} }`;
    const plain = [() => `${n} = ${v()}`, v, () => `console.log(${v()})`, () => `${n} += ${v()}`, () => `[${n}, a] = ${v()}`, () => `({x: ${n} = ${v()}} = ${v()})`, () => `o[${grammar.key(1)}] = ${v()}`, () => `${n}.x = ${v()}`, () => `${n}[${grammar.key(1)}] ${pick(['=', '+=', '||='])} ${v()}`, () => 'i++', () => `${n}.push(${v()})`];
    const deep = [() => `if (${v()}) ${block()}`, () => `for (const a of ${v()}) ${block()}`, () => `for (const k in ${v()}) ${block()}`, () => `try ${block()} catch (e) ${block()}`, () => `{ const {x: a, y = ${v()}} = ${v()}; ${grammar.statement(d - 1)} }`, () => `{ let [b, ...c] = ${v()}; ${grammar.statement(d - 1)} }`, () => `switch (${v()}) { case ${v()}: ${grammar.statement(d - 1)} }`];
    return pick(d > 0 ? [...plain, ...deep] : plain)();
  },
  program() {
    const head = "let a = [1], b = {x: 1}, c = 'x', d = null, k = 'constr' + 'uctor', K = ['__pro', 'to__'].join(''), i = 0, o = {};\nconst g = (a, b) => { console.log(a) }, h = function (c) { return c };\n";
    return head + Array.from({ length: 1 + below(3) }, () => grammar.statement(2)).join(';\n');
  },
};

// ---- asking ----

function ask(texts, program = READER, words = ['node', '-e']) {
  const data = texts.map((t) => t.replace(/\0/g, '\x01') + '\0').join('');
  const out = spawnSync(program, words, { input: data, maxBuffer: 1 << 28 });
  const lines = out.stdout.toString().split('\n').slice(0, -1);
  if (lines.length !== texts.length) throw new Error(`${lines.length} answers to ${texts.length} texts`);
  return lines;
}

const faults = [];
const wrong = (text, why) => faults.push([text, why]);
let taken = 0, made = 0, runs = 0, real = 0, trees = 0;

// Everything our parser reads, even if it is refused for what it does. Our parser may not decode keys with escapes.
function compareTrees(texts) {
  ask(texts, path.join(path.dirname(READER), 'js_tree'), []).forEach((ours, i) => {
    if (!ours || /\[[^\]]*\\|\\[^\]]*\]/.test(texts[i])) return;
    let theirs;
    try { theirs = tree(texts[i]); } catch (e) {
      if (!watch.isLateError(e)) wrong(texts[i], 'it is no JavaScript: ' + e.message);
      return;
    }
    trees++;
    if (ours !== theirs) wrong(texts[i], `another tree:\n${ours}\n${theirs}`);
  });
}

function judge(text, said) {
  let parsed = true;
  try { watch.parse(text); } catch (e) { parsed = false; if (!watch.isLateError(e)) return wrong(text, 'it is no JavaScript: ' + e.message); }
  if (!parsed) return;
  runs++;
  const files = [];
  const what = watch.run(text, files);
  if (what.length) return wrong(text, 'when it ran: ' + what.slice(0, 3).join(', '));
  for (const f of files)
    if (!said.includes(':$') && !said.split(' ').some((s) => s.slice(2) === f || s.slice(2) === './' + f))
      return wrong(text, `${f} is opened and not listed: ${said}`);
}

function runForReal(text, directory) {
  real++;
  const flags = ['--disallow-code-generation-from-strings', '-r', path.join(__dirname, 'trap.js')];
  const out = spawnSync(process.execPath, [...flags, '-e', text, 'first'], { input: '{"a": [1, 2]}\n', cwd: directory, timeout: 4000, env: { PATH: process.env.PATH, HOME: directory }, maxBuffer: 1 << 26 });
  const told = /\nTRAP (.*)/.exec(String(out.stderr)) || /EvalError: (Code.*)/.exec(String(out.stderr));
  if (told) wrong(text, 'node was trapped: ' + told[1]);
  if (fs.readdirSync(directory).length !== 1) wrong(text, 'it left something: ' + fs.readdirSync(directory));
}

// ---- the tables ----

const isObject = (v) => v !== null && (typeof v === 'object' || typeof v === 'function');

// From allowed values, allowed names never lead to a class, a prototype or worse; nor do they
// from anything that an unknown key may lead to.
function tables() {
  const stat = fs.statSync('/'), entry = fs.readdirSync('/', { withFileTypes: true })[0];
  const roots = [{}, [], 'x', 1, true, 10n, /x/, new Date(), new Map(), new Set(), new WeakMap(), new WeakSet(), new Error('x'), () => 1, function () {}, Buffer.from('x'), stat, entry, [].values(), new Map().entries(), 'a'.matchAll(/a/g), /a/.exec('a'), Number, String, Boolean, BigInt, parseInt, atob, Math.max, JSON.parse, Object.keys, Array.from, path.join, os.cpus(), path.parse('a'), process.memoryUsage()];
  const harmless = new Set(['Number', 'String', 'Boolean', 'BigInt']);
  const own = (v) => Object.prototype.hasOwnProperty.call(v, 'prototype') && isObject(v.prototype);
  const isClass = (v) => own(v) && (/\[native code\]|^class/.test(String(v)) || Object.getOwnPropertyNames(v.prototype).length > 1);
  const plain = 'keys values entries is hasOwn isFrozen isSealed isExtensible fromEntries groupBy getOwnPropertyNames'.split(' ');
  const reaching = new Set(Object.getOwnPropertyNames(Object).filter((s) => typeof Object[s] === 'function' && !plain.includes(s)).map((s) => Object[s]));
  const bad = (v, n) => typeof v === 'function' && ((isClass(v) && !harmless.has(n)) || v === eval || reaching.has(v));
  const seen = new Set(), names = new Map();
  const look = (o, first) => {
    for (let up = o; up; up = Object.getPrototypeOf(up))
      for (const n of Object.getOwnPropertyNames(up)) {
        const d = Object.getOwnPropertyDescriptor(up, n);
        let v;
        try { v = 'value' in d ? d.value : d.get && d.get.call(o); } catch { continue; }
        if (!isObject(v)) continue;
        const prototype = typeof v === 'object' && Object.prototype.hasOwnProperty.call(v, 'constructor') && typeof v.constructor === 'function' && v.constructor.prototype === v;
        if (bad(v, n) || prototype) names.set(n, (names.get(n) || false) || first);
        if (!seen.has(v)) { seen.add(v); queue.push([v, false]); }
      }
  };
  const queue = roots.map((r) => [Object(r), true]);
  while (queue.length) look(...queue.shift());
  const texts = [], about = [];
  for (const [n, first] of names) {
    const key = JSON.stringify(n);
    if (first) { texts.push(`const o = {}; const v = [o[${key}]]`); about.push(n); }
    texts.push(`const k = process.argv[1]; const o = {}; const v = [o[k][${key}]]`); about.push(n);
    texts.push(`const k = process.argv[1]; const o = {}; o[k][${key}](1)`); about.push(n);
  }
  ask(texts).forEach((said, i) => { if (said !== 'asks') wrong(texts[i], `${about[i]} leads to what is harmful`); });
  const modules = require('module').builtinModules;
  const globals = spawnSync(process.execPath, ['-p', 'Object.getOwnPropertyNames(globalThis).join()']).stdout.toString().trim().split(',').filter((n) => !modules.includes(n) || ['process', 'console', 'module'].includes(n));
  for (const form of ['var N = 1', 'function N() {}', 'const f = (N) => 1', 'const {N} = {}', 'let [N] = []', "const N = require('fs')", 'try { 1 } catch (N) { 1 }', 'for (const N of []) 1']) {
    const all = globals.map((n) => form.replace('N', n));
    ask(all).forEach((said, i) => { if (said !== 'asks') wrong(all[i], 'a global is declared'); });
  }
  for (const form of ['var N = 1', '{ var N }', 'for (var N of []) 1', 'for (var N in {}) 1', 'var {a: [N]} = {}']) {
    const all = modules.filter((n) => /^[a-z]\w*$/.test(n)).map((n) => form.replace('N', n));
    ask(all).forEach((said, i) => { if (said !== 'asks') wrong(all[i], 'a global that is a module is declared'); });
  }
  return names.size + globals.length;
}

// ---- main ----

const harmless = seeds('harmless.txt'), harmful = seeds('harmful.txt');
const said = ask(harmless);
harmless.forEach((t, i) => { if (said[i] === 'asks') wrong(t, 'a harmless seed is refused'); });
compareTrees([...harmless, ...harmful]);
ask(harmful).forEach((s, i) => { if (s !== 'asks') wrong(harmful[i], 'a harmful seed is taken: ' + s); });
const named = tables();
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'warder-js-'));
fs.writeFileSync(path.join(directory, 'package.json'), '{"name": "x", "version": "1"}');
const all = [...harmless, ...harmful];
const picked = [];
for (let texts = [...harmless]; made < Number(TEXTS); made += texts.length, texts = []) {
  while (texts.length < Math.min(BATCH, Number(TEXTS) - made)) texts.push(random() < 0.5 ? mutate(all) : grammar.program());
  compareTrees(texts);
  ask(texts).forEach((s, i) => {
    if (s === 'asks') return;
    taken++;
    judge(texts[i], s);
    if (!texts[i].includes('while') && !texts[i].includes('for (;')) picked.push(texts[i]);
  });
}
for (let i = 0; i < Number(RUNS) && picked.length; i++) runForReal(picked.splice(below(picked.length), 1)[0], directory);
fs.rmSync(directory, { recursive: true });
for (const [t, why] of faults.slice(0, 10)) console.log(`---- ${why}\n${t}`);
console.log(`${made} texts, ${trees} trees, ${taken} taken, ${runs} of them watched, ${real} run by node; ${named} names; ${faults.length} wrong`);
process.exit(faults.length || taken * 20 < made ? 1 : 0);
