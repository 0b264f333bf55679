'use strict';
// What a text really does when it runs: every value that it gets, passes on or writes to is checked.
//
// watched(text) is the text with a check of each argument, result, element, property, parameter and written object, added
// with the help of acorn's tree. run(text) runs it in a separate realm and returns what it did that a harmless text
// does not: it held a value that leads to code or to an object that the runtime itself uses.

const vm = require('vm');
const fs = require('fs');
const util = require('util');
const acorn = require('internal/deps/acorn/acorn/dist/acorn');

// Functions of these may get any value: they print it, or convert it to strings and numbers.
const LOOKERS = /^(console|Math|JSON|path|os|util|Number|Date)\.\w+$|^(String|Number|Boolean|BigInt|parseInt|parseFloat|isNaN|isFinite|atob|btoa|escape|unescape|(en|de)codeURI(Component)?)$|^Object\.(keys|is|hasOwn|getOwnPropertyNames|isFrozen|isSealed)$|^Array\.isArray$|^String\.from(CharCode|CodePoint)$|^process\.(exit|std(out|err)\.write)$|^require\.resolve$/;
const CHANGES = new Set('add clear copyWithin delete fill pop push reverse set shift sort splice unshift'.split(' '));

function parse(text) {
  const module = /\bimport\b/.test(text);
  return acorn.parse(text, { ecmaVersion: 2022, sourceType: module ? 'module' : 'script' });
}

// Invalid for a reason that node checks and our reader does not: then nothing runs.
function isLateError(error) {
  return /already been declared|Invalid regular expression|Invalid flags|Duplicate regular|Assigning to rvalue|clash|redefinition/i.test(error.message);
}

function watched(text) {
  const tree = parse(text);
  const edits = [];
  const wrap = (n, name) => edits.push([n.start, 0, name + '(('], [n.end, 1, '))']);
  const source = (n) => text.slice(n.start, n.end).replace(/\s/g, '');
  const value = (n) => n && (n.type === 'SpreadElement' ? wrap(n.argument, '$v') : wrap(n, '$v'));

  function enter(n, up) {
    switch (n.type) {
      case 'CallExpression': case 'NewExpression': {
        const callee = n.callee.type === 'ChainExpression' ? n.callee.expression : n.callee;
        if (!LOOKERS.test(source(callee).replace(/^require\(['"](node:)?(\w+)['"]\)/, '$2'))) n.arguments.forEach(value);
        else if (/^JSON\.|write$/.test(source(callee)) && n.arguments.length > 1 && n.arguments[1].type !== 'Literal') n.arguments.forEach(value);
        if (callee.type === 'MemberExpression' && !callee.computed && CHANGES.has(callee.property.name)) wrap(callee.object, '$w');
        if (up.type !== 'ChainExpression' && !(up.type === 'MemberExpression' && up.object === n) && !(up.type === 'CallExpression' && up.callee === n) && up.type !== 'ExpressionStatement' && source(callee) !== 'require') value(n);
        break;
      }
      case 'AssignmentExpression':
        if (n.left.type === 'MemberExpression') {
          if (n.left.object.name !== 'process' || n.left.property.name !== 'exitCode') wrap(n.left.object, '$w');
          if (!['+=', '-='].includes(n.operator)) value(n.right);
        }
        break;
      case 'UpdateExpression':
        if (n.argument.type === 'MemberExpression') wrap(n.argument.object, '$w');
        break;
      case 'ReturnStatement': case 'ThrowStatement': value(n.argument); break;
      case 'ArrayExpression': n.elements.forEach(value); break;
      case 'ObjectExpression':
        for (const p of n.properties) if (p.type === 'SpreadElement') value(p); else if (!p.shorthand) value(p.value);
        break;
      case 'ArrowFunctionExpression': case 'FunctionExpression': case 'FunctionDeclaration': {
        const names = n.params.filter((p) => p.type === 'Identifier').map((p) => p.name).join(', ');
        if (n.body.type === 'BlockStatement') edits.push([n.body.start + 1, 0, `$v(${names});`]);
        else { edits.push([n.body.start, 0, `($v(${names}), $v(`], [n.body.end, 1, '))']); }
        break;
      }
    }
  }
  // Patterns that are written as expressions have no values.
  function walk(n, up) {
    if (!n || typeof n.type !== 'string') return;
    if (/Pattern$/.test(n.type) === false) enter(n, up);
    for (const key of Object.keys(n)) {
      const child = n[key];
      if (key === 'type') continue;
      if (Array.isArray(child)) child.forEach((c) => walk(c, n)); else if (child && typeof child === 'object') walk(child, n);
    }
  }
  walk(tree, { type: '' });
  // a later start is inside; an earlier end closes first
  let out = '', at = 0;
  const order = edits.map((e, i) => [...e, i]).sort((a, b) => a[0] - b[0] || b[1] - a[1] || (a[1] === 1 ? b[3] - a[3] : a[3] - b[3]));
  for (const [where, , what] of order) { out += text.slice(at, where) + what; at = where; }
  return out + text.slice(at);
}

// ---- harmful values ----

const isObject = (v) => v !== null && (typeof v === 'object' || typeof v === 'function');
const HARMLESS = new Set(['Number', 'String', 'Boolean', 'BigInt']);
const BAD_FUNCTIONS = ['assign', 'create', 'defineProperties', 'defineProperty', 'getOwnPropertyDescriptor', 'getOwnPropertyDescriptors', 'getOwnPropertySymbols', 'getPrototypeOf', 'setPrototypeOf'];

// Of one realm: classes, prototypes, namespaces, the global object, and the functions that give access to them.
function harmfulOf(global, into) {
  const add = (v) => { if (isObject(v)) into.add(v); };
  add(global); add(global.eval); add(global.Function.prototype);
  for (const n of ['call', 'apply', 'bind']) add(global.Function.prototype[n]);
  for (const n of BAD_FUNCTIONS) if (n !== 'assign') add(global.Object[n]);
  for (const n of ['__defineGetter__', '__defineSetter__', '__lookupGetter__', '__lookupSetter__']) add(global.Object.prototype[n]);
  const seen = new Set();
  (function go(o, depth) {
    if (!isObject(o) || seen.has(o) || depth > 4) return;
    seen.add(o);
    for (const n of Object.getOwnPropertyNames(o)) {
      const d = Object.getOwnPropertyDescriptor(o, n);
      const v = d && d.value;
      if (n.startsWith('$') || !isObject(v)) continue;
      if (typeof v === 'function' && Object.prototype.hasOwnProperty.call(v, 'prototype') && isObject(v.prototype)) {
        if (!HARMLESS.has(n) || o !== global) add(v);
        add(v.prototype);
        go(v, depth + 1); go(v.prototype, depth + 1);
        add(Object.getPrototypeOf(v.prototype));
      } else if (o === global && typeof v === 'object') { add(v); go(v, depth + 1); }
    }
  })(global, 0);
  for (const it of [[].values(), new Map().entries(), 'x'.matchAll(/x/g)]) add(Object.getPrototypeOf(it));
  return into;
}

const outer = harmfulOf(globalThis, new Set());
for (const n of ['Number', 'String', 'Boolean', 'BigInt']) outer.delete(globalThis[n]);
for (const m of ['fs', 'os', 'path', 'util', 'child_process', 'vm', 'module']) outer.add(require(m));
outer.add(process).add(console).add(require).add(process.stdin).add(process.env);

// ---- running ----

const READERS = ['readFileSync', 'readdirSync', 'existsSync', 'statSync', 'lstatSync', 'realpathSync', 'accessSync', 'readlinkSync'];

function world(said, files) {
  const quiet = new Proxy({}, { get: (t, n) => n === 'log' || n === 'error' || n === 'table' ? (...a) => { util.format(...a); } : () => undefined });
  const events = {};
  const stdin = { on(e, f) { (events[e] = events[e] || []).push(f); return stdin; }, once(e, f) { return stdin.on(e, f); }, setEncoding() { return stdin; }, resume() { return stdin; }, pause() { return stdin; }, read() { return null; } };
  const stream = { write: () => true, columns: 80 };
  const fakeFs = {};
  for (const n of READERS)
    fakeFs[n] = (p, ...rest) => {
      if (p === 0) return '{"a": [1, {"b": "c"}], "constructor": "x"}';
      if (typeof rest[0] === 'object' && rest[0] && 'flag' in rest[0]) said.push('a flag for ' + n);
      files.push(String(p));
      return fs[n](p, ...rest);
    };
  const modules = { fs: fakeFs, os: require('os'), path: require('path'), util: require('util') };
  const fakeRequire = (n) => {
    n = String(n).replace(/^node:/, '');
    if (Object.prototype.hasOwnProperty.call(modules, n)) return modules[n];
    if (/^\.{0,2}\/.*\.json$/.test(n)) return JSON.parse('{"name": "x", "version": "1", "dependencies": {"a": "1"}}');
    said.push('requires ' + n);
    throw new Error('no module');
  };
  fakeRequire.resolve = () => '/x';
  const fakeProcess = { argv: ['/usr/bin/node', 'first'], exitCode: 0, version: 'v1', versions: { node: '1' }, platform: 'linux', cwd: () => '/', exit() { throw new Error('exit'); }, stdout: stream, stderr: stream, stdin, uptime: () => 1, memoryUsage: () => ({}), release: { name: 'node' } };
  for (const n of ['env', 'binding', 'mainModule', 'kill', 'dlopen', 'chdir', 'on'])
    Object.defineProperty(fakeProcess, n, { get() { said.push('process.' + n); } });
  const globals = { console: quiet, process: fakeProcess, require: fakeRequire, Buffer, ...modules, child_process: { exec() { said.push('child_process'); }, execSync() { said.push('child_process'); } } };
  return { globals, events, bad: [quiet, fakeProcess, fakeRequire, fakeFs, stdin, stream, globals.child_process] };
}

// A module is run as a script: its imports are provided in another way.
function imports(text) {
  if (!/\bimport\b/.test(text)) return text;
  for (const n of parse(text).body.filter((d) => d.type === 'ImportDeclaration').reverse()) {
    const from = n.source.raw;
    const bound = n.specifiers.map((s) => (s.type === 'ImportSpecifier' ? `{${s.imported.name}: ${s.local.name}} = require(${from})` : `${s.local.name} = require(${from})`));
    text = text.slice(0, n.start) + (bound.length ? 'var ' + bound.join(', ') + ';' : '') + text.slice(n.end);
  }
  return text;
}

function run(text, files = []) {
  const said = [];
  const code = watched(imports(text));
  const { globals, events, bad } = world(said, files);
  const context = vm.createContext({ ...globals }, { codeGeneration: { strings: false, wasm: false } });
  const realm = vm.runInContext('globalThis', context);
  const harmful = harmfulOf(realm, new Set([...outer, ...bad]));
  for (const n of Object.keys(globals)) if (isObject(globals[n])) harmful.add(globals[n]);
  harmful.delete(realm.Number); harmful.delete(realm.String); harmful.delete(realm.Boolean); harmful.delete(realm.BigInt);
  const before = new Map([...harmful].map((o) => [o, Object.getOwnPropertyNames(o).length]));
  const $v = (...vs) => {
    for (const v of vs) if (isObject(v) && harmful.has(v)) { said.push('holds ' + (v.name || Object.prototype.toString.call(v))); throw new Error('stop'); }
    return vs[0];
  };
  realm.$v = $v;
  realm.$w = (v) => { $v(v); if (typeof v === 'function' && !/=>|^function \w*\(/.test(Function.prototype.toString.call(v))) said.push('writes to ' + v.name); return v; };
  const go = (f) => { try { f(); } catch (e) { if (e instanceof EvalError || (e && e.name === 'EvalError' && /code generation|Code generation/i.test(e.message))) said.push('makes code of a text'); } };
  try { new vm.Script(code); } catch (e) { return ['the watched text is no JavaScript: ' + e.message + '\n' + code]; }
  go(() => vm.runInContext(code, context, { timeout: 300 }));
  for (const e of ['data', 'end', 'close'])
    for (const f of events[e] || []) go(() => { realm.$f = f; vm.runInContext(`$f(${e === 'data' ? JSON.stringify('{"a": 1, "k": "constructor"}') : ''})`, context, { timeout: 300 }); });
  for (const [o, n] of before)
    if (o !== realm && Object.getOwnPropertyNames(o).length !== n) said.push('changes ' + (o.name || Object.prototype.toString.call(o)));
  return said;
}

module.exports = { parse, isLateError, watched, run };
