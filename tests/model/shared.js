'use strict';
// What the five models have in common: tools, modes, sources, trust, and which rule matches what.
//
// `ours(NAME)` says whether the declared difference NAME (differences.js) is to be followed. With none of them the model is
// the document's letter; with all of them it is what Warder's own documents promise, and that is compared.

const patterns = require('./patterns.js');

const STRICTNESS = { allow: 0, ask: 1, deny: 2 };
const stricter = (a, b) => (STRICTNESS[b.behavior] > STRICTNESS[a.behavior] ? b : a);
const verdict = (behavior, by) => ({ behavior, by });

// 001, "Permission Modes x Risk Level Matrix"; a tool that is not in it is high.
const RISKS = {
    none: ['Read', 'Glob', 'Grep'],
    low: ['Config', 'TaskOutput', 'AskUserQuestion'],
    medium: ['Write', 'Edit', 'NotebookEdit'],
    high: ['Bash', 'WebFetch'],
    critical: ['Agent'],
};
const RISK_OF = new Map(Object.entries(RISKS).flatMap(([risk, tools]) => tools.map((tool) => [tool, risk])));
const MATRIX = {
    default: { none: 'allow', low: 'allow', medium: 'ask', high: 'ask', critical: 'ask' },
    acceptEdits: { none: 'allow', low: 'allow', medium: 'allow', high: 'ask', critical: 'ask' },
    bypassPermissions: { none: 'allow', low: 'allow', medium: 'allow', high: 'allow', critical: 'allow' },
    dontAsk: { none: 'allow', low: 'allow', medium: 'deny', high: 'deny', critical: 'deny' },
    plan: { none: 'deny', low: 'deny', medium: 'deny', high: 'deny', critical: 'deny' },
    delegate: { none: 'deny', low: 'deny', medium: 'deny', high: 'deny', critical: 'deny' },
};

// 001, "MCP Tool Risk with Annotations"; `believed` is whether the server's word counts for less than high.
function riskOf(call, believed) {
    if (!call.tool.startsWith('mcp__'))
        return RISK_OF.get(call.tool) || 'high';
    const says = call.annotations || {};
    if (says.destructive)
        return 'critical';
    return says.readOnly && believed ? 'low' : 'high';
}

function byRisk(mode, call, believed) {
    if (mode === 'delegate' && call.tool === 'Agent')
        return 'allow';
    return (MATRIX[mode] || MATRIX.default)[riskOf(call, believed)];
}

// Names that other clients have for the same tool, as far as the generator uses them.
const NAMES = { run_shell: 'Bash', read_file: 'Read', write_file: 'Write', edit_file: 'Edit', grep_search: 'Grep', list_files: 'LS', bash: 'Bash' };
const properName = (tool) => NAMES[tool] || tool;

// Managed policy first in every profile; then as `warder profiles` says, which for caliban is the document's own order.
const STRONG_FIRST = ['managed', 'cli', 'local', 'project', 'user', 'builtin'];
const MINK_ORDER = ['managed', 'cli', 'user', 'project', 'local', 'builtin'];
const orderOf = (profile) => (profile === 'mink' ? MINK_ORDER : STRONG_FIRST);
// mink: "policy < flag < local < project < user < cliArg < command < session"
const MINK_LETTER = ['cli', 'user', 'project', 'local', 'managed', 'builtin'];

const AGENT_SIDE = new Set(['project', 'local']);
const untrusted = (policy, source) => !policy.trusted && AGENT_SIDE.has(source);

// profiles.md, 13: where ':*' does not mark a prefix, a rule on commands that ends with it is refused.
function isRefused(dialect, text) {
    const m = /^([^()]+)\(.*:\*\)$/s.exec(text);
    return Boolean(m) && properName(m[1]) === 'Bash' && (dialect === 'waterfall' || (dialect === 'mini' && m[1] !== 'run_shell'));
}

// Such a rule cannot be read; one of managed policy that denies or asks counts in the default reading alone.
function withMark(rule, ours) {
    if (!ours('prefix-mark') || !isRefused(rule.dialect, rule.text))
        return rule;
    const byDefault = rule.source === 'managed' && rule.action !== 'allow';
    return { ...rule, [byDefault ? 'byDefault' : 'unreadable']: true };
}

// Rules of all files in the order in which they are met, those that cannot be read among them.
function entriesOf(policy, ours) {
    const all = [];
    for (const source of orderOf(policy.profile)) {
        if (source === 'cli')
            policy.cli.forEach((entry) => all.push({ ...entry, source, dialect: policy.profile }));
        for (const file of policy.files)
            if (file.source === source)
                entriesInOrder(file).forEach((entry) =>
                    all.push({ ...entry, source, dialect: dialectOf(policy, file, entry, ours) }));
        if (source === 'builtin')
            policy.builtin.forEach((entry) => all.push({ ...entry, source }));
    }
    return all.map((rule) => withMark(rule, ours));
}

function rulesOf(policy, ours) {
    const managedOnly = policy.files.some((f) => f.source === 'managed' && f.managedOnly);
    return entriesOf(policy, ours).filter((rule) => {
        if (rule.unreadable)
            return false;
        if (rule.action !== 'allow' || rule.source === 'managed' || rule.source === 'builtin')
            return true;
        if (managedOnly && ours('managed-only'))
            return false;
        return !(ours('trust') && untrusted(policy, rule.source));
    });
}

// "inside a file deny, ask, rules, allow"; rows of caliban keep their order.
function entriesInOrder(file) {
    if (file.format === 'caliban')
        return file.entries;
    const place = (entry) => (entry.listed ? 2 : { deny: 0, ask: 1, allow: 3 }[entry.action]);
    return file.entries.map((entry, i) => [place(entry), i, entry]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map((x) => x[2]);
}

function dialectOf(policy, file, entry, ours) {
    if (entry.form === 'tool' || file.format === 'caliban')
        return 'caliban';
    if (entry.form === 'pattern' || file.format === 'guild')
        return 'guild';
    if (file.format === 'settings' && ours('settings-dialect') && ['caliban', 'guild'].includes(policy.profile))
        return 'warder';
    return policy.profile;
}

function parsed(rule) {
    if (!rule.reading)
        rule.reading = PARSERS[rule.dialect](rule.text);
    return rule.reading;
}

function withParentheses(text) {
    const m = /^([^()]+)\((.+)\)$/s.exec(text);
    return m ? { tool: m[1], pattern: m[2] } : { tool: text, pattern: null };
}

const PARSERS = {
    // "Tool", "Tool(arg_key:pattern)", "Tool(content_pattern)", "mcp__server"; \( \) \\ are escapes
    mink(text) {
        const rule = withParentheses(text);
        const m = rule.pattern !== null && /^(command|file_path|path|url|pattern|prompt):(.*)$/s.exec(rule.pattern);
        if (m)
            Object.assign(rule, { field: m[1], pattern: m[2] });
        if (rule.pattern !== null)
            rule.pattern = rule.pattern.replace(/\\([()\\])/g, '$1');
        return rule;
    },
    waterfall: withParentheses,
    // run_shell(npm test*): parseRule() of the document
    mini(text) {
        return /^[a-z_]+\(/.test(text) ? withParentheses(text) : { tool: text, pattern: null, ours: withParentheses(text) };
    },
    // "Glob-style on tool_name plus an optional :<first-arg-prefix> suffix"
    caliban(text) {
        const at = text.indexOf(':');
        return at < 0 ? { tool: text, pattern: null } : { tool: text.slice(0, at), pattern: text.slice(at + 1) };
    },
    guild: (text) => ({ tool: 'Bash', pattern: text }),
    warder: withParentheses,
};

const isServer = (tool) => /^mcp__[^_]+(?:_[^_]+)*$/.test(tool) && !/^mcp__.*__/.test(tool);
const sameServer = (rule, tool) => isServer(rule) && tool.startsWith(`${rule}__`);

const TOOLS = {
    mink: (name, tool) => patterns.fnmatch(name, tool) || sameServer(name, tool),
    waterfall: (name, tool) => name === tool,
    mini: (name, tool) => name === tool,
    caliban: (name, tool) => patterns.simple(name, tool),
    guild: (name, tool) => tool === 'Bash',
    warder: (name, tool) => name === tool || name === '*' || sameServer(name, tool),
};

function reading(rule, ours) {
    const found = parsed(rule);
    return found.ours && ours('mini-capitals') ? found.ours : found;
}

function toolMatches(rule, call, ours) {
    const { tool } = reading(rule, ours);
    if (TOOLS[rule.dialect](tool, call.tool))
        return true;
    return ours('names') && TOOLS[rule.dialect](properName(tool), properName(call.tool));
}

// mini: "if (toolName === 'run_shell') value = input.command; else if (input.file_path) ...; else return true"
const MINI_KEYS = new Set(['command', 'file_path']);

// Which text of the call a rule with a pattern is about; undefined: there is none.
function textOf(rule, call, part) {
    const { field } = parsed(rule);
    if (field !== undefined)
        return field === call.firstKey ? part : call.input[field];
    if (rule.dialect === 'mini' && !MINI_KEYS.has(call.firstKey))
        return undefined;
    return call.firstKey === undefined ? undefined : part;
}

const MATCHERS = {
    mink: patterns.fnmatch,
    waterfall: patterns.contained,
    mini: patterns.trailing,
    caliban: patterns.simple,
    guild: patterns.picomatch,
    warder: patterns.words,
};

// What a rule without a text to match says: caliban and mini match by the name alone, the others do not match.
const WITHOUT_TEXT = { caliban: true, mini: true, mink: false, waterfall: false, guild: false, warder: false };

// profiles.md: in mink "x:*" is a prefix on words; deny and ask rules also match what the document's fnmatch does.
function minkPrefix(rule, text, ours) {
    const { pattern, field } = parsed(rule);
    const marked = rule.dialect === 'mink' && field === undefined && pattern.endsWith(':*') && ours('mink-prefix');
    const head = pattern.slice(0, -2);
    return { marked, matches: marked && (patterns.fnmatch(head, text) || patterns.fnmatch(`${head} *`, text)) };
}

function matchesText(rule, call, part, ours) {
    if (!toolMatches(rule, call, ours))
        return false;
    const { pattern } = reading(rule, ours);
    if (pattern === null)
        return true;
    const text = textOf(rule, call, part);
    if (text === undefined)
        return WITHOUT_TEXT[rule.dialect];
    const prefix = minkPrefix(rule, String(text), ours);
    if (prefix.matches || (prefix.marked && rule.action === 'allow'))
        return prefix.matches;
    return MATCHERS[rule.dialect](pattern, String(text));
}

const defaultTool = (text) => withParentheses(text).tool.split(':')[0];
const bindsServer = (rule, call) => rule.action !== 'allow' && sameServer(parsed(rule).tool, call.tool);
const isBare = (rule) => parsed(rule).pattern === null || /^[^:(]+(:\*|\(\*\))$/.test(rule.text);

// By a path rule that is read as it is written or in any case, whatever tool it names. (README is in [!a-m], readme is not.)
function matchesAnyCase(rule, text) {
    const { pattern } = parsed(rule);
    return MATCHERS[rule.dialect](pattern, text) || MATCHERS[rule.dialect](pattern.toLowerCase(), text.toLowerCase());
}

module.exports = {
    STRICTNESS, AGENT_SIDE, MINK_LETTER, stricter, verdict, riskOf, byRisk, properName, orderOf, entriesOf, rulesOf, isRefused, parsed,
    defaultTool, matchesText, matchesAnyCase, bindsServer, isBare, untrusted, toolMatches, textOf,
};
