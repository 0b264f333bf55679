'use strict';
// Loaded before a text that a real node runs: whatever reaches out of the process is reported on standard error at once.
const fs = require('fs');
const tell = (what) => fs.writeSync(2, `\nTRAP ${what}\n`);
const write = fs.writeSync;

for (const [name, keep] of [['child_process', /^$/], ['net', /^(is|_|S)/], ['dgram', /^_/], ['http', /^(METHODS|STATUS|validate|_)/], ['https', /^$/], ['dns', /^$/], ['worker_threads', /^(isMain|parentPort|threadId|SHARE|resource|workerData)/], ['cluster', /^(is|_|settings|workers)/], ['vm', /^(constants|isContext)/]]) {
  const module = require(name);
  for (const n of Object.keys(module))
    if (typeof module[n] === 'function' && !keep.test(n)) try { module[n] = function () { tell(name + '.' + n); throw new Error('trap'); }; } catch {}
}
for (const n of Object.keys(fs))
  if (/^(append|chmod|chown|copy|cp|create|fch|ftrunc|fut|lch|link|lut|mk|open$|openSync|rename|rm|symlink|trunc|unlink|utimes|watch|write)/.test(n) && n !== 'writeSync' && n !== 'openSync' && typeof fs[n] === 'function')
    fs[n] = function () { tell('fs.' + n); throw new Error('trap'); };
const open = fs.openSync;
fs.openSync = function (path, flags, ...rest) { if (flags && flags !== 'r') tell('fs.openSync ' + flags); return open.call(fs, path, flags, ...rest); };
fs.writeSync = function (fd, ...rest) { if (fd !== 1 && fd !== 2) tell('fs.writeSync'); return write.call(fs, fd, ...rest); };
const builtins = [];
for (const n of Object.getOwnPropertyNames(globalThis)) {
  const d = Object.getOwnPropertyDescriptor(globalThis, n);
  for (const o of [d.value, d.value && d.value.prototype])
    if (o && (typeof o === 'object' || typeof o === 'function') && o !== globalThis && o !== process) builtins.push([n, o, Reflect.ownKeys(o).length]);
}
process.on('exit', () => { for (const [n, o, count] of builtins) if (Reflect.ownKeys(o).length !== count) tell('changes ' + n); });
