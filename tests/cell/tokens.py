#!/usr/bin/env python3
"""A plan that is stored under a token runs once, for its owner, on this start of the machine, by this build, in its time.

usage: tests/cell/tokens.py CELL

Everything else (E93 of attempts.py) ends with 125, and nothing has run."""
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

from users import USER, as_user, users

TOKEN = "0123456789abcdef" * 2


class Home:
    def __init__(self, cell, root):
        self.cell, self.root, self.work = cell, root, root + "/work"
        self.cells, self.tier = root + "/.local/state/warder/cells", root + "/.cache/warder/cell"
        self.made, self.token = self.work + "/made", self.cells + "/" + TOKEN
        found = json.loads(subprocess.run([cell, "--check"], capture_output=True, check=True).stdout)
        self.build, self.boot = found["build"], found["boot"]

    def reset(self):
        for name in os.listdir(self.root):
            shutil.rmtree(self.root + "/" + name)
        for directory in (self.work, self.cells, os.path.dirname(self.tier)):
            os.makedirs(directory)
        os.chmod(self.cells, 0o700)
        open(self.tier, "w").close()
        self.store()

    def plan(self, **changes):
        plan = {"version": 1, "program": "/bin/sh", "words": ["sh", "-c", "echo x >> made; exit 7"], "directory": self.work,
                "write": [self.work], "protect": [], "refuse": [], "hide": [], "remove": [], "set": [], "background": False,
                "boot": self.boot, "build": self.build, "until": int(time.time()) + 600}
        return {k: v for k, v in {**plan, **changes}.items() if v is not None}

    def store(self, **changes):
        if os.path.lexists(self.token):
            os.unlink(self.token)
        with open(os.open(self.token, os.O_WRONLY | os.O_CREAT, 0o600), "w") as f:
            json.dump(self.plan(**changes), f)

    def run(self, token=TOKEN, before=None):
        return subprocess.run([self.cell, token], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                              preexec_fn=before)

    def count(self):
        return len(open(self.made).readlines()) if os.path.exists(self.made) else 0


def replace_by_link(h):
    os.rename(h.token, h.cells + "/other")
    os.symlink("other", h.token)


def replace_directory(h):
    os.rename(h.cells, h.cells + "-real")
    os.symlink(h.cells + "-real", h.cells)


def replace_by_fifo(h):
    os.unlink(h.token)
    os.mkfifo(h.token, 0o600)


def replace_by_directory(h):
    os.unlink(h.token)
    os.mkdir(h.token, 0o700)


# What is done to a token that would run, and whether its name is left (True: somebody else's matter; False: used up).
REFUSALS = [
    ("a guess", lambda h: os.rename(h.token, h.cells + "/" + "f" * 32), False),
    ("a link", replace_by_link, True),
    ("a second name", lambda h: os.link(h.token, h.cells + "/second"), True),
    ("a mode for others", lambda h: os.chmod(h.token, 0o640), True),
    ("a mode without writing", lambda h: os.chmod(h.token, 0o400), True),
    ("a FIFO", replace_by_fifo, True),
    ("a directory", replace_by_directory, True),
    ("a directory of tokens for others", lambda h: os.chmod(h.cells, 0o755), True),
    ("a directory of tokens that is a link", replace_directory, True),
    ("no directory of tokens", lambda h: shutil.rmtree(h.cells), False),
    ("a time that is over", lambda h: h.store(until=int(time.time()) - 1), False),
    ("no time", lambda h: h.store(until=None), False),
    ("a time in words", lambda h: h.store(until="tomorrow"), False),
    ("another start of the machine", lambda h: h.store(boot="00000000-0000-0000-0000-000000000000"), False),
    ("no start of the machine", lambda h: h.store(boot=None), False),
    ("another build", lambda h: h.store(build="0" * 16), False),
    ("no build", lambda h: h.store(build=None), False),
    ("a member that nobody knows", lambda h: h.store(ports=[80]), False),
    ("a tier that nobody knows", lambda h: h.store(tier="moat"), False),
    ("another version", lambda h: h.store(version=2), False),
    ("an undo entry elsewhere", lambda h: h.store(undo={"entry": "../../x", "state": h.root, "project": h.work, "file": 0}), False),
    ("an undo without a project", lambda h: h.store(undo={"entry": "1795038023336-b37b9e3a", "state": h.root, "file": 0}), False),
    ("a text that is no plan", lambda h: open(h.token, "w").write("{"), False),
]
FOREIGN = [("a foreign owner", lambda h: os.chown(h.token, USER + 1, 0), True),
           ("a foreign directory", lambda h: os.chown(h.cells, USER + 1, 0), True)]
SPELLINGS = ["", "x", TOKEN[:-1], TOKEN + "0", TOKEN.upper(), "../cells/" + TOKEN, "./" + TOKEN, TOKEN[:-1] + "\n"]


def check(wrong, what, good):
    if not good:
        wrong.append(what)


def check_refusals(h, wrong):
    for what, spoil, stays in REFUSALS + (FOREIGN if os.getuid() == 0 else []):
        h.reset()
        spoil(h)
        done = h.run()
        check(wrong, "%s: exit %d %s" % (what, done.returncode, done.stderr), done.returncode == 125)
        check(wrong, what + ": it ran", h.count() == 0)
        check(wrong, what + ": the name", os.path.lexists(h.token) == stays)
        check(wrong, what + ": the tier is forgotten", os.path.exists(h.tier))
    for text in SPELLINGS:
        h.reset()
        check(wrong, "spelt %r" % text, h.run(text).returncode == 125 and h.count() == 0)


def check_use(h, wrong):
    h.reset()
    done = h.run()
    check(wrong, "a good token: exit %d %s" % (done.returncode, done.stderr), done.returncode == 7 and h.count() == 1)
    check(wrong, "it is still there", not os.path.exists(h.token))
    check(wrong, "replay", h.run().returncode == 125 and h.count() == 1)
    # Started without standard descriptors: none of ours takes their place in the cell.
    h.reset()
    h.store(words=["sh", "-c", "ls -l /proc/self/fd | grep -c '/dev/null' >> made; exit 7"])
    done = h.run(before=lambda: [os.close(fd) for fd in (0, 1, 2)])
    check(wrong, "no standard descriptors: exit %d" % done.returncode, done.returncode == 7 and h.count() == 1)
    check(wrong, "a descriptor of ours is in the cell", open(h.made).read() == "2\n")
    for _ in range(20):
        h.reset()
        racers = [subprocess.Popen([h.cell, TOKEN], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(4)]
        codes = sorted(r.wait() for r in racers)
        check(wrong, "a race: %r, %d runs" % (codes, h.count()), codes == [7, 125, 125, 125] and h.count() == 1)


def check_tier(h, wrong):
    """A cell that cannot be built on this machine makes the machine's tier unknown; a plan that is wrong does not."""
    for changes in ({"protect": [h.work + "/gone"]}, {"directory": "/nonexistent"}, {"program": "/nonexistent"}, {"write": ["/nonexistent"]}):
        h.reset()
        h.store(**changes)
        check(wrong, "%r runs" % changes, h.run().returncode == 125 and h.count() == 0)
        check(wrong, "%r: the tier" % changes, os.path.exists(h.tier))
    h.reset()
    done = h.run(before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (5, 5)))
    check(wrong, "no descriptors: exit %d %s" % (done.returncode, done.stderr), done.returncode == 125 and h.count() == 0)
    check(wrong, "no descriptors: the tier", not os.path.exists(h.tier))


# The text of a plan that is followed, and what is printed of where its shell has ended.
ENDS = [("mkdir 'a b'; cd 'a b'; exit 3", 3, "."), ("mkdir 'a b'; cd 'a b'; (exit 3)", 3, "a b"), ("cd / && false", 1, "/"),
        ("cd /usr/share; cat <<X\na'b\nX", 0, "/usr/share"), ("set -C; set -- a b; cd /etc # x", 0, "/etc"), ("if", 2, ""),
        ("mkdir gone; cd gone; rmdir ../gone", 0, "."), ("mkdir $'new\\nline'; cd $'new\\nline'", 0, "."), ("exec true", 0, "."),
        ("[ $# = 0 ] && ! (: >&3) 2>/dev/null", 0, ""), ("cd /etc; : 2>/dev/null >.warder-left/. ; cd /usr", 0, "/usr"),
        ("sleep 1 & cd /etc", 0, "/etc")]


def left(h, token=TOKEN):
    done = subprocess.run([h.cell, "--left", token], capture_output=True, text=True, timeout=60)
    return done.stdout if done.returncode == 0 else None


def check_left(h, wrong):
    """Where the command's shell has ended, once, and nothing else; whatever it ran."""
    kept = h.cells + "/left-" + TOKEN
    for text, code, end in ENDS:
        h.reset()
        h.store(token=TOKEN, follow=True, program="/bin/bash", words=["bash", "-c", text], background=True)
        done, before = h.run(), set(os.listdir(h.cells))
        said = left(h)
        check(wrong, "%r: exit %d %s" % (text, done.returncode, done.stderr), done.returncode == code)
        check(wrong, "%r ends in %r" % (text, said), said == (end if end == "." else os.path.join(h.work, end).rstrip("/") or "/") + "\n")
        check(wrong, "%r: again" % text, left(h) == ".\n" and not os.path.lexists(kept))
        check(wrong, "%r: a trace" % text, not os.path.lexists(h.work + "/.warder-left"))
        check(wrong, "%r: kept %r" % (text, before), before <= {"left-" + TOKEN} | {n for n in before if n.startswith("ran-")})
    h.reset()
    h.store(token=TOKEN)
    check(wrong, "not followed", h.run().returncode == 7 and left(h) == ".\n")
    for words in (["bash"], ["bash", "-c"], ["bash", "-c", "x", "y"], ["bash", "x", "-c"]):
        h.reset()
        h.store(token=TOKEN, follow=True, words=words)
        check(wrong, "%r is followed" % words, h.run().returncode == 125)
    for spoil in (lambda: os.symlink("/etc/passwd", kept), lambda: os.mkfifo(kept), lambda: os.mkdir(kept), lambda: open(kept, "w").write("etc")):
        h.reset()
        spoil()
        check(wrong, "what was put in its place is read", left(h) == ".\n")
    for text in SPELLINGS:
        check(wrong, "%r is looked up" % text, left(h, text) == ".\n")


# A descriptor N, as --plan takes it and as it does not; what is right but for the number is the plan itself.
DESCRIPTORS = [("N", True), ("0N", True), ("+N", False), (" N", False), ("N ", False), ("Nx", False), ("-N", False), ("N.0", False), ("0xN", False),
               ("/N", False), (":", False), ("", False), ("x", False), ("0", False), ("1", False), ("2", False)]
NUMBERS = [(50, True), (1023, True), (1024, False)]


def run_plan(h, number, spelt):
    """The plan of the token is open under this number, and under those of standard input and output, too."""
    plan = os.open(h.token, os.O_RDWR)
    try:
        def place():
            for fd in {number, 0, 1, 2}:
                os.dup2(plan, fd)
        return subprocess.run([h.cell, "--plan", spelt.replace("N", str(number))], close_fds=False, preexec_fn=place, timeout=60).returncode
    finally:
        os.close(plan)


def check_descriptors(h, wrong):
    for number, good in NUMBERS:
        for spelt, right in DESCRIPTORS if number == 50 else [("N", good)]:
            h.reset()
            h.store(boot=None, build=None, until=None)
            code = run_plan(h, number, spelt)
            check(wrong, "descriptor %r of %d: exit %d" % (spelt, number, code), (code, h.count()) == ((7, 1) if right else (125, 0)))
    for words in ((), ("--plan",), ("--plan", "3", "4"), ("--left",), ("--check", "x"), ("--unknown",), (TOKEN, TOKEN)):
        h.reset()
        code = subprocess.run([h.cell, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=60).returncode
        check(wrong, "%r: exit %d" % (words, code), code == 125 and h.count() == 0)


def judge(cell, root):
    home, wrong = Home(cell, root), []
    for part in (check_refusals, check_use, check_tier, check_left, check_descriptors):
        part(home, wrong)
    for line in wrong:
        print("FAIL as user %d: %s" % (os.getuid(), line))
    print("tokens as user %d: %s" % (os.getuid(), "%d wrong" % len(wrong) if wrong else "%d refusals" % len(REFUSALS)))
    return not wrong


def main():
    if subprocess.run(["unshare", "-Urmn", "true"], capture_output=True).returncode != 0:
        print("SKIPPED: no user namespaces here")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="warder-tokens-", dir="/var/tmp") as place:
        os.chmod(place, 0o755)
        cell = shutil.copy(sys.argv[1], place)
        good = []
        for user in users():
            home = "%s/%d" % (place, user)
            good.append(as_user(user, home, judge, cell, home))
    sys.exit(0 if all(good) else 1)


main()
