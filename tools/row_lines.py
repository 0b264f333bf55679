"""Command lines that make a row of the table of programs say everything it has to say: for tools/prove-rows.

One line for the name alone; one for each form of the operands, with each of the options that choose it; one for each option that
has an effect or whose value has a role, others without operands or beside another form if these might have the same effect, and
one without its value if that is optional. Another name of a row only has the first. Nothing is random: the same row gives the same lines.
"""
import re

import program_lines

# What stands for an operand, and for the value of an option, by its role: other files, so that each can be told from the
# other. The files are those of tools/prove-rows; evil is a program there.
OPERANDS = {"R": ["a.txt", "b.txt", "sub/c.txt"], "W": ["new", "new2"], "D": ["b.txt", "a.txt"], "B": ["a.txt", "b.txt"], "T": ["new"], "t": ["new"],
            "r": ["sub", "other"], "w": ["sub", "other"], "d": ["sub", "other"], "b": ["sub", "other"], "P": ["sub"], "L": ["a.txt"],
            "X": ["./evil"], "S": ["./evil"], "I": ["./evil"], "F": ["./evil.sh"], "Z": ["./evil.sh"],
            "N": ["http://name.example/x"], "M": ["http://name.example/x"], "O": ["{}"], "V": ["NAME=x"], ".": ["x", "y"]}
VALUES = OPERANDS | {"R": ["given.txt"], "W": ["out"], "D": ["given.txt"], "B": ["given.txt"], "T": ["other"], "t": ["other"],
                     "r": ["other"], "w": ["other"], "d": ["other"], "b": ["other"], "P": ["other"], "L": ["given.txt"],
                     "F": ["./evil2.sh"], "Z": ["./evil2.sh"], "N": ["http://other.example/x"], "M": ["http://other.example/x"]}
READERS = {"@suffix": ".x", "@sed": "w new", "@awk": 'BEGIN{system("./evil")}', "@jq": ".", "@at": "@given.txt", "@commit": "HEAD", "@ref": "refs/heads/x",
           "@@gcloud": "list", "@@az": "list", "@@aws": "s3 ls"}
HARMLESS = {"@awk": "{print}"}  # beside options, whose effects it would hide
HOW_OPTIONS_ARE_READ = set("abbrev assigns bundle expression global mixed number plus versions +long".split())
OPTION = re.compile(r"(?P<marks>(?:\^[a-z]+|%|!)*)(?P<names>[^=?]+)(?P<takes>\??=)?(?P<role>.*)$")
TELLS = set("RWDBrwdbTtXFZSILNPM@")


def word_for(role, words, used=()):
    """The first word for the role that is not used yet."""
    if role.startswith("@"):
        return READERS.get(role, "x")
    letter = next((c for c in role if c in "WTtDXFZSINPwd"), role[:1]) or "."
    choices = words.get(letter, ["x"])
    return next((word for word in choices if word not in used), choices[0])


class Option:
    """One option of a row."""

    def __init__(self, text):
        m = OPTION.match(text)
        self.marks, self.takes, self.role = m["marks"], m["takes"] or "", m["role"]
        self.names = m["names"].split(",")

    def effects(self):
        return set(re.findall(r"\^([a-z]+)", self.marks)) | ({"unknown"} if "!" in self.marks else set())

    def tells(self):
        return "^" in self.marks or "!" in self.marks or bool(TELLS & set(self.role))

    def without_value(self):
        return Option(self.marks + ",".join(self.names))

    def words(self):
        name, values = self.names[0], [word_for(role, VALUES) for role in self.role.split(",")]
        if not self.takes:
            return [name]
        if not name.startswith(("-", "+")):
            return [name + "=" + values[0]]
        if self.takes == "?=":
            return [name + ("=" if name.startswith("--") else "") + values[0]]
        return [name] + values + ([";"] if self.role == "I" else [])


def options_of(row):
    return [Option(text) for text in row.options.split() if text not in HOW_OPTIONS_ARE_READ and not text.startswith("=")]


class Form:
    """One form of the operands: the options that choose it, and its words."""

    def __init__(self, text, options):
        self.needs, self.roles, self.count, self.first, self.bare, self.named = [], [], None, None, False, {}
        self.effects, self.has_more = set(re.findall(r"\^([a-z]+)", text)), "*" in text
        self.values = set(re.findall(r"(?<!\S)(-[\w-]+)=", text))
        for token in text.split():
            if token.startswith("{"):
                self.condition(token[1:-1], options)
            elif re.match(r"[.A-Za-z@][A-Za-z@]*[*+]?$", token) and token not in ("none", "sub", "cwd"):
                self.roles.append(token.rstrip("*+"))

    def condition(self, text, options):
        if text == "bare":
            self.bare = True
        elif text.isdigit():
            self.count = int(text)
        elif text in ("-", "empty"):
            self.first = "-" if text == "-" else "''"
        elif re.match(r"\d+:", text):
            nth, word = text.split(",")[0].split(":")
            self.named[int(nth)] = word
        else:
            names = set(text.split(","))
            self.needs.append([o for o in options if set(o.names) & names])

    def ways(self):
        """The options of each way to choose this form."""
        first, *rest = self.needs or [[]]
        others = [some[0] for some in rest if some]
        return [[option] + others for option in first] or [others]

    def operands(self, more=0, harmless=False):
        roles = self.roles + self.roles[-1:] * more
        if self.count is not None:
            roles = (roles + roles[-1:] * self.count)[:self.count]
        roles += ["."] * (max(self.named, default=0) - len(roles))
        words = []
        for role in roles:
            word = HARMLESS.get(role) if harmless else None
            word = word or self.named.get(len(words) + 1) or word_for(role, OPERANDS, words)
            words += word.split() if role.startswith("@@") else [word]
        return ([self.first] + words[1:] if self.first else words) if not self.bare else []


class Writer:
    """Writes the lines of one row."""

    def __init__(self, name, row):
        self.name, self.options_last = name, "expression" in row.options.split()

    def line(self, options=(), operands=()):
        given = [word for o in options for word in o.words()]
        words = self.name.split() + (list(operands) + given if self.options_last else given + list(operands))
        return " ".join(w if w == "''" else program_lines.quoted(w) for w in words)


def about_options(write, forms, options):
    plain = next((f for f in forms if not f.needs and not f.bare and not f.first and f.count != 0), forms[-1])
    for option in options:
        chosen = next((f for f in forms if any(option in some for some in f.needs)), plain)
        others = [o for o in chosen.ways()[0] if o is not option] if chosen is plain else []
        yield write.line(others + [option], chosen.operands(harmless=True)), option
        if "^" in option.marks or set("XFZSIN") & set(option.role):
            yield write.line([option]), option
        if option.takes == "?=":
            yield write.line(others + [option.without_value()], chosen.operands(harmless=True)), option
        yield from beside_other_forms(write, forms, chosen, option)


def beside_other_forms(write, forms, chosen, option):
    """Where the form already has an effect of the option, or a role for its value, one that has not."""
    says = lambda f: f.effects & option.effects() or f.values & set(option.names)
    other = next((f for f in forms if not says(f)), None)
    if other and says(chosen):
        yield write.line(other.ways()[0] + [option], other.operands()), option


def values_of_forms(write, forms, options):
    """A form may say more of the value of an option than the option does: git config --add -f FILE writes it."""
    for form in forms:
        way = form.ways()[0]
        for option in options:
            if form.values & set(option.names) and option not in way:
                yield write.line(way + [option], form.operands()), option


def option_as_value(write, forms, options):
    """What projects use may take an option for an option where a value should be: jest -t --outputFile=x."""
    takes = next((o for o in sorted(options, key=lambda o: o.role not in ("", ".")) if o.takes == "="), None)
    other = next((o for o in options if o is not takes and "%" not in o.marks), None)
    if takes and other:
        yield write.line((), [takes.names[0], other.names[0]] + forms[-1].operands(harmless=True)), None


def all_lines(name, row):
    write = Writer(name, row)
    yield write.line(), None
    if row.options.startswith("="):
        return
    options = options_of(row)
    forms = [Form(text, options) for text in row.operands.split("|")]
    yield from ((write.line(way, form.operands()), None) for form in forms for way in form.ways())
    yield from ((write.line(form.ways()[0], form.operands(more=1)), None) for i, form in enumerate(forms)
                if form.has_more and any(f.count is not None for f in forms[:i]))
    yield from values_of_forms(write, forms, options)
    if "EFFECT_PROJECT" in row.effects:
        yield from option_as_value(write, forms, [o for o in options if o.names[0].startswith("-")])
    yield from about_options(write, forms, [o for o in options if o.tells()])


def lines(name, row):
    """Each with the option that it is about, or None."""
    seen = set()
    for line, option in all_lines(name, row):
        if line not in seen and "|" not in line:
            seen.add(line)
            yield line, option
