"""What the tests of the service share: a server of their own, and clients for each way to speak to it.

Nothing but Python's own library. Every server has a home, a data directory and a free port of its own.
"""

import base64
import http.client
import json
import os
import re
import resource
import secrets
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import openapi

BUILD = Path(os.environ.get("WARDER_BUILD", "build/dev")).resolve()
WARDER = BUILD / "warder"
PROJECTS = ("p-1", "p-2", "p-9", "p-13", "p-14a", "p-14b", "harmless")  # that the workers of the tests may act for
PATIENCE = 60  # seconds that a test waits for what should come at once


def skip_without_service():
    """Exit 77: a build without the service has nothing to test here."""
    if not (BUILD / "warder-serve").exists():
        print("this build has no warder-serve")
        sys.exit(77)


def wait_until(what, condition, patience=PATIENCE):
    end = time.monotonic() + patience
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError(f"never came: {what}")


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)


UNSEEN = re.compile(r"Location is file descriptor \d+ created by thread T-1\b")


def complaints(said):
    """What sanitizers found. ThreadSanitizer does not see openat(), memfd_create() and pidfd_open(): a number of theirs that another thread
    has closed before, as something else, looks like a race with that close(). The kernel gives no number away that is not closed. Only
    those are left out whose creation was not seen ("thread T-1")."""
    found = re.findall(r"(?:ERROR: \w+Sanitizer|runtime error:).*", said)
    races = [one for one in said.split("WARNING: ThreadSanitizer")[1:] if not UNSEEN.search(one)]
    return found + races


class Server:
    """`warder serve`, and a home and a project for its workers."""

    faults = False  # a crash that the guard caught is still a crash, except where faults are asked for
    program = WARDER
    descriptors = None  # the limit of open files, if it is not the one of the tests

    def __init__(self, *options, profile="guild", env=None, root=None):
        self.owned = root is None
        self.root = Path(root or tempfile.mkdtemp(prefix="warder-service-")).resolve()
        self.home, self.data = self.root / "home", self.root / "data"
        self.project = self.home / "project"
        for directory in (self.root, self.home, self.project / ".git", self.data):
            directory.mkdir(parents=True, exist_ok=True)
            directory.chmod(0o700)
        state = self.home / ".local" / "state" / "warder"
        state.mkdir(parents=True, exist_ok=True)
        state.chmod(0o700)
        self.socket = state / "warder.sock"  # where a hook with --home looks
        if profile == "guild":
            self.keep_to_the_letter()
        self.options = list(options)
        if profile:
            self.options += ["--profile", profile]
        self.env = clean_env(self.home) | (env or {})
        self.log = self.root / "log"
        self.process = None
        self.tokens = {}

    def keep_to_the_letter(self):
        """What the document says, and no more: tests about reviews need commands that no clearance answers."""
        policy = self.home / ".config" / "warder" / "warder.local.yaml"
        policy.parent.mkdir(parents=True, exist_ok=True)
        policy.write_text("clearances: off\n")
        policy.chmod(0o600)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()
        if self.owned:
            shutil.rmtree(self.root, ignore_errors=True)

    def start(self):
        log = open(self.log, "ab")
        self.process = subprocess.Popen(
            [str(self.program), "serve", "--listen", "127.0.0.1:0", "--socket", str(self.socket), "--data", str(self.data), *self.options],
            env=self.env, cwd=self.project, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True,
            preexec_fn=self.limit if self.descriptors else None)
        log.close()
        line = self.read_line()
        found = re.search(r"127\.0\.0\.1:(\d+)", line)
        if not found:
            self.process.kill()
            raise AssertionError(f"the server did not start: {line!r} {self.log.read_text()}")
        self.port = int(found.group(1))
        while not self.socket.exists():
            self.read_line()
        return self

    def limit(self):
        resource.setrlimit(resource.RLIMIT_NOFILE, (self.descriptors, self.descriptors))

    def read_line(self):
        if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
            raise AssertionError("the server says nothing")
        return self.process.stdout.readline()

    def stop(self):
        if not self.process:
            return None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        code, self.process = self.process.returncode, None
        said = self.log.read_text(errors="replace")
        if not self.faults and "internal fault" in said:
            raise AssertionError(f"an analysis crashed: {said}")
        if complaints(said):
            raise AssertionError(f"a sanitizer complains: {complaints(said)}")
        return code

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process = None

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def command(self, *words, env=None, **more):
        return subprocess.run([str(WARDER), *words], env=self.env | (env or {}), cwd=more.pop("cwd", self.project),
                              capture_output=True, text=True, timeout=PATIENCE, **more)

    def token(self, role, *more):
        """A worker's token is for PROJECTS, unless more is said of it."""
        if (role, *more) not in self.tokens:
            bound = [word for project in PROJECTS for word in ("--project", project)] if role == "worker" and not more else []
            made = self.command("token", "create", "--role", role, "--data", str(self.data), *bound, *more)
            if made.returncode != 0:
                raise AssertionError(made.stderr)
            self.tokens[(role, *more)] = made.stdout.strip()
        return self.tokens[(role, *more)]

    def operate(self, *words, role="operator", **more):
        """A command for operators, as a person would run it."""
        return self.command(*words, "--url", self.url, env={"WARDER_TOKEN": self.token(role)}, **more)

    def ask(self, method, path, body=None, role="operator", headers=None, token=None, timeout=PATIENCE):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        sent = dict(headers or {})
        if token is None and role:
            token = self.token(role)
        if token:
            sent.setdefault("Authorization", f"Bearer {token}")
        if body is not None and not isinstance(body, (str, bytes)):
            body = json.dumps(body)
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
        try:
            connection.request(method, path, body, sent)
            response = connection.getresponse()
            answer = Answer(response.status, response.headers, response.read())
        finally:
            connection.close()
        if openapi.judge and method != "HEAD":  # its answer is that of GET, and has nothing to compare
            faults = openapi.judge.judge(method, path, answer.status, answer.headers["Content-Type"], answer.body)
            if faults:
                raise AssertionError(f"not as docs/openapi.yaml says: {faults[:5]} in {answer.body[:800]}")
        return answer

    def get(self, path, **more):
        answer = self.ask("GET", path, **more)
        if answer.status != 200:
            raise AssertionError(f"GET {path}: {answer.status} {answer.body[:500]}")
        return answer.json

    def call(self, command, wait=0, **more):
        return {"tool": "Bash", "input": {"command": command}, "cwd": str(self.project), "worker_id": "w-1", "task_id": "t-1",
                "project_id": "p-1", "context": {"task_description": "mend the build", "worktree_path": str(self.project)},
                "wait": wait} | more

    def check(self, command, wait=0, role="worker", **more):
        answer = self.ask("POST", "/v1/check", self.call(command, wait, **more), role=role)
        if answer.status != 200:
            raise AssertionError(f"check: {answer.status} {answer.body[:500]}")
        return answer.json

    def answer(self, review, answer, **more):
        return self.ask("POST", f"/v1/reviews/{review}", {"answer": answer} | more)

    def pending(self):
        return self.get("/v1/reviews?status=pending&limit=1000")["reviews"]

    def next_review(self, command):
        """The pending review of this command, as soon as there is one."""
        return wait_until(f"a review of {command!r}", lambda: next((r for r in self.pending() if r["command"] == command), None))

    def decisions(self, query=""):
        return self.get(f"/v1/decisions{'?' + query if query else ''}")["decisions"]

    def add_rule(self, pattern, kind="accept", scope="global", reason=None):
        body = {"pattern": pattern, "type": kind, "scope": scope}
        if reason:
            body["reason"] = reason
        answer = self.ask("POST", "/v1/rules", body)
        if answer.status not in (200, 201):
            raise AssertionError(f"rule: {answer.status} {answer.body[:500]}")
        return answer.json["rule"]

    def memory(self):
        """Resident kilobytes of the server and what it started."""
        return sum(int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()).group(1)) for pid in self.pids())

    def pids(self):
        return [self.process.pid] + [int(p) for p in Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()]


def clean_env(home):
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")}
    return kept | {"HOME": str(home), "LC_ALL": "C.UTF-8"}


class Lines:
    """JSON lines over the unix socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(str(path))
        self.file = self.socket.makefile("rb")

    def send(self, call):
        self.socket.sendall(json.dumps(call).encode() + b"\n")

    def receive(self):
        line = self.file.readline()
        return json.loads(line) if line else None

    def ask(self, call):
        self.send(call)
        return self.receive()

    def close(self):
        self.file.close()
        self.socket.close()


class WebSocket:
    """A client of /v1/events, as far as these tests need one."""

    def __init__(self, port, token, path="/v1/events", headers=None, timeout=PATIENCE):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Connection: Upgrade", "Upgrade: websocket",
                 "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {base64.b64encode(secrets.token_bytes(16)).decode()}"]
        if token:
            lines.append(f"Authorization: Bearer {token}")
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        self.socket.sendall("\r\n".join(lines).encode() + b"\r\n\r\n")
        self.rest = b""
        head = self.until(b"\r\n\r\n").decode("latin-1")
        self.status = int(head.split()[1])

    def fill(self):
        piece = self.socket.recv(65536)
        if not piece:
            raise ConnectionError("the server has closed the connection")
        self.rest += piece

    def until(self, mark):
        while mark not in self.rest:
            self.fill()
        head, self.rest = self.rest.split(mark, 1)
        return head

    def take(self, count):
        while len(self.rest) < count:
            self.fill()
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def frame(self):
        first, second = self.take(2)
        length = second & 127
        if length == 126:
            length = struct.unpack(">H", self.take(2))[0]
        elif length == 127:
            length = struct.unpack(">Q", self.take(8))[0]
        return first & 15, first >> 7, self.take(length)

    def send(self, opcode, payload=b""):
        mask = secrets.token_bytes(4)
        head = bytes([0x80 | opcode])
        if len(payload) < 126:
            head += bytes([0x80 | len(payload)])
        else:
            head += bytes([0x80 | 126]) + struct.pack(">H", len(payload))
        self.socket.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload)))

    def message(self):
        """The next text, as JSON; pings are answered on the way. None: the server has closed it."""
        text = b""
        while True:
            opcode, final, payload = self.frame()
            if opcode == 9:
                self.send(10, payload)
            elif opcode == 8:
                return None
            elif opcode in (0, 1):
                text += payload
                if final:
                    return json.loads(text)

    def events(self):
        """Events one by one, however many a message holds."""
        while True:
            said = self.message()
            if said is None:
                return
            yield from said.get("events", [said])

    def event(self, condition):
        for event in self.events():
            if condition(event):
                return event
        raise AssertionError("the server has closed the events")

    def close(self):
        self.socket.close()


class Worker:
    """A real process that asks before it runs each command (worker.py)."""

    def __init__(self, server, command, wait=PATIENCE, over="socket", worker="w-1", task="t-1", project="p-1"):
        token = server.root / "worker-token"
        if not token.exists():
            token.write_text(server.token("worker"))
        where = ["--socket", str(server.socket)] if over == "socket" else ["--url", server.url, "--token-file", str(token)]
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("worker.py")), *where, "--worker", worker, "--task", task,
             "--project", project, "--wait", str(wait), "--", command],
            cwd=server.project, env=server.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def end(self):
        """(exit code, what the command printed, what the worker was told)"""
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, json.loads(err.splitlines()[-1])

    @property
    def running(self):
        return self.process.poll() is None


class ServiceTest(unittest.TestCase):
    """One server for all tests of a class."""

    options = ()
    profile = "guild"

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.options, profile=cls.profile).start()

    @classmethod
    def tearDownClass(cls):
        code = cls.server.stop()
        log = cls.server.log.read_text()
        shutil.rmtree(cls.server.root, ignore_errors=True)
        if code != 0:
            raise AssertionError(f"the server ended with {code}: {log}")


def main():
    skip_without_service()
    unittest.main(verbosity=2)
