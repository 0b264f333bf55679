#!/usr/bin/env python3
"""Compares the reader of inline Python (src/core/programs/python/read.c) with Python itself: compare.py READER [TEXTS [SEED]].

1. What the reader accepts parses, and a second checker, over the real ast, accepts it too (whitelist.py).
2. The files that the checker finds include those that the reader reports.
3. Run under an audit hook (audit.py), it writes no other file, starts nothing, connects nowhere.

Texts are the seeds (harmless.txt must be accepted, harmful.txt must not), their mutations with a dictionary of tokens, and
programs that a grammar generates from harmless and harmful names."""

import os
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import whitelist  # noqa: E402

BATCH = 2000
RUNS = 0.15  # the share of the accepted texts that is also run

TOKENS = re.compile(r'"""|\'\'\'|"[^"\n]*"|\'[^\'\n]*\'|\w+|\n[ ]*|[ ]+|\*\*|//|->|:=|==|!=|.', re.S)
DICTIONARY = """
eval exec compile open type getattr __import__ globals vars print map sorted filter key list str dict len isinstance input
os sys json re subprocess system popen environ path modules argv stdin stdout stderr exit read write close append get
__class__ __name__ __globals__ _x _ x y f data d line e lambda def class return yield import from as if else elif for while
in not and or is None True False try except finally with raise pass global nonlocal del assert async await match case break
( ) [ ] { } , : ; . = == != := + - * ** / // % @ -> ! \\ # ` $ ... '' "x" 'w' "r" 'rb' f'{x}' f"{x!r:>{y}}" f'{x.read}' r'\\d' b'a' rb'x'
'{}'.format '{0.a}' format replace copy read_text write_text Path pathlib glob listdir unlink rename sub loads load dump dumps
object_hook default 0 1 2 1.5 0x1f 1_000 é ｅval \\u0065 \t \f \r \x00 *args **kw
""".split()
LAYOUT = ["\n", "\n    ", "\n        ", " ", "  ", "\n\n", "\\\n", ";", "#", "\t", ""]


def read_seeds(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        return [t for t in f.read().split("\n%%\n") if t.strip()]


def mutate(dice, seeds):
    tokens = TOKENS.findall(dice.choice(seeds))
    for _ in range(dice.choice((1, 1, 1, 2, 2, 3, 5))):
        at = dice.randrange(len(tokens)) if tokens else 0
        kind = dice.randrange(6)
        if kind == 0:
            tokens[at:at + 1] = [dice.choice(DICTIONARY)]
        elif kind == 1:
            tokens.insert(at, dice.choice(DICTIONARY))
        elif kind == 2:
            del tokens[at:at + 1]
        elif kind == 3:
            tokens.insert(at, dice.choice(LAYOUT))
        elif kind == 4:
            other = TOKENS.findall(dice.choice(seeds))
            begin = dice.randrange(len(other))
            tokens[at:at + dice.randrange(3)] = other[begin:begin + dice.randrange(1, 6)]
        else:
            words = [i for i, t in enumerate(tokens) if t.isidentifier()]
            if words:
                tokens[dice.choice(words)] = tokens[dice.choice(words)]
    return "".join(tokens)


class Grammar:
    """Programs that are almost always valid Python, with mostly harmless names."""

    HARMFUL = "eval exec open type getattr globals vars compile input breakpoint __import__ help super object".split()
    METHODS_BAD = "format format_map replace copy write_text unlink rename __class__ __globals__ system detach raw open".split()

    def __init__(self, dice):
        self.dice = dice
        self.methods = sorted(whitelist.ATTRIBUTES)
        self.builtins = sorted(whitelist.BUILTINS)
        self.members = sorted((m, n) for m in whitelist.MODULES for n in whitelist.MODULES[m])
        self.special = sorted(whitelist.SPECIAL)
        self.names = ["a", "b", "c", "d"]

    def pick(self, *makers):
        return self.dice.choice(makers)

    def module(self):
        return self.dice.choice(sorted(whitelist.MODULES))

    def member(self):
        m, n = self.dice.choice(self.special if self.dice.random() < 0.15 else self.members)
        self.imports.add(m)
        return "%s.%s" % (m, n)

    def callee(self, depth):
        x = self.dice.random()
        if x < 0.3:
            return self.dice.choice(self.builtins)
        if x < 0.5:
            return self.member()
        if x < 0.85:
            return "%s.%s" % (self.value(depth - 1), self.dice.choice(self.methods))
        if x < 0.92:
            return "%s.%s" % (self.value(depth - 1), self.dice.choice(self.METHODS_BAD))
        return self.dice.choice(self.HARMFUL + self.names + ["g", "h"])

    def argument(self, depth):
        x = self.dice.random()
        if x < 0.75:
            return self.value(depth)
        if x < 0.85:
            return "%s=%s" % (self.dice.choice(("key", "default", "file", "mode", "encoding", "sep")), self.value(depth))
        return ("*" if x < 0.93 else "**") + self.dice.choice(self.names)

    def call(self, depth):
        arguments = [self.argument(depth - 1) for _ in range(self.dice.randrange(4))]
        arguments.sort(key=lambda a: (a.startswith("**"), "=" in a[:9] and not a.startswith(("'", "(", "[", "f'"))))
        return "%s(%s)" % (self.callee(depth), ", ".join(arguments))

    def text(self):
        return self.dice.choice(("'x'", "'a.json'", "'w'", "'r'", "'rb'", "'../b'", "b'y'", "r'\\d+'", "'{}'", "'{0.a}'", '"%s"', "''"))

    def field(self, depth):
        return "f'{%s%s}'" % (re.sub(r"['\\]", '"', self.value(depth - 1)), self.dice.choice(("", "!r", ":>5", ":{a}", "=")))

    def value(self, depth):
        if depth <= 0:
            return self.dice.choice((self.text(), self.dice.choice(self.names), "1", "0", "None", "[]", "{}", self.dice.choice(self.builtins)))
        makers = (
            lambda: self.call(depth), lambda: self.call(depth), lambda: self.call(depth), lambda: self.value(0),
            lambda: "(%s + %s)" % (self.value(depth - 1), self.value(depth - 1)), lambda: self.text(),
            lambda: "%s[%s]" % (self.value(depth - 1), self.value(depth - 1)), lambda: "sys.argv[1]",
            lambda: "[%s for %s in %s]" % (self.value(depth - 1), self.dice.choice(self.names), self.value(depth - 1)),
            lambda: "(lambda a: %s)" % self.value(depth - 1), lambda: self.field(depth), lambda: self.member(),
            lambda: "(%s if %s else %s)" % (self.value(depth - 1), self.value(depth - 1), self.value(depth - 1)),
            lambda: "%s.%s" % (self.value(depth - 1), self.dice.choice(self.methods)),
            lambda: "{%s: %s}" % (self.value(depth - 1), self.value(depth - 1)),
            lambda: "[%s, %s]" % (self.value(depth - 1), self.value(depth - 1)),
            lambda: "type(%s)" % self.value(depth - 1), lambda: "type(%s).__name__" % self.value(depth - 1),
        )
        return self.dice.choice(makers)()

    def statement(self, indent, depth):
        v, n = self.value(self.dice.randrange(4)), self.dice.choice(self.names)
        block = lambda: "\n" + self.statement(indent + 1, depth - 1)  # noqa: E731
        makers = [
            lambda: "%s = %s" % (n, v), lambda: v, lambda: "print(%s)" % v, lambda: "%s += %s" % (n, v), lambda: "%s, a = %s" % (n, v),
            lambda: "%s[%s] = %s" % (n, v, v), lambda: "del %s" % n, lambda: "assert %s" % v, lambda: "%s = lambda a: %s" % (self.dice.choice("gh"), v),
        ]
        if depth > 0:
            makers += [
                lambda: "if %s:%s" % (v, block()), lambda: "for %s in %s:%s" % (n, v, block()), lambda: "with %s as %s:%s" % (v, n, block()),
                lambda: "try:%s\n%sexcept Exception as e:%s" % (block(), "    " * indent, block()), lambda: "def g(a, b=%s):%s" % (v, block()),
                lambda: "while %s:%s" % (v, block()),
            ]
        return "    " * indent + self.dice.choice(makers)()

    def program(self):
        self.imports = {"sys"}
        body = [self.statement(0, 2) for _ in range(self.dice.randrange(1, 4))]
        return "\n".join(["import %s" % m for m in sorted(self.imports)] + ["a = b = c = d = []"] + body) + "\n"


def ask_reader(reader, texts):
    data = b"".join(t.replace("\0", "\1").encode("utf-8", "surrogatepass") + b"\0" for t in texts)
    out = subprocess.run([reader, "python3", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout
    lines = out.decode("utf-8", "replace").split("\n")[:-1]
    assert len(lines) == len(texts), (len(lines), len(texts))
    return lines


def judge(text, said):
    """Why it should not have been accepted; None if it should."""
    try:
        opened = whitelist.check(text)
    except whitelist.Refused as e:
        return "the checker refuses it: %s" % e
    except (SyntaxError, ValueError) as e:
        return "it is no Python: %s" % e
    if any(access == "W" for access, _ in opened) and "W:" not in said:
        return "a file is written that is not listed"
    for access, path in opened:
        plain = isinstance(path, str) and path and path[0] not in "~-" and path.isprintable() and " " not in path
        if plain and ":$" not in said and ":" + path not in said:
            return "%r is opened and not listed" % path
    return None


def audit(directory, texts):
    data = b"".join(written.encode() + b"\n" + text.encode() + b"\0" for text, written in texts)
    command = [sys.executable, "-I", "-B", os.path.join(HERE, "audit.py"), directory, *sorted(whitelist.MODULES)]
    out = subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout.decode().split("\n")[:-1]
    assert len(out) == len(texts), (len(out), len(texts))
    return out


def main():
    reader = sys.argv[1]
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 6000
    dice = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    harmless, harmful = read_seeds("harmless.txt"), read_seeds("harmful.txt")
    faults = []
    for t, said in zip(harmless, ask_reader(reader, harmless)):
        if said == "asks":
            faults.append((t, "a harmless seed is refused"))
    for t, said in zip(harmful, ask_reader(reader, harmful)):
        if said != "asks":
            faults.append((t, "a harmful seed is taken: " + said))
    grammar, seeds = Grammar(dice), harmless + harmful
    taken = made = runs = 0
    texts = list(harmless)
    with tempfile.TemporaryDirectory() as directory:
        while made < wanted:
            while len(texts) < min(BATCH, wanted - made):
                texts.append(mutate(dice, seeds) if dice.random() < 0.6 else grammar.program())
            good = []
            for t, said in zip(texts, ask_reader(reader, texts)):
                if said == "asks":
                    continue
                taken += 1
                why = judge(t, said)
                if why:
                    faults.append((t, why))
                elif dice.random() < RUNS and "sleep" not in t:
                    good.append((t, "\t".join(p[2:] for p in said.split()[1:] if p.startswith(("W:", "RW:")))))
            for (t, _), said in zip(good, audit(directory, good)):
                runs += 1
                if said != "ok":
                    faults.append((t, "when it ran: " + said))
            made += len(texts)
            texts = []
    for t, why in faults[:10]:
        print("---- %s\n%s" % (why, t))
    print("%d texts, %d taken, %d of them run, %d wrong" % (made, taken, runs, len(faults)))
    return 1 if faults or taken * 20 < made else 0


if __name__ == "__main__":
    sys.exit(main())
