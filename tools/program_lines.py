"""Command lines from the table of programs: what tools/program-exec judges and runs.

Maker.line() makes lines of a row's own options, values and operands. MECHANISMS has one generator for each way in which a
program does more than its words seem to say: a file that an option names, words that are handed on, variables, links.
"""
import collections, concurrent.futures, glob, json, os, re, shlex, subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VARIABLES = os.path.join(ROOT, "tools", "variables.txt")

Row = collections.namedtuple("Row", "options operands effects source file")
NO_ROW = Row("", "", "", "", "")

PATHS = ["a.txt", "b.txt", "a.json", "a.csv", "a.c", "a.py", "a.js", "a.sh", "a.xml", "a.md", "a.diff", "a.tar", "a.zip", "a.gz", "a.db", "a.o", "a.a",
         "list", "list0", "sub", ".", "-", "./a.txt", "sub/c.txt", "new", "sub/new", "./evil", "./evil.sh", "*.txt", "/etc/hosts", "/usr/bin", "/dev/null"]
WORDS = ["x", "1", "0", "2", "10", "a", "b", "one", "two", "utf-8", "json", "csv", "text", "raw", "all", "none", "auto", "always", "never", "never", "n", "1,2", "1:2", "a=b", "-1", "%s",
         "HEAD", "HEAD~1", "main", "1d", "1s", "+1", "100%", ".", "", "{}", "[", "*", "s/a/b/", "1p", ".a", ".c", "{print}", "NR==1", "sh", "c", "python",
         "name.example", "@name.example", "http://name.example/x", "new", "file=new", "new,x", "@list", "@new", "./evil", "sh ./evil", "|./evil", "!./evil", "`./evil`", "$(./evil)", "file:new", "pager=./evil", "core.pager=./evil"]
AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
RUNNERS = {"npm", "npx", "pnpm", "yarn", "yarnpkg", "bun", "bunx", "php"}
HOSTILE = ["new", "./evil", "list", "'|./evil'", "name.example"]
FORM = r"(?:%|!|\^[a-z]+)*((?:[-+\w][^=?,]*,?)+)(\??=.*)?$"

# Files that no build makes: sources that are there, and such as a later run would take for code.
OUTPUTS = ["a.c", "a.py", "a.js", "a.txt", "sub/c.txt", "Makefile", "package.json", "conftest.py", "sub/new.py", "new.js", "new.sh", "./new.c", ".git/hooks/pre-commit",
           ".git/config", ".env", "../outside/new", "/srv/user/outside/old", "~/outside/old", "link"]
# A word of somebody else's language that has a path or code in it: where it stands, and what.
AROUND = ["%s", "-o%s", "-I%s", "--out=%s", "--emit=metadata=%s", "--emit=dep-info=%s", "x:%s", "x,%s", "@%s", "a %s", '"%s"', "'%s'", 'k="%s"', "k=a:%s", "-flp:logfile=%s", "file://%s", "{k:%s}", "[%s]",
          "x;%s", "x|%s", "+%s", "x#%s", "x?%s", "x&%s", "(%s)", "x^%s", "!%s", "--x=y=%s", "-x:%s", "k:=%s", "k?=%s", "%s:x", "%s,x", "a=b;k=%s", "x://%s", "-%s", "-Wl,%s", "-Wl,-Map=%s", "-Wp,-MD,%s", "-C link-arg=%s", "<%s", ">%s", "\\%s", "x%%%s", "k+=%s"]
INSIDE = ["/srv/user/outside/old", "/srv/user/outside/new", "~/outside/old", "$HOME/outside/new", "${HOME}/outside/new", "../outside/new", "sub/../../outside/old", "/srv/user/.ssh/id_rsa", "~/.ssh/id_rsa",
          ".env", "./.env", "sub/../.env", ".git/hooks/pre-commit", ".git/config", "$(./evil)", "`./evil`", "${x:-$(./evil)}", "$(sh evil)", "/proc/self/cwd/.env",
          "$PWD/../outside/new", "/srv/user/project/../outside/old", "//srv/user/outside/old", "docs/o/new", "docs/o/old", "docs/k/id_rsa", "docs/h/pre-commit", "docs/e", "docs/../.env", "~/.netrc", "${HOME}/.netrc", "$(cat .env)",
          "`cat .env`", "/srv/user/.ssh/", "../.ssh/a.txt"]
VALUES = ["./evil", "sh ./evil", "-T -TT ./evil", "/srv/user/project/evil", "/srv/user/.ssh/id_rsa", "~/.ssh/id_rsa", ".env", "./.env", "/srv/user/project", ".", "./sub", "sub", "a.txt", "list", "|./evil", "| ./evil %s",
          "$(./evil)", "--output=new", "-o new", "/srv/user/outside/new", "./evil.so", "/srv/user/project/evil.so", "./outside", "new", "1", "file:new", "x=./evil", "./evil:", "/srv/user/project:", "name.example"]
IN_FRONT = ["%s %s", "export %s; %s", "env %s %s", "declare -x %s; %s", "%s; export X; %s", "set -a; %s; %s"]
LINKED = ["docs", "docs/", "./docs", ".", "docs/*", "docs/k", "docs/k/", "docs/k/*", "docs/e", "docs/o", "docs/o/old", "docs/h", "docs/k/id_rsa", "docs/d", "docs/d/k", "*", "*/*", "docs/..", "docs/k/..", "docs/k/../.ssh"]
ARCHIVES = ["l.tar", "l.zip", "l.tar -C docs", "l.zip -d docs", "l.patch"]


def literal(text):
    """The value of a string of C that may be written in parts."""
    return "".join(json.loads(part) for part in re.findall(r'"(?:[^"\\]|\\.)*"', text))


def own_rows():
    """The table, by name, as it is written: a row that is another name of one has "=NAME" for its options."""
    found = {}
    string = r'(?:"(?:[^"\\]|\\.)*"\s*)+'
    for path in sorted(glob.glob(os.path.join(ROOT, "src/core/programs/rows/*.c"))):
        text = subprocess.run(["cc", "-E", "-P", "-I", os.path.join(ROOT, "src", "core"), "-I", os.path.join(ROOT, "src"), path], capture_output=True, text=True, check=True).stdout
        file = os.path.basename(path).removesuffix(".c")
        for m in re.finditer(r"\{\s*(%s),\s*(%s),\s*(%s),\s*([^,]*),\s*(%s)" % (string, string, string, string), text):
            name, options, operands, effects, source = m.groups()
            found[literal(name)] = Row(literal(options), literal(operands), effects, literal(source), file)
    return found


def rows():
    """The table, by name."""
    found = own_rows()
    return {n: found.get(row.options[1:], row) if row.options.startswith("=") else row for n, row in found.items()}


def quoted(word):
    return word if re.match(r"^[\w./=,:@%+*~-]+$", word) else shlex.quote(word)


def is_project_code(row):
    return "EFFECT_PROJECT" in row.effects or "^project" in row.operands


def helped(name, names):
    """Whose help lists the options of a row: of `npx eslint` it is that of eslint, of `pnpm build` that of pnpm."""
    words = name.split()
    if words[0] in RUNNERS:
        return words[-1] if len(words) > 1 and words[-1] in names else words[0]
    return name


def help_texts(names):
    """The options that programs list, by row. Slow, so asked for once (see program-exec)."""

    def options(name):
        said = []
        for words in (name.split() + ["--help"], name.split()[:1] + ["help"] + name.split()[1:]):
            try:
                done = subprocess.run(AS_NOBODY + words, cwd="/", stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=5)
                said += re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", done.stdout + done.stderr)
            except (OSError, subprocess.TimeoutExpired):
                pass
        return sorted(set(said))

    asked = sorted({helped(n, names) for n in names})
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return dict(zip(asked, pool.map(options, asked)))


class Maker:
    def __init__(self, r, table, names, helps):
        self.r, self.table, self.names, self.helps = r, table, names, helps

    def drawn(self, names, weight):
        """Rows without end: first a program, then one of its rows, so that those with a row for each script do not crowd out the rest."""
        by_program = collections.defaultdict(list)
        for n in names:
            by_program[n.split()[0]].append(n)
        programs = sorted(by_program)
        weights = [min(30, sum(map(weight, by_program[p]))) for p in programs]
        while True:
            for program in self.r.choices(programs, weights, k=1000):
                yield self.r.choices(by_program[program], list(map(weight, by_program[program])))[0]

    def value(self):
        return self.r.choice(PATHS if self.r.random() < 0.5 else WORDS)

    def option(self, form):
        m = re.match(FORM, form)
        if not m:
            return []
        name, takes = self.r.choice(m.group(1).split(",")), m.group(2)
        if name.startswith("--") and len(name) > 5 and self.r.random() < 0.15:
            name = name[: self.r.randint(4, len(name) - 1)]
        if not takes:
            return [name] if self.r.random() < 0.97 else [name + "=" + self.value()]
        attached = name + ("=" if name.startswith("--") else "") + self.value()
        if takes.startswith("?"):
            return [attached] if self.r.random() < 0.6 else [name]
        return [attached] if self.r.random() < 0.4 else [name, self.value()]

    def options(self, forms, most):
        usable = [f for f in forms if "-" in f[:4] or "=" in f]
        return [w for _ in range(self.r.randint(0, most)) if usable for w in self.option(self.r.choice(usable))]

    def bundle(self, words):
        short = [w for w in words if re.match(r"-\w$", w)]
        if len(short) < 2 or self.r.random() < 0.6:
            return words
        return ["-" + "".join(w[1] for w in short)] + [w for w in words if w not in short]

    def each(self, name, values):
        """All lines with one option of the row."""
        for form in [""] + self.table[name].options.split():
            m = re.match(FORM, form)
            if form and not (m and ("-" in form[:4] or "=" in form)):
                continue
            for option in m.group(1).split(",") if m else [""]:
                glue = "=" if option.startswith("--") else ""
                takes = m and m.group(2)
                for value in [""] + [" " + v for v in values] + [glue + values[0]] if takes else [""]:
                    for operands in (" a.txt",) if takes else ("", " a.txt " + values[0], " " + values[-1]):
                        yield "%s %s%s%s" % (name, option, value, operands)

    def line(self, name):
        words, forms = name.split(), self.table[name].options.split()
        out = words[:1]
        if len(words) > 1 and self.r.random() < 0.2:
            out += self.options(self.table.get(words[0], NO_ROW).options.split(), 1)
        out += words[1:] + self.bundle(self.options(forms, 3))
        for _ in range(self.r.choice([0, 0, 1, 1, 1, 2, 2, 3])):
            out.append(self.value())
            if self.r.random() < 0.15:
                out += self.options(forms, 1)
        return " ".join(map(quoted, out))

    def lines(self, count):
        """Each with its row; rows with many options come more often."""
        weights = [3 + len(self.table[n].options.split()) for n in self.names]
        return ((n, self.line(n)) for n in self.r.choices(self.names, weights, k=count))

    # ---- mechanisms ----

    def known_options(self, name):
        """The names of options, from the row and from what the program itself says: the row may have forgotten one."""
        said = [n for form in self.table[name].options.split() for m in [re.match(FORM, form)] if m for n in m.group(1).split(",")]
        return sorted({n for n in said + self.helps.get(helped(name, self.names), []) if n.startswith("-")}) or ["-o"]

    def with_value(self, option, value):
        glue = ["=", " "] if option.startswith("--") else [" ", " ", "", "="]
        return option + self.r.choice(glue) + value

    def outputs(self):
        """Every option of project code, with the name of a file that must not be written."""
        names = [n for n in self.names if is_project_code(self.table[n])]
        for name in self.drawn(names, lambda n: 3 + len(self.table[n].options.split())):
            target = self.r.choice(OUTPUTS)
            value = self.r.choice(["", "", "", "xml:", "file=", "term:", "html,"]) + target
            words = [name, self.with_value(self.r.choice(self.known_options(name)), value)]
            if self.r.random() < 0.3:
                words.insert(self.r.choice([1, 2]), self.r.choice(self.known_options(name)))
            words += self.r.choices(["", "a.c", "a.py", "a.js", "sub", ".", "test", "all", "a.txt", "-- x"], k=self.r.choice([0, 1, 1, 2]))
            yield name, " ".join(w for w in words if w)

    def handed_on(self):
        """Words with a path or code in them, as the values of options, as operands, and behind --."""
        for name in self.drawn(self.names, lambda n: 8 if "@arg" in self.table[n].operands else 1):
            word = quoted(self.r.choice(AROUND) % self.r.choice(INSIDE))
            takes = [m.group(1).split(",") for f in self.table[name].options.split() for m in [re.match(FORM, f)] if m and m.group(2)]
            if takes and self.r.random() < 0.4:
                yield name, name + " " + self.with_value(self.r.choice(self.r.choice(takes)), word) + self.r.choice(["", " a.txt", " test"])
            else:
                yield name, " ".join(filter(None, [name, self.r.choice(["", "test", "a.c", "a.txt"]), self.r.choice(["", "--", "--"]), word]))

    def variables(self):
        """Every variable of the list, in front of everything that is harmless without it."""
        with open(VARIABLES) as f:
            variables = [line.strip() for line in f if line.strip() and not line.startswith("#")]
        self.r.shuffle(variables)
        for at, name in enumerate(self.drawn(self.names, lambda n: 1)):
            variable = variables[at % len(variables)] + "=" + quoted(self.r.choice(VALUES))
            yield name, self.r.choice(IN_FRONT) % (variable, self.line(name) if self.r.random() < 0.6 else name + self.r.choice(["", " a.txt", " --help", " --version"]))

    def links(self):
        """Directories with links in them that lead out of the project, to secrets and to git's own files."""
        for name in self.drawn(self.names, lambda n: 3 + len(self.table[n].options.split())):
            words = [name] + self.bundle(self.options(self.table[name].options.split(), 3))
            words += self.r.choices(["''", "x", "s", ".", "a.txt"], k=self.r.choice([0, 0, 1]))
            words += self.r.choices(LINKED + ARCHIVES, k=self.r.choice([1, 1, 2]))
            yield name, " ".join(w if w in ("''",) or w in LINKED + ARCHIVES else quoted(w) for w in words)


MECHANISMS = {"outputs": Maker.outputs, "handed-on": Maker.handed_on, "variables": Maker.variables, "links": Maker.links}
