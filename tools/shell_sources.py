"""Sources of shell texts: our case files, corpora next to the project, and mutations of both.

A source is a .case file, or a .jsonl or .jsonl.gz file whose records have "command", "text" or input.command, or the name of one
in ../shared/corpora (agent_sessions, human_nl2bash, shell_suites, ...).
"""
import gzip, json, os, random, re, subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOKENS = ["\\\n", "$(", "`", "((", "))", "<<", "<<E\n", "\nE\n", "<<-", "'", '"', "#", " #", ")", "(", "{", "}", ";", ";;",
          "&", "&&", "|", "||", "|&", "\n", " ", "\\", "$", "${", "${x:-", "$((", "$'", '$"', "<(", ">(", "<", ">", ">>",
          "2>", ">&", "&>", ">&-", "<<<", "[[", "]]", " [[ ", " ]]", "if ", " then ", " fi", "case x in ", " esac", "do ", "done",
          "for i in ", "while ", "! ", "time ", "coproc ", "function f ", "f() ", "a=", "a=(", "a[", "]=", "+=", "\r", "\t",
          "*", "?", "!(", "@(", "~", "{a,b}", "{1..3}", "=", "-", "E", "$x", "${x}", "$(b)", "`b`", "=~ ", "'$(rm y)'", "'`rm y`'", "\\$(rm y)", "\\\\", "\\'", '\\"']

MESSAGE = re.compile(r"\S*\d+:\d+: ")  # what a suite expects a parser to say: LINE:COLUMN


def corpus(source):
    """The file that is meant; None if it is not there."""
    for path in (source, os.path.join(ROOT, "../shared/corpora", source + ".jsonl.gz")):
        if os.path.exists(path):
            return path
    return None


def texts_of(source):
    if source.endswith(".case"):
        mark = r"^\$ " if source.endswith("actions.case") else r"^(ALLOW|ASK|DENY) +Bash "
        for line in open(source, encoding="utf-8").read().split("\n"):
            if line and not line.startswith(("%", "  ")):
                line = re.sub(mark, "", line)
                yield line.replace("⏎", "\n").replace("␉", "\t").replace("␍", "\r").encode()
        return
    source = corpus(source)
    for line in (gzip.open if source.endswith(".gz") else open)(source, "rt", encoding="utf-8"):
        record = json.loads(line)
        text = record.get("command", record.get("text"))
        if text is None and isinstance(record.get("input"), dict):
            text = record["input"].get("command")
        if isinstance(text, list):
            text = text[-1] if len(text) == 3 and text[1] in ("-c", "-lc") else None
        if isinstance(text, str) and text.strip() and not MESSAGE.match(text) and "\0" not in text and "${{" not in text:
            yield text.encode("utf-8", "surrogatepass")


def read_by_bash(text, option):
    """What bash prints with -n or --pretty-print, which parse and never execute; and whether it takes the text."""
    extended = ["-O", "extglob"] if b"shopt -s extglob" in text else []
    r = subprocess.run(["bash", "--norc", "--noprofile", option] + extended, input=text, capture_output=True,
                       env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}, timeout=20)
    return r, not r.returncode and b"syntax error" not in r.stderr and b"unexpected EOF" not in r.stderr


def mutate(rng, texts):
    text = rng.choice(texts)
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(text))
        kind = rng.random()
        if kind < 0.7:
            text = text[:at] + rng.choice(TOKENS).encode() + text[at:]
        elif kind < 0.85:
            text = text[:at] + text[at + rng.randint(1, 4):]
        else:
            other = rng.choice(texts)
            cut = rng.randint(0, len(other))
            text = text[:at] + other[cut:cut + rng.randint(1, 30)] + text[at:]
    return text


def mutated(texts, count, seed):
    rng = random.Random(seed)
    texts = [t for t in texts if len(t) < 400]
    return [mutate(rng, texts) for _ in range(count)]
