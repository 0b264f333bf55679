#!/usr/bin/env python3
"""What programs change in a cell comes back by `warder undo`, byte for byte.

usage: tests/cell/recorded.py WARDER [--tier landlock] [--runs N] [--seed N]

Programs of random file operations, alone and at the same time, and real ones (git, tar, sed, python) are put to the real hook
as Claude Code would put them, which answers with a cell; that is run, the hook is told, and a person undoes it. The project
must be what it was: names, kinds, modes, contents, times of files, and which names are one file. Then the undo is undone, and
the project must be as the program had left it. In a home with a user database of its own."""
import argparse
import contextlib
import hashlib
import json
import os
import random
import shutil
import stat
import subprocess
import sys
import tempfile

from users import as_user, users

# A program: what it does is chosen by a seed. It does not stop at an error, since half of what it tries makes no sense.
PROGRAM = r'''
import ctypes, os, random, sys
seed, count, tag = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
r = random.Random(seed)
libc = ctypes.CDLL(None, use_errno=True)
NAMES = ["a", "b", "c", "d", "x y", "n\nl", "\udcff", "-o", "k1", "k2", "k3", "build"]

def paths(kind=None):
    found = []
    for top, directories, files in os.walk("."):
        if ".git" in directories and top == ".":
            directories.remove(".git")
        found += [os.path.join(top, n) for n in (directories if kind == "d" else files if kind == "f" else directories + files)]
    return found or ["none"]

def new():
    return os.path.join(r.choice(paths("d") + ["."] * 3), r.choice(NAMES))

def write(path, flags):
    fd = os.open(path, os.O_WRONLY | flags, 0o644)
    if r.random() < .1:
        os.lseek(fd, r.randrange(1 << 18), 0)
    os.write(fd, bytes(r.randrange(256) for _ in range(r.randrange(200))))
    if r.random() < .1:
        os.ftruncate(fd, r.randrange(300))
    os.close(fd)

def one():
    k = r.randrange(22)
    f, g, d, n = r.choice(paths("f")), r.choice(paths("f")), r.choice(paths("d")), new()
    if k == 0: write(f, os.O_TRUNC)
    elif k == 1: write(f, os.O_APPEND)
    elif k == 2: write(f, 0)
    elif k == 3: write(n, os.O_CREAT | os.O_TRUNC)
    elif k == 4: write(n, os.O_CREAT | os.O_EXCL)
    elif k == 5: os.truncate(f, r.randrange(100))
    elif k == 6: os.unlink(f)
    elif k == 7: os.rename(f, n)
    elif k == 8: os.rename(f, g)
    elif k == 9: os.rename(d, n)
    elif k == 10: os.mkdir(n)
    elif k == 11: os.rmdir(d)
    elif k == 12: os.symlink(r.choice(["a", "../b", "/etc/passwd", f]), n)
    elif k == 13: os.link(f, n)
    elif k == 14: os.chmod(*r.choice([(f, r.choice([0o600, 0o644, 0o755, 0o444])), (d, r.choice([0o700, 0o755, 0o777]))]))
    elif k == 15: # beside, and in its place
        write(n + tag, os.O_CREAT); os.rename(n + tag, f)
    elif k == 16:
        import shutil; shutil.rmtree(d)
    elif k == 17: libc.renameat2(-100, os.fsencode(f), -100, os.fsencode(g), 2)
    elif k == 18: libc.renameat2(-100, os.fsencode(d), -100, os.fsencode(r.choice(paths("d"))), 2)
    elif k == 19: # a file without a name gets one
        fd = os.open(".", os.O_TMPFILE | os.O_RDWR, 0o600); os.write(fd, b"t")
        os.link("/proc/self/fd/%d" % fd, n, follow_symlinks=True)
    elif k == 20: # held open over a rename
        fd = os.open(f, os.O_RDWR); os.rename(f, n); os.write(fd, b"held"); os.close(fd)
    else:
        fd = os.open(f, os.O_RDONLY); os.fchmod(fd, 0o640); os.close(fd)

for _ in range(count):
    try:
        one()
    except (OSError, ValueError):
        pass
'''
TOOLS = [
    "sed -i s/a/b/g a b 2>/dev/null; mv a moved; cp -a sub copy; rm -rf sub",
    "tar cf /tmp/$$.tar . 2>/dev/null; rm -rf -- *; tar xf /tmp/$$.tar; rm /tmp/$$.tar",
    "git init -q . && git config user.email a@b && git config user.name n; git add -A; git commit -qm one",
    "for i in 1 2 3 4 5 6 7 8 9; do echo $i >> grow; mkdir -p deep/$i/$i; mv grow deep/$i/; cp deep/$i/grow .; done",
    "find . -type f -exec chmod 600 {} +; find . -depth -name 'k*' -delete; ln -sf a link; ln -f a hard",
    "python3 -c \"import sqlite3; c = sqlite3.connect('db'); c.execute('create table if not exists t (x)');"
    " c.execute('insert into t values (1)'); c.commit()\"; truncate -s 5 db",
    "dd if=/dev/urandom of=big bs=1k count=3000 2>/dev/null; split -b 100k big part.; cat part.* > whole; rm part.*; mv whole big",
]
# Programs that would like to destroy what nobody can give back: git's objects, by names of which the recorder does not hear
# (build/ is left out by policy), and by ways that lead through /proc.
WAYS = [
    "rm -rf .git/objects/??",
    "git repack -qad; rm -f .git/objects/pack/*",
    "git reflog expire --expire=now --all; git -c gc.pruneExpire=now gc -q --prune=now",
    "chmod -R u+w .git/objects; for f in .git/objects/??/*; do echo x > $f; done",
    "mv .git/objects/?? .; rm -rf ??",
    "mv sub .git/objects/x; mv a .git/objects/a; echo x > .git/objects/a",
    "mkdir -p .git/lfs; mv sub .git/lfs/; rm -rf .git/lfs/sub",
    "ln a .git/objects/l; echo x > .git/objects/l",
    "ln -s ../../sub .git/objects/s; rm .git/objects/s/c; echo x > .git/objects/s/hard",
    "ln a build/l && echo x > build/l",
    "ln a /tmp/l-$$ && echo x > /tmp/l-$$; rm -f /tmp/l-$$",
    "mv a build/; echo x >> build/a; mv sub build/; echo x >> build/sub/c; rm -rf build/sub",
    "exec 3<a 4<sub/c; echo x > /proc/self/fd/3; echo x > /dev/fd/4",
    "echo x > /proc/self/cwd/a; echo x > /proc/$$/cwd/sub/c; echo x > /proc/thread-self/root$PWD/k1",
    "ln -s /proc/self/cwd there; rm there/a; mv there/sub there/gone; echo x > there/k1",
    "python3 -c \"import ctypes; ctypes.CDLL(None).renameat2(-100, b'a', -100, b'moved', 4)\"",
    "rm a; python3 -c \"import os; os.mknod('a', 0o20600, 0)\"",
    "cd sub; mv ../sub ../sub2; echo x > c; rm deeper/d; cd deeper; mv ../../sub2 ../../sub3; rmdir ../deeper; echo x > ../c",
    "mkdir n; mv sub n/; ln -s n/sub sub; rm sub/c; echo x > sub/hard",
    "rm -rf .git/refs .git/logs .git/index .git/HEAD; echo x > .git/HEAD; chmod 000 sub; chmod 0 a",
    "(sleep 0.2; rm -rf sub) & rm a",
    "mkdir d; mv a d/a; mv d/a a; rmdir d; echo x > d; mv d e; mkdir d",
]


def tree(top):
    """One line for each path."""
    lines, names = [], {}
    for at, directories, files in os.walk(os.fsencode(top)):
        for name in directories + files:
            path = os.path.join(at, name)
            st = os.lstat(path)
            line = [os.path.relpath(path, os.fsencode(top)), "%o" % st.st_mode]
            if stat.S_ISREG(st.st_mode):
                with open(path, "rb") as f:
                    line.append(hashlib.sha256(f.read()).hexdigest()[:16])
                line.append(str(st.st_mtime_ns))
            elif stat.S_ISLNK(st.st_mode):
                line.append(os.readlink(path))
            if not stat.S_ISDIR(st.st_mode):
                names.setdefault(st.st_ino, []).append(line[0])
            lines.append(line)
    for line in lines:
        for group in names.values():
            if line[0] in group and len(group) > 1:
                line.append(b" = " + min(group))
    return sorted(b"  ".join(x if isinstance(x, bytes) else x.encode() for x in line) for line in lines
                  if not line[0].startswith(b".git/objects"))


def fill(project, seed):
    shutil.rmtree(project, ignore_errors=True)
    os.makedirs(project + "/sub/deeper")
    r = random.Random(seed)
    for name in ["a", "b", "sub/c", "sub/deeper/d", "k1", "sub/k2", "x y", "one/a", "one/b", "one/k1/c", "two/c", "two/d/x y"]:
        os.makedirs(os.path.dirname(os.path.join(project, name)), exist_ok=True)
        with open(os.path.join(project, name), "wb") as f:
            f.write(bytes(r.randrange(97, 122) for _ in range(r.randrange(400))))
    os.link(project + "/a", project + "/sub/hard")
    os.symlink("a", project + "/link")
    with open(project + "/.gitignore", "w") as f:
        f.write("/build\n")


class Agent:
    def __init__(self, warder, home, tier, place=None):
        self.warder, self.home, self.place = warder, home, place or home
        self.project, self.tier = self.place + "/project", tier
        self.env = {"HOME": home, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1"}
        self.calls = 0
        os.makedirs(home + "/.config/warder")
        with open(home + "/.config/warder/warder.yaml", "w") as f:
            f.write("undo: {use: on}\nsandbox: {use: always, need: %s, background: end}\n" % tier)
        os.makedirs(self.project)
        with open(self.place + "/program.py", "w") as f:
            f.write(PROGRAM)
        for i, text in enumerate(TOOLS):
            with open("%s/tool%d.sh" % (self.place, i), "w") as f:
                f.write(text + "\n")

    def check(self, tier):
        words = [self.warder, "sandbox", "check", "--home", self.home]
        done = subprocess.run(words, env=self.env, cwd=self.project, capture_output=True, text=True)
        path = self.home + "/.cache/warder/cell"
        if done.returncode != 0 or not os.path.exists(path):
            return False
        found = json.load(open(path))
        if tier == "landlock" and found["tier"] != "landlock":
            found["tier"] = "landlock"
            with open(path, "w") as f:
                f.write(json.dumps(found))
        return found["tier"] == tier

    def event(self, name, command):
        text = json.dumps({"session_id": "s", "cwd": self.project, "permission_mode": "acceptEdits", "hook_event_name": name,
                           "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "u%d" % self.calls})
        more = ["--ran"] if name == "PostToolUse" else []
        done = subprocess.run([self.warder, "hook", "--client", "claude", "--home", self.home] + more, input=text, env=self.env,
                              cwd=self.project, capture_output=True, text=True)
        return json.loads(done.stdout) if done.stdout.strip() else {}

    def run(self, command):
        """Whether it ran in a cell."""
        self.calls += 1
        answer = self.event("PreToolUse", command).get("hookSpecificOutput", {})
        given = answer.get("updatedInput", {}).get("command", "")
        if answer.get("permissionDecision") != "allow" or "warder-cell" not in given:
            print("not contained: %s: %s" % (command[:80], answer))
            return False
        done = subprocess.run(["bash", "-c", given], env=self.env, cwd=self.project, capture_output=True, text=True)
        self.said = done.stdout + done.stderr
        self.event("PostToolUse", command)
        if done.returncode == 125:
            print("no cell: %s" % done.stderr)
        return done.returncode != 125

    def undo(self, *words):
        line = " ".join([self.warder, "undo", "--home", self.home, *words])
        done = subprocess.run(["script", "-qec", line, "/dev/null"], env=self.env, cwd=self.project, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace")
        return done.returncode, done.stdout


def differs(want, got, what):
    if want == got:
        return False
    print("%s: the project differs" % what)
    for line in sorted(set(want) - set(got))[:6]:
        print("   was  %r" % line)
    for line in sorted(set(got) - set(want))[:6]:
        print("   is   %r" % line)
    return True


def one(agent, command, seed):
    """Whether it came back."""
    fill(agent.project, seed)
    before = tree(agent.project)
    if not agent.run(command):
        return False
    after = tree(agent.project)
    code, said = agent.undo()
    if before == after and "no call of this project" in said:
        return True
    if code != 0:
        print("seed %d: undo failed: %s" % (seed, said))
        if os.environ.get("KEEP"):
            subprocess.run("cp -a %s %s" % (agent.home, os.environ["KEEP"]), shell=True)
            sys.exit(1)
        return False
    if differs(before, tree(agent.project), "seed %d, undo" % seed):
        return False
    redo = said.rsplit("warder undo ", 1)
    if len(redo) < 2:
        return True
    code, said = agent.undo(redo[1].split()[0])
    if code != 0:
        print("seed %d: redo failed: %s" % (seed, said))
        return False
    return not differs(after, tree(agent.project), "seed %d, redo" % seed)


# What a program in a cell finds of what was saved, and whether it could change any of it.
THIEF = r"""
import os, sys
found = []
for top in [PLACE] + ["/proc/%s/root%s" % (p, PLACE) for p in ("self", "1")]:
    for at, directories, files in os.walk(top):
        for name in files:
            path = os.path.join(at, name)
            if NAMES:
                found.append(path)
            try:
                found.append(open(path, "rb").read()[:40])
            except OSError:
                pass
    for name in ("made", "0", "trash"):
        try:
            os.close(os.open(os.path.join(top, name), os.O_CREAT | os.O_WRONLY))
            found.append("made " + name)
        except OSError:
            pass
    for change in (lambda: os.rename(top, top + "-away"), lambda: os.rmdir(top), lambda: os.chmod(top, 0o777),
                   lambda: os.symlink("/tmp", top), lambda: os.rename("one", top)):
        try:
            change()
            found.append("changed " + top)
        except OSError:
            pass
open("found", "w").write(repr(found))
"""


def cannot_be_seen(agent, place):
    """What was saved, in `place`, is neither seen nor changed from a cell."""
    fill(agent.project, 1)
    subprocess.run(["git", "init", "-q", "--template="], cwd=agent.project, env=agent.env, check=True)
    with open(agent.place + "/thief.py", "w") as f:
        # without namespaces, names of what is hidden can be listed (docs/sandbox.md)
        f.write("PLACE, NAMES = %r, %r\n" % (place, agent.tier == "namespaces") + THIEF)
    with open(agent.project + "/private", "w") as f:
        f.write("a text that nobody else has")
    if not agent.run("python3 %s/program.py 1 5 t; rm private" % agent.place):
        return False
    before = subprocess.run(["find", place, "-type", "f", "-exec", "sha256sum", "{}", "+"], capture_output=True, text=True).stdout
    if "trash" not in before and "warder-undo" not in before:
        print("nothing was saved in " + place)
        return False
    if not agent.run("python3 %s/thief.py" % agent.place):
        return False
    if not os.path.exists(agent.project + "/found"):
        print("the thief: " + agent.said)
        return False
    with open(agent.project + "/found") as f:
        found = f.read()
    after = subprocess.run(["find", place, "-type", "f", "-exec", "sha256sum", "{}", "+"], capture_output=True, text=True).stdout
    kept = set(before.splitlines()) <= set(after.splitlines())
    if found != "[]" or not kept:
        print("a program in a cell: found %s; all is kept: %s" % (found[:300], kept))
    return found == "[]" and kept


def apart(warder, tier, place):
    """The same with a home on another file system: then the trash is below .git."""
    agent = Agent(warder, os.environ["TEST_HOME"], tier, place)
    if not agent.check(tier):
        return True
    good = one(agent, "python3 %s/program.py 3 30 t" % agent.place, 3)  # there is no .git: copies
    return cannot_be_seen(agent, agent.project + "/.git/warder-undo") and good


def everything(top):
    """One line for each path, git's objects included."""
    lines = set()
    for at, directories, files in os.walk(os.fsencode(top)):
        for path in (os.path.join(at, name) for name in directories + files):
            st = os.lstat(path)
            line = b"%s %o " % (os.path.relpath(path, os.fsencode(top)), st.st_mode)
            if stat.S_ISREG(st.st_mode):
                with open(path, "rb") as f:
                    line += hashlib.sha256(f.read()).hexdigest().encode()
            lines.add(line + (os.readlink(path) if stat.S_ISLNK(st.st_mode) else b""))
    return lines


def nothing_is_lost(agent, way):
    """Whether everything that was there is there again, and nothing else but what git and left out directories got."""
    fill(agent.project, 1)
    shutil.rmtree(agent.home + "/.local/state/warder/undo", ignore_errors=True)
    subprocess.run("git init -q --template= && git config user.email a@b && git config user.name n && mkdir build && git add -A &&"
                   " git commit -qm one && echo staged > staged && git add staged", shell=True, cwd=agent.project, env=agent.env,
                   check=True)
    before = everything(agent.project)
    with open(agent.place + "/way.sh", "w") as f:
        f.write(way + "\n")
    if not agent.run("bash %s/way.sh" % agent.place):
        return False
    code, said = agent.undo()
    now = everything(agent.project)
    lost = (before - now) | {b"+ " + line for line in now - before if not line.startswith((b".git", b"build/"))}
    if lost or (code != 0 and "no call of this project" not in said):
        print("%s: lost %s: %s%s" % (way, sorted(lost)[:3], said, agent.said))
    return not lost


RENAMES = r"""
import os, sys
os.chdir(sys.argv[1])
os.mkdir("d")
open("a", "w").close()
while True:
    os.rename("a", "d/a")
    os.rename("d/a", "a")
"""


@contextlib.contextmanager
def renames():
    """Somebody else renames all the time: the kernel then does not follow ".." below a root, and asks to try again."""
    with tempfile.TemporaryDirectory(prefix="warder-renames-", dir="/var/tmp") as place:
        process = subprocess.Popen(["/usr/bin/python3", "-c", RENAMES, place])
        try:
            yield
        finally:
            process.kill()
            process.wait()


def part(warder, tier, runs, seed):
    agent = Agent(warder, os.environ["TEST_HOME"], tier)
    if not agent.check(tier):
        print("no sandbox of this tier here")
        return True
    good = 0
    for i in range(runs):
        s, tool = seed + i, (seed + i) % 8
        program = "python3 %s/program.py %d %d %s"
        if tool == 7:
            command = "bash %s/tool%d.sh" % (agent.place, (s // 8) % len(TOOLS))
        elif tool == 6:  # three at the same time, each in a directory of its own
            each = "(cd -- %s && " + program + ") &"
            command = " ".join(each % (d, agent.place, s * 3 + k, 25, "t%d" % k) for k, d in enumerate(["sub", "one", "two"])) + " wait"
        else:
            command = program % (agent.place, s, 40 if s % 2 else 400, "t")
        good += one(agent, command, s)
    print("%s, user %d: %d of %d programs came back" % (tier, os.getuid(), good, runs))
    kept = sum([nothing_is_lost(agent, way) for way in WAYS])
    print("%s, user %d: of %d ways to lose something, %d lose nothing" % (tier, os.getuid(), len(WAYS), kept))
    with renames():
        beside = nothing_is_lost(agent, "cd sub; for i in $(seq 500); do echo x > ../n$i; done; rm ../a")
    seen = cannot_be_seen(agent, agent.home + "/.local/state/warder/undo")
    return good == runs and kept == len(WAYS) and beside and seen


def main():
    p = argparse.ArgumentParser()
    p.add_argument("warder")
    p.add_argument("--tier", default="namespaces")
    p.add_argument("--runs", type=int, default=24)
    p.add_argument("--seed", type=int, default=1)
    given = p.parse_args()
    os.umask(0o022)
    good = True
    for user in users():
        with tempfile.TemporaryDirectory(prefix="warder-recorded-", dir=os.environ.get("PLACE", "/var/tmp")) as place:
            os.chmod(place, 0o755 if user == os.getuid() else 0o777)
            os.environ["TEST_HOME"] = place + "/home"
            good = as_user(user, place + "/home", part, os.path.abspath(given.warder), given.tier, given.runs, given.seed) and good
            if given.tier == "namespaces" and os.access("/dev/shm", os.W_OK):
                shutil.rmtree(place + "/apart", ignore_errors=True)
                with tempfile.TemporaryDirectory(prefix="warder-recorded-", dir="/dev/shm") as other:
                    os.chmod(other, 0o777)
                    os.makedirs(place + "/apart")
                    os.chmod(place + "/apart", 0o777)
                    os.environ["TEST_HOME"] = other + "/home"
                    good = as_user(user, other + "/home", apart, os.path.abspath(given.warder), given.tier,
                                   place + "/apart") and good
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
