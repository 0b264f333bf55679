#!/usr/bin/env node
'use strict';
// The model of the five documents against `warder check --jsonl`:
//   run.js WARDER [--decisions N] [--seed N] [--per N] [--jobs N] [--profile NAME] [--show N]
//   run.js WARDER --mutants [--decisions N]     the same with one statement of the model changed at a time
const path = require('path');
const { spawn, spawnSync } = require('child_process');
const differences = require('./differences.js');
const { work, emptyTotal, NAMES, SAMPLE } = require('./compare.js');

const DEFAULTS = { decisions: 20000, seed: 1, per: 500, jobs: 1, show: 10, count: true, mutants: false };

function options(argv) {
    const out = { ...DEFAULTS, warder: path.resolve(argv[0]) };
    for (let i = 1; i < argv.length; i++) {
        const name = argv[i].slice(2);
        if (name === 'mutants')
            out.mutants = true;
        else
            out[name] = /^\d+$/.test(argv[++i]) ? Number(argv[i]) : argv[i];
    }
    return out;
}

function canMount() {
    return process.getuid() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0;
}

// A job is this program again, in a mount namespace of its own where that can be had; its options come in one argument.
function startJob(opts) {
    const self = [process.execPath, __filename, '--job', JSON.stringify(opts)];
    const [command, ...args] = opts.managed ? ['unshare', '-m', '--propagation', 'private', ...self] : self;
    return new Promise((resolve, reject) => {
        const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
        let out = '';
        child.stdout.on('data', (chunk) => (out += chunk));
        child.on('error', reject);
        child.on('close', (code) => (code === 0 ? resolve(JSON.parse(out)) : reject(new Error(`a job ended with ${code}`))));
    });
}

function add(total, part) {
    for (const [name, row] of Object.entries(part.profiles))
        for (const key of Object.keys(row))
            total.profiles[name][key] += row[key];
    for (const list of ['used', 'kinds'])
        for (const [name, n] of Object.entries(part[list]))
            total[list][name] = (total[list][name] || 0) + n;
    total.shown.push(...part.shown);
    total.policies += part.policies;
}

// Each job gets seeds of its own; a long run is many jobs, so that none grows old.
async function runAll(opts) {
    const total = emptyTotal();
    const sizes = [];
    const most = Math.min(100000, Math.ceil(opts.decisions / opts.jobs));
    for (let left = opts.decisions; left > 0; left -= most)
        sizes.push(Math.min(most, left));
    const jobs = sizes.map((decisions, i) => ({ ...opts, decisions, seed: opts.seed * 100000 + i }));
    const worker = async () => {
        for (let job = jobs.shift(); job; job = jobs.shift())
            add(total, await startJob(job));
    };
    await Promise.all(Array.from({ length: opts.jobs }, worker));
    return total;
}

function report(opts, total) {
    const sum = (key) => Object.values(total.profiles).reduce((n, row) => n + row[key], 0);
    for (const one of total.shown.slice(0, opts.show))
        console.log(JSON.stringify(one));
    for (const [kind, n] of Object.entries(total.kinds).sort((a, b) => b[1] - a[1]))
        console.log(`disagree ${n}: ${kind}`);
    for (const [name, row] of Object.entries(total.profiles))
        console.log(`${name.padEnd(10)} ${row.decisions} decisions, ${row.admitted} admitted, ${row.disagree} disagree`);
    console.log(`differences (of one in ${SAMPLE} decisions; admitted ones of all):`);
    for (const name of NAMES)
        console.log(`  ${name.padEnd(24)} ${total.used[name] || 0}`);
    console.log(`${sum('decisions')} decisions by ${total.policies} policies (seed ${opts.seed}, ${opts.managed ? 'with' : 'without'} managed policy): ${sum('disagree')} disagree`);
    return sum('disagree');
}

// A declared difference that no decision shows is out of date, unless the run was too short, or had no managed policy.
function unused(opts, total) {
    if (opts.decisions < 5000000 || opts.profile || !opts.managed)
        return [];
    return NAMES.filter((name) => !total.used[name]);
}

async function main(argv) {
    if (argv[0] === '--job') {
        console.log(JSON.stringify(work(JSON.parse(argv[1]))));
        return 0;
    }
    const opts = options(argv);
    if (opts.managed === undefined)
        opts.managed = canMount();
    if (!opts.managed)
        console.log('no root or no mount namespace: managed policy is left out');
    if (opts.mutants)
        return require('./mutants.js').runMutants(opts, runAll);
    const total = await runAll(opts);
    const wrong = report(opts, total);
    const idle = unused(opts, total);
    for (const name of idle)
        console.log(`difference ${name} is declared and was never seen: ${differences[name].ours}`);
    return wrong || idle.length ? 1 : 0;
}

main(process.argv.slice(2)).then((code) => (process.exitCode = code));
