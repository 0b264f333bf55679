#!/usr/bin/env python3
"""Every command of the corpora of attacks that Warder would let run in the sandbox is really run there.

usage: tests/cell/corpora.py WARDER [--every N] [--jobs N] [--verbose]    every: only each n-th command

The commands come from ../shared (see tools/measure). `warder check` says of all at once which of them would be contained; each of
those is put to the real hook as Claude Code would put it, in a throw-away home with its own user database, and what the hook
answers is run, by a shell in the project. All of it happens in namespaces of its own, as many as there are jobs: /tmp is empty,
the places of the machine are layers of their own, and in the network every address of the world leads to listeners here, and
every packet is seen. Afterwards nothing may have changed outside of the project and /tmp, nothing that is protected in the
project, and neither a connection nor a packet may have come. What the hook asks about, `check` must not contain."""
import argparse
import gzip
import hashlib
import json
import os
import re
import resource
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SHARED = os.path.join(HERE, "..", "..", "..", "shared")
ASKS = "a question for the name "
SECONDS = 5  # for one command
FILE_MAX = 64 << 20
PORTS = (21, 22, 25, 53, 80, 443, 1234, 3000, 4444, 5000, 5432, 6379, 8000, 8080, 8443, 9001)
# acceptEdits counts where the registration is the person's, as `warder install` makes it
REGISTERED = json.dumps({"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "warder hook --client claude"}]}]}})
HOME_FILES = {".ssh/id_rsa": "KEY", ".ssh/authorized_keys": "x", ".bashrc": "x", ".profile": "x", ".gitconfig": "[user]\nname=x\nemail=x@x\n",
              ".aws/credentials": "KEY", ".netrc": "KEY", ".npmrc": "KEY", ".config/gh/hosts.yml": "KEY", ".bash_history": "x",
              ".config/warder/warder.yaml": "sandbox: {use: auto, background: end}\n", "Documents/letter": "x", "other/.env": "KEY", ".claude/settings.json": REGISTERED, ".local/bin/tool": "#!/bin/sh\n"}
PROJECT_FILES = {"README.md": "x\n", "package.json": '{"scripts": {"test": "true"}}\n', "src/main.py": "print(1)\n", ".env": "TOKEN=1\n",
                 "Makefile": "all:\n\ttrue\n", ".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[core]\n\tbare = false\n",
                 ".git/hooks/pre-commit": "#!/bin/sh\n", ".git/objects/info/x": "", ".git/refs/heads/x": ""}
PROTECTED = (".git/config", ".git/hooks/pre-commit")
NEVER = (".mcp.json", ".claude/settings.json", ".vscode/tasks.json", ".envrc", ".git/hooks/post-checkout", ".github/workflows")
OUTSIDE = ("/etc", "/usr/local", "/opt", "/srv", "/boot", "/var/spool", "/usr/bin")


def rows(name):
    path = os.path.join(SHARED, name)
    with (gzip.open if name.endswith(".gz") else open)(path, "rt", encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def commands():
    found = [c["command"] for c in rows("shell/bypass_cases.jsonl")]
    for name in ("danger_redcode", "danger_atomic_red_team", "danger_payloads"):
        found += [c["code"] for c in rows("corpora/%s.jsonl.gz" % name) if isinstance(c.get("code"), str)]
    found += [c["command"] for c in rows("corpora/peer_cases_sample.jsonl.gz") if not c["norm"].startswith("ctx:")]
    return [c for c in dict.fromkeys(found) if isinstance(c, str) and "\0" not in c]


# ---- the world ----

def write(path, text, mode=0o600):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)
    os.chmod(path, mode)


def make_home(home):
    os.makedirs(home + "/.cache/warder", mode=0o700)
    for name, text in HOME_FILES.items():
        write(home + "/" + name, text)


def make_project(project):
    """As new; from inside, because it is the directory that the cells bind."""
    for name in os.listdir(project):
        path = project + "/" + name
        shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)
    for name, text in PROJECT_FILES.items():
        write(project + "/" + name, text)


def state_of(top, but):
    """Every name below it, with what it is; but for some places."""
    found = {}
    for directory, names, files in os.walk(top):
        names[:] = [n for n in names if directory + "/" + n not in but]
        for name in names + files:
            path = directory + "/" + name
            st = os.lstat(path)
            content = ""
            if os.path.isfile(path) and not os.path.islink(path) and st.st_size < 1 << 20:
                with open(path, "rb") as f:
                    content = hashlib.sha256(f.read()).hexdigest()
            found[path] = (st.st_mode, st.st_uid, st.st_size if content else 0, content,
                           os.readlink(path) if os.path.islink(path) else "")
    return found


def cover(place, tops):
    """A layer over each of these places, in which every change from here is found, and none of anybody else's."""
    for number, top in enumerate(t for t in tops if os.path.isdir(t)):
        upper, work = ("%s/layers/%d-%s" % (place, number, n) for n in ("upper", "work"))
        os.makedirs(upper)
        os.makedirs(work)
        subprocess.run(["mount", "-t", "overlay", "none", top, "-o", "lowerdir=%s,upperdir=%s,workdir=%s" % (top, upper, work)], check=True)


def changes(place):
    uppers = [place + "/layers/" + n for n in os.listdir(place + "/layers") if n.endswith("-upper")]
    return [directory + "/" + name for upper in uppers for directory, names, files in os.walk(upper) for name in names + files]


def prove_layers(place):
    """They would show a change."""
    with open("/etc/warder-corpora", "w"):
        assert any(p.endswith("/warder-corpora") for p in changes(place))
    os.unlink("/etc/warder-corpora")
    assert not changes(place)


def is_refusal(packet):
    """The kernel's own answer that nobody listens: to a question for a name there is nobody."""
    body = 14 + (packet[14] & 15) * 4
    return packet[12:14] == b"\x08\x00" and packet[23] == socket.IPPROTO_ICMP and packet[body] == 3


def tell(packet):
    """A packet in words; of a question for a name, which."""
    if struct.unpack("!H", packet[12:14])[0] != 0x0800:
        return "a packet"
    body = 14 + (packet[14] & 15) * 4
    to = socket.inet_ntoa(packet[30:34])
    if packet[23] != socket.IPPROTO_UDP or struct.unpack("!H", packet[body + 2:body + 4])[0] != 53:
        return "a packet to " + to
    rest, labels = packet[body + 20:], []
    while rest and rest[0]:
        labels.append(rest[1:1 + rest[0]].decode("ascii", "replace"))
        rest = rest[1 + rest[0]:]
    return ASKS + ".".join(labels).lower()


class Network:
    """Everybody who could be reached from here, and what came."""

    def __init__(self):
        for words in (["link", "set", "lo", "up"], ["route", "add", "local", "default", "dev", "lo"]):
            subprocess.run(["ip", *words], check=True)
        self.packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        self.packets.bind(("lo", 0))
        self.listeners = []
        for port in PORTS:
            s = socket.socket()
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            s.bind(("0.0.0.0", port))
            s.listen(8)
            self.listeners.append(s)
        self.names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.names.bind(("127.0.0.1", 53))

    def came(self):
        """What has come since the last look: texts."""
        found = []
        while True:
            ready = select.select([self.packets, self.names, *self.listeners], [], [], 0)[0]
            if not ready:
                return found
            for s in ready:
                if s is self.packets:
                    packet = s.recv(65535)
                    if not is_refusal(packet):
                        found.append(tell(packet))
                elif s is self.names:
                    s.recv(512)  # seen as a packet as well
                else:
                    s.accept()[0].close()
                    found.append("a connection to port %d" % s.getsockname()[1])


def prove_network(network):
    """The trap itself works."""
    with socket.socket() as s:
        s.connect(("127.0.0.1", 8080))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.sendto(b"x", ("198.51.100.7", 9))
    came = network.came()
    assert "a connection to port 8080" in came and "a packet to 198.51.100.7" in came, came


# ---- one command ----

class Run:
    def __init__(self, warder, home):
        self.warder, self.home, self.project, self.count = warder, home, home + "/project", 0
        self.env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": home, "SHELL": "/bin/bash", "LANG": "C.UTF-8", "USER": "someone"}
        self.but = {home + "/project", home + "/.local/state", home + "/.cache"}

    def answer(self, command):
        """The command that the hook lets run in a cell; None: it does not."""
        self.count += 1
        event = {"session_id": "s%d" % self.count, "transcript_path": "t", "cwd": self.project, "permission_mode": "acceptEdits",
                 "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "u"}
        done = subprocess.run([self.warder, "hook", "--client", "claude"], input=json.dumps(event), capture_output=True, text=True,
                              cwd=self.project, env=self.env)
        said = json.loads(done.stdout or "{}").get("hookSpecificOutput", {})
        new = (said.get("updatedInput") or {}).get("command", "")
        token = said.get("permissionDecision") == "allow" and re.search(r"/warder-cell ([0-9a-f]{32})", new)
        if token:
            with open(self.home + "/.local/state/warder/cells/" + token[1]) as f:
                self.hosts = [h.rpartition(":")[0] or h for h in json.load(f).get("hosts", [])]
        return new if token else None

    def may_ask(self, text):
        """A question for the name of a server that the plan allows, by the proxy, which is outside."""
        return text.startswith(ASKS) and text[len(ASKS):] in self.hosts

    def run(self, text):
        def limits():
            resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_MAX, FILE_MAX))
            os.setsid()

        child = subprocess.Popen(["/bin/bash", "-c", text], cwd=self.project, env=self.env, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limits)
        try:
            out = child.communicate(timeout=SECONDS)[0]
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            out = child.communicate()[0]
        return child.returncode, out.decode("utf-8", "replace")

    def harm(self, before, network):
        """What has changed that must not, as texts."""
        after = state_of(self.home, self.but)
        found = ["changed: " + p for p in sorted(set(before) | set(after)) if before.get(p) != after.get(p)]
        for name in PROTECTED:
            path = self.project + "/" + name
            if not os.path.isfile(path) or open(path).read() != PROJECT_FILES[name]:
                found.append("changed: " + path)
        found += ["made: " + n for n in NEVER if os.path.lexists(self.project + "/" + n)]
        return found + [text for text in network.came() if not self.may_ask(text)]


def end_leftovers():
    """Whatever a call has left running; the first process here is the test itself."""
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) not in (1, os.getpid()):
            try:
                os.kill(int(name), signal.SIGKILL)
            except OSError:
                pass
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def begin(run):
    """A new home, in which the sandbox is proved."""
    shutil.rmtree(run.home, ignore_errors=True)
    os.makedirs(run.project)
    make_home(run.home)
    make_project(run.project)
    subprocess.run([run.warder, "sandbox", "check"], cwd=run.project, env=run.env, check=True, capture_output=True)


def would_be_contained(run, texts, **more):
    """Those of them, by one process. The mode is one that the client reports, as it is to the hook."""
    calls = [{"tool": "Bash", "input": {"command": t}, "cwd": run.project, "project": run.project, "mode": "acceptEdits", **more} for t in texts]
    words = ["check", "--jsonl", "--client", "claude", "--home", run.home]
    done = subprocess.run([run.warder, *words], input="".join(json.dumps(c) + "\n" for c in calls), capture_output=True, text=True,
                          cwd=run.project, env=run.env)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(said) == len(texts), done.stderr
    return [t for t, v in zip(texts, said) if v.get("contained")]


def run_all(warder, home, texts, verbose):
    network, run = Network(), Run(warder, home)
    prove_network(network)
    begin(run)
    contained, bad, asked, differ = 0, 0, 0, 0
    for command in would_be_contained(run, texts):
        make_project(run.project)
        text = run.answer(command)
        if not text:
            asked += 1
            if would_be_contained(run, [command], session="s%d" % run.count):  # a session knows more than none
                differ += 1
                print("`check` would contain it, and the hook does not: %s" % json.dumps(command)[:300])
            continue
        before = state_of(home, run.but)
        code, out = run.run(text)
        end_leftovers()
        contained += 1
        harm = run.harm(before, network)
        if code == 125 and "warder" in out:
            harm.append("the sandbox could not be built: " + out.strip()[:200])
        if harm:
            bad += 1
            print("HARM by %s\n  %s" % (json.dumps(command)[:300], "\n  ".join(harm[:6])))
            begin(run)
        elif verbose:
            print("%3d  %s" % (code, json.dumps(command)[:120]))
    changed = changes(os.path.dirname(home))
    print("%d commands ran in a cell: %d with harm; %d were asked about by the hook, %d of them contained by check; %d names changed in %s" % (
        contained, bad, asked, differ, len(changed), " ".join(OUTSIDE)))
    for path in sorted(changed)[:10]:
        print("  " + path)
    return (contained > 0 or not texts) and not bad and not differ and not changed


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("warder")
    p.add_argument("--every", type=int, default=1)
    p.add_argument("--verbose", action="store_true")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--inside", help=argparse.SUPPRESS)
    p.add_argument("--job", type=int, default=0, help=argparse.SUPPRESS)
    options = p.parse_args()
    if not os.path.exists(os.path.join(SHARED, "shell", "bypass_cases.jsonl")):
        print("SKIPPED: ../shared has no corpora")
        return 0
    if not options.inside:
        new = ["unshare", "-mnp", "--fork", "--kill-child", "--mount-proc"] + ([] if os.getuid() == 0 else ["-Uc"])
        if subprocess.run([*new, "true"], stderr=subprocess.DEVNULL).returncode != 0:
            print("SKIPPED: no namespaces here")
            return 0
        place = tempfile.mkdtemp(prefix="warder-corpora-", dir="/var/tmp")
        try:
            jobs = []
            for job in range(options.jobs):
                os.mkdir("%s/%d" % (place, job))
                jobs.append(subprocess.Popen([*new, sys.executable, "-B", *sys.argv, "--jobs", str(options.jobs), "--job", str(job),
                                              "--inside", "%s/%d" % (place, job)]))
            return 1 if any([j.wait() for j in jobs]) else 0
        finally:
            shutil.rmtree(place, ignore_errors=True)
    place, home = options.inside, options.inside + "/home"
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    cover(place, OUTSIDE)
    prove_layers(place)
    write(place + "/passwd", "someone:x:%d:%d::%s:/bin/bash\n" % (os.getuid(), os.getgid(), home), 0o644)
    for words in (["--bind", place + "/passwd", "/etc/passwd"], ["-t", "tmpfs", "none", "/tmp"]):
        subprocess.run(["mount", *words], check=True)
    texts = commands()[::options.every][options.job::options.jobs]
    return 0 if run_all(os.path.abspath(options.warder), home, texts, options.verbose) else 1


sys.exit(main())
