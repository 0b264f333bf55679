'use strict';
// One call by one policy: what every profile does around its own walk, and the view of the rules that a walk has.
const { readCommand } = require('./commands.js');
const shared = require('./shared.js');
const { verdict, stricter } = shared;

const PROFILES = {
    caliban: require('./caliban.js'),
    waterfall: require('./waterfall.js'),
    guild: require('./guild.js'),
    mini: require('./mini.js'),
    mink: require('./mink.js'),
};

// Levels of a match: as it is written, in a reduced form, by a widening that is declared but not modelled.
const PLAIN = 1;
const REDUCED = 2;
const MAYBE = 3;

// profiles.md, 2: in which an allow rule can be equal to a whole command line, and then covers it.
const EXACT = new Set(['caliban', 'mini', 'mink', 'warder']);

// Dialects in which a deny or ask rule is also looked for in the text of the whole command line.
const AS_TEXT = new Set(['caliban', 'waterfall', 'mini', 'mink']);

// profiles.md, 6: these are an order, in which a call's mode is lowered to the managed one; the others are in none.
const ORDERED = ['plan', 'default', 'acceptEdits', 'bypassPermissions'];

function chosenMode(policy, call, ours) {
    const order = policy.profile === 'mink' && !ours('managed-strongest') ? shared.MINK_LETTER : shared.orderOf(policy.profile);
    let mode = call.mode || policy.mode;
    for (const source of order) {
        if (mode)
            break;
        const file = policy.files.find(
            (f) => f.source === source && f.mode && !(ours('trust') && shared.untrusted(policy, source)));
        mode = file && file.mode;
    }
    return mode || 'default';
}

function notDisabled(policy, mode) {
    if (mode === 'bypassPermissions' && policy.files.some((f) => f.disableBypass))
        return 'default';
    return mode === 'auto' && policy.files.some((f) => f.disableAuto) ? 'default' : mode;
}

// The modes that a call is judged in; the strictest verdict counts. With a plan file plan is not below the others: it lets
// that file be written, and they may ask.
function modesOf(policy, call, ours) {
    const own = chosenMode(policy, call, ours);
    const file = policy.files.find((f) => f.source === 'managed' && f.mode);
    const managed = file && notDisabled(policy, file.mode);
    if (!file || !ours('ceiling') || file.mode === own || managed === 'bypassPermissions') // every mode is below that one
        return [notDisabled(policy, own)];
    const [mine, theirs] = [own, managed].map((mode) => ORDERED.indexOf(mode));
    const apart = mine < 0 || theirs < 0 || (policy.planFile && own === 'plan');
    const both = apart ? [own, managed] : [mine < theirs ? own : managed];
    return both.map((mode) => notDisabled(policy, mode));
}

const prepared = new WeakMap();
function prepare(policy, ours) {
    let known = prepared.get(policy);
    if (!known)
        prepared.set(policy, (known = new Map()));
    let found = known.get(ours);
    if (found)
        return found;
    policy.builtin = PROFILES[policy.profile].builtin;
    const loosening = (f) => !(ours('trust') && shared.untrusted(policy, f.source));
    found = {
        rules: shared.rulesOf(policy, ours),
        disabled: new Set(policy.files.flatMap((f) => f.disabledTools || [])),
        managedDisabled: new Set(policy.files.filter((f) => f.source === 'managed').flatMap((f) => f.disabledTools || []).map(shared.properName)),
        disabledNames: new Set(policy.files.flatMap((f) => f.disabledTools || []).map(shared.properName)),
        allowed: new Set(policy.files.filter(loosening).flatMap((f) => f.allowedTools || [])),
        believed: new Set(policy.files.flatMap((f) => f.readOnlyServers || [])),
        broken: shared.entriesOf(policy, ours).some((e) => e.unreadable && e.action !== 'allow'),
        seen: new Map(),
        clearances: !policy.files.some((f) => f.clearancesOff),
    };
    known.set(ours, found);
    return found;
}

// A call as actions: a shell command may be several, every other call is one.
function readCall(call) {
    const text = call.firstKey === undefined ? '' : call.input[call.firstKey];
    if (call.firstKey === 'command')
        return readCommand(text);
    const whole = { raw: text, text, reduced: [], seen: [], throughEnv: false };
    return { whole, parts: [whole] };
}

class Walk {
    constructor(policy, call, ours, set) {
        Object.assign(this, { policy, call, ours, set });
        this.modes = modesOf(policy, call, ours);
        const { whole, parts } = readCall(call);
        this.whole = whole;
        this.parts = ours('every-action') ? parts : [whole];
        this.disabled = set.disabled.has(call.tool) || (ours('names') && set.disabledNames.has(shared.properName(call.tool)));
        this.disabledByManaged = set.managedDisabled.has(shared.properName(call.tool));
        this.allowed = set.allowed.has(call.tool) || (ours('names') && set.allowed.has(shared.properName(call.tool)));
        this.believed = /^mcp__/.test(call.tool) && set.believed.has(call.tool.split('__')[1]);
        Object.assign(this, this.remembered());
        this.guests = true;
        this.only = null;
        this.unstarred = []; // allow rules whose star does not cover this
    }

    // Which rules match which actions, and how: the same for every call of the same text, so it is kept with the policy.
    remembered() {
        const { call, set } = this;
        const key = `${call.tool}\0${call.firstKey}\0${this.whole.raw}`;
        let found = set.seen.get(key);
        if (!found) {
            const levels = set.rules.map((rule) => this.parts.map((part) => this.level(rule, part)));
            const hit = (i) => levels[i].some((level) => level !== 0);
            const hits = [...set.rules.keys()].filter(hit);
            const perhaps = hits.filter((i) => levels[i].includes(MAYBE)).map((i) => set.rules[i]);
            const hasGuests = hits.some((i) => levels[i].some((level) => level > 0 && this.isGuest(set.rules[i], level)));
            set.seen.set(key, (found = { levels, hits, perhaps, hasGuests }));
        }
        return found;
    }

    level(rule, part) {
        return rule.action === 'allow' ? this.covers(rule, part) : this.binds(rule, part);
    }

    // An allow rule covers an action as it is written, or the whole command line word for word.
    covers(rule, part) {
        const { call, ours, policy } = this;
        const matches = (form) => shared.matchesText(rule, call, form, ours);
        if (policy.profile === 'mink' && part.throughEnv && ours('mink-as-written') && !shared.isBare(rule))
            return 0;
        if (matches(this.textOf(part)) || (ours('reduced-forms') && part.seen.some(matches)))
            return PLAIN;
        return this.parts.length > 1 && EXACT.has(rule.dialect) && shared.parsed(rule).pattern === this.whole.text ? PLAIN : 0;
    }

    // A deny or ask rule binds what it matches as it is written, and an action of it, and reduced forms of that.
    binds(rule, part) {
        const { call, ours } = this;
        const matches = (form) => shared.matchesText(rule, call, form, ours);
        if (rule.byDefault)
            return mayBeManaged(rule, call) ? MAYBE : 0;
        const text = this.textOf(part);
        const line = this.parts.length > 1 && AS_TEXT.has(rule.dialect) && matches(this.whole.text);
        if (line || matches(text) || (ours('reduced-forms') && part.seen.some(matches)))
            return PLAIN;
        if (ours('reduced-forms') && part.reduced.some(matches))
            return REDUCED;
        if (ours('guild-bare') && rule.dialect === 'guild' && [text, ...part.reduced].some((form) => rule.text === `${form} *`))
            return REDUCED;
        if (ours('mcp-server') && shared.bindsServer(rule, call))
            return REDUCED;
        if (ours('managed-readings') && rule.source === 'managed' && mayBeManaged(rule, call))
            return MAYBE;
        return ours('path-rules') && mayTouch(rule, this.policy, call, part) ? MAYBE : 0;
    }

    textOf(part) {
        return this.ours('normal-form') ? part.text : part.raw;
    }

    hit(i, part) {
        const level = this.levels[i][part];
        const rule = this.set.rules[i];
        if (level <= 0 || this.unstarred.includes(rule) || (level === MAYBE && this.only !== rule))
            return false;
        return this.guests || !this.isGuest(rule, level);
    }

    // profiles.md, 8: ask rules that may make a verdict stricter, and never milder.
    isGuest(rule, level) {
        if (rule.action !== 'ask')
            return false;
        return (level > PLAIN && this.ours('guests')) || (this.ours('trust') && shared.untrusted(this.policy, rule.source));
    }

    first(part) {
        return this.set.rules[this.hits.find((i) => this.hit(i, part))];
    }

    // Each action by itself; the strictest counts.
    strictestPart(judgePart) {
        return this.parts.map((_, p) => judgePart(p)).reduce(stricter);
    }

    any(action, source) {
        const found = this.hits.find((i) => {
            const rule = this.set.rules[i];
            return rule.action === action && (!source || rule.source === source) && this.parts.some((_, p) => this.hit(i, p));
        });
        return this.set.rules[found];
    }

    covered() {
        const by = [];
        for (let p = 0; p < this.parts.length; p++) {
            const found = this.hits.find((i) => this.set.rules[i].action === 'allow' && this.hit(i, p));
            if (found === undefined)
                return null;
            by.push(this.set.rules[found]);
        }
        return { ...verdict('allow', by[0]), covering: by };
    }
}

// Deny and ask rules about paths bind other tools, other spellings of a path, and shell commands that name it. Which of
// them, is more than this model knows: such a verdict is admitted if Warder names the very rule.
const FILE_TOOLS = new Set(['Read', 'Write', 'Edit', 'Glob', 'Grep', 'LS', 'NotebookEdit']);
function aboutPaths(rule) {
    const { tool, pattern } = shared.parsed(rule);
    return pattern !== null && (FILE_TOOLS.has(shared.properName(tool)) || /[/.]/.test(pattern));
}

function pathsOf(call, part) {
    const words = call.path !== undefined ? [call.path] : ['', ...part.text.split(' ').slice(1)]; // '' is the directory itself
    return words.map((word) => word.replace(/^\.\//, ''));
}

// A managed rule is also read in the default dialect, which this model knows as far as tools go.
function mayBeManaged(rule, call) {
    const tool = shared.defaultTool(rule.text);
    return shared.properName(tool) === shared.properName(call.tool) || /[*?]/.test(tool) // a glob may fit another client's name of the tool
        || (FILE_TOOLS.has(shared.properName(tool)) && (call.path !== undefined || call.searches || call.firstKey === 'command'));
}

function mayTouch(rule, policy, call, part) {
    if (!aboutPaths(rule))
        return false;
    if (call.searches)
        return true;
    const spelled = pathsOf(call, part).flatMap((path) => [path, `./${path}`, `${policy.project}/${path}`]);
    return spelled.some((path) => shared.matchesAnyCase(rule, path));
}

function inner(walk) {
    const { policy, ours } = walk;
    const managed = ours('managed-first') && walk.any('deny', 'managed');
    if (managed)
        return verdict('deny', managed);
    const later = policy.profile === 'waterfall' && !walk.disabledByManaged; // its own second layer
    if (walk.disabled && ours('disabled') && !later)
        return verdict('deny', 'disabled');
    return PROFILES[policy.profile].decide(walk);
}

// What nobody may be asked about: the modes that do not ask, and --auto-allow.
function settle(walk, found) {
    const { policy, mode, ours } = walk;
    if (found.behavior !== 'ask')
        return found;
    const byRule = typeof found.by === 'object' && found.by && found.by.source !== 'builtin';
    const stays = byRule && ours('auto-allow-rules') && !['caliban', 'waterfall'].includes(policy.profile);
    if (mode === 'dontAsk' && ours('extra-modes'))
        return verdict('deny', found.by);
    if (policy.autoAllow && !stays && !['interaction', 'may-write'].includes(found.by))
        return verdict('allow', 'auto-allow');
    if (mode === 'auto' && ours('extra-modes'))
        return verdict('deny', found.by);
    return policy.headless ? verdict('deny', found.by) : found;
}

// In every mode that binds, with the guests among the rules and without them: the strictest verdict counts.
function strictest(walk) {
    const found = [];
    for (const mode of walk.modes)
        for (const guests of walk.hasGuests ? [true, false] : [true])
            found.push(settle(walk, inner(Object.assign(walk, { mode, guests }))));
    return found.reduce(stricter);
}

// All verdicts that the documents admit, the one that is predicted first. The others are declared, but depend on what this
// model does not know (the disk, the table of programs); each is bound to the layer or the rule that Warder must name.
function* judge(policy, call, ours) {
    const set = prepare(policy, ours);
    if (set.broken && ours('unreadable')) {
        yield verdict('deny', 'policy');
        return;
    }
    const walk = new Walk(policy, call, ours, set);
    const main = strictest(walk);
    yield main;
    for (const rule of walk.perhaps) {
        const found = strictest(Object.assign(walk, { only: rule }));
        yield { ...found, name: rule.source === 'managed' && !aboutPaths(rule) ? 'managed-readings' : 'path-rules', rule: found.by === rule && walk.modes.length === 1 ? rule.text : undefined };
    }
    walk.only = null;
    for (const rule of set.rules) // a search may meet what the rule is about: layer doubt
        if (call.searches && rule.source === 'managed' && rule.action !== 'allow' && ours('managed-readings'))
            for (const asked of [settle(walk, verdict('ask', rule)), verdict('ask', rule)]) // auto-allow does not answer a doubt
                yield { ...stricter(main, asked), name: 'managed-readings', layers: ['unknown-parts'], rule: rule.text };
    const guild = policy.profile === 'guild' && shared.properName(call.tool) === 'Bash';
    for (const unstarred of ours('star-ceiling') ? starsOf(walk) : []) {
        const without = strictest(Object.assign(walk, { unstarred }));
        yield { ...without, name: 'star-ceiling' };
        if (guild && main.behavior === 'allow') // what covers it then may be a shipped rule, whose star has a ceiling, too
            yield* admittedByGuild(walk, without);
    }
    walk.unstarred = [];
    if (guild)
        yield* admittedByGuild(walk, main);
}

// An allow rule of the default dialect with a star.
const isStarred = (rule) => Boolean(rule) && rule.action === 'allow' && rule.dialect === 'warder' && rule.text.endsWith('*)');

// Which of the rules with a star may not reach: all of them first, then some. An action that only asks does not settle what
// a star covers of the others.
const STARS = 4; // more of them in one call are taken together
function starsOf(walk) {
    const rules = walk.hits.map((i) => walk.set.rules[i]).filter(isStarred);
    if (rules.length === 0 || rules.length > STARS)
        return rules.length ? [rules] : [];
    const some = (bits) => rules.filter((_, i) => bits & (1 << i));
    return Array.from({ length: (1 << rules.length) - 1 }, (_, i) => some((1 << rules.length) - 1 - i));
}

const CLEARANCES = ['harmless', 'repository', 'project-code', 'allow-rules'];

function* admittedByGuild(walk, main) {
    const { set, parts, ours } = walk;
    const reviews = walk.modes.map((mode) => settle(Object.assign(walk, { mode }), verdict('ask', 'review')));
    const admit = (name, found, layers, rule) => ({ ...found, name, layers, rule });
    if (main.by === 'review' && set.clearances && ours('guild-clearances')) {
        yield admit('guild-clearances', verdict('allow'), CLEARANCES);
        for (const review of reviews) // cleared in one of two modes
            yield admit('guild-clearances', review, ['human-review']);
    }
    const covering = main.covering || [];
    if (ours('guild-shipped') && covering.some((rule, p) => isBeyond(rule, parts[p].text, parts.length))) {
        yield admit('guild-shipped', reviews.reduce(stricter), ['human-review']);
        yield admit('guild-shipped', verdict('allow'), CLEARANCES);
    }
    if (ours('guild-evasion'))
        for (const rule of set.rules.filter((r) => r.action !== 'allow' && parts.some((p) => sameProgram(r, p))))
            for (const behavior of ['deny', 'ask'])
                yield admit('guild-evasion', stricter(main, settle(walk, verdict(behavior, rule))), ['evasion'], rule.text);
    if (ours('guild-made') && mayRunMade(parts))
        for (const rule of set.rules.filter((r) => r.action !== 'allow')) {
            yield admit('guild-made', stricter(main, settle(walk, verdict('ask', rule))), ['evasion'], rule.text);
            for (const behavior of ['deny', 'ask']) // auto-allow does not answer a doubt
                yield admit('guild-made', stricter(main, verdict(behavior, rule)), ['evasion'], rule.text);
        }
}

// Programs of generate.js that run a file: interpreters, make, and those that no table knows; with a capital none is known.
const RUNS = /^(frob|del|format|taskkill|remove-item|stop-process|npm|python3|node|make)$/i;
// ... and those that may make such a file, or take it away: the same, and more.
const MAKES = /^(gitk|rm|rmdir|mkfs|dd|cargo)$/i;

// ... and any program with a word that generate.js has put behind its own: it may name a file, or be unknown.
const MORE = /[^ ] (x|--verbose|a b)$/;

// Whether one part may run a file that another part makes, which no word says.
function mayRunMade(parts) {
    const names = parts.map((part) => part.text.split(' ').map((word) => word.replace(/^.*\//, '')));
    const running = names.filter((words) => words.some((word) => RUNS.test(word) || /^[A-Z]/.test(word)));
    const makes = (words, i) => words.some((word) => MAKES.test(word)) || (parts.length > 1 && MORE.test(parts[i].text));
    return running.length > 1 || (running.length === 1 && names.some(makes));
}

// A shipped rule, and words that only its star could stand for, or another command beside it.
const isBeyond = (rule, text, parts) => rule.source === 'builtin' && (parts > 1 || (text !== rule.text && text !== rule.text.replace(/ ?\*$/, '')));

// Whether the literal beginning of a rule could be the program of an action.
function sameProgram(rule, part) {
    const { pattern } = shared.parsed(rule);
    const front = (pattern || '').split(/[*?[{ ]/)[0];
    const words = [part.text, ...part.reduced].flatMap((form) => form.split(' '));
    return words.some((word) => word.startsWith(front) || front.startsWith(word));
}

module.exports = { judge, PROFILES };
