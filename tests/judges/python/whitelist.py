"""What a Python text may do and still be harmless, written a second time over the real ast, to check the reader.

The lists of names are the reader's own (src/core/programs/python/names.c); everything else is written independently of it.
check(text) raises Refused, or returns the files that the text opens: (access, path or None if it is not literal).
"""

import ast
import os
import re

SOURCE = os.environ.get("WARDER_SOURCE") or os.path.join(os.path.dirname(__file__), "..", "..", "..")

# Never, whatever the lists say.
NEVER = set(
    "eval exec compile getattr setattr delattr globals locals vars input breakpoint help __import__ object super "
    "classmethod staticmethod property memory system popen fork spawn unlink rename rmdir mkdir makedirs chmod chown "
    "symlink link kill environ getenv putenv expandvars attrgetter methodcaller format_map namedtuple import_module "
    "Popen run call check_output urlopen socket connect modules path_hooks meta_path settrace setprofile load_module "
    "FileIO open_code TemporaryFile NamedTemporaryFile rmtree copyfile move touch symlink_to hardlink_to".split()
)


class Refused(Exception):
    pass


def read_tables():
    with open(os.path.join(SOURCE, "src/core/programs/python/names.c"), encoding="utf-8") as f:
        source = f.read()

    def string(name):
        body = re.search(r"static const char %s\[\] =(.*?);" % name, source, re.S).group(1)
        return set(" ".join(re.findall(r'"([^"]*)"', body)).split())

    def by_length(name):
        body = re.search(r"static const char \*const %s\[\] =(.*?);" % name, source, re.S).group(1)
        lists = {int(length): words.split() for length, words in re.findall(r'\[(\d+)\] = "([^"]*)"', body)}
        assert all(len(word) == length for length, words in lists.items() for word in words), lists
        return set(word for words in lists.values() for word in words)

    assert "lambda" in by_length("keywords")
    modules = {}
    body = re.search(r"modules\[\] = \{(.*?)\n\};", source, re.S).group(1)
    for row in re.findall(r"\{((?:\s*\"[^\"]*\",?)+)\}", body):
        words = re.findall(r'"([^"]*)"', row)
        modules[words[0]] = set(" ".join(words[1:]).split())
    special = {}
    body = re.search(r"members\[\] = \{(.*?)\n\};", source, re.S).group(1)
    for module, name, use in re.findall(r'\{"([^"]*)", "([^"]*)", USE_(\w+)\}', body):
        special[module, name] = use
    body = re.search(r"methods\[\] = \{(.*?)\n\};", source, re.S).group(1)
    methods = dict(re.findall(r'\{"([^"]*)", USE_(\w+)\}', body))
    for name in string("ast_classes"):
        special["ast", name] = "CLASS"
    return string("builtins"), string("builtin_classes"), string("attributes"), by_length("risky"), modules, special, methods


BUILTINS, CLASSES, ATTRIBUTES, RISKY, MODULES, SPECIAL, METHODS = read_tables()
for words in (BUILTINS, ATTRIBUTES, set(METHODS), *MODULES.values()):
    assert not (words & NEVER) - ({"compile"} if "fullmatch" in words else set()), words & NEVER  # re.compile

NODES = (
    ast.Module, ast.FunctionDef, ast.Return, ast.Delete, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.For, ast.While,
    ast.If, ast.With, ast.Raise, ast.Try, ast.Assert, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Expr,
    ast.Pass, ast.Break, ast.Continue, ast.BoolOp, ast.NamedExpr, ast.BinOp, ast.UnaryOp, ast.Lambda, ast.IfExp, ast.Dict,
    ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Yield, ast.YieldFrom, ast.Compare, ast.Call,
    ast.FormattedValue, ast.JoinedStr, ast.Constant, ast.Attribute, ast.Subscript, ast.Starred, ast.Name, ast.List,
    ast.Tuple, ast.Slice, ast.ExceptHandler, ast.arguments, ast.arg, ast.keyword, ast.alias, ast.withitem,
    ast.comprehension, ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop,
) + ((ast.Index, ast.ExtSlice) if hasattr(ast, "ExtSlice") else ())  # of old versions


def fail(node, why):
    raise Refused("line %s: %s" % (getattr(node, "lineno", "?"), why))


class Text:
    def __init__(self, text):
        self.tree = ast.parse(text)
        self.parents = {c: p for p in ast.walk(self.tree) for c in ast.iter_child_nodes(p)}
        self.bound = {}  # name: set of "variable", "function", ("module", M), ("member", M, N)
        self.opened = []

    # ---- names ----

    def bind(self, name, how, node):
        if name.startswith("_") and name != "_":
            fail(node, name + " begins with an underscore")
        if name in RISKY:
            fail(node, name + " hides a builtin")
        self.bound.setdefault(name, set()).add(how)

    def bind_import(self, node):
        for a in node.names:
            if isinstance(node, ast.Import):
                if a.name not in MODULES:
                    fail(node, "imports " + a.name)
                top = a.name.split(".")[0]
                self.bind(a.asname or top, ("module", a.name if a.asname else top), node)
                continue
            if node.level or node.module not in MODULES:
                fail(node, "imports from elsewhere")
            inner = node.module + "." + a.name
            if inner in MODULES:
                self.bind(a.asname or a.name, ("module", inner), node)
            elif a.name in MODULES[node.module] or (node.module, a.name) in SPECIAL:
                self.bind(a.asname or a.name, ("member", node.module, a.name), node)
            else:
                fail(node, "imports " + inner)

    def bind_all(self):
        for n in ast.walk(self.tree):
            if not isinstance(n, NODES):
                fail(n, type(n).__name__)
            if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load):
                function = isinstance(self.parents[n], ast.Assign) and isinstance(self.parents[n].value, ast.Lambda)
                function |= isinstance(self.parents[n], ast.AnnAssign) and isinstance(self.parents[n].value, ast.Lambda)
                function |= isinstance(self.parents[n], ast.NamedExpr) and isinstance(self.parents[n].value, ast.Lambda)
                self.bind(n.id, "function" if function else "variable", n)
            elif isinstance(n, ast.arg):
                self.bind(n.arg, "variable", n)
            elif isinstance(n, ast.ExceptHandler) and n.name:
                self.bind(n.name, "variable", n)
            elif isinstance(n, ast.FunctionDef):
                if n.decorator_list:
                    fail(n, "a decorator")
                self.bind(n.name, "function", n)
            elif isinstance(n, (ast.Import, ast.ImportFrom)):
                self.bind_import(n)
        for name, hows in self.bound.items():
            if any(isinstance(h, tuple) for h in hows) and len(hows) > 1:
                fail(self.tree, name + " is more than one thing")

    def what(self, n):
        """("module", M), ("member", M, N), ("builtin", N), or None."""
        if isinstance(n, ast.Name):
            hows = self.bound.get(n.id)
            if not hows:
                return ("builtin", n.id)
            first = next(iter(hows))
            return first if isinstance(first, tuple) else None
        if isinstance(n, ast.Attribute):
            base = self.what(n.value)
            if base and base[0] == "module":
                inner = base[1] + "." + n.attr
                return ("module", inner) if inner in MODULES else ("member", base[1], n.attr)
        return None

    def is_function(self, n):
        return isinstance(n, ast.Name) and self.bound.get(n.id) == {"function"}

    # ---- where a value is used ----

    def is_type_call(self, n):
        return (
            isinstance(n, ast.Call) and self.what(n.func) == ("builtin", "type") and len(n.args) == 1 and not n.keywords
            and not isinstance(n.args[0], ast.Starred)
        )

    def is_only_looked_at(self, n):
        p = self.parents[n]
        if isinstance(p, (ast.Compare, ast.FormattedValue, ast.ExceptHandler)):
            return True
        if isinstance(p, (ast.Tuple, ast.List)):
            return self.is_only_looked_at(p)
        if isinstance(p, ast.Attribute):
            return p.attr == "__name__" and isinstance(p.ctx, ast.Load)
        lookers = [("builtin", x) for x in ("print", "str", "repr", "isinstance", "issubclass")]
        return isinstance(p, ast.Call) and n in p.args and self.what(p.func) in lookers

    def use(self, n):
        """For a builtin or a member of a module: ANYHOW, or its special use."""
        what = self.what(n)
        if what[0] == "builtin":
            if what[1] in ("open", "type"):
                return what[1].upper()
            if what[1] in CLASSES:
                return "CLASS"
            return "ANYHOW" if what[1] in BUILTINS else "NEVER"
        if what[0] == "member":
            if what[1:] in SPECIAL:
                return SPECIAL[what[1:]]
            return "ANYHOW" if what[2] in MODULES[what[1]] else "NEVER"
        return "NEVER"

    def is_called(self, n):
        p = self.parents[n]
        return isinstance(p, ast.Call) and p.func is n

    # ---- each node ----

    def look(self, n):
        p = self.parents.get(n)
        if isinstance(n, (ast.Name, ast.Attribute)) and isinstance(p, ast.Attribute) and self.what(n) and self.what(n)[0] == "module":
            return  # the left side of a member
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load):
            self.look_name(n)
        elif isinstance(n, ast.Attribute):
            self.look_attribute(n)
        elif isinstance(n, ast.Call):
            self.look_call(n)
        elif isinstance(n, ast.Subscript) and not isinstance(n.ctx, ast.Load):
            if self.what(n.value) == ("member", "sys", "argv"):
                fail(n, "changes sys.argv")
        elif isinstance(n, ast.keyword) and n.arg and n.arg.startswith("_") and n.arg != "_":
            fail(n, "an argument with an underscore")

    def look_name(self, n):
        if n.id == "__name__":
            return
        if n.id.startswith("_") and n.id != "_":
            fail(n, n.id)
        what = self.what(n)
        if what is None:
            return
        self.look_use(n, what)

    def look_use(self, n, what):
        if what[0] == "module":
            fail(n, "a module as a value")
        use = self.use(n)
        if use == "NEVER":
            fail(n, "%s is not known" % (what,))
        if use == "ARGV":
            p = self.parents[n]
            fits = isinstance(p, ast.Subscript) and p.value is n and isinstance(p.ctx, ast.Load)
            fits |= isinstance(p, ast.Call) and self.what(p.func) == ("builtin", "len") and p.args == [n] and not p.keywords
            if not fits:
                fail(n, "sys.argv as a value")
        elif use == "CLASS":
            if not self.is_only_looked_at(n):
                fail(n, "%s as a value" % (what,))
        elif use != "ANYHOW" and not self.is_called(n):
            fail(n, "%s as a value" % (what,))

    def look_attribute(self, n):
        if not isinstance(n.ctx, ast.Load):
            fail(n, "an attribute is assigned to")
        what = self.what(n)
        if what:
            if n.attr.startswith("_"):
                fail(n, n.attr)
            self.look_use(n, what)
            return
        if n.attr == "__name__":
            if not self.is_type_call(n.value):
                fail(n, n.attr)
        elif n.attr in METHODS:
            if not self.is_called(n):
                fail(n, n.attr + " as a value")
        elif n.attr not in ATTRIBUTES or n.attr.startswith("_"):
            fail(n, n.attr + " is not known")

    def look_call(self, n):
        f = n.func
        what = self.what(f)
        star = any(isinstance(a, ast.Starred) for a in n.args) or any(k.arg is None for k in n.keywords)
        names = [k.arg for k in n.keywords]
        if what is None:
            if isinstance(f, ast.Attribute):
                self.look_method(n, f, star, names)
            elif not self.is_function(f):
                fail(n, "what is called is not known")
            return
        use = self.use(f)
        if use == "TYPE" and not (self.is_type_call(n) and self.is_only_looked_at(n)):
            fail(n, "type() as a value")
        if use == "OPEN":
            self.look_open(n, star, names)
        elif use in ("LIST", "WALK"):
            if star or names or len(n.args) > 1 or (use == "WALK" and not n.args):
                fail(n, "what is listed")
        elif use == "FIND" and (star or len(n.args) != 1 or set(names) - {"recursive"}):
            fail(n, "what is found")
        elif use == "PARSE":
            self.look_parse(n, star, names)
        elif use == "ARGV":
            fail(n, "sys.argv is called")

    def look_open(self, n, star, names):
        if star or set(names) - {"file", "mode", "encoding", "errors", "newline", "buffering"}:
            fail(n, "arguments of open")
        path = n.args[0] if n.args else next(k.value for k in n.keywords if k.arg == "file")
        mode = n.args[1] if len(n.args) > 1 else next((k.value for k in n.keywords if k.arg == "mode"), None)
        if mode is not None and not (isinstance(mode, ast.Constant) and isinstance(mode.value, str)):
            fail(n, "the mode of open")
        letters = mode.value if mode else "r"
        self.opened.append(("W" if set(letters) & set("wax+") else "R", path.value if isinstance(path, ast.Constant) else None))

    def look_parse(self, n, star, names):
        """A syntax error prints a line of the file that the text claims to come from."""
        if star or set(names) - {"source", "filename", "mode", "type_comments", "feature_version"}:
            fail(n, "arguments of ast.parse")
        path = n.args[1] if len(n.args) > 1 else next((k.value for k in n.keywords if k.arg == "filename"), None)
        if path is not None:
            self.opened.append(("R", path.value if isinstance(path, ast.Constant) else None))

    def look_method(self, n, f, star, names):
        use = METHODS.get(f.attr)
        if use == "FORMAT":
            text = f.value.value if isinstance(f.value, ast.Constant) else None
            if not isinstance(text, (str, bytes)) or re.search(r"\{[^{}:]*[.\[]", str(text)):
                fail(n, "a format that looks into things")
        elif use == "REPLACE":
            if star or (len(n.args) < 2 and (n.args or "target" in names)) or (n.args and names):
                fail(n, "a replace that may move a file")
        elif use == "COPY" and (n.args or n.keywords):
            fail(n, "a copy that may be one of a file")
        elif use == "WRITE":
            self.opened.append(("W", None))


def check(text):
    if any((ord(c) < 32 and c not in "\t\n") or ord(c) == 127 for c in text):
        raise Refused("a control character")
    if any(re.match(r"^[ \t\f]*#.*?coding[:=]", line) for line in text.split("\n")[:2]):
        raise Refused("declares an encoding")
    t = Text(text)
    t.bind_all()
    for n in ast.walk(t.tree):
        t.look(n)
    return t.opened
