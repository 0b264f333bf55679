"""The changes that tools/mutants makes. Each is small, and a mistake that somebody could make."""
import os, re

VERDICTS = {"SAY_ALLOW": "SAY_ASK", "SAY_ASK": "SAY_ALLOW", "SAY_DENY": "SAY_ASK"}
OPPOSITE = {"true": "false", "false": "true", "&&": "||", "||": "&&", "<": "<=", "<=": "<", ">": ">=", ">=": ">",
            "==": "!=", "!=": "=="}
TEXT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*', re.S | re.M)
BODY = re.compile(r"^\{\n(.*?)^\}", re.S | re.M)
TABLE = re.compile(r"^[^\n;]*\] = \{\n(.*?)^\};", re.S | re.M)

# In functions: the name of the mistake, what it changes, and what is written instead.
IN_CODE = [
    ("condition", re.compile(r"\bif \((?P<at>[^{;\n]+)\)\n"), lambda was: "!(%s)" % was),
    ("and-or", re.compile(r"(?P<at>&&|\|\|)"), OPPOSITE.get),
    ("boundary", re.compile(r" (?P<at>[<>]=?) "), OPPOSITE.get),
    ("equal", re.compile(r" (?P<at>[!=]=) "), OPPOSITE.get),
    ("truth", re.compile(r"(?<!\w)(?P<at>true|false)\b"), OPPOSITE.get),
    ("verdict", re.compile(r"\b(?P<at>SAY_ALLOW|SAY_ASK|SAY_DENY)\b"), VERDICTS.get),
    ("one", re.compile(r"[+-] (?P<at>1)\b"), lambda was: "0"),
    ("flag", re.compile(r"\b[A-Z]\w+(?P<at> \| [A-Z][A-Z_]+)\b"), lambda was: ""),
    ("not", re.compile(r"(?P<at>!)(?=[a-z(])"), lambda was: ""),
    ("operand", re.compile(r"(?P<at> (?:&&|\|\|) [^&|;?\n]+?)(?=\)\n|;\n| &&| \|\|)"), lambda was: ""),
    ("statement", re.compile(r"^ +(?P<at>[a-z_][\w>.\[\]-]*(?: [|&+-]?= |\()[^;{}]*;)$", re.M), lambda was: ";"),
]
# In tables: whole rows, and what a row of a program says, which is in strings: roles of values and operands, effects of the
# whole row, of a form and of an option, and "!", which makes an option unknown.
IN_TABLES = [
    ("row", re.compile(r"^    (?P<at>\{.*\},)$", re.M), lambda was: ""),
]
IN_ROWS = [
    ("effect", re.compile(r"(?P<at>\bEFFECT_[A-Z]+\b)"), lambda was: "0"),
    ("role", re.compile(r"(?<=[ \"=,])(?P<at>[RWDBrwdbTtXFZSILNP]+)(?=[ *\"+,])"), lambda was: "."),
    ("form-effect", re.compile(r"(?<=[ \"|])(?P<at>(?:\^[a-z]+)+ )"), lambda was: ""),
    ("option-effect", re.compile(r"(?<=[ \"])(?P<at>(?:\^[a-z]+)+|!)(?=-)"), lambda was: ""),
]


def masked(text):
    """Comments, strings and directives as blanks; every place stays where it was."""
    return TEXT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def balanced(text):
    return text.count("(") == text.count(")") and text.count("{") == text.count("}")


def sites_in(text, spans, kinds, look):
    for span in spans.finditer(look):
        for kind, pattern, instead in kinds:
            for m in pattern.finditer(look, span.start(1), span.end(1)):
                was = text[m.start("at"):m.end("at")]
                if balanced(was):
                    yield kind, m.start("at"), m.end("at"), instead(was)


def sites(text):
    """Every change of one file: (kind, start, end, new text)."""
    look = masked(text)
    yield from sites_in(text, BODY, IN_CODE, look)
    yield from sites_in(text, TABLE, IN_TABLES + (IN_ROWS if "struct program_row" in text else []), text)


def room_of(path):
    return "rows" if "/programs/rows/" in path else path.split("/")[2]


def strata(root):
    """{room: its changes}, each as (path, kind, start, end, new text)."""
    rooms = {}
    for directory, _, names in os.walk(root + "/src"):
        for name in sorted(n for n in names if n.endswith(".c")):
            path = os.path.relpath(os.path.join(directory, name), root)
            with open(os.path.join(root, path)) as f:
                rooms.setdefault(room_of(path), []).extend((path, *site) for site in sites(f.read()))
    return {room: sorted(rooms[room]) for room in sorted(rooms)}
