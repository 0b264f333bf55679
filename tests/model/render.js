'use strict';
// Writes a policy into its files, in JSON, TOML and YAML, and in the various ways in which people write these.
const fs = require('fs');
const path = require('path');

// ---- texts of the three syntaxes

function jsonText(random, text) {
    let out = JSON.stringify(text);
    if (random.chance(0.05))
        out = out.replace(/[a-z]/i, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
    return out;
}
function tomlText(random, text) {
    return !text.includes("'") && random.chance(0.5) ? `'${text}'` : JSON.stringify(text);
}
function yamlText(random, text) {
    const how = random.below(3);
    if (how === 0 && /^[A-Za-z][A-Za-z0-9_ ()./=-]*$/.test(text) && !/ $|^(true|false|null|yes|no|on|off)$/i.test(text))
        return text;
    return how === 1 ? `'${text.replace(/'/g, "''")}'` : JSON.stringify(text);
}

const isObject = (value) => typeof value === 'object' && !Array.isArray(value);

function json(random, value, depth = 0) {
    const inner = '  '.repeat(depth + 1);
    const comma = random.chance(0.2) ? ',' : '';
    const comment = random.chance(0.05) ? ' // a note' : '';
    if (typeof value === 'string')
        return jsonText(random, value);
    if (Array.isArray(value))
        return value.length ? `[${value.map((v) => json(random, v, depth + 1)).join(random.pick([', ', ',']))}${comma}]` : '[]';
    if (isObject(value))
        return `{${comment}\n${Object.entries(value).map(([k, v]) => `${inner}${JSON.stringify(k)}: ${json(random, v, depth + 1)}`).join(',\n')}${comma}\n${'  '.repeat(depth)}}`;
    return String(value);
}

function tomlValue(random, value) {
    if (typeof value === 'string')
        return tomlText(random, value);
    if (Array.isArray(value))
        return random.chance(0.5) ? `[${value.map((v) => tomlValue(random, v)).join(', ')}]`
            : `[\n${value.map((v) => `  ${tomlValue(random, v)}, # one\n`).join('')}]`;
    if (isObject(value))
        return `{ ${Object.entries(value).map(([k, v]) => `${k} = ${tomlValue(random, v)}`).join(', ')} }`;
    return String(value);
}
// Lists of tables come last: what follows [[x]] would be part of it.
function toml(random, value) {
    const tables = [];
    let out = random.chance(0.3) ? '# a policy\n' : '';
    for (const [key, v] of Object.entries(value)) {
        if (Array.isArray(v) && v.length && v.every(isObject) && random.chance(0.8))
            tables.push(...v.map((row) => `\n[[${key}]]\n${Object.entries(row).map(([k, x]) => `${k} = ${tomlValue(random, x)}\n`).join('')}`));
        else
            out += `${random.chance(0.1) ? `"${key}"` : key} = ${tomlValue(random, v)}\n`;
    }
    return out + tables.join('');
}

function yamlFlow(random, value) {
    if (typeof value === 'string')
        return random.chance(0.5) ? JSON.stringify(value) : `'${value.replace(/'/g, "''")}'`;
    if (Array.isArray(value))
        return `[${value.map((v) => yamlFlow(random, v)).join(', ')}]`;
    if (isObject(value))
        return `{${Object.entries(value).map(([k, v]) => `${k}: ${yamlFlow(random, v)}`).join(', ')}}`;
    return String(value);
}
function yamlRow(random, row) {
    if (!isObject(row))
        return yamlText(random, row);
    if (random.chance(0.5))
        return yamlFlow(random, row);
    return Object.entries(row).map(([k, v]) => `${k}: ${typeof v === 'string' ? yamlText(random, v) : yamlFlow(random, v)}`).join('\n    ');
}
function yaml(random, value) {
    let out = random.chance(0.3) ? '---\n' : '';
    for (const [key, v] of Object.entries(value)) {
        if (Array.isArray(v) && v.length && random.chance(0.7))
            out += `${key}:${random.chance(0.2) ? ' # a note' : ''}\n${v.map((row) => `  - ${yamlRow(random, row)}\n`).join('')}`;
        else
            out += `${key}: ${yamlFlow(random, v)}\n`;
    }
    return out || '{}\n';
}

// ---- the formats

function listOf(random, file, action) {
    return file.entries.filter((e) => e.action === action && !e.listed).map((e) => {
        if (e.form === 'tool' || e.form === 'pattern')
            return { [e.form]: e.text };
        return random.chance(0.2) ? { rule: e.text, comment: 'made' } : e.text;
    });
}

function ours(random, file, policy) {
    const out = {};
    const keys = random.shuffled(['deny', 'ask', 'allow', 'rules']);
    for (const key of keys) {
        const list = key === 'rules'
            ? file.entries.filter((e) => e.listed).map((e) => ({ action: e.action, [e.form || 'rule']: e.text }))
            : listOf(random, file, key);
        if (list.length)
            out[key] = list;
    }
    for (const key of ['mode', 'disabledTools', 'allowedTools', 'readOnlyServers'])
        if (file[key])
            out[key] = file[key];
    if (file.clearancesOff)
        out.clearances = 'off';
    if (file.disableBypass)
        out.disableBypassPermissionsMode = random.pick(['disable', true]);
    if (file.disableAuto)
        out.disableAutoMode = random.pick(['disable', true]);
    if (file.managedOnly)
        out.allowManagedPermissionRulesOnly = true;
    if (file.profileHere)
        out.profile = policy.profile;
    return out;
}

function settings(random, file) {
    const permissions = {};
    for (const action of random.shuffled(['deny', 'ask', 'allow'])) {
        const list = file.entries.filter((e) => e.action === action).map((e) => e.text);
        if (list.length || random.chance(0.2))
            permissions[action] = list;
    }
    if (file.mode)
        permissions[random.pick(['defaultMode', 'mode'])] = file.mode;
    if (file.disableBypass)
        permissions.disableBypassPermissionsMode = 'disable';
    if (file.disableAuto)
        permissions.disableAutoMode = 'disable';
    const out = { permissions };
    for (const key of ['disabledTools', 'allowedTools'])
        if (file[key])
            out[key] = file[key];
    if (file.managedOnly)
        out.allowManagedPermissionRulesOnly = true;
    if (random.chance(0.3))
        out.model = 'x'; // keys of other programs are ignored
    return out;
}

function guild(random, file) {
    const row = (e) => (random.chance(0.5) ? e.text : { pattern: e.text, reason: 'made' });
    const out = { deny: file.entries.filter((e) => e.action === 'deny').map(row), accept: file.entries.filter((e) => e.action === 'allow').map(row) };
    if (file.clearancesOff)
        out.clearances = 'off';
    return out;
}

const anyCase = (random, word) => random.pick([word, word, word[0].toUpperCase() + word.slice(1), word.toUpperCase()]);
function caliban(random, file) {
    return { rule: file.entries.map((e) => {
        const row = { tool: e.text, action: anyCase(random, e.action) };
        return random.chance(0.2) ? { ...row, comment: 'made' } : row;
    }) };
}

const FORMATS = { ours, settings, guild, caliban };
const SYNTAX = { json, toml, yaml, yml: yaml };

function endingOf(random, file) {
    if (file.format === 'settings')
        return 'json';
    return file.format === 'caliban' ? 'toml' : random.pick(['yaml', 'yml', 'toml', 'json']);
}

// `roots`: E, H and P as directories. Old files are removed first.
function write(random, policy, roots) {
    for (const dir of [`${roots.E}/warder`, `${roots.E}/claude-code`, `${roots.H}/.config`, `${roots.H}/.claude`, `${roots.P}/.warder`, `${roots.P}/.claude`, `${roots.P}/.caliban`])
        fs.rmSync(dir, { recursive: true, force: true });
    for (const file of policy.files) {
        const ending = endingOf(random, file);
        const name = `${file.path.replace(/^[EHP]/, (c) => roots[c])}.${ending}`;
        fs.mkdirSync(path.dirname(name), { recursive: true, mode: 0o755 });
        fs.writeFileSync(name, `${SYNTAX[ending](random, FORMATS[file.format](random, file, policy))}\n`, { mode: 0o644 });
    }
}

module.exports = { write };
