#!/usr/bin/env python3
"""Programs that try to leave the cell (attempts.py), and what is left of the world outside afterwards.

usage: tests/cell/escapes.py CELL

Runs as root and as an ordinary user where it may. Skips where the kernel gives no user namespaces."""
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = "/usr/bin/python3"
USER = 12345


class World:
    """A home with a workspace in it, and whoever must not be reached."""

    def __init__(self, root):
        self.home, self.work, self.got = root + "/home", root + "/home/work", []
        for directory in (".ssh", "empty", "work/.git/hooks", "work/nested/.git"):
            os.makedirs(self.home + "/" + directory)
        for name in (".bashrc", "victim", ".ssh/id", ".netrc", "work/.git/config", "work/nested/.git/config"):
            with open(self.home + "/" + name, "w") as f:
                f.write("original\n")
        self.outside = subprocess.Popen(["/bin/sleep", "600"], cwd=self.home)
        self.servers = [self.serve(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))]
        self.port = self.servers[0].getsockname()[1]
        for kind, address in ((socket.SOCK_STREAM, self.home + "/server"), (socket.SOCK_STREAM, self.work + "/server"),
                              (socket.SOCK_DGRAM, self.home + "/datagrams"),
                              (socket.SOCK_STREAM, "\0warder-escape-%d" % self.port)):
            self.servers.append(self.serve(socket.AF_UNIX, kind, address))
        self.shared = "/dev/shm/warder-escape-%d" % self.port
        open(self.shared, "w").close()

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

    def state(self):
        """Everything outside of the workspace, and what is protected in it, as one value."""
        found = {}
        for top, _, files in os.walk(self.home):
            if top.startswith(self.work) and ".git" not in top:
                continue
            for path in [top] + [top + "/" + f for f in files]:
                st = os.lstat(path)
                text = open(path).read() if os.path.isfile(path) else None
                times = 0 if path in (self.home, self.work) or ".git" in path else st.st_mtime
                found[path] = (st.st_mode, st.st_uid, st.st_ino, times, text)
        found["names"] = sorted(n for n in os.listdir(self.work) if n.lower() in (".mcp.json", ".claude", ".git"))
        found["special"] = [f for f in os.listdir(self.work) if os.lstat(self.work + "/" + f).st_mode & 0o6000]
        found["outside"] = self.outside.poll()
        return found

    def close(self):
        self.outside.kill()
        self.outside.wait()
        for s in self.servers:
            s.close()
        os.unlink(self.shared)


def run(cell, world, words):
    plan = {"version": 1, "program": words[0], "words": words, "directory": world.work, "write": [world.work],
            "protect": [world.work + "/" + p for p in (".git/config", ".git/hooks", "nested/.git/config")],
            "refuse": [".mcp.json", ".claude"], "hide": [world.home + "/.ssh", world.home + "/.netrc"],
            "remove": ["*_TOKEN"], "set": ["WARDER_SANDBOX=namespaces"], "background": False}
    env = {"PATH": "/usr/bin:/bin", "MY_TOKEN": "secret", "CELL_HOME": world.home, "CELL_WORK": world.work,
           "CELL_OUTSIDE": str(world.outside.pid), "CELL_PORT": str(world.port)}
    fd = os.memfd_create("plan", 0)
    os.write(fd, json.dumps(plan).encode())
    os.lseek(fd, 0, os.SEEK_SET)
    done = subprocess.run([cell, "--plan", str(fd)], pass_fds=[fd], env=env, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=120)
    os.close(fd)
    return done


def judge(cell, root):
    """How many attempts were made, and what is wrong."""
    world = World(root)
    try:
        attempts = os.path.join(root, "home", "attempts.py")
        shutil.copy(os.path.join(HERE, "attempts.py"), attempts)
        before = world.state()
        done = run(cell, world, [PYTHON, attempts])
        after = world.state()
        if not done.stdout:
            return 0, ["the attempts did not run (exit %d): %s" % (done.returncode, done.stderr)]
        results = json.loads(done.stdout)
        wrong = ["%s %s: %s" % tuple(r) for r in results if r[2] == "DID IT"]
        wrong += ["outside: %s was %s, is %s" % (k, before.get(k), after.get(k)) for k in before | after
                  if before.get(k) != after.get(k)]
        wrong += ["a server outside got %r by %r" % (data, address) for address, data in world.got]
        if "-v" in sys.argv:
            print("\n".join("%-5s %-60s %s" % tuple(r) for r in results))
        return len(results), wrong
    finally:
        world.close()


def as_user(user, cell):
    """In a process of its own, so that it can be another user."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        if user:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
        root = tempfile.mkdtemp(prefix="warder-escape-", dir="/var/tmp")
        try:
            count, wrong = judge(cell, root)
        finally:
            shutil.rmtree(root, ignore_errors=True)
        for line in wrong:
            print("FAIL as user %d: %s" % (os.getuid(), line))
        print("%d attempts as user %d: %s" % (count, os.getuid(), "%d wrong" % len(wrong) if wrong else "all refused"))
        sys.stdout.flush()
        os._exit(1 if wrong or not count else 0)
    return os.waitpid(child, 0)[1] == 0


def main():
    if subprocess.run(["unshare", "-Urmn", "true"], capture_output=True).returncode != 0:
        print("SKIPPED: no user namespaces here")
        sys.exit(77)
    users = [0, USER] if os.getuid() == 0 else [0]
    with tempfile.TemporaryDirectory(prefix="warder-cell-", dir="/var/tmp") as place:
        cell = shutil.copy(sys.argv[1], place)  # the other user may not see the build directory
        os.chmod(place, 0o755)
        good = [as_user(user, cell) for user in users]
    sys.exit(0 if all(good) else 1)


main()
