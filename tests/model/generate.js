'use strict';
// Random policies and calls. A policy is what its files mean; render.js writes them in the formats that people use.
const { ACCEPT, DENY } = require('./guild.js');
const { isRefused } = require('./shared.js');

const COMMANDS = [
    'git status', 'git status --short', 'git diff', 'git diff HEAD', 'git log -n 5', 'git push', 'git push origin main',
    'git push --force', 'git commit -m wip', 'git -C . push', 'git --no-pager log', 'npm test', 'npm run build',
    'npm run lint', 'npm install', 'npm testing', 'ls', 'ls -la', 'ls src', 'cat README.md', 'cat notes.txt', 'head notes.txt',
    'rm x.txt', 'rm -r build', 'rm -rf build', 'make', 'make all', 'make deploy', 'cargo build', 'cargo test', 'go test',
    'echo hello', 'echo format it', 'touch new.txt', 'mkdir build2', 'curl x.example', 'curl http://x.example/a',
    'docker ps', 'frob kill', 'node app.js', 'python3 x.py', 'frob', 'frob --all x', 'frob run y', 'tsc', 'eslint src', 'pytest -q',
    'sudo frob', 'sudo rm x.txt', 'sudo make all', 'timeout 5 make all', 'timeout 5 frob', 'nice make all', 'env frob',
    '/usr/bin/git push', '/usr/bin/frob run y', 'NPM TEST', 'Frob run', 'shutdown now', 'reboot', 'frob pkill', 'mkfs x', 'dd x',
    'DEL x.txt', 'Rmdir x', 'Format c', 'taskkill x', 'remove-item x', 'stop-process x', 'gitk', 'rmdir x', 'frob reset',
];
// What guild's shipped list is about.
const SHIPPED_DENIES = ['su root', 'nc x.example 80', 'netcat x', 'wget x.example', 'rsync a b', 'scp a b', 'rm -rf /', 'rm -rf .git', 'cat a/.ssh/id', 'cat a/.env'];
const PLAIN_COMMANDS = COMMANDS.filter((command) => !/^env /.test(command));
const EXISTING = ['README.md', 'notes.txt', 'src/main.go', 'src/util/a.go', 'docs/guide.md'];
const PATHS = [...EXISTING, 'new.txt', 'src/new.go', 'docs/deep/x.md', './notes.txt', './src/main.go', 'SRC/main.go'];
const URLS = ['https://x.example/a', 'http://docs.example/guide', 'https://x.example/', 'https://api.example/v1?q=1'];
const PROMPTS = ['look at the code', 'write tests', 'Look again'];
const SERVERS = ['mcp__github', 'mcp__files', 'mcp__my_db'];
const MCP_TOOLS = ['mcp__github__get_issue', 'mcp__github__push', 'mcp__files__read', 'mcp__my_db__query'];
const OTHER = ['Frobnicate', 'WebSearch', 'TodoX'];
const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions', 'delegate', 'auto'];

// The tools of each profile, with the argument that rules are about.
const TOOLS = {
    mini: { shell: 'run_shell', files: ['read_file', 'write_file', 'edit_file'], search: ['list_files', 'grep_search'] },
};
const USUAL = { shell: 'Bash', files: ['Read', 'Write', 'Edit'], search: ['Glob', 'Grep'] };
const toolsOf = (profile) => TOOLS[profile] || USUAL;

// ---- calls

function noisy(random, command) {
    const words = command.split(' ');
    const i = random.pick([...words.keys()].filter((k) => /^[\w./-]+$/.test(words[k])));
    const how = random.below(4);
    if (how === 0)
        words[i] = `"${words[i]}"`;
    else if (how === 1)
        words[i] = `${words[i][0]}""${words[i].slice(1)}`;
    else if (how === 2 && words[i].length > 2 && !/[^a-z]/.test(words[i]))
        words[i] = `${words[i][0]}\\${words[i].slice(1)}`;
    else
        words[i] = ` ${words[i]}`;
    return words.join(' ').trim();
}

function makeCommand(random, profile) {
    let command = random.pick(profile === 'guild' && random.chance(0.1) ? SHIPPED_DENIES : COMMANDS);
    if (random.chance(0.08) && !/git/.test(command)) // a word that git does not know may do anything
        command += random.pick([' x', ' --verbose', ' a b']);
    if (random.chance(0.06) && !/^env /.test(command))
        command += random.pick([' && ', ' ; ', '; ', ' | ', ' || ']) + random.pick(PLAIN_COMMANDS);
    return random.chance(0.08) ? noisy(random, command) : command;
}

function shellCall(random, policy) {
    const command = makeCommand(random, policy.profile);
    const tool = random.chance(0.04) ? random.pick(['Bash', 'run_shell', 'bash']) : toolsOf(policy.profile).shell;
    return { tool, input: { command }, firstKey: 'command' };
}

function fileCall(random, policy) {
    const tool = random.pick(toolsOf(policy.profile).files);
    let path = random.chance(0.1) ? random.pick(['/srv/data/x.txt', '/srv/other.go']) : random.pick(PATHS);
    if (random.chance(0.15) && !path.startsWith('/'))
        path = `${policy.project}/${path.replace(/^\.\//, '')}`;
    const key = policy.profile === 'caliban' && random.chance(0.5) ? 'path' : 'file_path';
    const short = path.startsWith(`${policy.project}/`) ? path.slice(policy.project.length + 1) : path.replace(/^\.\//, '');
    return { tool, input: { [key]: path }, firstKey: key, path: short, inTree: !short.startsWith('/'), exists: EXISTING.includes(short) };
}

function searchCall(random, policy) {
    const tool = random.pick(toolsOf(policy.profile).search);
    const pattern = random.pick(['*.go', 'main', 'TODO', 'func']);
    return { tool, input: { pattern }, firstKey: 'pattern', searches: true };
}

function otherCall(random) {
    const kind = random.below(4);
    if (kind === 0) {
        const url = random.pick(URLS);
        return { tool: 'WebFetch', input: { url }, firstKey: 'url' };
    }
    if (kind === 1) {
        const prompt = random.pick(PROMPTS);
        return { tool: 'Agent', input: { prompt }, firstKey: 'prompt' };
    }
    if (kind === 2) {
        const tool = random.pick(MCP_TOOLS);
        const annotations = random.pick([undefined, undefined, { readOnly: true }, { destructive: true }, { readOnly: true, destructive: true }]);
        return { tool, input: { id: random.below(9) }, annotations };
    }
    const tool = random.pick([...OTHER, 'Config', 'TaskOutput', 'AskUserQuestion']);
    return { tool, input: { q: 'x' } };
}

function makeCall(random, policy) {
    const make = random.weighted([[6, shellCall], [3, fileCall], [1, searchCall], [2.5, otherCall]]);
    const call = make(random, policy);
    if (random.chance(0.25))
        call.mode = random.pick(MODES);
    return call;
}

// ---- rules

// A pattern on a text: the text itself, or with stars and other marks that the dialect has.
function patternOn(random, text, marks) {
    const cut = 1 + random.below(text.length);
    const made = [
        [3, () => text],
        [5, () => `${text.slice(0, cut)}*`],
        [2, () => `${text.split(' ')[0]}*`],
        [2, () => `${text.split(' ')[0]} *`],
    ];
    if (marks.includes('*'))
        made.push([2, () => `*${text.slice(cut - 1)}`], [2, () => `${text.slice(0, cut)}*${text.slice(-1)}`], [1, () => '*']);
    if (marks.includes('?'))
        made.push([1, () => `${text.slice(0, cut - 1)}?${text.slice(cut)}`]);
    if (marks.includes('['))
        made.push([1, () => `${text.slice(0, cut - 1)}[${random.pick(['', '!'])}a-m]${text.slice(cut)}`]);
    if (marks.includes('{'))
        made.push([1, () => `${text.slice(0, cut)}{${text.slice(cut)},zz}`], [0.5, () => '{git,npm} *']);
    if (marks.includes('%'))
        made.push([3, () => text.slice(0, cut)], [1, () => text.toUpperCase()]);
    return random.weighted(made)();
}

const MARKS = { mink: '*?[', waterfall: '*?[{%', mini: '', caliban: '*?', guild: '*?[{', warder: '*' };

// In a narrow policy deny and ask rules are about no paths: what they bind besides is declared, but not modelled.
const pathlike = (text) => /[./]/.test(text);

function commandText(random, narrow) {
    for (;;) {
        const text = random.pick(COMMANDS);
        if (!narrow || !pathlike(text))
            return text;
    }
}

function subject(random, profile, narrow) {
    const tools = toolsOf(profile);
    const kind = random.weighted([[6, 'shell'], [narrow ? 0 : 2.5, 'file'], [narrow ? 0 : 0.3, 'search'], [1, 'other']]);
    if (kind === 'shell')
        return { tool: tools.shell, key: 'command', text: commandText(random, narrow) };
    if (kind === 'file')
        return { tool: random.pick(tools.files), key: 'file_path', text: random.pick(PATHS) };
    if (kind === 'search')
        return { tool: random.pick(tools.search), key: 'pattern', text: random.pick(['*.go', 'main']) };
    return narrow || random.chance(0.5) ? { tool: 'Agent', key: 'prompt', text: random.pick(PROMPTS) }
        : { tool: 'WebFetch', key: 'url', text: random.pick(URLS) };
}

function bareTool(random, profile) {
    const tools = toolsOf(profile);
    const all = [tools.shell, ...tools.files, ...tools.search, 'WebFetch', 'Agent', ...SERVERS, ...MCP_TOOLS, ...OTHER];
    return random.pick(all);
}

const WRITERS = {
    mink(random, s) {
        const words = s.text.split(' ');
        if (s.key !== 'file_path' && random.chance(0.1))
            return `${s.tool}(${words.slice(0, 1 + random.below(words.length)).join(' ')}:*)`;
        const key = s.key === 'file_path' || random.chance(0.7) ? `${s.key}:` : '';
        return `${s.tool}(${key}${patternOn(random, s.text, MARKS.mink)})`;
    },
    waterfall: (random, s) => `${s.tool}(${patternOn(random, s.text, MARKS.waterfall)})`,
    mini: (random, s) => `${s.tool}(${patternOn(random, s.text, MARKS.mini)})`,
    caliban: (random, s) => `${s.tool}:${patternOn(random, s.text, MARKS.caliban)}`,
    guild: (random, s) => patternOn(random, s.text, MARKS.guild),
    warder(random, s) {
        const words = s.text.split(' ');
        const some = words.slice(0, 1 + random.below(words.length)).join(' ');
        return `${s.tool}(${random.pick([s.text, `${some}:*`, `${some} *`])})`;
    },
};
const GLOBBED_TOOLS = { mink: ['*', 'mcp__*', 'Ed*', 'B?sh', '[BR]*'], caliban: ['*', 'mcp__*', 'Ed*', 'B?sh', 'W*'] };

function ruleText(random, dialect, profile, action) {
    const narrow = action !== 'allow' && !random.wide;
    const shell = { tool: toolsOf(profile).shell, key: 'command', text: commandText(random, narrow) };
    if (dialect === 'guild')
        return random.chance(0.1) ? random.pick([...ACCEPT, ...(narrow ? [] : DENY)]) : WRITERS.guild(random, shell);
    if (dialect === 'warder')
        return random.chance(0.3) ? random.pick(['Bash', 'Agent', ...SERVERS, ...MCP_TOOLS]) : WRITERS.warder(random, { ...shell, tool: 'Bash' });
    if (GLOBBED_TOOLS[dialect] && random.chance(0.08))
        return random.pick(GLOBBED_TOOLS[dialect]);
    if (random.chance(0.25))
        return bareTool(random, profile);
    return WRITERS[dialect](random, subject(random, profile, narrow));
}

// Deny rules that catch everything would leave nothing to compare.
const tooWide = (entry) => entry.action === 'deny' && /^\*$|^[*:(){}?]+$|^(Bash|run_shell)$|[(:]\*\)?$/.test(entry.text);

function makeEntry(random, profile, dialect, action) {
    for (;;) {
        const entry = { action, text: ruleText(random, dialect, profile, action) };
        if (!tooWide(entry) || random.chance(0.05))
            return entry;
    }
}

const ACTIONS = [[4, 'deny'], [3, 'ask'], [6, 'allow']];

// ---- files

// Every place where a policy file may be; the order is that of docs/policy-files.md.
const PLACES = [
    { source: 'managed', path: 'E/warder/warder', format: 'ours' },
    { source: 'managed', path: 'E/warder/authorization', format: 'guild' },
    { source: 'managed', path: 'E/claude-code/managed-settings', format: 'settings' },
    { source: 'user', path: 'H/.config/warder/warder.local', format: 'ours' },
    { source: 'user', path: 'H/.config/warder/warder', format: 'ours' },
    { source: 'user', path: 'H/.config/warder/authorization', format: 'guild' },
    { source: 'user', path: 'H/.config/caliban/permissions', format: 'caliban' },
    { source: 'user', path: 'H/.claude/settings.local', format: 'settings' },
    { source: 'user', path: 'H/.claude/settings', format: 'settings' },
    { source: 'local', path: 'P/.warder/warder.local', format: 'ours' },
    { source: 'local', path: 'P/.claude/settings.local', format: 'settings' },
    { source: 'project', path: 'P/.warder/warder', format: 'ours' },
    { source: 'project', path: 'P/.warder/authorization', format: 'guild' },
    { source: 'project', path: 'P/.caliban/permissions', format: 'caliban' },
    { source: 'project', path: 'P/.claude/settings', format: 'settings' },
];
const WEIGHTS = { 'P/.claude/settings': 0.45, 'H/.claude/settings': 0.45, 'H/.config/warder/warder': 0.4, 'P/.warder/warder': 0.35 };

function likely(place, profile, managed) {
    if (place.source === 'managed')
        return managed ? 0.4 : 0;
    if (place.format === 'caliban')
        return profile === 'caliban' ? 0.6 : 0;
    if (place.format === 'guild')
        return profile === 'guild' ? 0.5 : 0.12;
    return WEIGHTS[place.path] || 0.15;
}

function entryOf(random, profile, format) {
    const action = format === 'guild' ? random.pick(['deny', 'allow', 'allow']) : random.weighted(ACTIONS);
    if (format === 'guild' || format === 'caliban')
        return makeEntry(random, profile, format, action);
    if (format === 'settings')
        return makeEntry(random, profile, ['caliban', 'guild'].includes(profile) ? 'warder' : profile, action);
    const form = random.weighted([[8, 'rule'], [0.7, 'tool'], [0.7, 'pattern']]);
    const dialect = { rule: profile, tool: 'caliban', pattern: 'guild' }[form];
    return { ...makeEntry(random, profile, dialect, action), form, listed: random.chance(0.15) };
}

const subset = (random, list, p) => list.filter(() => random.chance(p));

function fillFile(random, profile, place) {
    const file = { ...place, entries: [] };
    for (let n = random.below(5); n >= 0; n--)
        file.entries.push(entryOf(random, profile, place.format));
    if (place.format === 'guild' || place.format === 'caliban') {
        if (place.format === 'guild' && random.chance(0.3))
            file.clearancesOff = true;
        return file;
    }
    if (random.chance(0.25))
        file.mode = random.weighted([[2, 'default'], [3, 'acceptEdits'], [2, 'plan'], [2, 'dontAsk'], [1, 'bypassPermissions'], [1, 'delegate'], [1, 'auto']]);
    if (random.chance(0.12))
        file.disabledTools = subset(random, ['Agent', 'WebFetch', 'Write', toolsOf(profile).shell], 0.4);
    if (random.chance(0.12))
        file.allowedTools = subset(random, ['Agent', 'Glob', 'Edit', 'Bash', 'mcp__github__push'], 0.4);
    if (random.chance(0.06))
        file.disableBypass = true;
    if (random.chance(0.06))
        file.disableAuto = true;
    if (random.chance(0.03) && place.source === 'managed')
        file.managedOnly = true;
    if (place.format === 'ours' && ['managed', 'user'].includes(place.source) && random.chance(0.2))
        file.readOnlyServers = subset(random, ['github', 'files'], 0.6);
    if (place.format === 'ours' && profile === 'guild' && random.chance(0.4))
        file.clearancesOff = true;
    return file;
}

function makePolicy(random, profile, { project, managed }) {
    random.wide = random.chance(0.3);
    const policy = { profile, project, trusted: random.chance(0.65), wide: random.wide, cli: [], files: [] };
    for (const place of PLACES)
        if (random.chance(likely(place, profile, managed)))
            policy.files.push(fillFile(random, profile, place));
    for (let n = random.below(4); n > 0; n--)
        policy.cli.push(ruleFor(random, profile));
    const breakable = policy.files.filter((f) => f.format === 'settings' || (f.format === 'ours' && profile !== 'guild'));
    if (random.chance(0.02) && breakable.length)
        random.pick(breakable).entries.push({ action: random.pick(['deny', 'ask', 'allow']), text: 'Bash(rm', unreadable: true });
    if (random.chance(0.4))
        policy.mode = random.pick(MODES);
    policy.autoAllow = random.chance(0.08);
    policy.headless = random.chance(0.08);
    if (profile === 'mini' && random.chance(0.4))
        policy.planFile = `${project}/new.txt`;
    if (profile === 'guild' && random.chance(0.5))
        policy.files.forEach((f) => (f.source === 'user' && f.format === 'ours' ? (f.clearancesOff = true) : 0));
    return policy;
}

// A rule of the profile's own dialect, for an option or an update: there one that cannot be read is an error at once.
function ruleFor(random, profile) {
    for (;;) {
        const entry = makeEntry(random, profile, profile, random.weighted(ACTIONS));
        if (!isRefused(profile, entry.text))
            return entry;
    }
}

module.exports = { makePolicy, makeCall, ruleFor, EXISTING };
