"""Random shell texts from a grammar.

A text is a tree of productions, so that it can be reduced: smaller() yields trees with one part replaced by something
simpler.

A grammar has one production per line below the name of its symbol, the simplest first; 3× means three such lines. «x» is a
part, «'x» the same as one word in single quotes, «"x» in double ones (what can be expanded in it is expanded early); ⏎ is a
newline, ε nothing.
"""
import re

DEEPEST = 8


def read(grammar):
    table, choice = {}, None
    for line in grammar.strip().split("\n"):
        production = re.match("  (?:(\\d+)× )?(.*)", line.replace("ε", ""))
        if production:
            weight, text = production.groups()
            choice += [re.split("«(.*?)»", text.replace("⏎", "\n"))] * int(weight or 1)
        else:
            choice = table[line] = []
    return table


def quoted(mark, text):
    if mark == "'":
        return "'" + text.replace("'", "'\\''") + "'"
    if mark == '"':
        return '"' + text.replace('"', '\\"') + '"'
    return text


def symbols(production):
    return [mark.lstrip("'\"") for mark in production[1::2]]


class Grammar:
    def __init__(self, text):
        self.table = read(text)
        self.leaves = {symbol: [p for p in choice if len(p) == 1] or choice[:1] for symbol, choice in self.table.items()}

    def simplest(self, symbol):
        production = self.table[symbol][0]
        return Tree(self, symbol, production, [self.simplest(s) for s in symbols(production)])

    def make(self, random, symbol="program", depth=0, part=None):
        """part(symbol, depth) makes the parts; None: this function."""
        production = random.choice(self.table[symbol] if depth < DEEPEST else self.leaves[symbol])
        part = part or (lambda s, d: self.make(random, s, d))
        return Tree(self, symbol, production, [part(s, depth + 1) for s in symbols(production)])

    def text(self, random, symbol="program", depth=0):
        """What make() returns, as a string: in a third of the time."""
        production = random.choice(self.table[symbol] if depth < DEEPEST else self.leaves[symbol])
        if len(production) == 1:
            return production[0]
        out = [production[0]]
        for mark, rest in zip(production[1::2], production[2::2]):
            part = mark.lstrip("'\"")
            out += [quoted(mark[0], self.text(random, part, depth + 1)), rest]
        return "".join(out)


class Tree:
    """One production, with a tree for each of its parts."""

    def __init__(self, grammar, symbol, production, parts):
        self.grammar, self.symbol, self.production, self.parts = grammar, symbol, production, parts

    def __str__(self):
        out = [self.production[0]]
        for mark, part, rest in zip(self.production[1::2], self.parts, self.production[2::2]):
            out += [quoted(mark[0], str(part)), rest]
        return "".join(out)

    def within(self, symbol):
        """The subtrees that could replace it."""
        for part in self.parts:
            if part.symbol == symbol:
                yield part
            else:
                yield from part.within(symbol)

    def smaller(self):
        yield self.grammar.simplest(self.symbol)
        yield from self.within(self.symbol)
        for i, part in enumerate(self.parts):
            for other in part.smaller():
                yield Tree(self.grammar, self.symbol, self.production, self.parts[:i] + [other] + self.parts[i + 1:])
