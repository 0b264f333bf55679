#!/usr/bin/env python3
"""What the cells of one session share, and what they do not: usage: tests/cell/sessions.py CELL

Their loopback network, as long as one of them lives; never that of a cell that may talk to hosts. And the caches of packages:
what is written there is for the cells of the project alone (E88 of attempts.py)."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

from users import as_user, users

SERVER = """import socket
s = socket.create_server(("127.0.0.1", 7777)); u = socket.socket(socket.AF_UNIX); u.bind("u.sock"); u.listen()
open("ready", "w").close()
while True:
    with s.accept()[0] as c: c.sendall(b"here")
"""
CLIENT = """import socket
print(socket.create_connection(("127.0.0.1", 7777), 5).recv(9).decode())"""
UNIX = """import socket
socket.socket(socket.AF_UNIX).connect("u.sock"); print("joined")"""
PYTHON = "/usr/bin/python3"


class Session:
    def __init__(self, cell, home):
        self.cell, self.home, self.work, self.wrong = cell, home, home + "/work", []
        self.cells = home + "/.local/state/warder/cells"
        for directory in (self.work, self.cells, home + "/.npm/_cacache"):
            os.makedirs(directory)
        os.chmod(self.cells, 0o700)
        with open(home + "/.npm/_cacache/old", "w") as f:
            f.write("old\n")

    def run(self, words, **changes):
        plan = {"version": 1, "program": words[0], "words": words, "directory": self.work, "write": [self.work],
                "background": True, "hide": [self.home + "/.local/state/warder"], **changes}
        fd = os.memfd_create("plan", 0)
        os.write(fd, json.dumps(plan).encode())
        os.lseek(fd, 0, os.SEEK_SET)
        done = subprocess.run([self.cell, "--plan", str(fd)], pass_fds=[fd], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=60)
        os.close(fd)
        return done

    def python(self, text, **changes):
        return self.run([PYTHON, "-c", text], **changes)

    def expect(self, what, is_so, done=None):
        if not is_so:
            self.wrong.append("%s: %s" % (what, done))

    def wait(self, condition):
        end = time.time() + 10
        while not condition() and time.time() < end:
            time.sleep(0.05)
        return condition()

    def shell(self, text, **changes):
        return self.run(["/bin/sh", "-c", text], **changes)

    def serve(self, **changes):
        for name in ("ready", "u.sock", "stop"):
            if os.path.exists(self.work + "/" + name):
                os.unlink(self.work + "/" + name)
        done = self.shell("%s -c '%s' </dev/null >/dev/null 2>&1 & server=$!; while ! test -e ready; do sleep 0.05; done; "
                          "(while ! test -e stop; do sleep 0.05; done; kill $server) </dev/null >/dev/null 2>&1 &"
                          % (PYTHON, SERVER), **changes)
        self.expect("a server is left running", done.returncode == 0, done)

    def stop(self):
        open(self.work + "/stop", "w").close()

    def lists(self):
        return [n for n in os.listdir(self.cells) if n.startswith("network-")]


def play_network(s):
    s.serve(session="aa")
    done = s.python(CLIENT, session="aa")
    s.expect("the next call reaches the server", done.stdout == "here\n", done)
    done = s.python(UNIX, session="aa")
    s.expect("... by a unix socket, too", done.stdout == "joined\n", done)
    for name, changes in {"another session": {"session": "ab"}, "no session": {},
                          "a cell that may talk to hosts": {"session": "aa", "hosts": ["allowed.example"]}}.items():
        done = s.python(CLIENT, **changes)
        s.expect(name + " does not reach it", done.returncode == 1 and "refused" in done.stderr, done)
        done = s.python(UNIX, **changes)
        s.expect(name + " does not reach its unix socket", done.returncode == 1, done)
    done = s.shell("ls /proc | grep -c '^[0-9]'", session="aa")
    s.expect("its processes are not seen", done.stdout.strip() in ("3", "4", "5"), done)
    # a cell of the session that began while the first one lived keeps the network
    done = s.shell("(while ! test -e stop2; do sleep 0.05; done) </dev/null >/dev/null 2>&1 &", session="aa")
    s.expect("a second cell stays", done.returncode == 0, done)
    s.stop()
    s.expect("one of two is left in the list",
             s.wait(lambda: len(open(s.cells + "/network-aa").read().splitlines()) == 1), s.lists())
    s.serve(session="aa")
    done = s.python(CLIENT, session="aa")
    s.expect("a third one joins the second", done.stdout == "here\n", done)
    s.stop()
    open(s.work + "/stop2", "w").close()
    s.expect("nothing is left of the session", s.wait(lambda: not s.lists()), s.lists())
    done = s.python(CLIENT, session="aa")
    s.expect("a new network is empty", done.returncode == 1, done)


def play_lists(s):
    """A list that says something else costs the session its network, and nothing more."""
    for text in ("1 3 4 5\n", "x\n", "%d 0 1 2\n" % os.getpid(), "99999999 6 7 4026531840\n", "\0" * 100, "9" * 9000):
        with open(s.cells + "/network-ac", "w") as f:
            f.write(text)
        done = s.shell("echo ran", session="ac")
        s.expect("a list %r" % text[:20], done.returncode in (0, 125) and (done.stdout == "ran\n") == (done.returncode == 0), done)
        for name in s.lists():
            os.unlink(s.cells + "/" + name)
    os.symlink(s.home + "/victim", s.cells + "/network-ad")
    done = s.shell("echo ran", session="ad")
    s.expect("a list that is a link", done.returncode == 125 and not os.path.exists(s.home + "/victim"), done)
    os.unlink(s.cells + "/network-ad")


def play_caches(s):
    place, store = s.home + "/.npm", s.home + "/.cache/warder/caches/p/npm-0"
    caches = [{"place": place, "store": store}, {"store": store + "-own"}]
    before = sorted(os.listdir(place + "/_cacache"))
    done = s.run(["/bin/sh", "-c", "cat $0/_cacache/old; echo evil > $0/_cacache/old; echo new > $0/new; echo own > $1/file; "
               "echo evil > $2/x; cat $0/_cacache/old", place, store + "-own", s.home], caches=caches)
    s.expect("what was fetched is there, and can be written", done.stdout in ("old\nevil\n", "evil\n") and "x" in done.stderr, done)
    s.expect("the cache of the home is as it was", open(place + "/_cacache/old").read() == "old\n" and
             sorted(os.listdir(place)) == ["_cacache"] and sorted(os.listdir(place + "/_cacache")) == before, os.listdir(place))
    s.expect("nothing else was written", not os.path.exists(s.home + "/x"))
    done = s.run(["/bin/sh", "-c", "cat $0/new $1/file", place, store + "-own"], caches=caches)
    s.expect("the next cell of the project sees it", done.stdout == "new\nown\n", done)
    done = s.run(["/bin/sh", "-c", "cat $0/_cacache/old; echo x > $0/new", place])
    s.expect("others do not", done.stdout == "old\n" and done.returncode != 0, done)
    # a store that a cell could write itself, taken for a layer: what it put there would be written through
    os.makedirs(s.home + "/.ssh")
    done = s.run(["/bin/sh", "-c", "ln -s $1 $0/upper", store + "-own", s.home + "/.ssh"], caches=[{"store": store + "-own"}])
    s.expect("a link in a store", done.returncode == 0, done)
    done = s.run(["/bin/sh", "-c", "echo evil > $0/key", place], caches=[{"place": place, "store": store + "-own"}])
    s.expect("... is no layer", done.returncode == 125 and not os.listdir(s.home + "/.ssh"), done)
    os.symlink(s.home + "/.npm", s.home + "/linked")
    done = s.run(["/bin/echo", "ran"], caches=[{"place": s.home + "/linked", "store": store}])
    s.expect("a place that is a link", done.returncode == 125 and done.stdout == "", done)


def judge(cell, home):
    s = Session(cell, home)
    for part in (play_network, play_lists, play_caches):
        part(s)
    for line in s.wrong:
        print("FAIL as user %d: %s" % (os.getuid(), line))
    return not s.wrong


def main():
    if subprocess.run(["unshare", "-Urmn", "true"], capture_output=True).returncode != 0:
        print("SKIPPED: no user namespaces here")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="warder-cell-", dir="/var/tmp") as place:
        os.chmod(place, 0o755)
        cell = shutil.copy(sys.argv[1], place)
        good = [as_user(user, "%s/%d" % (place, user), judge, cell, "%s/%d" % (place, user)) for user in users()]
    sys.exit(0 if all(good) else 1)


main()
