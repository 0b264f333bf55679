"""Many changes of a file in one object, for tools/mutants: a function has a copy for each of its changes, and a number that the process
reads when it starts (mutants_runtime.c) says which copy runs. So a thousand changes need one build.

A mark in the unchanged body tells which tests come to a change at all: it stands before the statement that is changed. If that is
part of a larger one (the branch of an if without braces), it stands before the whole, so that it says too much rather than too little."""
import re

from mutations import BODY, masked

HEAD = """extern __attribute__((visibility("hidden"))) int mutant_now;
extern __attribute__((visibility("hidden"))) void mutant_reached(int);
"""
VOID = re.compile(r"^(?:static |inline )*void \w+\([^{;}]*\Z", re.M)
LABEL = re.compile(r"\s*(?:case\b[^:?]*|default\s*|\w+\s*)\Z")
GOES_ON = re.compile(r"\s*else\b| while\b")
DO_WHILE = re.compile(r"\s*do\s[^;]*;\s*while\b")
COPY = '\n#line 1 "mutant-%d"\nif (mutant_now == %d) {\n%s%s\n}\n'
COMPLAINT = re.compile(r"^mutant-(\d+):\d+:(?:\d+:)? (?:fatal )?(?:error|warning):.*", re.M)


def in_function(text, start):
    return any(body.start(1) <= start < body.end(1) for body in BODY.finditer(masked(text)))


def schema(path, text, mutants):
    """The text with all of them. mutants: {number: (start, end, new text)}, each in a function."""
    look = masked(text)
    parts, at = [HEAD, '#line 1 "%s"\n' % path], 0
    for body in BODY.finditer(look):
        first, last = body.span(1)
        own = {n: m for n, m in mutants.items() if first <= m[0] < last}
        if own:
            end = "return;" if VOID.search(look, 0, body.start()) else "__builtin_trap();"
            parts.append(text[at:first])
            parts += [COPY % (n, n, text[first:m[0]] + m[2] + text[m[1]:last], end) for n, m in own.items()]
            parts.append('#line %d "%s"\n' % (text.count("\n", 0, first) + 1, path))
            parts.append(marked(text, look, first, last, own))
            at = last
    return "".join(parts) + text[at:]


def marked(text, look, first, last, mutants):
    marks = sorted((statement_start(look, first, m[0]), n) for n, m in mutants.items())
    parts, at = [], first
    for place, n in marks:
        parts.append(text[at:place] + " mutant_reached(%d); " % n)
        at = place
    return "".join(parts) + text[at:last]


def statement_start(look, first, site):
    """Where the statement of the innermost block begins that has this place in it."""
    starts, nested = [first], []  # of each open block; open brackets: True if it is a block
    for i in range(first, site):
        c = look[i]
        inside = bool(nested) and not nested[-1]
        if c in "([":
            nested.append(False)
        elif c == "{":
            block = not inside and is_block(look, i)
            nested.append(block)
            if block:
                starts.append(i + 1)
        elif c in ")]}":
            if nested.pop():
                starts.pop()
                if not GOES_ON.match(look, i + 1):
                    starts[-1] = i + 1
        elif c == ";" and not inside and not GOES_ON.match(look, i + 1) and not DO_WHILE.match(look[starts[-1]:i + 20]):
            starts[-1] = i + 1
        elif c == ":" and not inside and LABEL.match(look, starts[-1], i):
            starts[-1] = i + 1
    return starts[-1]


def is_block(look, at):
    """And not the braces of an initialiser or of a compound literal, before which there is no blank."""
    before = look[:at].rstrip()
    return before[-1:] in (";", "{", "}", ":") or (before[-1:] == ")" and len(before) < at) or \
        re.search(r"\b(?:else|do)\Z", before[-8:]) is not None


def complaints(output):
    """The numbers of those that the compiler refuses or warns of, but for && among ||."""
    return {int(m[1]) for m in COMPLAINT.finditer(output) if not m[0].endswith("[-Wparentheses]")}
