'use strict';
// How Warder's own documents read a command line (profiles.md 1 and 2, warder-rules(5), Commands): its actions, and the
// forms of each that rules see. Only what the generator makes is read: words, quotes, &&, ;, | and a few wrappers.

// `inner`: how many words before the command that is run. `transparent`: an allow rule sees through it.
const WRAPPERS = {
    sudo: { inner: 1, transparent: false },
    env: { inner: 1, transparent: true },
    nice: { inner: 1, transparent: true },
    timeout: { inner: 2, transparent: true },
};
const OPTIONS_BEFORE = { '-C': 2, '--no-pager': 1 }; // of git, before its subcommand

const unquoted = (word) => word.replace(/\\(.)|["']/g, '$1');
const normal = (text) => text.trim().split(/\s+/).map(unquoted).join(' ');
const base = (program) => program.slice(program.lastIndexOf('/') + 1);

function withoutOptions(words) {
    if (words[0] !== 'git')
        return words;
    let i = 1;
    while (OPTIONS_BEFORE[words[i]])
        i += OPTIONS_BEFORE[words[i]];
    return ['git', ...words.slice(i)];
}

// Forms that deny and ask rules see besides the action as it is written.
function reducedForms(text) {
    const words = text.split(' ');
    const bare = [base(words[0]), ...words.slice(1)];
    const forms = [bare.join(' '), withoutOptions(bare).join(' '), withoutOptions(words).join(' ')];
    const wrapper = WRAPPERS[bare[0]];
    if (wrapper && words.length > wrapper.inner) {
        const inside = words.slice(wrapper.inner).join(' ');
        forms.push(inside, ...reducedForms(inside));
    }
    return [...new Set(forms)].filter((form) => form !== text);
}

function actionsOf(raw) {
    const text = normal(raw);
    const words = text.split(' ');
    const wrapper = WRAPPERS[base(words[0])];
    const wraps = wrapper && words.length > wrapper.inner;
    const inside = wraps ? words.slice(wrapper.inner).join(' ') : null;
    const quiet = words.filter((word) => word !== '--no-pager').join(' ');
    const seen = [...(wraps && wrapper.transparent ? [inside] : []), ...(quiet === text ? [] : [quiet])];
    const own = { raw, text, reduced: reducedForms(text), seen, throughEnv: base(words[0]) === 'env' };
    return wraps ? [own, ...actionsOf(inside)] : [own];
}

// The action "the whole text", for the documents' letter, and the separate ones.
const known = new Map();
function readCommand(raw) {
    if (!known.has(raw))
        known.set(raw, readAnew(raw));
    return known.get(raw);
}

function readAnew(raw) {
    const pieces = raw.split(/\s*(?:&&|\|\||;|\|)\s*/).filter((piece) => piece !== '');
    const whole = { raw, text: raw, reduced: [], seen: [], throughEnv: false };
    return { whole, parts: pieces.flatMap(actionsOf) };
}

module.exports = { readCommand };
