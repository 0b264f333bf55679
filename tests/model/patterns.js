'use strict';
// The pattern languages of the five documents, each as a translation into a regular expression of JavaScript.

const cache = new Map();

function compiled(kind, pattern, translate, flags = 's') {
    const key = `${kind}\0${flags}\0${pattern}`;
    let found = cache.get(key);
    if (!found) {
        if (cache.size > 200000)
            cache.clear();
        found = new RegExp(`^(?:${translate(pattern)})$`, flags);
        cache.set(key, found);
    }
    return found;
}

const literal = (text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

// The end of a bracket expression that begins at `at`, or -1: a bracket that is not closed is a character.
function bracketEnd(pattern, at) {
    let i = at + 1;
    if (pattern[i] === '!' || pattern[i] === '^')
        i++;
    if (pattern[i] === ']')
        i++;
    return pattern.indexOf(']', i);
}

function bracket(pattern, at, end, negations) {
    let body = pattern.slice(at + 1, end);
    const negated = negations.includes(body[0]);
    if (negated)
        body = body.slice(1);
    body = body.replace(/[\\\]^[]/g, '\\$&');
    return `[${negated ? '^' : ''}${body}]`;
}

// mink: "Pattern matching uses fnmatch": * ? [seq] [!seq], no escapes.
function fnmatch(pattern) {
    let out = '';
    for (let i = 0; i < pattern.length; i++) {
        const c = pattern[i];
        const end = c === '[' ? bracketEnd(pattern, i) : -1;
        if (c === '*')
            out += '.*';
        else if (c === '?')
            out += '.';
        else if (end > 0) {
            out += bracket(pattern, i, end, '!');
            i = end;
        } else
            out += literal(c);
    }
    return out;
}

// caliban: "simple glob (*, ?) on the stringified first arg, not full regex".
const simple = (pattern) => [...pattern].map((c) => (c === '*' ? '.*' : c === '?' ? '.' : literal(c))).join('');

// waterfall: doublestar.Match. A star stays between two slashes; ** as a whole component is any number of them.
function doublestar(pattern) {
    let out = '';
    for (let i = 0; i < pattern.length; i++) {
        const c = pattern[i];
        const starts = i === 0 || pattern[i - 1] === '/';
        const end = c === '[' ? bracketEnd(pattern, i) : -1;
        if (c === '*' && pattern[i + 1] === '*' && starts && (i + 2 === pattern.length || pattern[i + 2] === '/')) {
            const last = i + 2 === pattern.length;
            if (last && out.endsWith('\\/'))
                out = `${out.slice(0, -2)}(?:\\/.*)?`; // a/** is a, too
            else
                out += last ? '.*' : '(?:.*\\/)?';
            i += last ? 1 : 2;
        } else if (c === '*')
            out += '[^/]*';
        else if (c === '?')
            out += '[^/]';
        else if (end > 0) {
            out += '(?!\\/)' + bracket(pattern, i, end, '!^');
            i = end;
        } else if (c === '{')
            out += '(?:';
        else if (c === '}')
            out += ')';
        else if (c === ',' && pattern.lastIndexOf('{', i) > pattern.lastIndexOf('}', i))
            out += '|';
        else
            out += literal(c);
    }
    return out;
}

// guild: "Glob patterns via picomatch or similar", here over whole commands, so that a star crosses slashes.
function picomatch(pattern) {
    let out = '';
    for (let i = 0; i < pattern.length; i++) {
        const c = pattern[i];
        const end = c === '[' ? bracketEnd(pattern, i) : -1;
        if (c === '*')
            out += '.*';
        else if (c === '?')
            out += '.';
        else if (end > 0) {
            out += bracket(pattern, i, end, '!^');
            i = end;
        } else if (c === '{')
            out += '(?:';
        else if (c === '}')
            out += ')';
        else if (c === ',' && pattern.lastIndexOf('{', i) > pattern.lastIndexOf('}', i))
            out += '|';
        else
            out += literal(c);
    }
    return out;
}

const by = (name, translate) => (pattern, text, flags) => compiled(name, pattern, translate, flags).test(text);

// mini: "trailing * for prefix matching, otherwise exact matching".
const trailing = (pattern, text) =>
    pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern;

// waterfall: "Contains *, ?, [, { ? yes: doublestar.Match; no: strings.Contains(lower(value), lower(pattern))".
const isGlob = (pattern) => /[*?[{]/.test(pattern);
const matchDoublestar = by('doublestar', doublestar);
const contained = (pattern, text, flags) =>
    isGlob(pattern) ? matchDoublestar(pattern, text, flags) : text.toLowerCase().includes(pattern.toLowerCase());

// The default dialect, which settings.json has in caliban and guild: warder-rules(5), Commands.
function words(pattern, text) {
    if (pattern.endsWith(':*'))
        return startsWithWords(pattern.slice(0, -2), text);
    if (pattern.endsWith(' *') && !pattern.slice(0, -2).includes('*'))
        return startsWithWords(pattern.slice(0, -2), text);
    return matchStars(pattern, text);
}
const startsWithWords = (prefix, text) => text === prefix || text.startsWith(`${prefix} `);
const matchStars = by('stars', (pattern) =>
    [...pattern].map((c) => (c === '*' ? '.*' : literal(c))).join(''));

module.exports = {
    fnmatch: by('fnmatch', fnmatch),
    simple: by('simple', simple),
    picomatch: by('picomatch', picomatch),
    doublestar: matchDoublestar,
    contained,
    trailing,
    words,
};
