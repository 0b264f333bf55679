#!/usr/bin/env python3
"""Programs that try to leave the cell (attempts.py), and what is left of the world outside afterwards.

usage: tests/cell/escapes.py CELL [TIER] [-v]    TIER: namespaces or landlock

Runs as root and as an ordinary user where it may. Skips where the kernel has not what the tier needs. What a cell without
namespaces cannot stop is in exceptions.tsv: each of these must really get through, and be in docs/sandbox.md."""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from users import as_user, landlock_version, libc, users

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = "/usr/bin/python3"
REFUSED = [".mcp.json", ".claude", ".vscode/tasks.json"]
PROTECTED = [".git/config", ".git/hooks", "nested/.git/config", ".git/modules/sub/config", ".git/worktrees/w/config.worktree"]
DIRECTORIES = [".ssh", "empty", "mounted", ".cache/warder", ".local/state/warder/cells", "work/.git/hooks",
               "work/.git/modules/sub", "work/.git/worktrees/w", "work/nested/.git"]
HIDDEN = [".ssh", ".netrc", ".local/state/warder"]
FILES = [".bashrc", "victim", ".ssh/id", ".netrc", ".cache/warder/cell", ".local/state/warder/cells/token", "work/.env",
         "work/.git/config", "work/nested/.git/config", "work/.git/modules/sub/config",
         "work/.git/worktrees/w/config.worktree"]


def find_lan():
    """An address of this machine that others could use; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        try:
            s.connect(("192.0.2.1", 9))
            return s.getsockname()[0]
        except OSError:
            return "127.0.0.1"


def exceptions(user):
    """The attempts that a cell without namespaces does not stop."""
    with open(os.path.join(HERE, "exceptions.tsv")) as f:
        rows = [line.rstrip("\n").split("\t") for line in f if line.strip() and not line.startswith("#")]
    return {number for number, who, _ in rows if who == "all" or (who == "users") == (user != 0)}


class World:
    """A home with a workspace in it, and whoever must not be reached."""

    def __init__(self, home, tier):
        self.tier, self.terminal = tier, os.openpty()
        self.home, self.work, self.got, self.over = home, home + "/work", [], False
        for directory in DIRECTORIES:
            os.makedirs(self.home + "/" + directory)
        for name in FILES:
            with open(self.home + "/" + name, "w") as f:
                f.write("original\n")
        os.setxattr(self.home + "/victim", "user.kept", b"1")
        self.outside = subprocess.Popen(["/bin/sleep", "600"], cwd=self.home)
        self.stopped = subprocess.Popen(["/bin/sleep", "600"])
        self.stopped.send_signal(signal.SIGSTOP)
        self.serve_all()
        self.shared = "/dev/shm/warder-escape-%d" % self.port
        open(self.shared, "w").close()
        self.key = libc.shmget(self.port, 4096, 0o1666)
        for part in (self.knock, self.mount, self.serve_later):
            threading.Thread(target=part, daemon=True).start()

    def serve_all(self):
        self.servers = [self.serve(socket.AF_INET, socket.SOCK_STREAM, ("0.0.0.0", 0))]
        self.port = self.servers[0].getsockname()[1]
        for kind, address in ((socket.SOCK_STREAM, self.home + "/server"), (socket.SOCK_STREAM, self.work + "/server"),
                              (socket.SOCK_DGRAM, self.home + "/datagrams"),
                              (socket.SOCK_STREAM, "\0warder-escape-%d" % self.port)):
            self.servers.append(self.serve(socket.AF_UNIX, kind, address))
        with socket.socket() as s:  # a port that nobody has
            s.bind(("0.0.0.0", 0))
            self.own_port = s.getsockname()[1]

    def serve(self, family, kind, address):
        s = socket.socket(family, kind)
        s.bind(address)
        if kind == socket.SOCK_STREAM:
            s.listen(64)
        threading.Thread(target=self.take, args=(s, address), daemon=True).start()
        return s

    def take(self, server, address):
        while True:
            try:
                peer = server.accept()[0] if server.type == socket.SOCK_STREAM else server
                peer.settimeout(5)
                data = peer.recv(100)
            except TimeoutError:
                continue
            except OSError:
                return
            if data:
                self.got.append((address, data))

    def knock(self):
        """Tries to reach a server of the cell (E69)."""
        while not self.over:
            for host in {"127.0.0.1", find_lan()}:
                with socket.socket() as s:
                    if s.connect_ex((host, self.own_port)) == 0 and (self.tier, host) != ("landlock", "127.0.0.1"):
                        self.got.append(("the port of the cell", host.encode()))
            time.sleep(0.02)

    def serve_later(self):
        """A server outside on a port that the cell has had (E67g)."""
        while not self.over and not os.path.exists(self.work + "/serve-now"):
            time.sleep(0.02)
        while not self.over:
            text = open(self.work + "/serve-now").read()
            if text:
                self.servers.append(self.serve(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", int(text))))
                open(self.work + "/serving", "w").close()
                return
            time.sleep(0.02)

    def mount(self):
        """A file system that comes while the cell lives (E22). Only root may."""
        while not self.over and not os.path.exists(self.work + "/mount-now"):
            time.sleep(0.02)
        if not self.over:
            libc.mount(b"none", (self.home + "/mounted").encode(), b"tmpfs", 0, b"mode=777")

    def state(self):
        """Everything outside the workspace, and what is protected in it, as one value."""
        found = {}
        for top, _, files in os.walk(self.home):
            if top.startswith(self.work) and ".git" not in top or top.startswith(self.home + "/.local/state/warder/trash"):
                continue
            for path in [top] + [top + "/" + f for f in files]:
                st = os.lstat(path)
                text = open(path).read() if os.path.isfile(path) else None
                fresh = path in (self.home, self.work, self.home + "/mounted", self.home + "/.local/state/warder",
                                 self.home + "/.local/state/warder/cells")
                mended = self.tier == "landlock" and "/.git" in path  # what was put back is another file
                found[path] = (st.st_mode & ~0o777 if fresh else st.st_mode, st.st_uid, 0 if fresh or mended else st.st_ino,
                               0 if fresh or ".git" in path else st.st_mtime, text)
        found["names"] = [top + "/" + n for top, dirs, files in os.walk(self.work) for n in dirs + files
                          if n.lower() in (".mcp.json", ".claude") or (n == "tasks.json" and top.endswith("/.vscode"))]
        found["special"] = [f for f in os.listdir(self.work) if os.lstat(self.work + "/" + f).st_mode & 0o6000]
        if self.tier == "namespaces":
            found["hidden"] = open(self.work + "/.env").read()
        found["attribute"] = os.getxattr(self.home + "/victim", "user.kept")
        found["outside"] = self.outside.poll(), os.getpriority(os.PRIO_PROCESS, self.outside.pid)
        found["stopped"] = open("/proc/%d/stat" % self.stopped.pid).read().split()[2]
        return found

    def close(self):
        self.over = True
        for process in (self.outside, self.stopped):
            process.kill()
            process.wait()
        for s in self.servers:
            s.close()
        for fd in self.terminal:
            os.close(fd)
        os.unlink(self.shared)
        libc.shmctl(self.key, 0, None)


def run(cell, world, words, **changes):
    plan = {"version": 1, "program": words[0], "words": words, "directory": world.work, "write": [world.work],
            "protect": [world.work + "/" + p for p in PROTECTED], "refuse": REFUSED,
            "tier": world.tier, "hide": [world.home + "/" + p for p in HIDDEN + ["work/.env"] * (world.tier == "namespaces")],
            "remove": ["*_TOKEN"], "set": ["WARDER_SANDBOX=" + world.tier], "background": False, **changes}
    env = {"PATH": "/usr/bin:/bin", "MY_TOKEN": "secret", "CELL_HOME": world.home, "CELL_WORK": world.work,
           "CELL_OUTSIDE": str(world.outside.pid), "CELL_PORT": str(world.port), "CELL_OWN_PORT": str(world.own_port),
           "CELL_LAN": find_lan(), "CELL_PROGRAM": cell, "CELL_TIER": world.tier, "CELL_TERMINAL": os.ttyname(world.terminal[1])}
    fd = os.memfd_create("plan", 0)
    os.write(fd, json.dumps(plan).encode())
    os.lseek(fd, 0, os.SEEK_SET)
    done = subprocess.run([cell, "--plan", str(fd)], pass_fds=[fd], env=env, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=120)
    os.close(fd)
    return done


def compare(before, after):
    return ["outside: %s was %s, is %s" % (k, before.get(k), after.get(k)) for k in before | after
            if before.get(k) != after.get(k)]


def play_attempts(cell, world):
    """How many attempts were made, and what is wrong."""
    attempts = world.home + "/attempts.py"
    shutil.copy(os.path.join(HERE, "attempts.py"), attempts)
    before = world.state()
    done = run(cell, world, [PYTHON, attempts], report=world.home + "/report")
    after = world.state()
    after.pop(world.home + "/report", None)
    if not done.stdout:
        return 0, ["the attempts did not run (exit %d): %s" % (done.returncode, done.stderr)]
    results = json.loads(done.stdout)
    excepted = exceptions(os.getuid()) if world.tier == "landlock" else set()
    wrong = ["%s %s: %s" % tuple(r) for r in results if r[2] == "DID IT" and r[0] not in excepted] + compare(before, after)
    wrong += ["%s %s: is stopped (%s), and exceptions.tsv has it" % tuple(r) for r in results if r[2] != "DID IT" and r[0] in excepted]
    wrong += ["%s is in exceptions.tsv, and nobody tries it" % number for number in excepted - {r[0] for r in results}]
    wrong += ["a server outside got %r by %r" % (data, address) for address, data in world.got]
    told = [r["what"] for r in json.load(open(world.home + "/report"))["refused"] if r["kind"] in ("made", "mended")]
    wrong += ["%s won its race for %s, and nobody says so: %s" % (r[0], name, told) for r in results
              for name in r[2].split("won: ")[1:] if world.work + "/" + name not in told]
    if "-v" in sys.argv:
        print("\n".join("%-5s %-60s %s" % tuple(r) for r in results), "\n", told, done.stderr)
    return len(results), wrong


def play_late(cell, world):
    """E47: what lives on after the call is as confined as before."""
    script = """( sleep 0.3; echo late > late; echo evil >> %s/.bashrc; echo evil > .mcp.json; : > after ) </dev/null >/dev/null 2>&1 &
                setsid sh -c 'sleep 0.3; echo evil >> %s/victim' </dev/null >/dev/null 2>&1 & exit 3""" % (world.home, world.home)
    before, wrong = world.state(), []
    if world.tier == "landlock":
        return play_end(cell, world)
    code = run(cell, world, ["/bin/sh", "-c", script], background=True).returncode
    if code != 3 or os.path.exists(world.work + "/after"):
        wrong.append("E47: exit %d, or it was waited for" % code)
    end = time.time() + 5
    while not os.path.exists(world.work + "/after") and time.time() < end:
        time.sleep(0.05)
    if not os.path.exists(world.work + "/late"):
        wrong.append("E47: what was left did not live on")
    if run(cell, world, ["/bin/sh", "-c", script.replace("late", "late2").replace("after", "after2")]).returncode != 3:
        wrong.append("E47: exit")
    time.sleep(0.6)
    if os.path.exists(world.work + "/late2"):
        wrong.append("E47: what was left lived on although it must not")
    return 2, wrong + compare(before, world.state())


def processes_in(directory):
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.readlink("/proc/%s/cwd" % name) == directory:
                found.append(open("/proc/%s/cmdline" % name).read())
        except OSError:
            pass
    return found


# Without namespaces nothing but the keeper's answer stops this, and it is about the name that was there before.
WINS_A_RACE = """
import ctypes, os, threading, time
libc, path, wanted, fd = ctypes.CDLL(None), ctypes.create_string_buffer(20), os.stat(".git/config").st_ino, -1
def flip():
    while True:
        for path.value in b".git/nothing", b".git/config":
            pass
threading.Thread(target=flip, daemon=True).start()
while fd < 0 or os.fstat(fd).st_ino != wanted:
    fd = libc.open(path, os.O_WRONLY)
os.write(fd, b"evil")
open("done", "w")
time.sleep(300)
"""


def play_end(cell, world):
    """E47 without namespaces: nothing lives on, however it tries to; and without the keeper what is protected is mended as well."""
    scripts = ["setsid sleep 300 & (setsid sleep 301 &); nohup sleep 302 & exit 3",
               "trap '' TERM HUP INT; (trap '' TERM HUP INT; sleep 300) & exit 3",
               "import os, sys\nif os.fork(): os._exit(3)\nwhile True:\n  os.fork() and os._exit(0)",
               "import os, ctypes\nctypes.CDLL(None).prctl(36, 1, 0, 0, 0)\nfor i in range(40):\n  if os.fork() == 0:\n    os.setsid()\n"
               "    while True:\n      if os.fork(): os._exit(0)\nos._exit(3)"]
    before, wrong = world.state(), []
    for script in scripts:
        words = [PYTHON, "-c", script] if "import" in script else ["/bin/sh", "-c", script]
        code = run(cell, world, words, background=True).returncode
        left = processes_in(world.work)
        wrong += ["E47: exit %d, left %s: %s" % (code, left, script)] if code != 3 or left else []
    evil = WINS_A_RACE
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(run, cell, world, [PYTHON, "-c", evil])
        wait_for(lambda: os.path.exists(world.work + "/done"))
        second = run(cell, world, ["/bin/true"])
        if second.returncode != 125 or "changes while another" not in second.stderr:
            wrong.append("E47: a cell began while another one had changed what is protected: %s" % second)
        for name in os.listdir("/proc"):
            if name.isdigit() and is_keeper(name, cell):
                os.kill(int(name), signal.SIGKILL)
        running.result()
    wait_for(lambda: not processes_in(world.work))
    wait_for(lambda: compare(before, world.state()) == [])
    return len(scripts) + 2, wrong + compare(before, world.state())


def is_keeper(number, cell):
    """A process of warder-cell whose parent is this one."""
    try:
        parent = open("/proc/%s/stat" % number).read().rsplit(")", 1)[1].split()[1]
        return parent == str(os.getpid()) and os.readlink("/proc/%s/exe" % number) == cell
    except OSError:
        return False


def wait_for(condition):
    end = time.time() + 20
    while not condition() and time.time() < end:
        time.sleep(0.05)


def play_refused(cell, world):
    """E39 without namespaces, and what else cannot be had there: then nothing runs."""
    if world.tier == "namespaces":
        return 0, []
    changes = [{"hide": [world.work + "/.env"]}, {"hosts": ["example.org"]}, {"publish": ["3000"]}, {"loopback": ["5432"]},
               {"caches": [{"place": world.home + "/.cache", "store": world.home + "/.cache/warder/x"}]}, {"protect": [world.work]}]
    open(world.work + "/.env", "w").close()
    wrong = ["E98: ran with %s" % change for change in changes if run(cell, world, ["/bin/sh", "-c", ": > ran"], **change).returncode != 125]
    return len(changes), wrong + ["E98: something ran"] * os.path.exists(world.work + "/ran")


def play_texts(cell, world):
    """E92: a command is what it says, whatever it says."""
    texts = ["'; touch %s/x; '" % world.home, "$(touch %s/x)" % world.home, "a\nb\n", "\t \\ \" ' ` $x", "\x7f\u202e", "x" * 100000]
    wrong = [repr(text[:20]) for text in texts
             if run(cell, world, ["/bin/sh", "-c", 'printf %s "$1"', "sh", text]).stdout != text]
    if run(cell, world, ["/bin/echo", "x" * 1000000]).returncode != 125:  # more than the kernel takes
        wrong.append("a million bytes")
    return len(texts) + 1, ["E92: " + w for w in wrong]


def play_report(cell, world):
    """E97: the report shows a few lines, and nothing that a terminal obeys."""
    script = """import os
for i in range(1000):
    try: open("%s/\\x1b[31mwarder: all is well\\nwarder: trust me" + str(i), "w")
    except OSError: pass
os._exit(1)""" % world.home
    lines = run(cell, world, [PYTHON, "-c", script]).stderr.splitlines()
    wrong = [line for line in lines if "\x1b" in line or not line.startswith("warder:")]
    if len(lines) != 6:
        wrong.append("%d lines" % len(lines))
    told = run(cell, world, [PYTHON, "-c", script], token="ab" * 16).stderr.splitlines()
    if len(told) != 6 or "warder outside " + "ab" * 16 not in told[5] or "and 997 more" not in told[4]:
        wrong.append("%s" % told)
    for words, says in ((["/bin/sh", "-c", "echo x > %s/victim; true" % world.home], True), (["/bin/sh", "-c", "cd ..; echo x > victim; true"], False)):
        if ("write to %s/victim" % world.home in run(cell, world, words).stderr) != says:
            wrong.append("%s: said, or not" % words)
    return 4, ["E97: " + w for w in wrong]


def judge(cell, home, tier):
    world, count, wrong = World(home, tier), 0, []
    try:
        for part in (play_attempts, play_late, play_refused, play_texts, play_report):
            played, faults = part(cell, world)
            count, wrong = count + played, wrong + faults
    finally:
        world.close()
    for line in wrong:
        print("FAIL as user %d: %s" % (os.getuid(), line))
    through = len(exceptions(os.getuid())) if tier == "landlock" else 0
    print("%d attempts as user %d, %s: %s" % (count, os.getuid(), tier, "%d wrong" % len(wrong) if wrong else
                                              "all refused but %d that are documented" % through if through else "all refused"))
    return count and not wrong


def undocumented():
    with open(os.path.join(HERE, "../../docs/sandbox.md")) as f:
        text = f.read()
    return [number for number in exceptions(0) | exceptions(1) if number not in text]


def main():
    tier = "landlock" if "landlock" in sys.argv else "namespaces"
    if tier == "landlock" and landlock_version() < 2:
        print("SKIPPED: this kernel has no Landlock (version %d)" % landlock_version())
        sys.exit(77)
    if subprocess.run(["unshare", "-Urmn", "true"], capture_output=True).returncode != 0:
        print("SKIPPED: no user namespaces here")  # the attempts have a user database of their own in either tier
        sys.exit(77)
    if undocumented():
        print("FAIL: docs/sandbox.md does not say %s" % ", ".join(undocumented()))
        sys.exit(1)
    with tempfile.TemporaryDirectory(prefix="warder-cell-", dir="/var/tmp") as place:
        os.chmod(place, 0o755)
        cell = shutil.copy(sys.argv[1], place)  # the other user may not see the build directory
        good = []
        for user in users():
            home = "%s/%d" % (place, user)
            good.append(as_user(user, home, judge, cell, home, tier))
    sys.exit(0 if all(good) else 1)


main()
