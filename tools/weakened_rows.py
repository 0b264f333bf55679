"""Rows of the table of programs that say less than they should: for tools/prove-rows --weaken.

An effect or a role is taken out of each of many rows in one copy of the tree, which is built once. A row is noticed if one of its own
lines in tests/rows loses a fact: what unit.programs would then find.
"""
import collections, random, re

from mutations import IN_ROWS, masked, sites

ROW = re.compile(r'^    \{"((?:[^"\\]|\\.)+)"(?:, "=[^"]*")?', re.M)
QUOTE = re.compile(r'(?<!\\)"')
KINDS = {kind for kind, *_ in IN_ROWS}

Weakened = collections.namedtuple("Weakened", "row path line kind start end new")


def weakenings(path, text):
    """Every way to weaken a row of this file."""
    rows = [(m.end(), m[1]) for m in ROW.finditer(text)]
    look = masked(text)
    for kind, start, end, new in sites(text):
        row_at, name = max((row for row in rows if row[0] <= start), default=(0, None))
        first = ROW.match(text, text.rfind("\n", 0, start) + 1)
        in_name = first and start < first.end()  # the t of cargo t looks like a role, and so may a macro
        in_string = kind == "effect" or len(QUOTE.findall(text, text.rfind("\n", 0, start) + 1, start)) % 2
        in_other_column = re.search(r" \.\w+ = ", look[row_at:start])
        if kind in KINDS and name and in_string and not in_name and not in_other_column:
            yield Weakened(name, path, text.count("\n", 0, start) + 1, kind, start, end, new)


def choose(texts, count, seed):
    """That many, at most one in a row: {path: its weakenings}."""
    found = [w for path, text in sorted(texts.items()) for w in weakenings(path, text)]
    random.Random(seed).shuffle(found)
    first = {}
    for w in found:
        first.setdefault(w.row, w)
    chosen = collections.defaultdict(list)
    for w in list(first.values())[:count]:
        chosen[w.path].append(w)
    return chosen


def weaken(text, weakened):
    for w in sorted(weakened, key=lambda w: w.start, reverse=True):
        text = text[:w.start] + w.new + text[w.end:]
    return text
